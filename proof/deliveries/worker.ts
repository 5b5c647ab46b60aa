// A `kassa worker` that can be killed as a power cut would, and started again.
import { launch } from '../program.ts';
import type { Program } from '../program.ts';

export class Worker {
  readonly #env: Readonly<Record<string, string>>;
  #program: Program | undefined;
  /** What it wrote to its log, over all its lives. */
  log = '';

  constructor(env: Readonly<Record<string, string>>) {
    this.#env = env;
  }

  start(): void {
    this.#program = launch(['worker'], { env: this.#env, detached: true, onErr: (text) => (this.log += text) });
  }

  async kill(): Promise<void> {
    await this.#program?.end('SIGKILL');
  }
}
