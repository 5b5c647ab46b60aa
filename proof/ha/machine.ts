// One of the three machines with a Postgres: Patroni, and the Postgres that it starts, as far as processes on one host can
// be a machine. It loses its power, freezes and thaws as one.
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf, isGone } from '../../test/support/process-tree.ts';
import { Daemon, signalAll } from '../daemon.ts';
import type { Programs } from './programs.ts';

export type MachineOptions = {
  readonly name: string;
  readonly folder: string;
  readonly port: number;
  readonly apiPort: number;
  /** Patroni's settings, without what is this machine's own. */
  readonly settings: Readonly<Record<string, object | string>>;
  readonly postgres: Readonly<Record<string, object | string | boolean>>;
};

const GONE_LIMIT_MS = 10_000;
const LOOK_EVERY_MS = 20;

export class Machine {
  readonly name: string;
  readonly port: number;
  readonly api: string;
  readonly #data: string;
  readonly #patroni: Daemon;
  readonly #log: string;

  constructor({ name, folder, port, apiPort, settings, postgres }: MachineOptions, programs: Programs) {
    const home = join(folder, name);
    const { user } = programs;
    this.name = name;
    this.port = port;
    this.api = `http://127.0.0.1:${apiPort}`;
    this.#data = join(home, 'data');
    this.#log = join(folder, `${name}.log`);
    mkdirSync(home, { mode: 0o700 });
    const config = join(home, 'patroni.json');
    const api = `127.0.0.1:${apiPort}`;
    const server = `127.0.0.1:${port}`;
    const own = {
      name,
      restapi: { listen: api, connect_address: api },
      postgresql: {
        ...postgres,
        listen: server,
        connect_address: server,
        data_dir: this.#data,
        bin_dir: programs.postgres,
        pgpass: join(home, 'pgpass'),
        parameters: { unix_socket_directories: home },
      },
    };
    // JSON is YAML.
    writeFileSync(config, JSON.stringify({ ...settings, ...own }), { mode: 0o600 });
    if (user) for (const path of [home, config]) chownSync(path, user.uid, user.gid);
    this.#patroni = new Daemon([programs.patroni, config], user, this.#log);
  }

  /** What Patroni and Postgres wrote. */
  get log(): string {
    return readFileSync(this.#log, 'utf8');
  }

  start(): void {
    this.#patroni.start();
  }

  /** As a cut of its power: nothing of it does anything after the first moment. */
  async kill(): Promise<void> {
    const pids = this.#freeze();
    signalAll(pids, 'SIGKILL');
    await this.#patroni.kill();
    await this.#gone(pids);
  }

  async killPostmaster(): Promise<void> {
    const [postmaster] = this.#postgres();
    if (postmaster === undefined) throw new Error(`no Postgres runs on ${this.name}`);
    signalAll([postmaster], 'SIGKILL');
    await this.#gone([postmaster]);
  }

  freeze(): void {
    this.#freeze();
  }

  thaw(): void {
    // The last to be stopped goes on first: what Postgres does on its own before Patroni looks at the clock counts.
    signalAll(this.#processes().toReversed(), 'SIGCONT');
  }

  /** Patroni first, which would start what ends; then the postmaster, which would too; then the rest. */
  #freeze(): number[] {
    const { pid } = this.#patroni;
    if (pid !== undefined) signalAll([pid], 'SIGSTOP');
    signalAll(this.#postgres().slice(0, 1), 'SIGSTOP');
    const pids = this.#processes();
    signalAll(pids, 'SIGSTOP');
    return pids;
  }

  #processes(): number[] {
    const { pid } = this.#patroni;
    return [...(pid === undefined ? [] : [pid, ...childrenOf(pid)]), ...this.#postgres()];
  }

  /** The postmaster and all that it started; none when what its file names is somebody else. */
  #postgres(): number[] {
    try {
      const pid = Number(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n')[0]);
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(this.#data)) return [];
      return [pid, ...childrenOf(pid)];
    } catch {
      return [];
    }
  }

  async #gone(pids: readonly number[]): Promise<void> {
    const deadline = performance.now() + GONE_LIMIT_MS;
    while (!pids.every(isGone)) {
      if (performance.now() > deadline) throw new Error(`processes of ${this.name} do not end`);
      await sleep(LOOK_EVERY_MS);
    }
  }
}
