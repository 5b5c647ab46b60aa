// Goal: a claim begins where the last one of its endpoint ended, and now and then at the beginning. Pure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClaimProgress } from './claim-progress.ts';

const [a, b] = [
  { merchantId: 1, endpoint: 'https://shop.example' },
  { merchantId: 2, endpoint: 'https://shop.example' },
];

test('an endpoint is claimed from the beginning, then from the last time on, and each on its own', () => {
  const progress = new ClaimProgress();
  assert.equal(progress.until(a), undefined);
  progress.note(a, 'one', undefined);
  progress.note(a, 'two', 'one');
  assert.equal(progress.until(a), 'two');
  assert.equal(progress.until(b), undefined);
  progress.note(b, 'three', undefined);
  assert.deepEqual(progress.latest(1), [{ ...b, since: 'three' }]);
  assert.deepEqual(progress.latest(5), [
    { ...a, since: 'two' },
    { ...b, since: 'three' },
  ]);
});

test('after a minute it is looked through from the beginning again, and not before that was done', (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const progress = new ClaimProgress();
  progress.note(a, 'one', undefined);
  now += 59_000;
  assert.equal(progress.until(a), 'one');
  progress.note(a, 'two', 'one');
  now += 1_000;
  assert.equal(progress.until(a), undefined);
  progress.note(a, 'three', 'two');
  assert.equal(progress.until(a), undefined, 'that claim had not begun at the beginning');
  progress.note(a, 'four', undefined);
  assert.equal(progress.until(a), 'four');
});
