// The ranges in which the books are checked, and the statements of each: payments and other things with ids by id,
// idempotency records by time, daily figures by day, everything else by the merchant's home part. One statement checks
// a range, and sees one state of the database.
import { readStatement } from '../../statements/statement.ts';

export type Range =
  /** Everything in some parts. */
  | { readonly kind: 'parts'; readonly first: number; readonly last: number }
  /** A range of ids in one part: from the first on, and before the second. */
  | { readonly kind: 'ids'; readonly part: number; readonly from: string; readonly before?: string }
  /** Some of them, by id. */
  | { readonly kind: 'some'; readonly parts: readonly number[]; readonly ids: readonly string[] }
  | { readonly kind: 'answers'; readonly after: string; readonly to: string }
  | {
      readonly kind: 'figures';
      readonly first: number;
      readonly last: number;
      readonly from: string;
      readonly before: string;
    }
  | { readonly kind: 'whole'; readonly first: number; readonly last: number };

export type Query = {
  readonly text: string;
  readonly values: unknown[];
  /** Whether everything it joins is within the range, so that it can be hashed. */
  readonly isHashed?: boolean;
};

const BY_ID = [
  'verify',
  'verify-seals',
  'verify-subscriptions',
  'verify-bulks',
  'verify-invoices',
  'verify-payouts',
  'verify-facets',
];
const [ANSWERS, FIGURES, WHOLE] = ['verify-records', 'verify-figures', 'verify-whole'] as const;

// The planner expects almost no rows in a range of ids where there are millions, since it cannot estimate within a
// hundredth of the histogram. It would then read one side of a join again for each row of the other.
const HASHED = new Set(['verify', 'verify-invoices']);

/** All statements, by file name. */
export const STATEMENTS: readonly string[] = [...BY_ID, ANSWERS, FIGURES, WHOLE];

const texts = new Map(STATEMENTS.map((name) => [name, readStatement(name).text]));
const textOf = (name: string): string => texts.get(name) as string;

type Within = (column: string, part: string) => string;

/** Inserts the condition of a range into a statement. */
const fill = (name: string, within: Within): string =>
  textOf(name).replaceAll(/\{within ([a-z_.]+)\}/g, (_all, column: string) =>
    within(column, column.includes('.') ? column.replace(/\..*/, '.part') : 'part'),
  );

const byId = (within: Within, values: unknown[]): Query[] =>
  BY_ID.map((name) => ({ text: fill(name, within), values, isHashed: HASHED.has(name) }));

/** The statements of a range, in order. */
export function queriesOf(range: Range): Query[] {
  switch (range.kind) {
    case 'parts':
      return byId((_column, part) => `${part} between $1::int and $2::int`, [range.first, range.last]);
    case 'ids': {
      const { part: only, from, before } = range;
      if (before === undefined)
        return byId((column, part) => `${part} = $1::smallint and ${column} >= $2::uuid`, [only, from]);
      const between = (column: string): string => `${column} >= $2::uuid and ${column} < $3::uuid`;
      return byId((column, part) => `${part} = $1::smallint and ${between(column)}`, [only, from, before]);
    }
    case 'some': {
      const named = 'select * from unnest($1::smallint[], $2::uuid[])';
      return byId((column, part) => `(${part}, ${column}) in (${named})`, [range.parts, range.ids]);
    }
    case 'answers':
      return [{ text: textOf(ANSWERS), values: [range.after, range.to] }];
    case 'figures':
      return [{ text: textOf(FIGURES), values: [range.first, range.last, range.from, range.before] }];
    case 'whole':
      return [{ text: textOf(WHOLE), values: [range.first, range.last] }];
  }
}
