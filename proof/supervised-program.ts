// A program of Kassa's under a supervisor: started again by itself whenever it ends, killed when the plan says so. It
// listens on another port after each start.
import { setTimeout as sleep } from 'node:timers/promises';
import { launch, whenReady } from './program.ts';
import type { Program } from './program.ts';

export type SupervisedOptions = {
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

const START_LIMIT_MS = 120_000;
// A request may take 30 s, and a database that does not answer as long again.
const STOP_LIMIT_MS = 75_000;
const START_AGAIN_AFTER_MS = 250;
const LONGEST_LOG = 2_000_000;
const LONGEST_LAST_WORDS = 400;
// Of the output of one life: enough for the banner, and for why it ended.
const MOST_HELD = 16_384;

export class SupervisedProgram {
  readonly name: string;
  readonly #options: SupervisedOptions;
  #program: Program | undefined;
  #log = '';
  #port: number | undefined;
  #isHeldDown = false;
  #isClosed = false;
  #starting: Promise<void> | undefined;

  constructor(options: SupervisedOptions) {
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
    const program = this.#program;
    if (program === undefined || this.#port === undefined) return this.start(true);
    this.#isHeldDown = true;
    const late = setTimeout(() => program.child.kill('SIGKILL'), STOP_LIMIT_MS);
    const { code, signal } = await program.end('SIGTERM');
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
    this.#setPort(undefined);
    await this.#program?.end('SIGKILL');
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
    const program = launch(args, {
      env: env(),
      ...(preload !== undefined && { flags: ['--import', preload] }),
      // A Ctrl-C in the terminal must not reach it: whoever started it ends it.
      detached: true,
      mostHeld: MOST_HELD,
      onErr: (text) => this.#note(text),
    });
    this.#program = program;
    this.#setPort(Number(await whenReady(program, ready, START_LIMIT_MS)));
    this.#note(`--- ${name} is up, pid ${program.pid}\n`);
    program.ended.then(
      ({ code, signal, err }) => this.#ended(signal ?? `${code}, saying: ${err.slice(-LONGEST_LAST_WORDS)}`),
      () => {},
    );
  }

  #ended(how: string): void {
    if (this.#isHeldDown || this.#isClosed) return;
    this.#setPort(undefined);
    this.#note(`--- ${this.name} ended by itself: ${how}\n`);
    this.#options.onEnded(how);
    void this.start(true);
  }
}
