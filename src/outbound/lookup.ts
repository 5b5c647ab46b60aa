// From a name to its addresses, without the system's own look-up: that one holds one of very few threads of the process
// for as long as a name server is silent, so that some dead names would stop everybody's calls. Name servers are asked
// directly; the hosts file, `localhost` and the search domains of resolv.conf are known here. What else a system may be
// set up to ask (mDNS, NIS, LDAP, name servers by domain) is not.
import { CONNREFUSED, lookup as lookUpBySystem, NODATA, NOTFOUND, Resolver } from 'node:dns/promises';
import { HOSTS_FILE, parseHosts, parseResolv, RESOLV_FILE, watchFile } from './system-files.ts';
import type { Completion } from './system-files.ts';

/** Gives at least one address, or throws an error with a code of node:dns. */
export type LookUp = (name: string, scope: Scope) => Promise<readonly string[]>;
/** A public name means what it means on the internet; any other may be one that only this machine or network knows. */
export type Scope = 'public' | 'any';

export type LookUpOptions = {
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
  readonly resolvFile?: string;
};

// A name server that answers at all answers within it. Two tries stay within the time of one delivery.
const NAME_SERVER_TIMEOUT_MS = 2_000;
const NAME_SERVER_TRIES = 2;

const LOOPBACK: readonly string[] = ['127.0.0.1', '::1'];

export const nameNotFound = (): Error => Object.assign(new Error('name not found'), { code: NOTFOUND });

const isNotFound = (error: unknown): boolean => {
  const { code } = error as NodeJS.ErrnoException;
  return code === NOTFOUND || code === NODATA;
};

async function ask(resolver: Resolver, name: string): Promise<readonly string[]> {
  const asked = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = asked.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failures = asked.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []));
  if (found.length > 0) return found;
  // That nobody answered for one kind of address weighs more than that there is none of the other.
  throw failures.find((error) => !isNotFound(error)) ?? failures[0] ?? nameNotFound();
}

/** The names that are meant by one, in the order in which they are tried. */
function completionsOf(name: string, { search, ndots }: Completion): string[] {
  if (name.endsWith('.')) return [name];
  const completed = search.map((domain) => `${name}.${domain}`);
  return name.split('.').length > ndots ? [name, ...completed] : [...completed, name];
}

export function openLookUp({ servers, hostsFile = HOSTS_FILE, resolvFile = RESOLV_FILE }: LookUpOptions = {}): LookUp {
  const readHosts = watchFile(hostsFile, parseHosts);
  const readResolv = watchFile(resolvFile, parseResolv);
  let resolver: Resolver | undefined;
  let resolverOf: string | undefined;

  /** Made anew when the machine has got other name servers. */
  function resolverFor({ servers: named }: Completion): Resolver {
    if (resolver !== undefined && resolverOf === named) return resolver;
    resolver = new Resolver({ timeout: NAME_SERVER_TIMEOUT_MS, tries: NAME_SERVER_TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    resolverOf = named;
    return resolver;
  }

  function findAtHome(name: string): readonly string[] | undefined {
    const plain = name.replace(/\.$/, '').toLowerCase();
    const own = readHosts().get(plain);
    return own ?? (/(?:^|\.)localhost$/.test(plain) ? LOOPBACK : undefined);
  }

  return async (name, scope) => {
    const completion = readResolv();
    const asking = resolverFor(completion);
    if (scope === 'public') return ask(asking, name);
    const atHome = findAtHome(name);
    if (atHome !== undefined) return atHome;
    let failure: unknown;
    for (const meant of completionsOf(name, completion)) {
      try {
        return await ask(asking, meant);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        failure = error;
      }
    }
    throw failure;
  };
}

const lookUp = openLookUp();

// Where our own look-up finds nothing, the system may have a way of its own.
const NOT_HERE: ReadonlySet<string | undefined> = new Set([CONNREFUSED, NODATA, NOTFOUND]);

/** The addresses of a name that an operator has chosen. It shares nothing with look-ups of names that merchants choose. */
export async function findAddresses(name: string): Promise<readonly string[]> {
  try {
    return await lookUp(name, 'any');
  } catch (error) {
    if (!NOT_HERE.has((error as NodeJS.ErrnoException).code)) throw error;
    return (await lookUpBySystem(name, { all: true })).map(({ address }) => address);
  }
}
