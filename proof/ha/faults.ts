// What goes wrong, one after the other.
import type { Cluster } from './cluster.ts';

export type Fault = {
  /** On the command line. */
  readonly name: string;
  /** In the table. */
  readonly title: string;
  /** Returns how it is mended. */
  readonly begin: (cluster: Cluster) => Promise<() => void>;
};

const nothing = (): void => {};

export const FAULTS: readonly Fault[] = [
  { name: 'nothing', title: 'nothing', begin: async () => nothing },
  {
    name: 'machine',
    title: 'kill -9 of all on the machine of the primary',
    begin: async (cluster) => {
      const machine = await cluster.primary();
      await machine.kill();
      return () => machine.start();
    },
  },
  {
    name: 'postmaster',
    title: "kill -9 of the primary's postmaster alone",
    begin: async (cluster) => {
      const machine = await cluster.primary();
      await machine.killPostmaster();
      return nothing;
    },
  },
  {
    name: 'frozen',
    title: 'the machine of the primary frozen (SIGSTOP), and thawed later',
    begin: async (cluster) => {
      const machine = await cluster.primary();
      machine.freeze();
      return () => machine.thaw();
    },
  },
  {
    name: 'switchover',
    title: 'switchover to the synchronous standby',
    begin: async (cluster) => {
      await cluster.switchOver();
      return nothing;
    },
  },
  {
    name: 'standby',
    title: 'the machine of the synchronous standby frozen, and thawed later',
    begin: async (cluster) => {
      const machine = await cluster.syncStandby();
      machine.freeze();
      return () => machine.thaw();
    },
  },
  {
    name: 'etcd',
    title: 'kill -9 of the member that leads etcd',
    begin: async (cluster) => {
      const member = await cluster.etcdLeader();
      await member.kill();
      return () => member.start();
    },
  },
];
