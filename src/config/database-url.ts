// DATABASE_URL as libpq knows it: one server, or several of which one takes what is written. It becomes one address for
// each server, separated by spaces: whoever connects to one needs to know nothing of the others. No part of it is
// repeated when it is wrong: somebody may have put a password into it.
import { nearestOf } from './nearest.ts';
import { BadConfig } from './bad-config.ts';

const FORM =
  /^(?<scheme>postgres(?:ql)?:\/\/)(?:(?<user>[^/?#]*)@)?(?<hosts>[^/?#]*)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?$/;
const EXAMPLE = 'postgres://user:password@host:5432/database';
// Kassa writes, so it can do nothing with the others that libpq knows.
const WRITABLE = new Set(['any', 'read-write', 'primary']);
// What libpq reads and the driver does not; Kassa takes care of it itself.
const OURS = ['host', 'port', 'target_session_attrs', 'load_balance_hosts'];
const MOST_SERVERS = 16;
// Whoever misspells one of these has something else than they think: no TLS, for example.
const CAREFUL = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'target_session_attrs'];
// Others of libpq that are near to them.
const NEAR = new Set(['ssl', 'sslcrl', 'sslcrldir', 'sslcertmode', 'sslsni', 'sslkeylogfile', 'sslpassword']);
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

type Name = 'DATABASE_URL' | 'KASSA_DATABASE_DIRECT_URL';
type Place = { readonly host: string; readonly port: string };

/** A name, an IPv4 address, an IPv6 address in brackets, or nothing; then perhaps a port. */
function readPlace(name: Name, text: string): Place {
  const found = /^(?<host>\[[^\]]*\]|[^:]*)(?::(?<port>\d*))?$/.exec(text);
  if (!found) throw new BadConfig(`${name} must be an address such as ${EXAMPLE}.`);
  return { host: found[1] as string, port: found[2] ?? '' };
}

/** As libpq pairs them: one port for all, or one for each. */
function pairPorts(name: Name, hosts: readonly string[], ports: readonly string[]): Place[] {
  if (ports.length > 1 && ports.length !== hosts.length)
    throw new BadConfig(
      `${name} names ${hosts.length} hosts and ${ports.length} ports: name one port, or one for each.`,
    );
  return hosts.map((host, at) => ({ host, port: (ports.length > 1 ? ports[at] : ports[0]) ?? '' }));
}

/** The address of one server. A folder of sockets, which libpq takes for a host, can stand in the query alone. */
function addressOf(
  { host, port }: Place,
  parts: Readonly<Record<string, string | undefined>>,
  query: URLSearchParams,
): string {
  const own = new URLSearchParams(query);
  const isFolder = host.startsWith('/');
  if (isFolder) own.set('host', host);
  if (isFolder && port !== '') own.set('port', port);
  const authority = isFolder ? '' : `${host}${port === '' ? '' : `:${port}`}`;
  const user = parts['user'] === undefined ? '' : `${parts['user']}@`;
  const search = own.size === 0 ? '' : `?${own.toString()}`;
  return `${parts['scheme']}${user}${authority}${parts['path'] ?? ''}${search}`;
}

/** What a provider or another program puts there for itself is left alone, as the driver does. */
function refuseMisspelt(name: Name, query: URLSearchParams): void {
  for (const parameter of query.keys()) {
    if (CAREFUL.includes(parameter) || NEAR.has(parameter)) continue;
    const meant = nearestOf(parameter, CAREFUL);
    if (meant) throw new BadConfig(`${name} has the parameter ${parameter}; did you mean ${meant}?`);
  }
  if (query.getAll('sslmode').some((mode) => !SSL_MODES.includes(mode)))
    throw new BadConfig(`sslmode of ${name} must be one of ${SSL_MODES.join(', ')}.`);
}

export function readDatabaseUrl(text: string, name: Name = 'DATABASE_URL'): string | undefined {
  if (text === '') return undefined;
  const parts = FORM.exec(text)?.groups;
  if (!parts || /\s/.test(text)) throw new BadConfig(`${name} must be an address such as ${EXAMPLE}.`);
  const query = new URLSearchParams(parts['query'] ?? '');
  refuseMisspelt(name, query);
  const wanted = query.get('target_session_attrs') ?? 'any';
  if (!WRITABLE.has(wanted))
    throw new BadConfig(`target_session_attrs of ${name} must be read-write, primary or any: Kassa writes.`);
  const [hosts, ports] = ['host', 'port'].map((parameter) => query.get(parameter)?.split(','));
  const written = (parts['hosts'] as string).split(',').map((place) => readPlace(name, place));
  // A parameter counts more than what stands before the path.
  const places = pairPorts(name, hosts ?? written.map(({ host }) => host), ports ?? []).map((place, at) => ({
    host: place.host,
    port: place.port || (hosts ? '' : (written[at]?.port ?? '')),
  }));
  if (places.length > 1 && places.some(({ host }) => host === ''))
    throw new BadConfig(`${name} names several hosts, and one of them is empty.`);
  if (places.length > MOST_SERVERS)
    throw new BadConfig(`${name} names ${places.length} hosts; at most ${MOST_SERVERS} can be named.`);
  const isPlain = places.length === 1 && !query.has('target_session_attrs') && !query.has('load_balance_hosts');
  for (const parameter of OURS) query.delete(parameter);
  const addresses = isPlain ? [text] : places.map((place) => addressOf(place, parts, query));
  if (!addresses.every((address) => URL.canParse(address)))
    throw new BadConfig(`${name} must be an address such as ${EXAMPLE}.`);
  return addresses.join(' ');
}

/** The address of Postgres itself, where the other one is a pooler's. */
export function readDirectUrl(text: string, databaseUrl: string): string | undefined {
  if (text !== '' && databaseUrl === '')
    throw new BadConfig(
      'KASSA_DATABASE_DIRECT_URL is set, but DATABASE_URL is not: it is for the address of a pooler.',
    );
  return readDatabaseUrl(text, 'KASSA_DATABASE_DIRECT_URL');
}

/** One address for each server. */
export const serversOf = (databaseUrl: string): string[] => databaseUrl.split(' ');

/** Where a server is: its host and port, or the folder of its socket. */
export function placeOf(address: string): string {
  const { host, searchParams } = new URL(address);
  return host || (searchParams.get('host') ?? 'localhost');
}

/** Where a database is and who asks: neither its password nor its parameters, which may hold one. */
export function describeDatabase(databaseUrl: string): string {
  const servers = serversOf(databaseUrl);
  const { pathname, username } = new URL(servers[0] as string);
  return `${username === '' ? '' : `${username}@`}${servers.map(placeOf).join(',')}${pathname}`;
}
