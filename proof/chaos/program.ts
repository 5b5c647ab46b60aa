// A program of Kassa's that chaos runs: started again by itself whenever it ends, as a supervisor does; killed when the
// plan says so. It listens on another port after each start.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const root = join(import.meta.dirname, '..', '..');
export const MAIN = join(root, 'src', 'main.ts');

export type ProgramOptions = {
  readonly name: string;
  readonly args: readonly string[];
  /** Asked for at each start. */
  readonly env: () => Readonly<Record<string, string>>;
  /** Loaded before its program. */
  readonly preload?: string;
  /** What it prints when it is ready: the port is the first group. */
  readonly ready: RegExp;
  readonly onPort: (port: number | undefined) => void;
  /** Told when it ended without having been asked to, once it was ready. */
  readonly onEnded: (how: string) => void;
};

const START_LIMIT_MS = 40_000;
// A request may take 30 s, and a database that does not answer as long again.
const STOP_LIMIT_MS = 75_000;
const START_AGAIN_AFTER_MS = 250;
const LONGEST_LOG = 2_000_000;
const LONGEST_LAST_WORDS = 400;

// Ended at the very end, whatever happens: by their numbers, which are ours as long as they were not waited for.
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export class Program {
  readonly name: string;
  readonly #options: ProgramOptions;
  #child: ChildProcess | undefined;
  #log = '';
  #port: number | undefined;
  #isHeldDown = false;
  #isClosed = false;
  #starting: Promise<void> | undefined;

  constructor(options: ProgramOptions) {
    this.#options = options;
    this.name = options.name;
  }

  get url(): string | undefined {
    return this.#port === undefined ? undefined : `http://127.0.0.1:${this.#port}`;
  }

  /** The latest of what it wrote, over all its lives. */
  get log(): string {
    return this.#log;
  }

  /** Starts it unless it runs; a start that fails is tried again only when trouble may have been the reason. */
  start(mayFail = false): Promise<void> {
    this.#isHeldDown = false;
    this.#starting ??= this.#startUntilUp(mayFail).finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  async #startUntilUp(mayFail: boolean): Promise<void> {
    while (this.#port === undefined && !this.#isClosed && !this.#isHeldDown) {
      try {
        await this.#startOnce();
      } catch (error) {
        if (!mayFail) throw error;
        await sleep(START_AGAIN_AFTER_MS);
      }
    }
  }

  /** SIGKILL; it stays down until it is started. */
  async kill(): Promise<void> {
    this.#isHeldDown = true;
    await this.#end();
  }

  /** SIGTERM, and a start again once it has ended by itself; it is asked for things until then. */
  async restart(): Promise<void> {
    const child = this.#child;
    if (child === undefined || !running.has(child) || this.#port === undefined) return this.start(true);
    this.#isHeldDown = true;
    const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    child.kill('SIGTERM');
    const [code, signal] = await exited;
    clearTimeout(late);
    this.#setPort(undefined);
    this.#note(`--- ${this.name} ended after SIGTERM: ${code ?? signal}\n`);
    if (code !== 0) this.#options.onEnded(`${signal ?? code}, when it was asked to stop`);
    return this.start(true);
  }

  /** At once: nothing of it is needed any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  async #end(): Promise<void> {
    const child = this.#child;
    this.#setPort(undefined);
    if (child === undefined || !running.has(child)) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  #setPort(port: number | undefined): void {
    this.#port = port;
    this.#options.onPort(port);
  }

  #note(text: string): void {
    this.#log = (this.#log + text).slice(-LONGEST_LOG);
  }

  async #startOnce(): Promise<void> {
    const { args, env, preload, ready, name } = this.#options;
    const flags = preload === undefined ? [] : ['--import', preload];
    const child = spawn(process.execPath, [...flags, MAIN, ...args], {
      cwd: root,
      env: { PATH: process.env['PATH'], ...env() },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A Ctrl-C in the terminal must not reach it: chaos ends it.
      detached: true,
    });
    this.#child = child;
    running.add(child);
    let [out, err] = ['', ''];
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const late = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      const port = ready.exec(out)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    child.stderr.on('data', (chunk: Buffer) => {
      err = (err + chunk.toString()).slice(-4_000);
      this.#note(chunk.toString());
    });
    let isReady = false;
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      running.delete(child);
      reject(new Error(`${name} ended with ${code ?? signal} before it was ready: ${out}${err}`));
      if (isReady) this.#ended(signal ?? `${code}, saying: ${err.slice(-LONGEST_LAST_WORDS)}`);
    });
    try {
      this.#setPort(await promise);
      isReady = true;
      this.#note(`--- ${name} is up, pid ${child.pid}\n`);
    } finally {
      clearTimeout(late);
    }
  }

  #ended(how: string): void {
    if (this.#isHeldDown || this.#isClosed) return;
    this.#setPort(undefined);
    this.#note(`--- ${this.name} ended by itself: ${how}\n`);
    this.#options.onEnded(how);
    void this.start(true);
  }
}
