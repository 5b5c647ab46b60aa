// Three Postgres under Patroni, with an etcd of three: started on free ports in a temporary folder, asked who is the
// primary, and removed again.
import { randomBytes } from 'node:crypto';
import { chown, chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { asAdmin } from '../../test/support/admin.ts';
import { freePort } from '../../test/support/free-port.ts';
import { Closing } from '../chaos/closing.ts';
import { ETCD_LEADER, etcdStateOf, makeEtcd } from './etcd.ts';
import type { EtcdMember } from './etcd.ts';
import { Machine } from './machine.ts';
import { patroniSettings } from './patroni-settings.ts';
import type { Programs } from './programs.ts';

type Member = { readonly name: string; readonly role: string; readonly state: string; readonly timeline?: number };

export type Cluster = {
  readonly machines: readonly Machine[];
  readonly etcd: readonly EtcdMember[];
  readonly primary: () => Promise<Machine>;
  readonly syncStandby: () => Promise<Machine>;
  readonly etcdLeader: () => Promise<EtcdMember>;
  /** Hands the primary's place to the synchronous standby, as an operator does. */
  switchOver(): Promise<void>;
  /** Waits until all three are there, one of them as the synchronous standby. */
  whole(signal: AbortSignal): Promise<void>;
  /** A new database; the DATABASE_URL that names all three servers, from the first and from the last. */
  createDatabase(name: string): Promise<readonly [string, string]>;
  close(): Promise<void>;
};

const COUNT = 3;
const ANSWER_LIMIT_MS = 2_000;
const SWITCH_LIMIT_MS = 60_000;
const LOOK_EVERY_MS = 250;
// A copy of a small database takes seconds; a machine that does ten other things may need ten times as long.
const WHOLE_LIMIT_MS = 240_000;
const RUNNING = new Set(['running', 'streaming']);

export async function openCluster(programs: Programs, ttl: number, signal: AbortSignal): Promise<Cluster> {
  const { user } = programs;
  const closing = new Closing();
  const folder = await mkdtemp(join(tmpdir(), 'kassa-ha-'));
  closing.add(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  if (user) await chown(folder, user.uid, user.gid);
  const password = randomBytes(16).toString('hex');
  const etcd = await makeEtcd(folder, programs, COUNT);
  const { settings, postgres } = patroniSettings({ ttl, password, etcd: etcd.map(({ place }) => place) });
  const machines: Machine[] = [];
  for (let n = 1; n <= COUNT; n += 1) {
    const ports = { port: await freePort(), apiPort: await freePort() };
    machines.push(new Machine({ name: `db${n}`, folder, ...ports, settings, postgres }, programs));
  }
  closing.add(() => Promise.all([...machines, ...etcd].map((each) => each.kill())));

  /** As any of them that answers tells it. */
  const members = async (): Promise<readonly Member[]> => {
    const ask = async ({ api }: Machine): Promise<readonly Member[]> => {
      const response = await fetch(`${api}/cluster`, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
      return ((await response.json()) as { members: Member[] }).members;
    };
    return Promise.any(machines.map(ask)).catch(() => []);
  };
  const holding = async (role: string): Promise<Machine> => {
    const found = (await members()).find((member) => member.role === role)?.name;
    const machine = machines.find(({ name }) => name === found);
    if (machine === undefined) throw new Error(`none of the machines is ${role}`);
    return machine;
  };
  const isWhole = async (): Promise<boolean> => {
    const all = await members();
    const countOf = (role: string): number => all.filter((member) => member.role === role).length;
    const isUp = all.length === COUNT && all.every(({ state }) => RUNNING.has(state));
    const isOne = new Set(all.map(({ timeline }) => timeline)).size === 1;
    const states = await Promise.all(etcd.map(etcdStateOf));
    return isUp && isOne && countOf('leader') === 1 && countOf('sync_standby') === 1 && !states.includes(undefined);
  };
  const until = async (what: string, holds: () => Promise<boolean>, given: AbortSignal): Promise<void> => {
    const deadline = performance.now() + WHOLE_LIMIT_MS;
    while (!(await holds())) {
      if (performance.now() > deadline)
        throw new Error(
          `waited in vain for ${what}: ${JSON.stringify(await members())}\n${machines.map(({ log }) => log.slice(-2_000)).join('\n')}`,
        );
      await sleep(LOOK_EVERY_MS, undefined, { signal: given });
    }
  };
  const urlOf = (user_: string, places: readonly Machine[], database: string): string =>
    `postgres://${user_}:${password}@${places.map(({ port }) => `127.0.0.1:${port}`).join()}/${database}`;
  const primary = (): Promise<Machine> => holding('leader');

  const cluster: Cluster = {
    machines,
    etcd,
    primary,
    syncStandby: () => holding('sync_standby'),
    etcdLeader: async () => {
      for (const member of etcd) if ((await etcdStateOf(member)) === ETCD_LEADER) return member;
      throw new Error('no member of etcd leads');
    },
    switchOver: async () => {
      const { name: leader, api } = await primary();
      const { name: candidate } = await holding('sync_standby');
      const body = JSON.stringify({ leader, candidate });
      const limit = AbortSignal.timeout(SWITCH_LIMIT_MS);
      const response = await fetch(`${api}/switchover`, { method: 'POST', body, signal: limit });
      if (!response.ok) throw new Error(`the switchover is answered ${response.status}: ${await response.text()}`);
    },
    whole: (given) => until('all three machines', isWhole, given),
    createDatabase: async (name) => {
      const admin = urlOf('postgres', [await primary()], 'postgres');
      await asAdmin(admin, async (query) => {
        const known = await query("select 1 from pg_roles where rolname = 'kassa'");
        if (known.length === 0) await query(`create role kassa login password '${password}'`);
        await query(`create database ${name} owner kassa`);
      });
      const attributes = '?target_session_attrs=read-write';
      return [
        urlOf('kassa', machines, name) + attributes,
        urlOf('kassa', machines.toReversed(), name) + attributes,
      ] as const;
    },
    close: () => closing.run(),
  };
  try {
    for (const member of etcd) member.start();
    await until('etcd', async () => (await Promise.all(etcd.map(etcdStateOf))).includes(ETCD_LEADER), signal);
    for (const machine of machines) machine.start();
    await cluster.whole(signal);
    return cluster;
  } catch (error) {
    await cluster.close().catch(() => {});
    throw error;
  }
}
