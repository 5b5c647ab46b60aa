// A program of somebody else's that runs until it is ended, with the run at the latest: its arguments name a file of the
// run's folder (keeper.ts). As the user whom Postgres runs as, in a process group that no Ctrl-C of the terminal reaches,
// its output in a file.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { spawnOptionsFor } from '../src/database/postgres-user.ts';
import type { PostgresUser } from '../src/database/postgres-user.ts';
import { childrenOf } from '../test/support/process-tree.ts';

export function signalAll(pids: readonly number[], name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It had ended.
    }
  }
}

export class Daemon {
  readonly #command: readonly [string, ...string[]];
  readonly #user: PostgresUser;
  readonly #log: string;
  #child: ChildProcess | undefined;

  constructor(command: readonly [string, ...string[]], user: PostgresUser, log: string) {
    this.#command = command;
    this.#user = user;
    this.#log = log;
  }

  /** Undefined when it does not run. */
  get pid(): number | undefined {
    const child = this.#child;
    return child === undefined || child.exitCode !== null || child.signalCode !== null ? undefined : child.pid;
  }

  start(): void {
    if (this.pid !== undefined) return;
    const [file, ...args] = this.#command;
    const log = openSync(this.#log, 'a', 0o600);
    this.#child = spawn(file, args, { ...spawnOptionsFor(this.#user), detached: true, stdio: ['ignore', log, log] });
    // That it could not be started is seen by whoever waits for it.
    this.#child.on('error', () => {});
    closeSync(log);
  }

  /** With all that it has started. Returns when it is gone itself. */
  async kill(): Promise<void> {
    const child = this.#child;
    const { pid } = this;
    if (child === undefined || pid === undefined) return;
    const ended = once(child, 'exit');
    // Once it is stopped it starts no other.
    child.kill('SIGSTOP');
    signalAll(childrenOf(pid), 'SIGKILL');
    child.kill('SIGKILL');
    await ended;
  }
}
