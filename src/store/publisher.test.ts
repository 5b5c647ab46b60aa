// Goal: whoever reads its events very often does not take the connections on which everybody's are published. Method: the
// publisher, on a database that counts who asks at once.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from './pool.ts';
import { EventPublisher } from './publisher.ts';

describe('catching up', () => {
  test('many who ask for one merchant share a look that begins after they asked; others have their own', async () => {
    const asked: number[] = [];
    let [underWay, most] = [0, 0];
    const query = async (_text: string, values: readonly unknown[]): Promise<unknown[]> => {
      asked.push(Number(values[1]));
      underWay += 1;
      most = Math.max(most, underWay);
      await sleep(20);
      underWay -= 1;
      return [];
    };
    const publisher = new EventPublisher({ query } as unknown as Pool);
    const catchUp = (id: number): Promise<void> => publisher.catchUp({ id, parts: [1] });
    const first = catchUp(1);
    await sleep(5);
    await Promise.all([first, ...Array.from({ length: 50 }, () => catchUp(1)), catchUp(2)]);
    assert.deepEqual([asked, most], [[1, 2, 1], 2]);
    await catchUp(1);
    assert.equal(asked.length, 4);
  });

  test('a look that fails is told to who waits for it, and is over', async () => {
    let count = 0;
    const query = async (): Promise<unknown[]> => {
      count += 1;
      if (count === 1) throw new Error('away');
      return [];
    };
    const publisher = new EventPublisher({ query } as unknown as Pool);
    await assert.rejects(publisher.catchUp({ id: 1, parts: [1] }), /away/);
    await publisher.catchUp({ id: 1, parts: [1] });
  });
});
