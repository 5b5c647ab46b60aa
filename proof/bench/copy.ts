// Spells rows of a sample payment for a copy of it: values as they are, ids made anew, moments now. A copy is numbered;
// its ids follow from the number (time, part and tail, as src/domain/id.ts lays them out), so that nobody has to
// remember them: not the service's client, not pgbench, not the statement that makes ten thousand copies.
import pg from 'pg';
import { PARTS } from '../../src/domain/id.ts';
import type { Row, Table, Write } from './rows.ts';

// Odd, so that neighbouring numbers are spread over all parts.
const SPREAD = 2_053;
// With this added, the part is written as four hex digits that begin with the version, 7.
export const VERSION_7 = 0x7000;
// With this added, a number has fourteen hex digits.
export const TAIL = 2 ** 52;

export const partOfCopy = (n: number): number => (n * SPREAD) % PARTS;
export const partInSql = (n: string): string => `${n} * ${SPREAD} % ${PARTS}`;

/** Variant and place in the family: the payment is 0, its movements follow. */
const memberDigits = (member: number): string => `8${member.toString(16)}`;

export function idOfCopy(time: string, member: number, n: number): string {
  return time + (VERSION_7 + partOfCopy(n)).toString(16) + memberDigits(member) + (TAIL + n).toString(16);
}

/** The number of the copy whose id, or one of whose movements' ids, that is. */
export const numberOfCopy = (id: string): number => Number.parseInt(id.slice(-14), 16) - TAIL;

/** The same in SQL; the parts are expressions. */
export const idInSql = (time: string, member: number, versionAndPart: string, tail: string): string =>
  `(${time} || to_hex(${versionAndPart}) || '${memberDigits(member)}' || to_hex(${tail}))::uuid`;

export const timeDigits = (ms: number): string => ms.toString(16).padStart(12, '0');

export type Spelling = {
  readonly part: string;
  readonly id: (member: number) => string;
  /** A value of the sample, as a literal or a parameter. */
  readonly value: (text: string) => string;
};

/** Of copies by their number n, which is a column of what is selected from. */
export const spellingOfCopies = (time: string): Spelling => ({
  part: partInSql('n'),
  id: (member) => idInSql(`'${time}'`, member, `(${VERSION_7} + ${partInSql('n')})`, `${TAIL} + n`),
  value: (text) => pg.escapeLiteral(text),
});

function spell(table: Table, column: string, row: Row, family: readonly string[], as: Spelling): string {
  const value = row[column] ?? null;
  if (value === null) return 'null';
  if (column === 'part') return as.part;
  const member = family.indexOf(value);
  if (member !== -1) return as.id(member);
  if (table.types[column]?.startsWith('timestamp')) return 'now()';
  return as.value(value);
}

/** Columns and values of a whole row. */
export function spellRow(table: Table, row: Row, family: readonly string[], as: Spelling): [string, string] {
  const columns = Object.keys(row);
  return [columns.join(', '), columns.map((column) => spell(table, column, row, family, as)).join(', ')];
}

/** What an update sets, and what it is found by: its key and, where that changes, its version. */
export function spellUpdate(
  { table, before, changed }: Extract<Write, { readonly kind: 'update' }>,
  family: readonly string[],
  as: Spelling,
): readonly [sets: string, guards: string] {
  const sets = Object.keys(changed).map((column) => `${column} = ${spell(table, column, changed, family, as)}`);
  const guards = [...table.key, ...('version' in changed ? ['version'] : [])].map(
    (column) => `${column} = ${spell(table, column, before, family, as)}`,
  );
  return [sets.join(', '), guards.join(' and ')];
}
