// Runs the service or the bank as a child process. It ends with this process, however that ends, and the end of its
// output is kept for diagnosis.
import { spawn } from 'node:child_process';

// Enough for a few hundred lines of a log.
const MOST_HELD = 262_144;
// A start takes a second; a machine that runs a whole suite at once may need a hundred times as long.
const START_LIMIT_MS = 120_000;
// A service finishes what it has begun within 30 s.
const STOP_LIMIT_MS = 40_000;

const TIED = new URL('../../bin/end-with-wrapper.js', import.meta.url).href;

export type Child = {
  /** The first group of what it said when it was ready. */
  readonly ready: string;
  log(): string;
  isRunning(): boolean;
  /** SIGTERM, and SIGKILL where that takes too long. */
  stop(): Promise<void>;
};

export async function startChild(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  whenReady: RegExp,
): Promise<Child> {
  // However this process was started, the same way starts another command.
  const [program = ''] = process.argv.slice(1);
  const child = spawn(process.execPath, ['--import', TIED, program, ...words], {
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let [out, log] = ['', ''];
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
  const found = new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`kassa ${words[0]} was not ready in time`));
    }, START_LIMIT_MS);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out = (out + text).slice(-MOST_HELD);
      const ready = whenReady.exec(out)?.[1];
      if (ready === undefined) return;
      clearTimeout(late);
      resolve(ready);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (log = (log + text).slice(-MOST_HELD)));
    void ended.then(() => {
      clearTimeout(late);
      reject(
        new Error(log.trim() || `kassa ${words[0]} ended with ${child.exitCode ?? child.signalCode ?? 'an error'}`),
      );
    });
  });
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  return {
    ready: await found,
    log: () => log,
    isRunning,
    stop: async () => {
      if (!isRunning()) return;
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      child.kill('SIGTERM');
      await ended;
      clearTimeout(late);
    },
  };
}
