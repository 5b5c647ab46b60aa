// Goal: a claim begins where its endpoint was looked through last, and now and then at the beginning. Pure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClaimProgress } from './claim-progress.ts';

const [a, b] = [
  { merchantId: 1, endpoint: 'https://shop.example' },
  { merchantId: 2, endpoint: 'https://shop.example' },
];

test('an endpoint is looked through from the beginning, then from the last time on, and each on its own', () => {
  const looked = new ClaimProgress();
  assert.equal(looked.until(a), undefined);
  looked.note(a, 'one', undefined);
  looked.note(a, 'two', 'one');
  assert.equal(looked.until(a), 'two');
  assert.equal(looked.until(b), undefined);
  looked.note(b, 'three', undefined);
  assert.deepEqual(looked.latest(1), [{ ...b, since: 'three' }]);
  assert.deepEqual(looked.latest(5), [
    { ...a, since: 'two' },
    { ...b, since: 'three' },
  ]);
});

test('after a minute it is looked through from the beginning again, and not before that was done', (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const looked = new ClaimProgress();
  looked.note(a, 'one', undefined);
  now += 59_000;
  assert.equal(looked.until(a), 'one');
  looked.note(a, 'two', 'one');
  now += 1_000;
  assert.equal(looked.until(a), undefined);
  looked.note(a, 'three', 'two');
  assert.equal(looked.until(a), undefined, 'that claim had not begun at the beginning');
  looked.note(a, 'four', undefined);
  assert.equal(looked.until(a), 'four');
});
