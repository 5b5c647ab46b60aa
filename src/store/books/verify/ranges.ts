// The ranges in which the books are looked at, and the statements of each: what is said of one payment, or another thing
// with an id, is found by id; answers to keys by their time; daily figures by day; the rest by the merchant's home. What is
// in one range is looked at by one statement, which sees one state of the database.
import { readStatement } from '../../statements/statement.ts';

export type Range =
  /** All that lives in some parts. */
  | { readonly kind: 'parts'; readonly first: number; readonly last: number }
  /** What lives in one part, by id: from one on, and before another. */
  | { readonly kind: 'ids'; readonly part: number; readonly from: string; readonly before?: string }
  /** Some of them, by name. */
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
  /** Whether whatever it joins is within the range, and therefore hashed. */
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

// Of a range of ids the planner expects next to nothing where there are millions, since it cannot tell where within a
// hundredth of them an id is. It would then read one side of a join anew for each row of the other.
const HASHED = new Set(['verify', 'verify-invoices']);

/** Every statement there is, by the name of its file. */
export const STATEMENTS: readonly string[] = [...BY_ID, ANSWERS, FIGURES, WHOLE];

const texts = new Map(STATEMENTS.map((name) => [name, readStatement(name).text]));
const textOf = (name: string): string => texts.get(name) as string;

type Within = (column: string, part: string) => string;

/** Puts a condition wherever a statement asks for what is in the range. */
const fill = (name: string, within: Within): string =>
  textOf(name).replaceAll(/\{within ([a-z_.]+)\}/g, (_all, column: string) =>
    within(column, column.includes('.') ? column.replace(/\..*/, '.part') : 'part'),
  );

const byId = (within: Within, values: unknown[]): Query[] =>
  BY_ID.map((name) => ({ text: fill(name, within), values, isHashed: HASHED.has(name) }));

/** What is asked of a range, one after the other. */
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
