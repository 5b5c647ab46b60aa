// A command of `kassa`: its place in the list, its help, its options and what it does; and what it prints, for people or
// as JSON.
import type { Config } from '../../config.ts';
import { alignRows, print } from '../../ops/print.ts';

export type Options = Readonly<Record<string, string | boolean | undefined>>;

/** What the list of commands tells of one, before it is loaded. */
export type Outline = {
  /** As it is typed: `merchant create`. */
  readonly name: string;
  /** One line. */
  readonly summary: string;
  /** What people try instead of the name. */
  readonly alsoTried?: readonly string[];
};

export type Command = {
  /** What follows the name. */
  readonly usage?: string;
  /** What else its help tells. */
  readonly more?: string;
  readonly options?: Readonly<Record<string, Option>>;
  /** What has no option's name; the last ones may be left out where they stand in brackets. */
  readonly positionals?: readonly string[];
  /** The exit code when it could not do its work; 1, unless that tells something it has found. */
  readonly troubleCode?: number;
  /** It tells itself what is wrong with a setting. */
  readonly judgesSettings?: boolean;
  run(invocation: Invocation): Promise<number>;
};

/** A command that was found by its name, and loaded. */
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

/** What has no value is left out, as JSON does. */
export const printFields = (fields: object): void => {
  const rows = Object.entries(fields).filter(([, value]) => value !== undefined);
  print(alignRows(rows.map(([name, value]) => [name, String(value)])));
};

/** "1 payment", "2 payments". */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
