// Goal: the demo shop takes an order's state from what the API shows of it. Method: answers of a read, cut to what matters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOrder } from './order.ts';
import { DEMO_REFERENCE } from './scenario.ts';

const PAID = { reservedAmount: 100, chargedAmount: 60 };

const CASES: readonly (readonly [state: string, payment: object])[] = [
  ['unpaid', {}],
  ['unpaid', { summary: {} }],
  ['terminated', { terminated: '2026-11-15T08:00:00.000Z' }],
  ['card saved', { summary: { reservedAmount: 0 }, subscription: { id: 'a' } }],
  ['reserved', { summary: { reservedAmount: 100 }, subscription: { id: 'a' } }],
  ['partly charged', { summary: PAID }],
  ['charged', { summary: { ...PAID, cancelledAmount: 40 } }],
  ['partly refunded', { summary: { ...PAID, refundedAmount: 20 }, refunds: [{ amount: 20, state: 'Completed' }] }],
  ['pending', { summary: PAID, refunds: [{ amount: 20, state: 'Pending' }] }],
];

for (const [state, payment] of CASES)
  test(`${state}: ${JSON.stringify(payment)}`, () => {
    const answer = { payment: { paymentId: 'p', myReference: DEMO_REFERENCE, ...payment } };
    assert.equal(readOrder(answer)?.state, state);
  });
