// Goal: the scale of a chart has few, round steps that stay within its bars. Method: a table, and every size of amounts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ticksOf } from './scale.ts';

test('round steps from below zero to the highest', () => {
  for (const [highest, lowest, ticks] of [
    [1, 0, [0, 1]],
    [1_000, 0, [0, 200, 400, 600, 800, 1_000]],
    [123_456, 4_500, [0, 50_000, 100_000]],
    [90_000, 60_000, [-50_000, 0, 50_000]],
    [900_719_925_474_099, 0, [0, 200_000_000_000_000, 400_000_000_000_000, 600_000_000_000_000, 800_000_000_000_000]],
  ] as const)
    assert.deepEqual(ticksOf(highest, lowest), ticks, `${highest} ${lowest}`);
});

test('at most six, evenly apart, none outside the bars', () => {
  for (let highest = 1; highest < 1e15; highest = Math.ceil(highest * 1.7))
    for (const lowest of [0, Math.floor(highest / 3), highest * 2]) {
      const ticks = ticksOf(highest, lowest);
      const [first = 0, last = 0] = [ticks[0], ticks.at(-1)];
      assert.ok(ticks.includes(0) && ticks.length >= 2 && ticks.length <= 7, `${highest}: ${ticks.join()}`);
      assert.ok(first >= -lowest && last <= highest, `${highest}: ${ticks.join()}`);
      assert.equal(new Set(ticks.slice(1).map((tick, index) => tick - (ticks[index] ?? 0))).size, 1);
    }
});
