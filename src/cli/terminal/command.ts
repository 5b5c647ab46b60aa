// A command of `kassa`: its name, its help, its options and what it does; and what it prints, for people or as JSON.
import type { Config } from '../../config.ts';
import { alignRows, print } from '../../ops/print.ts';

export type Options = Readonly<Record<string, string | boolean | undefined>>;

export type Command = {
  /** As it is typed: `merchant create`. */
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** What follows the name. */
  readonly usage?: string;
  /** What else its help tells. */
  readonly more?: string;
  readonly options?: Readonly<Record<string, Option>>;
  readonly positionals?: readonly string[];
  /** The exit code when it could not do its work; 1, unless that tells something it has found. */
  readonly troubleCode?: number;
  /** What people try instead of the name. */
  readonly alsoTried?: readonly string[];
  run(invocation: Invocation): Promise<number>;
};

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

export const printFields = (fields: object): void =>
  print(alignRows(Object.entries(fields).map(([name, value]) => [name, String(value)])));

/** "1 payment", "2 payments". */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
