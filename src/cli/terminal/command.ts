// The definition of a `kassa` command: its name, help, options and implementation; and printing, for people or as JSON.
import type { Config } from '../../config.ts';
import { alignRows, print } from '../../ops/print.ts';

export type Options = Readonly<Record<string, string | boolean | undefined>>;

/** What the list of commands shows about a command, before it is loaded. */
export type Outline = {
  /** As typed: `merchant create`. */
  readonly name: string;
  /** One line. */
  readonly summary: string;
  /** Other names that people try. */
  readonly alsoTried?: readonly string[];
};

export type Command = {
  /** What follows the name. */
  readonly usage?: string;
  /** The rest of its help. */
  readonly more?: string;
  readonly options?: Readonly<Record<string, Option>>;
  /** The positional arguments; those in brackets are optional and come last. */
  readonly positionals?: readonly string[];
  /** The exit code on failure; 1 by default. Other values are for commands where 1 means that they found something. */
  readonly troubleCode?: number;
  /** It reports invalid settings itself. */
  readonly judgesSettings?: boolean;
  run(invocation: Invocation): Promise<number>;
};

/** A command that was found by name and loaded. */
export type NamedCommand = Outline & Command;

export type Option = { readonly type: 'string' | 'boolean'; readonly what: string; readonly value?: string };

export type Invocation = {
  readonly config: Config;
  readonly options: Options;
  readonly positionals: readonly string[];
};

export const JSON_OPTION: Option = { type: 'boolean', what: 'Print JSON.' };

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

export const printTable = (headings: readonly string[], rows: readonly (readonly string[])[]): void =>
  print(alignRows([headings, ...rows]));

/** Leaves out fields without a value, as JSON does. */
export const printFields = (fields: object): void => {
  const rows = Object.entries(fields).filter(([, value]) => value !== undefined);
  print(alignRows(rows.map(([name, value]) => [name, String(value)])));
};

/** "1 payment", "2 payments". */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
