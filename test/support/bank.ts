// A bank for tests: a real `kassa bank` with a real port and a folder of its own, which can be killed and started again
// on the same port and the same book.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bankAcquirer } from '../../src/acquirers/bank-client.ts';
import type { RemoteAcquirer } from '../../src/acquirers/acquirer.ts';
import type { Line, Page } from '../../src/bank/book.ts';
import type { Faults } from '../../src/bank/faults.ts';
import { keyFileIn } from '../../src/bank/folder.ts';
import { Client } from './client.ts';
import { root } from './service.ts';

const START_TIMEOUT_MS = 30_000;
// While the bank was away, an outgoing connection can have been given its port; it goes again soon.
const TRIES_TO_RESTART = 50;
const PAUSE_MS = 100;
const CALL_TIMEOUT_MS = 2_000;

export type RunningBank = {
  readonly url: string;
  readonly key: string;
  readonly dataDir: string;
  /** A plain client with the bank's key. */
  readonly client: Client;
  /** Of the process that runs now. */
  pid(): number;
  /** What the process that runs now wrote to standard output and to standard error. */
  out(): string;
  err(): string;
  /** The client as Kassa has one. */
  acquirer(options?: { name?: string; key?: string; timeoutMs?: number }): RemoteAcquirer;
  /** What is not named is off: `setFaults({})` makes it a good day. */
  setFaults(faults: Partial<Faults>): Promise<void>;
  /** The whole book, from page to page. */
  book(): Promise<Line[]>;
  /** Resolves when the process has ended, by whatever. */
  ended(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again, with the faults that are named; kills it first if it still runs. */
  restart(faults?: Partial<Faults>): Promise<void>;
  /** SIGTERM, and the folder is gone; gives the exit code. */
  stop(): Promise<number | null>;
};

type Started = { readonly child: ChildProcess; readonly url: string; out(): string; err(): string };

async function spawnBank(args: readonly string[]): Promise<Started> {
  const child = spawn(process.execPath, [join(root, 'src/main.ts'), 'bank', ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the bank did not open: ${out}${err}`)), START_TIMEOUT_MS);
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      const found = /Address +(http:\S+)\n/.exec(out)?.[1];
      if (found === undefined || !out.endsWith('\n\n')) return;
      clearTimeout(timer);
      resolve(found.replace('localhost', '127.0.0.1'));
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      reject(new Error(`the bank ended with ${code}: ${out}${err}`));
    });
  });
  return { child, url, out: () => out, err: () => err };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Tries again while the port is taken. */
async function spawnAgain(args: readonly string[]): Promise<Started> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await spawnBank(args);
    } catch (error) {
      if (tries === TRIES_TO_RESTART || !String(error).includes('is taken')) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

export async function startBank(faults: Partial<Faults> = {}): Promise<RunningBank> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kassa-bank-'));
  const argsOf = (port: string, wanted: Partial<Faults>): string[] => [
    '--port',
    port,
    '--data',
    dataDir,
    '--faults',
    JSON.stringify(wanted),
  ];
  let running = await spawnBank(argsOf('0', faults));
  const { url } = running;
  // Shown to a terminal alone; its file has it.
  const key = (await readFile(keyFileIn(dataDir), 'utf8')).trim();
  const client = new Client(url, key);

  const kill = async (): Promise<void> => {
    running.child.kill('SIGKILL');
    await ended(running.child);
  };

  return {
    url,
    key,
    dataDir,
    client,
    pid: () => running.child.pid as number,
    out: () => running.out(),
    err: () => running.err(),
    acquirer: (options = {}) => bankAcquirer({ name: 'bank', url, key, timeoutMs: CALL_TIMEOUT_MS, ...options }),
    setFaults: async (wanted) => {
      await client.must(200, 'PUT', '/faults', wanted);
    },
    book: async () => {
      const lines: Line[] = [];
      for (let after: string | undefined = '0'; after !== undefined;) {
        const page = (await client.must(200, 'GET', `/book?limit=5000&after=${after}`)) as Page;
        lines.push(...page.lines);
        after = page.next;
      }
      return lines;
    },
    ended: () => ended(running.child),
    kill,
    restart: async (wanted = {}) => {
      await kill();
      running = await spawnAgain(argsOf(new URL(url).port, wanted));
    },
    stop: async () => {
      running.child.kill('SIGTERM');
      await ended(running.child);
      await rm(dataDir, { recursive: true, force: true });
      return running.child.exitCode;
    },
  };
}
