// A Postgres with a synchronous standby, for tests: two servers of the embedded Postgres on one machine, each of which
// can be stopped, killed and started again at its own port, until the primary is lost and the standby promoted. The
// standby begins as a copy of the primary's folder before its first start, so no other program is needed.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { appendFile, chmod, chown, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { locatePackage, prepareBinaries } from '../../src/database/binaries.ts';
import { createCluster, readPassword, SUPERUSER } from '../../src/database/cluster.ts';
import { buildUrl } from '../../src/database/connection.ts';
import { openDataFolder } from '../../src/database/data-folder.ts';
import type { DataFolder } from '../../src/database/data-folder.ts';
import { spawnOptionsFor } from '../../src/database/postgres-user.ts';
import { asAdmin } from './admin.ts';
import { freePort } from './free-port.ts';

// A start takes a tenth of a second; a machine that does ten other things may need a hundred times as long.
const TIMEOUT_MS = 120_000;
const LOOK_EVERY_MS = 20;
// By which the primary knows the standby.
const STANDBY_NAME = 'kassa_standby';

/** Who waits for the standby, but for a service that looks whether it is ready. */
export const WAITING_FOR_STANDBY = `from pg_stat_activity
  where wait_event = 'SyncRep' and query not like '%transaction_read_only%'`;

type Signal = 'SIGINT' | 'SIGQUIT' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT';

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** One of the two servers: the same folder and port at every start. */
export class Server {
  readonly url: string;
  readonly port: number;
  readonly #start: () => ChildProcess;
  readonly #anyDatabase: string;
  #child: ChildProcess | undefined;

  constructor(port: number, password: string, start: () => ChildProcess) {
    this.url = buildUrl(port, password);
    this.port = port;
    this.#anyDatabase = buildUrl(port, password, 'postgres');
    this.#start = start;
    process.on('exit', () => this.#child?.kill('SIGQUIT'));
  }

  get pid(): number {
    return this.#child?.pid as number;
  }

  /** Returns when it takes connections. */
  async start(): Promise<void> {
    const child = this.#start();
    this.#child = child;
    await until('a Postgres', async () => {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error('a Postgres did not start');
      return asAdmin(this.#anyDatabase, (query) => query('select 1')).then(
        () => true,
        () => false,
      );
    });
  }

  /** Returns when it is gone: SIGINT shuts it down, SIGKILL is a power cut. */
  async stop(signal: Signal = 'SIGINT'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    // One that is frozen would not end.
    child.kill('SIGCONT');
    await ended;
  }

  /** In the database that Kassa uses. */
  query(text: string): Promise<Record<string, unknown>[]> {
    return asAdmin(this.url, (query) => query(text));
  }
}

export type PrimaryWithStandby = {
  readonly primary: Server;
  readonly standby: Server;
  /** Waits until commits of the primary reach the standby again. */
  synchronized(): Promise<void>;
  /** Makes the standby the primary, which waits for nobody. The other one must be gone. */
  promote(): Promise<void>;
  /** After a promotion: gives the one that was promoted a new standby, in the place of the primary that is gone. */
  renew(): Promise<void>;
  /** Whether a commit of the primary waits for the standby now. */
  isWaiting(): Promise<boolean>;
  /** Stops what runs and removes both folders. */
  close(): Promise<void>;
};

type Member = { readonly cluster: string; readonly server: Server };

async function writeStandbySettings(cluster: string, folder: DataFolder, port: number, password: string) {
  const conninfo = `host=127.0.0.1 port=${port} user=${SUPERUSER} password=${password} application_name=${STANDBY_NAME}`;
  const settings = [`primary_conninfo = '${conninfo}'`, 'wal_retrieve_retry_interval = 100ms', 'hot_standby = on'];
  await appendFile(join(cluster, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
  await writeFile(join(cluster, 'standby.signal'), '');
  if (folder.user) await chown(join(cluster, 'standby.signal'), folder.user.uid, folder.user.gid);
}

/** Copies with rights and owners: Postgres runs as another user when we are root. */
async function copyCluster(from: string, to: string, { user }: DataFolder): Promise<void> {
  await cp(from, to, { recursive: true, preserveTimestamps: true });
  if (!user) return;
  const chowning = spawn('chown', ['-R', `${user.uid}:${user.gid}`, to]);
  await once(chowning, 'exit');
}

export async function startPrimaryWithStandby(): Promise<PrimaryWithStandby> {
  const home = await mkdtemp(join(tmpdir(), 'kassa-standby-'));
  await chmod(home, 0o755);
  const folder = await openDataFolder(join(home, 'data'));
  const binaries = await prepareBinaries(await locatePackage(), folder);
  await createCluster(folder, binaries);
  const password = readPassword(folder);
  const copy = `${folder.cluster}-standby`;
  const [primaryPort, standbyPort] = [await freePort(), await freePort()];
  await copyCluster(folder.cluster, copy, folder);
  await writeStandbySettings(copy, folder, primaryPort, password);

  const launch = (cluster: string, port: number) => (): ChildProcess => {
    const settings = [
      'listen_addresses=127.0.0.1',
      `port=${port}`,
      'unix_socket_directories=',
      'shared_buffers=32MB',
      // A standby that was away for a while still finds what it missed.
      'wal_keep_size=1GB',
      'wal_receiver_status_interval=1s',
    ];
    const log = openSync(`${cluster}.log`, 'a', 0o600);
    const child = spawn(binaries.postgres, ['-D', cluster, ...settings.flatMap((each) => ['-c', each])], {
      ...spawnOptionsFor(folder.user),
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    return child;
  };
  const memberAt = (cluster: string, port: number): Member => ({
    cluster,
    server: new Server(port, password, launch(cluster, port)),
  });
  let primary = memberAt(folder.cluster, primaryPort);
  let standby = memberAt(copy, standbyPort);
  const close = async (): Promise<void> => {
    await Promise.all([primary.server.stop('SIGQUIT'), standby.server.stop('SIGQUIT')]);
    await rm(folder.home, { recursive: true, force: true });
    await rm(home, { recursive: true, force: true });
  };
  const synchronized = (): Promise<void> =>
    until('the standby', async () => {
      const rows = await primary.server.query("select 1 from pg_stat_replication where sync_state = 'sync'");
      return rows.length > 0;
    });
  const joinStandby = async (): Promise<void> => {
    await standby.server.start();
    await primary.server.query(`alter system set synchronous_standby_names = '${STANDBY_NAME}'`);
    await primary.server.query('select pg_reload_conf()');
    await synchronized();
  };

  try {
    await primary.server.start();
    await asAdmin(buildUrl(primaryPort, password, 'postgres'), (query) => query('create database kassa'));
    await joinStandby();
  } catch (error) {
    await close();
    throw error;
  }

  return {
    get primary() {
      return primary.server;
    },
    get standby() {
      return standby.server;
    },
    synchronized,
    promote: async () => {
      const { server } = standby;
      // Replay cancels whoever waits in a statement, so nobody does.
      await server.query('select pg_promote(false)');
      await until('the promotion', async () => {
        const rows = await server.query('select 1 where not pg_is_in_recovery()').catch(() => []);
        return rows.length > 0;
      });
      await server.query('alter system reset synchronous_standby_names');
      await server.query('select pg_reload_conf()');
    },
    renew: async () => {
      [primary, standby] = [standby, primary];
      await primary.server.stop();
      await rm(standby.cluster, { recursive: true, force: true });
      await copyCluster(primary.cluster, standby.cluster, folder);
      await writeStandbySettings(standby.cluster, folder, primary.server.port, password);
      await primary.server.start();
      await joinStandby();
    },
    isWaiting: async () => (await primary.server.query(`select 1 ${WAITING_FOR_STANDBY}`)).length > 0,
    close,
  };
}
