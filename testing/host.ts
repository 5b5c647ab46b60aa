// The program beside a test that starts Kassas: `kassa testing`, one for each process that runs tests, for as long as it is
// needed. It does not keep a test process alive, and ends when that ends, however that happens.
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

// Beside this folder, in a release as in a checkout.
const PROGRAM = fileURLToPath(new URL('../bin/kassa.js', import.meta.url));
// A first start makes a database; where it takes longer something hangs.
const LIMIT_MS = 180_000;
const MOST_HELD = 65_536;

export type HostOptions = {
  /** A Postgres of yours, whose user may create databases; by default an embedded one is shared by all tests. */
  readonly databaseUrl?: string | undefined;
  /** Where the embedded Postgres has its folder; by default among temporary files. */
  readonly dataDir?: string | undefined;
};

type Answer = { readonly id?: number; readonly error?: string; readonly ready?: boolean };
type Waiting = { resolve(answer: object): void; reject(error: Error): void };

// What any program needs; settings of yours are given by name, and never taken from whatever the shop's tests have set.
const PASSED = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SYSTEMROOT', 'USERPROFILE'];

export class Host {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ready: Promise<object>;
  #count = 0;
  #said = '';
  isOver = false;
  /** Whether it has worked: if it ends then, it had nothing to do for a while. */
  hasAnswered = false;

  constructor({ databaseUrl, dataDir }: HostOptions) {
    const kept = PASSED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
    const env = { ...Object.fromEntries(kept), ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) };
    const words = [PROGRAM, 'testing', ...(dataDir === undefined ? [] : ['--data', dataDir])];
    this.#child = spawn(process.execPath, words, { env: env as NodeJS.ProcessEnv, stdio: 'pipe' });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-MOST_HELD);
    });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#take(line));
    this.#child.stdin.on('error', () => {});
    this.#child.once('error', (error) => this.#end(error.message));
    this.#child.once('close', (code) => this.#end(this.#said.trim() || `kassa testing ended with ${code}`));
    this.#ready = this.#wait(0);
    // Callers get the error; an unhandled rejection is not a fault.
    this.#ready.catch(() => {});
  }

  async ask(what: string, more: object = {}): Promise<object> {
    await this.#ready;
    this.#count += 1;
    const answer = this.#wait(this.#count);
    this.#child.stdin.write(`${JSON.stringify({ id: this.#count, do: what, ...more })}\n`);
    return answer;
  }

  #wait(id: number): Promise<object> {
    return new Promise((resolve, reject) => {
      if (this.isOver) return reject(new Error(this.#said.trim() || 'kassa testing has ended'));
      const late = setTimeout(() => this.#settle(id, { error: `no answer within ${LIMIT_MS / 1_000} s` }), LIMIT_MS);
      const leave = (): void => {
        clearTimeout(late);
        this.#hold();
      };
      this.#waiting.set(id, {
        resolve: (answer) => {
          leave();
          resolve(answer);
        },
        reject: (error) => {
          leave();
          reject(error);
        },
      });
      this.#hold();
    });
  }

  /** Only while somebody waits for an answer does it keep the process. */
  #hold(): void {
    const streams = [this.#child, this.#child.stdin, this.#child.stdout, this.#child.stderr] as unknown as {
      ref?(): void;
      unref?(): void;
    }[];
    for (const one of streams) {
      if (this.#waiting.size > 0) one.ref?.();
      else one.unref?.();
    }
  }

  #settle(id: number, answer: Answer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.hasAnswered ||= answer.error === undefined && id > 0;
    if (answer.error === undefined) waiting?.resolve(answer);
    else waiting?.reject(new Error(answer.error));
  }

  #take(line: string): void {
    let answer: Answer;
    try {
      answer = JSON.parse(line) as Answer;
    } catch {
      return;
    }
    this.#settle(answer.ready ? 0 : Number(answer.id), answer);
  }

  #end(why: string): void {
    this.isOver = true;
    for (const id of this.#waiting.keys()) this.#settle(id, { error: why });
  }
}
