// What the trials that are started by hand have in common: a sign of life, a log that is kept, an exit code, and that
// Ctrl-C stops all that they started.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

/** Writes it to a file that stays, and returns its name. */
export function keepLog(trial: string, name: string, text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), `kassa-${trial}-log-`)), `${name}.log`);
  writeFileSync(file, text);
  return file;
}

/** Runs it to its exit code; `signal` is aborted when somebody wants it to end. */
export async function runByHand(trial: string, run: (signal: AbortSignal) => Promise<number>): Promise<void> {
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      if (!interrupted.signal.aborted) process.stderr.write(`\n${name}: stopping\n`);
      interrupted.abort();
    });
  try {
    process.exitCode = await run(interrupted.signal);
  } catch (error) {
    process.exitCode = interrupted.signal.aborted ? 130 : 1;
    const { message, stack } = error as Error;
    if (!interrupted.signal.aborted)
      process.stderr.write(`${trial}: ${error instanceof BadOption ? message : stack}\n`);
  }
}
