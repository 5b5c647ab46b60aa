// A command of `kassa`: its name, its help, its options, and what it does. Also the errors that are the user's to mend:
// they end the program with one sentence.
import { parseArgs } from 'node:util';
import type { ParseArgsOptionsConfig } from 'node:util';
import type { Config } from '../config.ts';

/** Something the person at the keyboard can mend; told in one sentence, without a stack. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

export type Options = Readonly<Record<string, string | boolean | undefined>>;

export type Command = {
  /** As it is typed: `merchant create`. */
  readonly name: string;
  readonly summary: string;
  /** What follows the name. */
  readonly usage?: string;
  readonly options?: Readonly<Record<string, Option>>;
  readonly positionals?: readonly string[];
  run(invocation: Invocation): Promise<number>;
};

export type Option = { readonly type: 'string' | 'boolean'; readonly what: string; readonly value?: string };

export type Invocation = {
  readonly config: Config;
  readonly options: Options;
  readonly positionals: readonly string[];
};

export const JSON_OPTION: Option = { type: 'boolean', what: 'Print JSON instead of a table.' };

export const print = (text: string): void => void process.stdout.write(`${text}\n`);

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

/** Rows under headings, in columns as wide as they need to be. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  for (const row of [headings, ...rows])
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

export function helpOf(command: Command): string {
  const usage = ['kassa', command.name, command.usage].filter(Boolean).join(' ');
  const options = Object.entries({ ...command.options, help: { what: 'Show this.', value: undefined } });
  const lines = options.map(([name, { what, value }]) => `  --${value ? `${name} ${value}` : name}`.padEnd(26) + what);
  return `${command.summary}\n\nUsage: ${usage}\n\nOptions:\n${lines.join('\n')}`;
}

export function parseInvocation(
  command: Command,
  args: readonly string[],
): Pick<Invocation, 'options' | 'positionals'> {
  const options: ParseArgsOptionsConfig = { help: { type: 'boolean' } };
  for (const [name, { type }] of Object.entries(command.options ?? {})) options[name] = { type };
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true });
    const { positionals } = parsed;
    const expected = command.positionals ?? [];
    if (!parsed.values['help'] && positionals.length !== expected.length)
      throw new UserError(
        expected.length === 0 ? `unexpected: ${positionals.join(' ')}` : `expected ${expected.join(' ')}`,
      );
    return { options: parsed.values as Options, positionals };
  } catch (error) {
    throw new UserError(`${(error as Error).message.split('. ')[0]}. See kassa ${command.name} --help.`);
  }
}
