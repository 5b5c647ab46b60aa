// DATABASE_URL as libpq defines it: one server, or several of which one is writable. It is split into one address per
// server, separated by spaces. Errors never repeat it, since it may contain a password.
import { nearestOf } from './nearest.ts';
import { BadConfig } from './bad-config.ts';

const FORM =
  /^(?<scheme>postgres(?:ql)?:\/\/)(?:(?<user>[^/?#]*)@)?(?<hosts>[^/?#]*)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?$/;
const EXAMPLE = 'postgres://user:password@host:5432/database';
// Kassa writes, so libpq's other values make no sense.
const WRITABLE = new Set(['any', 'read-write', 'primary']);
// Parameters that libpq supports and the driver does not; Kassa implements them.
const OURS = ['host', 'port', 'target_session_attrs', 'load_balance_hosts'];
const MOST_SERVERS = 16;
// A typo in one of these would silently change behaviour, for example disable TLS.
const CAREFUL = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'target_session_attrs'];
// Similar parameters of libpq that are not typos.
const NEAR = new Set(['ssl', 'sslcrl', 'sslcrldir', 'sslcertmode', 'sslsni', 'sslkeylogfile', 'sslpassword']);
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

type Name = 'DATABASE_URL' | 'KASSA_DATABASE_DIRECT_URL';
type Place = { readonly host: string; readonly port: string };

/** A host name, an IPv4 address, an IPv6 address in brackets, or nothing; then an optional port. */
function readPlace(name: Name, text: string): Place {
  const found = /^(?<host>\[[^\]]*\]|[^:]*)(?::(?<port>\d*))?$/.exec(text);
  if (!found) throw new BadConfig(`${name} must be an address such as ${EXAMPLE}.`);
  return { host: found[1] as string, port: found[2] ?? '' };
}

/** Pairs hosts and ports as libpq does: one port for all, or one each. */
function pairPorts(name: Name, hosts: readonly string[], ports: readonly string[]): Place[] {
  if (ports.length > 1 && ports.length !== hosts.length)
    throw new BadConfig(
      `${name} has ${hosts.length} hosts and ${ports.length} ports: it must have one port, or one per host.`,
    );
  return hosts.map((host, at) => ({ host, port: (ports.length > 1 ? ports[at] : ports[0]) ?? '' }));
}

/** The address of one server. A socket folder, which libpq accepts as a host, goes into the query. */
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

/** Unknown parameters, for example of a provider, are ignored, as by the driver. */
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
  // A parameter overrides the host before the path.
  const places = pairPorts(name, hosts ?? written.map(({ host }) => host), ports ?? []).map((place, at) => ({
    host: place.host,
    port: place.port || (hosts ? '' : (written[at]?.port ?? '')),
  }));
  if (places.length > 1 && places.some(({ host }) => host === ''))
    throw new BadConfig(`${name} has several hosts, and one of them is empty.`);
  if (places.length > MOST_SERVERS)
    throw new BadConfig(`${name} has ${places.length} hosts; at most ${MOST_SERVERS} are allowed.`);
  const isPlain = places.length === 1 && !query.has('target_session_attrs') && !query.has('load_balance_hosts');
  for (const parameter of OURS) query.delete(parameter);
  const addresses = isPlain ? [text] : places.map((place) => addressOf(place, parts, query));
  if (!addresses.every((address) => URL.canParse(address)))
    throw new BadConfig(`${name} must be an address such as ${EXAMPLE}.`);
  return addresses.join(' ');
}

/** The direct address of Postgres, if DATABASE_URL is a pooler's. */
export function readDirectUrl(text: string, databaseUrl: string): string | undefined {
  if (text !== '' && databaseUrl === '')
    throw new BadConfig(
      'KASSA_DATABASE_DIRECT_URL is set, but DATABASE_URL is not: the latter must be the address of a pooler.',
    );
  return readDatabaseUrl(text, 'KASSA_DATABASE_DIRECT_URL');
}

/** One address per server. */
export const serversOf = (databaseUrl: string): string[] => databaseUrl.split(' ');

/** The host and port of a server, or its socket folder. */
export function placeOf(address: string): string {
  const { host, searchParams } = new URL(address);
  return host || (searchParams.get('host') ?? 'localhost');
}

/** The user, servers and name of a database, without its password and parameters, which may contain one. */
export function describeDatabase(databaseUrl: string): string {
  const servers = serversOf(databaseUrl);
  const { pathname, username } = new URL(servers[0] as string);
  return `${username === '' ? '' : `${username}@`}${servers.map(placeOf).join(',')}${pathname}`;
}
