// What the overview says of a period, worked out from the figures of its days. Amounts are whole numbers of minor units,
// and only those of one currency are ever added.
import type { Figure } from '../../store/books/figures/read.ts';

export type Day = { readonly day: string; readonly charged: number; readonly refunded: number };
export type Share = { readonly name: string; readonly count: number; readonly amount: number };

export type Summary = {
  readonly charged: number;
  readonly charges: number;
  readonly refunded: number;
  readonly refunds: number;
  readonly days: readonly Day[];
  /** Reservations, by what came of them. */
  readonly accepted: number;
  readonly declined: number;
  /** Of the orders that were reserved; undefined where there are none. */
  readonly averageOrder?: number;
  /** What was charged, by how it was paid; the largest first. */
  readonly methods: readonly Share[];
  /** Those that were declined, by reason; the most frequent first. */
  readonly declines: readonly Share[];
};

const DAY_MS = 86_400_000;

/** Every day from the first to the last, as 2026-03-18. */
export function daysBetween(from: string, to: string): string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return Array.from({ length: (last - first) / DAY_MS + 1 }, (_, n) =>
    new Date(first + n * DAY_MS).toISOString().slice(0, 10),
  );
}

const sum = (figures: readonly Figure[], of: 'count' | 'amount'): number =>
  figures.reduce((total, figure) => total + figure[of], 0);

function sharesOf(figures: readonly Figure[], nameOf: (figure: Figure) => string, by: 'count' | 'amount'): Share[] {
  return Array.from(Map.groupBy(figures, nameOf), ([name, of]) => ({
    name,
    count: sum(of, 'count'),
    amount: sum(of, 'amount'),
  })).toSorted((one, other) => other[by] - one[by] || one.name.localeCompare(other.name));
}

/** The currencies that there are figures in, the one with most charges first. */
export const currenciesOf = (figures: readonly Figure[]): string[] =>
  sharesOf(figures, ({ currency }) => currency, 'count').map(({ name }) => name);

export function summarize(all: readonly Figure[], currency: string, days: readonly string[]): Summary {
  const figures = all.filter((figure) => figure.currency === currency);
  const only = (kind: Figure['kind'], state: Figure['state']): Figure[] =>
    figures.filter((figure) => figure.kind === kind && figure.state === state);
  const [charges, refunds] = [only('charge', 'approved'), only('refund', 'approved')];
  const [accepted, refused] = [only('reservation', 'approved'), only('reservation', 'declined')];
  const orders = sum(accepted, 'count');
  const amountOn = (of: readonly Figure[], day: string): number =>
    sum(
      of.filter((figure) => figure.day === day),
      'amount',
    );
  return {
    charged: sum(charges, 'amount'),
    charges: sum(charges, 'count'),
    refunded: sum(refunds, 'amount'),
    refunds: sum(refunds, 'count'),
    days: days.map((day) => ({ day, charged: amountOn(charges, day), refunded: amountOn(refunds, day) })),
    accepted: orders,
    declined: sum(refused, 'count'),
    ...(orders > 0 && { averageOrder: Math.round(sum(accepted, 'amount') / orders) }),
    methods: sharesOf(charges, ({ method }) => method, 'amount'),
    declines: sharesOf(refused, ({ reason }) => reason, 'count'),
  };
}
