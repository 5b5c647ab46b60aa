// When a process that dies again and again is started again, and when no more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countDeaths, isHopeless, pauseAfter } from './backoff.ts';

test('the first time at once, then ever later, at most half a minute', () => {
  const pauses = Array.from({ length: 9 }, (_, at) => pauseAfter(at + 1));
  assert.deepEqual(pauses, [0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test('who has served for a minute begins anew', () => {
  assert.equal(countDeaths(5, 59_999), 6);
  assert.equal(countDeaths(5, 60_000), 1);
});

test('there is an end to it only where no other serves', () => {
  assert.equal(isHopeless(9, 0), false);
  assert.equal(isHopeless(10, 0), true);
  assert.equal(isHopeless(1_000, 1), false);
});
