// What the trials that are started by hand have in common, and the test suite with them: a sign of life, a log that is
// kept, an exit code, and that nothing that they started outlives them, however they end.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What was typed is wrong, and the message says all that there is to say. */
export class BadOption extends Error {
  override readonly name = 'BadOption';
}

export const print = (text: string): boolean => process.stdout.write(`${text}\n`);

// What is not a terminal keeps every line.
const LINE_EVERY_MS = 10_000;

/** On a terminal one line that changes; elsewhere a line now and then, as a sign of life. */
export function createProgress(): (text: string) => void {
  if (process.stderr.isTTY) return (text) => void process.stderr.write(`\r\u001B[K${text}`);
  let toldAt = performance.now();
  return (text) => {
    if (text === '' || performance.now() - toldAt < LINE_EVERY_MS) return;
    toldAt = performance.now();
    process.stderr.write(`${text}\n`);
  };
}

// Where files go that outlive the run.
const lastingFolder = tmpdir();

/** Writes it to a file that stays, and returns its name. */
export function keepLog(trial: string, name: string, text: string): string {
  const file = join(mkdtempSync(join(lastingFolder, `kassa-${trial}-log-`)), `${name}.log`);
  writeFileSync(file, text);
  return file;
}

const KEEPER = fileURLToPath(new URL('./keeper.ts', import.meta.url));
const RANDOM_BYTES = 6;

/** Starts the keeper that ends the run's processes and removes its folder, and makes the folder, which becomes TMPDIR. */
function openRunFolder(trial: string, base: string): () => Promise<void> {
  // The keeper comes first: there is no moment at which a folder or a process is left to nobody.
  const folder = join(base, `kassa-${trial}-${randomBytes(RANDOM_BYTES).toString('hex')}`);
  const keeper = spawn(process.execPath, [KEEPER, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
    env: { PATH: process.env['PATH'], TMPDIR: lastingFolder },
  });
  keeper.unref();
  const ended = once(keeper, 'exit');
  mkdirSync(folder);
  // Postgres and some tests run as another user where this runs as root.
  chmodSync(folder, 0o1777);
  process.env['TMPDIR'] = folder;
  return async () => {
    keeper.ref();
    keeper.stdin.end();
    await ended;
  };
}

// Often enough that a run whose terminal or npm was killed ends at once.
const LOOK_AT_PARENT_MS = 500;
// What was interrupted has so long to close what it opened; the rest is the keeper's.
const CLOSE_LIMIT_MS = 20_000;

/** What was under way fails when what it speaks with ends, and then nobody waits for it any more. */
function ignoreFailures(): void {
  for (const name of ['unhandledRejection', 'uncaughtException'] as const) process.on(name, () => {});
}

/** Aborts the signal when somebody wants the run to end, by a signal or by killing its parent. */
function listenForEnd(): AbortSignal {
  const interrupted = new AbortController();
  const end = (why: string): void => {
    // The second time it ends at once.
    if (interrupted.signal.aborted) process.exit(130);
    process.stderr.write(`\n${why}: stopping\n`);
    interrupted.abort();
    ignoreFailures();
    setTimeout(() => process.exit(130), CLOSE_LIMIT_MS).unref();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => end(name));
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    if (!interrupted.signal.aborted) end('The process that started this one has ended');
  }, LOOK_AT_PARENT_MS);
  timer.unref();
  return interrupted.signal;
}

/** Settles as the work does, or throws as soon as somebody wants the run to end: for work that does not listen. */
export function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([work, promise]);
}

const MEMORY = '/dev/shm';
// Several times what a run of the tests has at once.
const LEAST_MEMORY_BYTES = 6 * 2 ** 30;

/**
 * Where files are made that live for seconds: to clone a database takes a disk ten times what it takes memory. Only where
 * that is large, and programs may lie there.
 */
export function quickFolder(): string {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const [, , , options] = mounts.find((line) => line.split(' ')[1] === MEMORY)?.split(' ') ?? [];
    const { bavail, bsize } = statfsSync(MEMORY);
    const isFit = options !== undefined && !/\bnoexec\b/.test(options) && bavail * bsize >= LEAST_MEMORY_BYTES;
    return isFit ? MEMORY : lastingFolder;
  } catch {
    return lastingFolder;
  }
}

/** Runs it to its exit code; `signal` is aborted when somebody wants it to end. `base`: where its files are. */
export async function runByHand(
  trial: string,
  run: (signal: AbortSignal) => Promise<number>,
  base = lastingFolder,
): Promise<void> {
  const signal = listenForEnd();
  const close = openRunFolder(trial, base);
  try {
    process.exitCode = await run(signal);
  } catch (error) {
    process.exitCode = 1;
    const { message, stack } = error as Error;
    if (!signal.aborted) process.stderr.write(`${trial}: ${error instanceof BadOption ? message : stack}\n`);
  }
  if (signal.aborted) process.exitCode = 130;
  ignoreFailures();
  await close();
  // Nothing that was left open may keep it.
  process.exit();
}
