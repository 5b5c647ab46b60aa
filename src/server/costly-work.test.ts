// Goal: a merchant that asks for every kind of costly work at once has two pieces under way, and another merchant gets
// its turn. Method: work of each kind that ends when the test says so.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Payment } from '../domain/payment.ts';
import { openCostlyWork, pageInTurn } from './costly-work.ts';

test('of all kinds together a merchant has two under way, and every kind has its turn; another merchant waits for none', async () => {
  const queues = Object.entries(openCostlyWork());
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  let [underWay, most] = [0, 0];
  const work = (name: string) => async (): Promise<void> => {
    begun.push(name);
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise<void>((end) => ends.push(end));
    underWay -= 1;
  };
  const hostile = queues.flatMap(([name, queue]) => [1, 2, 3].map(() => queue.run({ tenant: 1 }, work(name))));
  assert.equal(begun.length, 2);
  let served = 0;
  for (const [, queue] of queues) await queue.run({ tenant: 2 }, async () => void (served += 1));
  assert.equal(served, queues.length);
  for (let n = 0; n < hostile.length; n += 1) {
    ends[n]?.();
    await turn();
  }
  await Promise.all(hostile);
  assert.equal(most, 2);
  assert.equal(new Set(begun.slice(0, 2 + queues.length)).size, queues.length, begun.join());
});

test('a page of a large payment waits behind other costly work of its merchant, and one of a small payment does not', async () => {
  const costly = openCostlyWork();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const others = [costly.lists, costly.views].map((queue) => queue.run({ tenant: 1 }, () => ended));
  const made: string[] = [];
  const draw = (name: string, lines: number): Promise<unknown> => {
    const payment = { merchantId: 1, order: { items: Array(lines) }, movements: [] } as unknown as Payment;
    return pageInTurn(costly, payment, async () => made.push(name));
  };
  const large = draw('large', 101);
  await draw('small', 100);
  assert.deepEqual(made, ['small']);
  end();
  await Promise.all([...others, large]);
  assert.deepEqual(made, ['small', 'large']);
});
