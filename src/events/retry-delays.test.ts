// Goal: a failed delivery is retried soon at first and then ever later, for about three days, and never sooner than the
// receiver asked for. Method: the documented pauses, and what changes them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { retryDelayAfter } from './retry-delays.ts';

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];
const unspread = (): number => 0;

describe('the pause before the next try of a delivery', () => {
  test('grows from a second to a day, over about three days', () => {
    const pauses = Array.from({ length: 12 }, (_, index) => retryDelayAfter(index + 1, 0, unspread));
    assert.deepEqual(pauses, [
      SECOND,
      5 * SECOND,
      30 * SECOND,
      2 * MINUTE,
      10 * MINUTE,
      30 * MINUTE,
      HOUR,
      3 * HOUR,
      6 * HOUR,
      12 * HOUR,
      DAY,
      DAY,
    ]);
    assert.equal(retryDelayAfter(13, 0, unspread), undefined, 'then it is given up');
    assert.equal(retryDelayAfter(13, DAY, unspread), undefined, 'whatever was asked for');
  });

  test('is as long as was asked for, up to a day, and never shorter than without', () => {
    assert.equal(retryDelayAfter(1, 90 * SECOND, unspread), 90 * SECOND);
    assert.equal(retryDelayAfter(1, 30 * DAY, unspread), DAY);
    assert.equal(retryDelayAfter(4, SECOND, unspread), 2 * MINUTE);
  });

  test('is spread by up to a tenth, later and not sooner', () => {
    assert.equal(
      retryDelayAfter(3, 0, () => 0.5),
      31.5 * SECOND,
    );
    for (let n = 0; n < 100; n += 1) {
      const pause = retryDelayAfter(2) as number;
      assert.ok(pause >= 5 * SECOND && pause <= 5.5 * SECOND, `${pause}`);
    }
  });
});
