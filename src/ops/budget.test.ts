// Goal: a tenant pays for what it asked for, from its own budget and the one around it, and unknown costs are set aside.
// Method: budgets with a clock that the test sets.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { Budget, Budgets } from './budget.ts';

function atTestTime(t: TestContext): (ms: number) => void {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  return (ms) => void (now += ms);
}

describe('a budget', () => {
  test('grows by its rate, up to one second’s, and a debt is no longer than half a minute', (t) => {
    const pass = atTestTime(t);
    const budget = new Budget(10);
    pass(60_000);
    for (let n = 0; n < 10; n += 1) assert.equal(budget.take(), undefined);
    assert.equal(budget.take(), 1);
    pass(100);
    assert.equal(budget.take(), undefined);
    budget.spend(1_000);
    assert.equal(budget.msUntil(0), 30_000);
    assert.equal(budget.secondsUntil(1), 31);
  });

  test('that is a part takes from the whole, and waits for it', (t) => {
    atTestTime(t);
    const whole = new Budget(10);
    const [one, other] = [new Budget(10, whole), new Budget(10, whole)];
    one.spend(10);
    assert.deepEqual([one.take(), other.take(), whole.take()], [1, 1, 1]);
  });

  test('sets aside what the last of a kind cost until it is known again, less each time', (t) => {
    const pass = atTestTime(t);
    const budget = new Budget(10);
    const aside = { besideSetAside: true };
    assert.equal(budget.expect('list'), 0);
    budget.learn('list', 0, 8, 4);
    pass(10_000);
    const expected = budget.expect('list');
    assert.equal(expected, 8);
    assert.equal(budget.msUntil(3, aside), 100);
    assert.deepEqual([budget.msUntil(3), budget.expect('page', 0)], [0, 0]);
    budget.learn('list', expected, 0, 4);
    assert.deepEqual([budget.msUntil(10, aside), budget.expect('list')], [0, 8 * 0.95]);
    budget.learn('list', 4, 1, 4);
    assert.equal(budget.expect('list'), 0, 'what is cheap again needs nothing');
  });

  test('is one for each name, until nobody has used it for two minutes', (t) => {
    const pass = atTestTime(t);
    const budgets = new Budgets();
    pass(20_000);
    const budget = budgets.of('a', 10);
    budget.spend(1);
    assert.equal(budgets.of('a', 10), budget);
    pass(130_000);
    assert.notEqual(budgets.of('a', 10), budget);
  });
});
