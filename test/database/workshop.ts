// What every test of src/database needs: a temporary folder, small Kassas as processes of their own (child.ts), and
// the certainty that in the end everything that was started is gone, found by its id.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

export type Identity = { readonly name: string; readonly uid?: number; readonly gid?: number };
export type Said = { url?: string; started?: boolean; name?: string; message?: string; stopped?: boolean };
export type Kassa = {
  readonly pid: number;
  readonly said: Said;
  readonly url: string;
  stop(): Promise<void>;
  kill(): Promise<void>;
};
type Options = { way?: 'start' | 'use'; dataDir?: string; identity?: Identity; module?: string };

const MODULE = fileURLToPath(new URL('../../src/database/embedded.ts', import.meta.url));
const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));
// A start takes a second; a machine that does ten other things may need ten times as long.
const TIMEOUT_MS = 40_000;

// Half of a test is waiting, so two at once are done in little more than half the time, on two cores, too.
export const AT_ONCE = 2;

export const isRoot = process.getuid?.() === 0;
export const ourselves: Identity = { name: isRoot ? 'root' : 'the user we are' };

/** Who the tests run as: ourselves and, as root, an ordinary user too, if that one can enter this checkout. */
export function listIdentities(): readonly Identity[] {
  if (!isRoot) return [ourselves];
  const nobody = { name: 'nobody', uid: 65_534, gid: 65_534 };
  try {
    execFileSync(process.execPath, ['-e', `fs.readFileSync(${JSON.stringify(MODULE)})`], { ...nobody, cwd: '/' });
    return [ourselves, nobody];
  } catch {
    return [ourselves];
  }
}

export class Workshop {
  readonly root: string;
  readonly dataDir: string;
  readonly sharedHome: string;
  readonly #children: ChildProcess[] = [];
  readonly #identity: Identity;

  constructor(identity: Identity = ourselves) {
    this.#identity = identity;
    this.root = mkdtempSync(join(tmpdir(), 'kassa-database-'));
    chmodSync(this.root, 0o755);
    if (identity.uid !== undefined) chownSync(this.root, identity.uid, identity.gid ?? 0);
    this.dataDir = join(this.root, 'data');
    this.sharedHome = join(this.root, 'shared');
  }

  /**
   * Puts a database there that was made before, migrated and stopped: for what is not about a first start, since to make
   * one takes a second of the processor. Where a database cannot lie in its folder, a copy would lead to the same one, and
   * the first start makes one after all.
   */
  bringDatabase(dataDir = this.dataDir): void {
    const made = process.env['TEST_DATA_FOLDER'];
    if (!made) throw new Error('run the tests with: npm test -- test/…/….test.ts');
    if (existsSync(join(made, 'database-is-elsewhere.txt'))) return;
    execFileSync('cp', ['-a', made, dataDir]);
    const { uid, gid } = this.#identity;
    if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${gid ?? 0}`, dataDir]);
  }

  launch(options: Options = {}): ChildProcess {
    const { way = 'start', dataDir = this.dataDir, identity = ourselves, module = MODULE } = options;
    const { uid, gid } = identity;
    const child = spawn(process.execPath, [CHILD, way, module, dataDir, this.sharedHome], {
      cwd: '/',
      stdio: ['pipe', 'pipe', 'inherit'],
      ...(uid === undefined ? {} : { uid }),
      ...(gid === undefined ? {} : { gid }),
    });
    this.#children.push(child);
    return child;
  }

  /** A small Kassa that has said its first line, good or bad. */
  async run(options: Options = {}): Promise<Kassa> {
    const child = this.launch(options);
    const exited = once(child, 'exit');
    const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    const read = async () => {
      const line = await Promise.race([lines.next(), sleep(TIMEOUT_MS, undefined, { ref: false })]);
      assert.ok(line !== undefined && line.done !== true, 'the small Kassa said nothing');
      return JSON.parse(line.value) as Said;
    };
    const said = await read();
    return {
      pid: child.pid!,
      said,
      get url() {
        assert.ok(said.url !== undefined, said.message);
        return said.url;
      },
      async stop() {
        child.stdin!.end();
        assert.deepEqual(await read(), { stopped: true });
        await exited;
      },
      async kill() {
        child.kill('SIGKILL');
        await exited;
      },
    };
  }

  /** The pid of the Postgres of a cluster, if its file names a living one. */
  postmaster(cluster = join(this.dataDir, 'postgres')): number | undefined {
    const file = join(cluster, 'postmaster.pid');
    if (!existsSync(file)) return undefined;
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
    return readCommand(pid).includes('postgres') ? pid : undefined;
  }

  async close(): Promise<void> {
    for (const child of this.#children) if (child.exitCode === null) child.kill('SIGKILL');
    for (const cluster of this.#findClusters()) {
      const pid = this.postmaster(cluster);
      if (pid === undefined) continue;
      process.kill(pid, 'SIGQUIT');
      await waitUntil(() => this.postmaster(cluster) === undefined);
    }
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }

  #findClusters(): string[] {
    const homes = [this.root, ...[this.root, this.sharedHome].flatMap(listFolders)];
    return homes.map((home) => join(home, 'postgres')).filter((cluster) => existsSync(cluster));
  }
}

function listFolders(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((entry) => join(folder, entry)) : [];
}

export function readCommand(pid: number): string {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

async function waitUntil(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!holds()) {
    assert.ok(performance.now() < deadline, 'waited in vain');
    await sleep(10);
  }
}

export async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
