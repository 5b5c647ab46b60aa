// Goal: a merchant that reads its events very often does not use up the connections on which events are published.
// Method: the publisher, on a database that counts concurrent queries. And: the first event is published immediately,
// those right after it together.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeId } from '../../domain/id.ts';
import { StandbyAway } from '../connections/pool.ts';
import type { Pool } from '../connections/pool.ts';
import { MOST_SUBJECTS } from './publish.ts';
import { EventPublisher } from './publisher.ts';

describe('catching up', () => {
  test('concurrent callers for a merchant share a query that begins after they called', async () => {
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

  test('a failed query fails its callers, and the next call queries again', async () => {
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

  test('a caller waiting for what cannot be published now queries once, and returns', async () => {
    let looks = 0;
    const query = async (): Promise<unknown[]> => {
      looks += 1;
      return [{ subject_id: makeId(1, 1, '0'.repeat(16)), merchant_id: 1 }];
    };
    const runUntilReplicated = async (): Promise<never> => {
      throw new StandbyAway('commits wait for a standby that is away');
    };
    const publisher = new EventPublisher({ query, runUntilReplicated } as unknown as Pool);
    await publisher.catchUp({ id: 1, parts: [1] });
    assert.equal(looks, 1);
  });

  test('what another process holds is retried with growing pauses while a caller waits, and a close leaves it', async () => {
    let rounds = 0;
    const query = async (): Promise<unknown[]> => [{ subject_id: makeId(1, 1, '0'.repeat(16)), merchant_id: 1 }];
    const runUntilReplicated = async (): Promise<string[][]> => {
      rounds += 1;
      return [['1', '0', '[1]']];
    };
    const publisher = new EventPublisher({ query, runUntilReplicated } as unknown as Pool);
    await publisher.catchUp({ id: 1, parts: [1] });
    assert.ok(rounds > 0 && rounds <= 20, `${rounds} rounds`);
    await publisher.close();
  });
});

describe('gathering', () => {
  const NEVER_MS = 3_600_000;

  /** A publisher whose gathering time does not end by itself, and the ids of each round. */
  function open(): { publisher: EventPublisher; rounds: string[][]; add: (...names: number[]) => string[] } {
    const rounds: string[][] = [];
    const runUntilReplicated = async (_statement: unknown, [wanted]: readonly string[]): Promise<string[][]> => {
      const subjects = JSON.parse(wanted as string) as { subject_id: string }[];
      rounds.push(subjects.map(({ subject_id: id }) => id));
      return [['0', String(subjects.length)]];
    };
    const query = async (): Promise<unknown[]> => [];
    const publisher = new EventPublisher({ query, runUntilReplicated } as unknown as Pool, NEVER_MS);
    const add = (...names: number[]): string[] => {
      const ids = names.map((name) => makeId(name, 1, '0'.repeat(16)));
      for (const id of ids) publisher.add({ id, merchantId: 1 });
      return ids;
    };
    return { publisher, rounds, add };
  }
  const published = (publisher: EventPublisher): Promise<void> =>
    new Promise((resolve) => {
      const leave = publisher.onPublished(() => {
        leave();
        resolve();
      });
    });

  test('the first is published at once; those behind it wait for each other, until somebody waits for one', async () => {
    const { publisher, rounds, add } = open();
    const isFirst = published(publisher);
    const first = add(1);
    await isFirst;
    const more = add(2);
    await sleep(5);
    more.push(...add(3));
    assert.deepEqual(rounds, [first]);
    await publisher.publishNow({ id: more[0] as string, merchantId: 1 });
    assert.deepEqual(rounds, [first, more]);
  });

  test('who reads and finds nothing waiting hurries nobody', async () => {
    const { publisher, rounds, add } = open();
    const isFirst = published(publisher);
    const first = add(1);
    await isFirst;
    add(2);
    await publisher.catchUp({ id: 2, parts: [1] });
    await sleep(5);
    assert.deepEqual(rounds, [first]);
    await publisher.close();
  });

  test('as many as go in one statement wait no longer, and nothing is left behind at the end', async () => {
    const { publisher, rounds, add } = open();
    const isFirst = published(publisher);
    add(1);
    await isFirst;
    const isFull = published(publisher);
    const many = add(...Array.from({ length: MOST_SUBJECTS }, (_, index) => index + 2));
    await isFull;
    assert.deepEqual(rounds[1], many);
    const last = add(1_000);
    await publisher.close();
    assert.deepEqual(rounds.slice(2), [last]);
  });
});
