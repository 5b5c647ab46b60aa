// Goal: the memory of the request log is bounded in every direction, no merchant takes the room of another, and omitted
// requests are counted. Method: a collector with small limits, and a clock that does not move.
import assert from 'node:assert/strict';
import { beforeEach, describe, mock, test } from 'node:test';
import { makeId } from '../../domain/id.ts';
import { RequestCollector } from './collector.ts';
import type { Kept } from './collector.ts';
import type { LoggedRequest } from './entry.ts';

const LIMITS = {
  ofMerchant: 3,
  ofAll: 5,
  waitingOfMerchant: { count: 4, bytes: 10_000 },
  waiting: { count: 8, bytes: 15_000 },
};
const AT = 1_790_000_030_000;

describe('gathering requests', () => {
  let counted: Partial<Record<Kept, number>>;
  let collector: RequestCollector;
  let now = 0;
  beforeEach((context) => {
    counted = {};
    now = 1_000;
    mock.method(performance, 'now', () => now);
    (context as { after?(done: () => void): void }).after?.(() => mock.restoreAll());
    collector = new RequestCollector((kept, count) => (counted[kept] = (counted[kept] ?? 0) + count), LIMITS);
  });

  let made = 0;
  const add = (merchantId: number, { status = 200, bytes = 10, at = AT } = {}): void =>
    collector.add({ merchantId, part: 7, minuteMs: at, isFailed: status >= 400 }, () => {
      made += 1;
      return {
        id: makeId(at, 7, made.toString(16).padStart(16, '0')),
        merchantId,
        status,
        request: { text: 'x'.repeat(bytes), bytes, isCut: false },
        answer: { bytes: 0, isCut: false },
      } as unknown as LoggedRequest;
    });
  const waiting = (bytes = 1_000_000): number[] =>
    collector.first({ count: 100, bytes }).map(({ merchantId }) => merchantId);

  test('of a merchant so many a second, and of what failed as many again', () => {
    for (let count = 0; count < 5; count += 1) add(1);
    for (let count = 0; count < 5; count += 1) add(1, { status: 400 });
    // The limit is four.
    assert.deepEqual(waiting(), [1, 1, 1, 1]);
    assert.deepEqual(counted, { over_rate: 4, no_room: 2 });
    collector.drop(4);
    now += 1_000;
    add(1);
    assert.deepEqual(waiting(), [1]);
  });

  test('one that is over its rate takes nothing from another, and is not even made', () => {
    made = 0;
    for (let count = 0; count < 100; count += 1) add(1);
    assert.equal(made, 3);
    add(2);
    assert.deepEqual(waiting(), [1, 1, 1, 2]);
  });

  test('of all together so many a second', () => {
    for (const merchantId of [1, 2, 3, 4, 5, 6, 7]) add(merchantId);
    assert.deepEqual(waiting(), [1, 2, 3, 4, 5]);
    assert.deepEqual(counted, { over_rate: 2 });
  });

  test('what waits has a bound in bytes, of one and of all', () => {
    add(1, { bytes: 10_000 });
    add(1);
    add(2, { bytes: 5_000 });
    add(3);
    assert.deepEqual(waiting(), [1, 2]);
    assert.deepEqual(counted, { no_room: 2 });
    collector.drop(1);
    add(1);
    assert.deepEqual(waiting(), [2, 1], 'room that is free again is used');
  });

  test('what is taken out makes as much room for its merchant, in rows and in bytes', () => {
    const addInTurn = (times: number, bytes: number): void => {
      for (let count = 0; count < times; count += 1) {
        now += 1_000;
        add(1, { bytes });
      }
    };
    addInTurn(4, 10);
    collector.drop(3);
    addInTurn(4, 10);
    assert.deepEqual([waiting().length, counted], [4, { no_room: 1 }]);
    collector.drop(4);
    addInTurn(2, 4_000);
    collector.drop(1);
    addInTurn(3, 4_000);
    assert.deepEqual([waiting().length, counted], [3, { no_room: 2 }]);
  });

  test('a group is bounded in bytes, and has one at least', () => {
    add(1, { bytes: 9_000 });
    add(2, { bytes: 100 });
    add(3, { bytes: 100 });
    assert.deepEqual(waiting(5_000), [1]);
    collector.drop(1);
    assert.deepEqual(waiting(1_000), [2]);
    assert.deepEqual(waiting(5_000), [2, 3]);
  });

  test('what is left out is counted by merchant and minute, and handed out once', () => {
    for (let count = 0; count < 5; count += 1) add(1);
    for (let count = 0; count < 4; count += 1) add(2);
    now += 1_000;
    for (let count = 0; count < 5; count += 1) add(1, { at: AT + 60_000 });
    const minuteMs = AT - (AT % 60_000);
    const first = collector.takeOmissions();
    assert.deepEqual(first, [
      { merchantId: 1, part: 7, minuteMs, count: 2 },
      { merchantId: 2, part: 7, minuteMs, count: 2 },
      { merchantId: 1, part: 7, minuteMs: minuteMs + 60_000, count: 4 },
    ]);
    assert.deepEqual(collector.takeOmissions(), []);
    collector.putBack(first);
    collector.omit({ merchantId: 1, part: 7, minuteMs: AT }, 'failed', 5);
    assert.equal(collector.takeOmissions()[0]?.count, 7);
  });
});
