// What list endpoints share: their page size, and that they refuse unknown filters.
import type { TObject } from '../schema/type.ts';
import { badField } from './problem.ts';

const DEFAULT_LIMIT = 20;
const HIGHEST_LIMIT = 100;

export const LIMIT_TEXT = `How many at most: 1 to ${HIGHEST_LIMIT}, by default ${DEFAULT_LIMIT}. There may be fewer, or none: where there is a cursor, there is more.`;

/** What a limit means, for the description. */
export const LIMIT_SCHEMA = { type: 'integer', minimum: 1, maximum: HIGHEST_LIMIT, default: DEFAULT_LIMIT } as const;

export function readLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > HIGHEST_LIMIT) throw badField('limit', `must be a whole number from 1 to ${HIGHEST_LIMIT}`);
  return limit;
}

/** A misspelt filter must not be ignored: the list would show other things than were asked for. */
export function requireKnownFilters(query: object, schema: TObject): void {
  const known = Object.keys(schema.properties);
  const unknown = Object.keys(query).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const field = /^[a-z_]{1,32}$/i.test(unknown) ? unknown : 'query';
  throw badField(field, `there is no such filter; there are ${known.join(', ')}`);
}
