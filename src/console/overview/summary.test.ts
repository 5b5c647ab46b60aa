// What the overview works out from figures.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Figure } from '../../store/books/figures/read.ts';
import { currenciesOf, daysBetween, summarize } from './summary.ts';

const figure = (changes: Partial<Figure>): Figure => ({
  day: '2026-03-01',
  currency: 'SEK',
  kind: 'charge',
  state: 'approved',
  method: '',
  reason: '',
  count: 1,
  amount: 100,
  ...changes,
});

test('every day of a period, over the end of a month', () => {
  assert.deepEqual(daysBetween('2028-02-28', '2028-03-01'), ['2028-02-28', '2028-02-29', '2028-03-01']);
  assert.deepEqual(daysBetween('2026-03-01', '2026-03-01'), ['2026-03-01']);
});

test('amounts of one currency, by day, method and reason', () => {
  const figures = [
    figure({ method: 'Visa', count: 2, amount: 300 }),
    figure({ method: 'MasterCard', day: '2026-03-02', amount: 500 }),
    figure({ kind: 'refund', day: '2026-03-02', amount: 120 }),
    figure({ kind: 'reservation', method: 'Visa', count: 3, amount: 1_000 }),
    figure({ kind: 'reservation', state: 'declined', reason: 'no funds', count: 2 }),
    figure({ state: 'declined', reason: 'expired', count: 1 }),
    figure({ currency: 'EUR', amount: 9_999 }),
  ];
  const { days, ...rest } = summarize(figures, 'SEK', daysBetween('2026-03-01', '2026-03-03'));
  assert.deepEqual(rest, {
    charged: 800,
    charges: 3,
    refunded: 120,
    refunds: 1,
    accepted: 3,
    declined: 2,
    averageOrder: 333,
    methods: [
      { name: 'MasterCard', count: 1, amount: 500 },
      { name: 'Visa', count: 2, amount: 300 },
    ],
    // As many as were declined: a charge is no try to pay.
    declines: [{ name: 'no funds', count: 2, amount: 100 }],
  });
  assert.deepEqual(days, [
    { day: '2026-03-01', charged: 300, refunded: 0 },
    { day: '2026-03-02', charged: 500, refunded: 120 },
    { day: '2026-03-03', charged: 0, refunded: 0 },
  ]);
  assert.deepEqual(currenciesOf(figures), ['SEK', 'EUR']);
});

test('nothing is no division by zero', () => {
  const { averageOrder, charged } = summarize([], 'SEK', ['2026-03-01']);
  assert.deepEqual([averageOrder, charged], [undefined, 0]);
});
