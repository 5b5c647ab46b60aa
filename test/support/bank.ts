// A bank for tests: a real `kassa bank` with a real port and a folder of its own, which can be killed and started again
// on the same port and the same book.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BANK_READY, launch, whenReady } from '../../proof/program.ts';
import type { Program } from '../../proof/program.ts';
import { bankAcquirer } from '../../src/acquirers/bank-client.ts';
import type { RemoteAcquirer } from '../../src/acquirers/acquirer.ts';
import type { Line, Page } from '../../src/bank/book.ts';
import type { Faults } from '../../src/bank/faults.ts';
import { keyFileIn } from '../../src/bank/folder.ts';
import { Client } from './client.ts';

// While the bank was away, an outgoing connection can have been given its port; it goes again soon.
const TRIES_TO_RESTART = 50;
const PAUSE_MS = 100;
const CALL_TIMEOUT_MS = 120_000;

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

type Started = { readonly program: Program; readonly port: string };

async function spawnBank(args: readonly string[]): Promise<Started> {
  const program = launch(['bank', ...args], { env: {} });
  const port = await whenReady(program, (out) => (out.endsWith('\n\n') ? BANK_READY.exec(out)?.[1] : undefined));
  return { program, port };
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
  const url = `http://127.0.0.1:${running.port}`;
  // Shown to a terminal alone; its file has it.
  const key = (await readFile(keyFileIn(dataDir), 'utf8')).trim();
  const client = new Client(url, key);

  const kill = async (): Promise<void> => {
    await running.program.end('SIGKILL');
  };

  return {
    url,
    key,
    dataDir,
    client,
    pid: () => running.program.pid,
    out: () => running.program.out(),
    err: () => running.program.err(),
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
    ended: async () => void (await running.program.ended),
    kill,
    restart: async (wanted = {}) => {
      await kill();
      running = await spawnAgain(argsOf(new URL(url).port, wanted));
    },
    stop: async () => {
      const { code } = await running.program.end('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}
