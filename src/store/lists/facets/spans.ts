// Spans of time, for a period in the order of amounts: ids that begin alike are of one span, within which an index has them
// by amount. A period is cut into the spans that it touches; what of the first and the last is outside it is passed over.
import { firstIdAt, timeOf } from '../../../domain/id.ts';
import type { Walk } from '../listing/walk.ts';

/** How many digits of an id a span has, as the indexes do: 4.7 hours, and 3.1 days. */
export const SPAN_DIGITS = { span: 6, 'long span': 5 } as const;
export type SpanLength = keyof typeof SPAN_DIGITS;

// Longer ones where those at the ends are a small share of the period; each costs a page one row at least.
const MOST_SPANS: Readonly<Record<SpanLength, number>> = { span: 60, 'long span': 300 };
// What is newer than this by any clock has no facets yet.
const CLOCKS_DIFFER_MS = 2 * 86_400_000;

const TIME_DIGITS = 12;
const lengthMs = (length: SpanLength): number => 16 ** (TIME_DIGITS - SPAN_DIGITS[length]);

type Period = Pick<Walk, 'from' | 'to'>;

/** Whether so little of a span may be in a period that a page would read more than ten times of what it shows. */
export const isShort = ({ from, to }: Period): boolean => timeOf(to) - timeOf(from) < lengthMs('span') / 5;

export type Spans = { readonly by: SpanLength; readonly spans: readonly string[] };

/** The beginnings of a period's ids; undefined when they are too many, as where it has no beginning. */
export function spansOf({ from, to, atMs }: Pick<Walk, 'from' | 'to' | 'atMs'>): Spans | undefined {
  const endMs = Math.min(timeOf(to), atMs + CLOCKS_DIFFER_MS);
  for (const by of ['span', 'long span'] as const) {
    const first = Math.floor(timeOf(from) / lengthMs(by));
    const count = Math.max(0, Math.ceil(endMs / lengthMs(by)) - first);
    if (count > MOST_SPANS[by]) continue;
    const startOf = (n: number): string => firstIdAt((first + n) * lengthMs(by));
    return { by, spans: Array.from({ length: count }, (_none, n) => startOf(n).slice(0, SPAN_DIGITS[by])) };
  }
  return undefined;
}
