// Resolves host names without the system's resolver, which blocks one of very few threads while a name server is silent,
// so that a few dead names would stall all requests. It queries name servers directly, and supports the hosts file,
// `localhost` and the search domains of resolv.conf, but not mDNS, NIS, LDAP or name servers by domain.
import { CONNREFUSED, lookup as lookUpBySystem, NODATA, NOTFOUND, Resolver } from 'node:dns/promises';
import { HOSTS_FILE, parseHosts, parseResolv, RESOLV_FILE, watchFile } from './system-files.ts';
import type { Completion } from './system-files.ts';

/** Returns at least one address, or throws an error with a code of node:dns. */
export type LookUp = (name: string, scope: Scope) => Promise<readonly string[]>;
/** Public names are resolved on the internet only; others may be local to this machine or network. */
export type Scope = 'public' | 'any';

export type LookUpOptions = {
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
  readonly resolvFile?: string;
};

// Any working name server responds within this time. Two attempts fit into the timeout of a delivery.
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
  // No response for one address family outweighs an empty result for the other.
  throw failures.find((error) => !isNotFound(error)) ?? failures[0] ?? nameNotFound();
}

/** The candidates for a name, in order. */
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

  /** Recreated when the name servers change. */
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
