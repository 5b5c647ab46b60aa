// Commands of kassa for files that run dozens of them: to start a process costs far more than most commands do, so that one
// process runs them all, in turn. They write what they would write to a pipe. What is about the process itself, its
// signals, its folder or its user is run by kassa.ts.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Ended } from '../../proof/program.ts';
import type { CommandRequest } from './command-host.ts';

let host: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

function startHost(): ChildProcess {
  const started = fork(new URL('command-host.ts', import.meta.url), { execArgv: [], stdio: ['ignore', 2, 2, 'ipc'] });
  // The file ends when its tests do, and this with it.
  started.unref();
  started.channel?.unref();
  return started;
}

function ask(request: CommandRequest): Promise<Ended> {
  const asked = (host ??= startHost());
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  const onEnd = (code: number | null): void => reject(new Error(`the process of the commands ended with ${code}`));
  asked.channel?.ref();
  asked.once('exit', onEnd);
  asked.once('message', (ended) => {
    asked.off('exit', onEnd);
    asked.channel?.unref();
    resolve(ended as Ended);
  });
  asked.send(request);
  return promise;
}

/** Runs a command to its end, with an environment of its own and no data folder unless it names one. */
export function runCommand(
  args: readonly string[],
  { env = {} }: { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Ended> {
  const run = last.then(() => ask({ args, env: { KASSA_DATA_DIR: '/dev/null/none', ...env } }));
  last = run.catch(() => {});
  return run;
}
