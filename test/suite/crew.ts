// The workers of a run. Each takes the next file when it is done with one, so that the longest should come first. A worker
// that ends or does not answer fails its file, and another one takes its place.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { root as ours } from '../../proof/program.ts';
import type { FileResult, FromWorker, ToWorker } from './messages.ts';

// Far above the slowest file on a slow machine.
const LIMIT_MS = 600_000;
// To stop a Kassa and a browser.
const END_LIMIT_MS = 30_000;
const OUTPUT_KEPT = 8_000;

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url));
const REPORTER = fileURLToPath(new URL('./reporter.ts', import.meta.url));
const PRELOADED = fileURLToPath(new URL('./fewer-hooks.ts', import.meta.url));

/** The same file of another checkout. */
const within = (root: string, file: string): string => join(root, relative(ours, file));

const argumentsOf = (root: string): string[] => [
  // Every core is busy with another file: threads that collect garbage beside the one that runs take more of the processor
  // than they save.
  '--single-threaded-gc',
  // The sources and a Kassa are a hundred megabytes that stay: a heap that begins small is walked again each time it grows.
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
  '--initial-old-space-size=512',
  `--import=${pathToFileURL(within(root, PRELOADED)).href}`,
  `--test-reporter=${pathToFileURL(within(root, REPORTER)).href}`,
  '--test-reporter-destination=stdout',
];

/** Where workers run, for those who try a copy of the checkout (proof:mutants); here by default. */
type Place = { readonly root?: string; readonly env?: Readonly<Record<string, string>> };

class Worker {
  readonly #child: ChildProcess;
  #output = '';

  constructor(signal: AbortSignal, { root = ours, env }: Place) {
    this.#child = fork(within(root, WORKER), {
      cwd: root,
      env: { ...process.env, ...env },
      execArgv: argumentsOf(root),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      signal,
      killSignal: 'SIGKILL',
    });
    // An abort is seen by its exit.
    this.#child.on('error', () => {});
    const keep = (chunk: Buffer): void => void (this.#output = (this.#output + chunk.toString()).slice(-OUTPUT_KEPT));
    this.#child.stdout?.on('data', keep);
    this.#child.stderr?.on('data', keep);
  }

  get isUsable(): boolean {
    return this.#child.connected;
  }

  run(file: string): Promise<FileResult> {
    const child = this.#child;
    this.#output = '';
    let underWay: readonly string[] = [];
    const startedAt = performance.now();
    const { promise, resolve } = Promise.withResolvers<FileResult>();
    const fail = (name: string): void => {
      const text = [...underWay.map((test) => `under way: ${test}`), this.#output].join('\n');
      const tookMs = performance.now() - startedAt;
      const failures = [{ name, line: undefined, text }];
      resolve({ file, tookMs, processorMs: 0, tests: 1, skipped: 0, failures, slow: [], starts: 0, contexts: 0 });
    };
    const onExit = (code: number | null, signal: string | null): void =>
      fail(`its process ended with ${code ?? signal}`);
    const onMessage = (message: FromWorker): void => {
      if ('underWay' in message) ({ underWay } = message);
      else resolve(message.result);
    };
    const late = setTimeout(() => {
      fail(`not done after ${LIMIT_MS / 1_000} s`);
      child.kill('SIGKILL');
    }, LIMIT_MS);
    child.on('message', onMessage);
    child.once('exit', onExit);
    child.send({ file } satisfies ToWorker, (error) => {
      if (error) fail(`its process takes no files: ${error.message}`);
    });
    return promise
      .then((result) => {
        const isFailed = result.failures.length > 0 && this.#output !== '';
        return isFailed ? { ...result, output: this.#output } : result;
      })
      .finally(() => {
        clearTimeout(late);
        child.off('message', onMessage);
        child.off('exit', onExit);
      });
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    if (this.#child.connected) this.#child.disconnect();
    const late = setTimeout(() => this.#child.kill('SIGKILL'), END_LIMIT_MS);
    await ended;
    clearTimeout(late);
  }
}

type Orders = Place & {
  readonly files: readonly string[];
  readonly workers: number;
  readonly signal: AbortSignal;
  readonly onResult: (result: FileResult) => void;
};

/** Runs the files in their order, as many at once as there are workers. */
export async function runFiles({ files, workers, signal, onResult, ...place }: Orders): Promise<FileResult[]> {
  const waiting = [...files];
  const results: FileResult[] = [];
  const work = async (): Promise<void> => {
    let worker: Worker | undefined;
    for (let file = waiting.shift(); file !== undefined && !signal.aborted; file = waiting.shift()) {
      worker = worker?.isUsable ? worker : new Worker(signal, place);
      const result = await worker.run(file);
      if (signal.aborted) break;
      results.push(result);
      onResult(result);
    }
    await worker?.end();
  };
  await Promise.all(Array.from({ length: Math.min(workers, files.length) }, work));
  signal.throwIfAborted();
  return results;
}
