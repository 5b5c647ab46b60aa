// Goal: what the demo shop remembers is bounded, whatever visitors do. Method: more payments and more calls than it keeps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openJournal } from './journal.ts';
import type { Call } from './journal.ts';

const scenario = { items: { mug: 1 }, mode: 'embedded' } as const;
const aCall = (ms: number): Call => ({
  at: 0,
  method: 'POST',
  path: '/',
  headers: {},
  ms,
  operationId: 'createPayment',
});

test('of many payments it keeps the latest 200, and one that is used stays', () => {
  const journal = openJournal();
  journal.open('used', scenario, aCall(0));
  for (let count = 0; count < 199; count += 1) journal.open(`payment-${count}`, scenario, aCall(count));
  journal.add('used', aCall(1));
  journal.open('new', scenario, aCall(2));
  assert.equal(journal.of('payment-0'), undefined);
  assert.notEqual(journal.of('payment-1'), undefined);
  assert.equal(journal.of('used')?.calls.length, 2);
  assert.equal(journal.of('used')?.scenario, scenario);
});

test('of many calls it keeps the latest 50', () => {
  const journal = openJournal();
  journal.open('payment', scenario, aCall(0));
  for (let count = 1; count <= 60; count += 1) journal.add('payment', aCall(count));
  const calls = journal.of('payment')?.calls ?? [];
  assert.deepEqual([calls.length, calls[0]?.ms, calls.at(-1)?.ms], [50, 11, 60]);
});

test('what it never knew it can still be told of: the shop was started anew in between', () => {
  const journal = openJournal();
  assert.equal(journal.of('payment'), undefined);
  journal.add('payment', aCall(1));
  assert.deepEqual(journal.of('payment'), { calls: [aCall(1)] });
});
