// The command `kassa` in a terminal: what it shows there and nowhere else, and what is typed there. The terminal is that of
// `script`, which every Debian has.
import { launchKassa } from './kassa.ts';
import type { LaunchOptions, Ran } from './kassa.ts';
import { root } from '../../proof/program.ts';

export const CTRL_C = '\x03';

export type InTerminal = {
  /** All that stood on the screen so far. */
  readonly screen: () => string;
  readonly type: (text: string) => void;
  readonly ended: Promise<Ran>;
};

const quote = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Starts it in a terminal of its own; what it ends with is the exit code of `script`. */
export function launchInTerminal(args: readonly string[], options: LaunchOptions = {}): InTerminal {
  const command = [process.execPath, `${root}/bin/kassa.js`, ...args].map(quote).join(' ');
  // BSD's takes the command itself, util-linux's a line of shell.
  const words =
    process.platform === 'linux' ? ['-qefc', command, '/dev/null'] : ['-q', '/dev/null', 'sh', '-c', command];
  const launched = launchKassa(words, { ...options, program: ['script'] });
  const { stdin } = launched.child;
  return {
    screen: () => launched.out().replaceAll('\r\n', '\n'),
    type: (text) => void (stdin?.writable && stdin.write(text)),
    ended: launched.ended,
  };
}
