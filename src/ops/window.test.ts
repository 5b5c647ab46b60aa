// Goal: each name has its own limit per window, released entries do not count, and all counts start again together.
// Method: a window with a clock that the test sets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Window } from './window.ts';

test('a name has so many until the window ends; what is forgotten does not count', (t) => {
  let now = 5_000;
  t.mock.method(performance, 'now', () => now);
  const window = new Window(60_000);
  const count = (name: string): number => {
    const counted = window.count(name, 2);
    return typeof counted === 'number' ? -counted : counted.count;
  };
  const first = window.count('a', 2);
  assert.ok(typeof first !== 'number');
  assert.equal(count('a'), 2);
  now += 20_000;
  assert.deepEqual([count('a'), count('b')], [-40, 1]);
  first.forget();
  assert.deepEqual([count('a'), count('a')], [2, -40]);
  now += 40_000;
  assert.equal(count('a'), 1);
});
