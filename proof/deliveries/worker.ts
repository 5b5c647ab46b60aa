// A `kassa worker` that can be killed as a power cut would, and started again.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { MAIN, root } from '../chaos/program.ts';

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export class Worker {
  readonly #env: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;
  /** What it wrote to its log. */
  log = '';

  constructor(env: Readonly<Record<string, string>>) {
    this.#env = env;
  }

  start(): void {
    const child = spawn(process.execPath, [MAIN, 'worker'], {
      cwd: root,
      env: { PATH: process.env['PATH'], ...this.#env },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    child.stderr.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
    child.once('exit', () => running.delete(child));
    running.add(child);
    this.#child = child;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || !running.has(child)) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
}
