// From a name to its addresses. The system's own look-up knows hosts files and search domains, which a test merchant's
// machines may need; but it holds one of very few threads for as long as a name server is silent, so that some dead
// names could stop everybody's deliveries. A live merchant's names are public, and are asked for without a thread.
import { CONNREFUSED, lookup, NOTFOUND, Resolver } from 'node:dns/promises';

export type Resolve = (name: string, live: boolean) => Promise<readonly string[]>;

// A name server that answers at all answers within it. Two tries stay within the time of one delivery.
const NAME_SERVER_TIMEOUT_MS = 2_000;
const NAME_SERVER_TRIES = 2;

async function askSystem(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true });
  return found.map(({ address }) => address);
}

async function askNameServers(resolver: Resolver, name: string): Promise<readonly string[]> {
  const asked = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = asked.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const [failure] = asked.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []));
  if (found.length === 0 && failure !== undefined) throw failure;
  return found;
}

/** Looks names up; those who want the same name at the same time share one look-up. */
export function openResolve({ servers }: { readonly servers?: readonly string[] } = {}): Resolve {
  const resolver = new Resolver({ timeout: NAME_SERVER_TIMEOUT_MS, tries: NAME_SERVER_TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const underWay = new Map<string, Promise<readonly string[]>>();

  async function ask(name: string, live: boolean): Promise<readonly string[]> {
    if (!live) return askSystem(name);
    try {
      return await askNameServers(resolver, name);
    } catch (error) {
      // No name server where one is expected: the system has another way to names.
      if ((error as NodeJS.ErrnoException).code !== CONNREFUSED) throw error;
      return askSystem(name);
    }
  }

  return (name, live) => {
    const key = `${live} ${name}`;
    const sharing = underWay.get(key);
    if (sharing !== undefined) return sharing;
    const asking = ask(name, live).finally(() => underWay.delete(key));
    underWay.set(key, asking);
    return asking;
  };
}

/** What an empty answer means. */
export const nameNotFound = (): Error => Object.assign(new Error('name not found'), { code: NOTFOUND });
