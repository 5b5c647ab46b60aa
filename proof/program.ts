// A program of Kassa's as a process of its own: the service, the worker, the bank or any other command. Whoever starts
// one starts it here, the tests as well as the bench and the longer trials, so that there is one place that knows how it
// is started, when it is ready and how it ended.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

/** The program of a checkout; of this one by default. */
export const mainOf = (checkout = root): string => join(checkout, 'src', 'main.ts');

// A run of all tests has built it once for the hundreds of times that they start it.
const programOf = (): string => process.env['TEST_PROGRAM'] ?? mainOf();

export type Ended = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
};

export type Program = {
  readonly child: ChildProcess;
  readonly pid: number;
  /** What it wrote to standard output and to standard error so far. */
  out(): string;
  err(): string;
  /** Settles when it has ended, by whatever, and all that it wrote was read. */
  readonly ended: Promise<Ended>;
  /** Sends the signal, unless it has ended already, and waits for its end. */
  end(signal: NodeJS.Signals): Promise<Ended>;
};

export type ProgramOptions = {
  /** All of its environment, but for the few names that any program needs. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What is started, before the arguments; this checkout's program on this Node by default. */
  readonly command?: readonly [string, ...string[]];
  /** For Node itself, before the program. */
  readonly flags?: readonly string[];
  /** In a process group of its own, which no Ctrl-C of the terminal reaches; ended when this process ends. */
  readonly detached?: boolean;
  readonly uid?: number;
  readonly gid?: number;
  /** The file into which standard error goes instead of being read; null for nowhere. */
  readonly log?: string | null;
  readonly onErr?: (text: string) => void;
  /** How much of what it wrote is held, the latest; all of it by default. */
  readonly mostHeld?: number;
};

/** What the service prints when it takes requests, and the bank: the port is the first group. */
export const SERVICE_READY = /API +http:\/\/\S+:(\d+)\/v1\n/;
export const BANK_READY = /Address +http:\/\/\S+:(\d+)\n/;

// A start takes a second or two; a machine that does fifty other things may need fifty times as long.
const START_LIMIT_MS = 120_000;

// Ended at the very end, whatever happens: by their numbers, which are ours as long as they were not waited for.
const detached = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of detached) child.kill('SIGKILL');
});

const pick = (from: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv =>
  Object.fromEntries(names.map((name) => [name, from[name]]));

export function launch(args: readonly string[], options: ProgramOptions): Program {
  const { env, flags = [], command = [process.execPath, ...flags, programOf()], log, onErr, mostHeld } = options;
  const [file, ...first] = command;
  const logFile = log == null ? undefined : openSync(log, 'w');
  const child = spawn(file, [...first, ...args], {
    cwd: root,
    env: { ...pick(process.env, ['PATH', 'NODE_COMPILE_CACHE', 'TMPDIR']), ...env },
    stdio: ['pipe', 'pipe', logFile ?? (log === null ? 'ignore' : 'pipe')],
    ...(options.detached && { detached: true }),
    ...(options.uid !== undefined && { uid: options.uid }),
    ...(options.gid !== undefined && { gid: options.gid }),
  });
  if (logFile !== undefined) closeSync(logFile);
  if (options.detached) {
    detached.add(child);
    child.once('exit', () => detached.delete(child));
  }
  let [out, err] = ['', ''];
  const hold = (text: string): string => (mostHeld === undefined ? text : text.slice(-mostHeld));
  child.stdout?.on('data', (chunk: Buffer) => (out = hold(out + chunk.toString())));
  child.stderr?.on('data', (chunk: Buffer) => {
    err = hold(err + chunk.toString());
    onErr?.(chunk.toString());
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, out, err }));
  });
  // Whoever waits for it is told; that nobody does is no defect.
  ended.catch(() => {});
  return {
    child,
    pid: child.pid as number,
    out: () => out,
    err: () => err,
    ended,
    end: (signal) => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return ended;
    },
  };
}

/** What the program says once it is ready, as found in its output. Throws when it ends before, or is not ready in time. */
export async function whenReady(
  program: Program,
  find: RegExp | ((out: string) => string | undefined),
  limitMs = START_LIMIT_MS,
): Promise<string> {
  const found = (): string | undefined =>
    find instanceof RegExp ? find.exec(program.out())?.[1] : find(program.out());
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const look = (): void => {
    const text = found();
    if (text !== undefined) resolve(text);
  };
  const late = setTimeout(() => {
    program.child.kill('SIGKILL');
    reject(new Error(`it was not ready in time: ${program.out()}${program.err()}`));
  }, limitMs);
  program.child.stdout?.on('data', look);
  program.ended.then(({ code, signal, out, err }) => {
    reject(new Error(`it ended with ${code ?? signal} before it was ready: ${out}${err}`));
  }, reject);
  look();
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    program.child.stdout?.off('data', look);
  }
}
