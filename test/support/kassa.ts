// The command `kassa` as people run it: a process of its own, with an environment of its own, as whichever user.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { launch, root, whenReady } from '../../proof/program.ts';
import type { Ended, Program, ProgramOptions } from '../../proof/program.ts';
import { Client } from './client.ts';
import { countStart } from './counts.ts';

export type Ran = Ended;
export type Launched = Program;

export type LaunchOptions = Pick<ProgramOptions, 'uid' | 'gid' | 'detached'> & {
  readonly env?: Readonly<Record<string, string>>;
  /** Another program in place of `kassa`. */
  readonly program?: readonly [string, ...string[]];
};

// A start takes a second or two; a machine that does fifty other things may need fifty times as long.
const TIMEOUT_MS = 120_000;

// Between two looks: to look is work for the processor, and what has taken long may take a little longer.
const SHORTEST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 100;

const NO_KEYS = { secretKey: '' };

// A run of all tests has built the program, and has its command beside it, as in a release.
const built = process.env['TEST_PROGRAM'];
const home = built === undefined ? root : dirname(dirname(built));
const KASSA = [process.execPath, join(home, 'bin', 'kassa.js')] as const;

/** With a data folder that cannot be, unless a test names one: none may leave anything in the checkout. */
export const launchKassa = (args: readonly string[], { env, program = KASSA, ...rest }: LaunchOptions = {}): Launched =>
  launch(args, { ...rest, command: program, env: { KASSA_DATA_DIR: '/dev/null/none', ...env } });

/** Runs a command to its end. */
export const runKassa = (args: readonly string[], options?: LaunchOptions): Promise<Ran> =>
  launchKassa(args, options).ended;

/** Waits until something holds, and fails with what was said meanwhile. */
export async function until<Value>(
  what: string,
  look: () => Value | undefined | false | Promise<Value | undefined | false>,
): Promise<Value> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (let pauseMs = SHORTEST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const value = await look();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await sleep(pauseMs);
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
  countStart();
  const launched = launchKassa(['serve'], { ...options, env: { PORT: '0', ...options.env } });
  t.after(() => launched.child.kill('SIGKILL'));
  const url = await whenReady(launched, (banner) =>
    banner.endsWith('\n\n') || banner.includes('merchant create') ? /API +(\S+)\/v1\n/.exec(banner)?.[1] : undefined,
  );
  const banner = launched.out();
  const keys = /^ {2}Sandbox keys +in (.+)$/m.exec(banner)?.[1];
  const { secretKey } = keys === undefined ? NO_KEYS : (JSON.parse(readFileSync(keys, 'utf8')) as typeof NO_KEYS);
  return {
    ...launched,
    url,
    banner,
    secretKey,
    client: new Client(url, secretKey),
    stop: () => launched.end('SIGTERM'),
    kill: () => launched.end('SIGKILL'),
  };
}
