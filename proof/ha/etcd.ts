// The three members of an etcd, in which Patroni keeps who is the primary.
import { join } from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import { Daemon } from '../daemon.ts';
import type { Programs } from './programs.ts';

const ANSWER_LIMIT_MS = 2_000;

export type EtcdMember = Daemon & { readonly place: string };

/** Not started yet. The API of version 2 is on, which a server of today has off: it is the one that Patroni is to use. */
export async function makeEtcd(folder: string, { etcd, user }: Programs, count: number): Promise<EtcdMember[]> {
  const places = await Promise.all(
    Array.from({ length: count }, async (_, n) => ({
      name: `etcd${n + 1}`,
      place: `127.0.0.1:${await freePort()}`,
      peer: `http://127.0.0.1:${await freePort()}`,
    })),
  );
  const all = places.map(({ name, peer }) => `${name}=${peer}`).join();
  return places.map(({ name, place, peer }) => {
    const settings = {
      name,
      'data-dir': join(folder, name),
      'listen-client-urls': `http://${place}`,
      'advertise-client-urls': `http://${place}`,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': all,
      'initial-cluster-token': 'kassa-ha',
      logger: 'zap',
    };
    const args = Object.entries(settings).map(([setting, value]) => `--${setting}=${value}`);
    const member = new Daemon([etcd, ...args, '--enable-v2'], user, join(folder, `${name}.log`));
    return Object.assign(member, { place });
  });
}

/** What the member says it is; undefined when it does not answer. */
export async function etcdStateOf({ place }: EtcdMember): Promise<string | undefined> {
  try {
    const response = await fetch(`http://${place}/v2/stats/self`, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    return ((await response.json()) as { state: string }).state;
  } catch {
    return undefined;
  }
}

export const ETCD_LEADER = 'StateLeader';
