// Asks for confirmation before something irreversible. The question goes to standard error, so that standard output can be
// piped.
import { createInterface } from 'node:readline';

export const canConfirm = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** True for yes; anything else is no, including end of input and Ctrl-C. */
export async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const { promise, resolve } = Promise.withResolvers<string>();
  terminal.once('close', () => resolve('')).once('SIGINT', () => terminal.close());
  terminal.question(`${question} [y/N] `, resolve);
  const answer = await promise;
  terminal.close();
  return /^y(?:es)?$/i.test(answer.trim());
}
