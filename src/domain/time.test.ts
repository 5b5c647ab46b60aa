// Moments as texts: the same as Date writes them, whichever was written before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isoTime } from './time.ts';

const LAST_MS = 8_640_000_000_000_000;

test('any moment, and the one after it on the same day or the next, as Date writes it', () => {
  const moments = fc.tuple(fc.integer({ min: -LAST_MS, max: LAST_MS - 86_400_000 }), fc.nat({ max: 86_400_000 }));
  fc.assert(
    fc.property(moments, ([first, later]) => {
      for (const ms of [first, first + later, first]) assert.equal(isoTime(ms), new Date(ms).toISOString());
    }),
  );
});

for (const ms of [0, -1, 1.9, -0.5, 86_399_999, 86_400_000, 1_763_400_000_000.7, LAST_MS, -LAST_MS])
  test(`${ms}, twice`, () => {
    const expected = new Date(ms).toISOString();
    assert.deepEqual([isoTime(ms), isoTime(ms)], [expected, expected]);
  });

test('what is no moment is refused, and what comes after it is not', () => {
  assert.throws(() => isoTime(Number.NaN), RangeError);
  isoTime(LAST_MS);
  assert.throws(() => isoTime(LAST_MS + 1), RangeError);
  assert.equal(isoTime(1), '1970-01-01T00:00:00.001Z');
});
