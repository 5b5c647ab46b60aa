// The command `kassa` as people run it: a process of its own, with an environment of its own, as whichever user.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from './client.ts';
import { root } from './service.ts';

export type Ran = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
};

export type Launched = {
  readonly child: ChildProcess;
  readonly pid: number;
  /** What it wrote to standard output and to standard error so far. */
  out(): string;
  err(): string;
  readonly ended: Promise<Ran>;
};

export type LaunchOptions = {
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
  readonly gid?: number;
  /** In a process group of its own, as a terminal has one. */
  readonly detached?: boolean;
  /** Another program in place of `kassa`. */
  readonly program?: readonly [string, ...string[]];
};

// A start takes a second or two; a machine that does fifty other things may need fifty times as long.
const TIMEOUT_MS = 120_000;

const NO_KEYS = { secretKey: '' };

const KASSA = [process.execPath, join(root, 'bin', 'kassa.js')] as const;

export function launchKassa(args: readonly string[], options: LaunchOptions = {}): Launched {
  const { env, program: [command, ...first] = KASSA, ...rest } = options;
  const child = spawn(command, [...first, ...args], {
    cwd: root,
    // A folder that cannot be, unless a test names one: none may leave anything in the checkout.
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      KASSA_DATA_DIR: '/dev/null/none',
      ...env,
    },
    ...rest,
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = new Promise<Ran>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, out, err }));
  });
  return { child, pid: child.pid as number, out: () => out, err: () => err, ended };
}

/** Runs a command to its end. */
export const runKassa = (args: readonly string[], options?: LaunchOptions): Promise<Ran> =>
  launchKassa(args, options).ended;

/** Waits until something holds, and fails with what was said meanwhile. */
export async function until<Value>(
  what: string,
  look: () => Value | undefined | false | Promise<Value | undefined | false>,
): Promise<Value> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await sleep(10);
  }
}

export type Running = Launched & {
  readonly url: string;
  readonly banner: string;
  /** The sandbox's key, in the file that the banner names; empty when it names none. */
  readonly secretKey: string;
  readonly client: Client;
  stop(): Promise<Ran>;
  kill(): Promise<Ran>;
};

/** Starts the service on a free port and waits for its banner. It ends with the test, however that ends. */
export async function serveKassa(t: TestContext, options: LaunchOptions): Promise<Running> {
  const launched = launchKassa(['serve'], { ...options, env: { PORT: '0', ...options.env } });
  t.after(() => launched.child.kill('SIGKILL'));
  let early: Ran | undefined;
  void launched.ended.then((ran) => (early = ran));
  const url = await until('the banner', () => {
    if (early) throw new Error(`kassa ended with ${early.code}: ${early.out}${early.err}`);
    const banner = launched.out();
    return banner.endsWith('\n\n') || banner.includes('merchant create') ? /API +(\S+)\/v1\n/.exec(banner)?.[1] : false;
  });
  const banner = launched.out();
  const keys = /^ {2}Sandbox keys +in (.+)$/m.exec(banner)?.[1];
  const { secretKey } = keys === undefined ? NO_KEYS : (JSON.parse(readFileSync(keys, 'utf8')) as typeof NO_KEYS);
  const finish = async (signal: NodeJS.Signals): Promise<Ran> => {
    launched.child.kill(signal);
    return launched.ended;
  };
  return {
    ...launched,
    url,
    banner,
    secretKey,
    client: new Client(url, secretKey),
    stop: () => finish('SIGTERM'),
    kill: () => finish('SIGKILL'),
  };
}
