// Goal: a bad acquirer is left alone and costs the service little; a good one is not turned away for long.
// Method: the guard around an acquirer that answers what the test says, with a clock that the test moves.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AcquirerRequest, RemoteAcquirer } from '../../src/acquirers/acquirer.ts';
import { AcquirerAway, guardAcquirer } from '../../src/acquirers/guard.ts';

const REQUEST: AcquirerRequest = {
  movementId: 'a'.repeat(32),
  kind: 'charge',
  amount: 100,
  currency: 'SEK',
  source: 'sim_approved',
  reservationId: 'b'.repeat(32),
};

// As the guard has them.
const MOST_UNDER_WAY = 128;
const FAILURES_TO_OPEN = 8;
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 30_000;

function open() {
  let nowMs = 5_000;
  let word: 'approved' | 'unknown' | 'not_found' | 'broken' = 'approved';
  const said = () => {
    if (word === 'broken') throw new Error('broken');
    return word;
  };
  const bank: RemoteAcquirer = {
    name: 'bank',
    isLocal: false,
    send: async () => {
      const result = said();
      return { result: result === 'not_found' ? 'unknown' : result };
    },
    find: async () => ({ result: said() }),
    book: async () => ({ lines: [] }),
  };
  const told: string[] = [];
  const guard = guardAcquirer(bank, {
    now: () => nowMs,
    onCall: (result) => told.push(result),
    onLeftAlone: (why) => told.push(`left alone: ${why}`),
    onBack: () => told.push('back'),
  });
  const isTurnedAway = (): boolean => {
    try {
      guard.enter()();
      return false;
    } catch (error) {
      assert.ok(error instanceof AcquirerAway);
      assert.equal(error.acquirer, 'bank');
      return true;
    }
  };
  return {
    guard,
    told,
    isTurnedAway,
    pass: (ms: number): void => void (nowMs += ms),
    say: (next: typeof word): void => void (word = next),
    /** As an operation does it: enters, calls, leaves. */
    operate: async (): Promise<void> => {
      const leave = guard.enter();
      await guard.send(REQUEST, 0);
      leave();
    },
    fail: async (times: number): Promise<void> => {
      word = 'unknown';
      for (let n = 0; n < times; n += 1) await guard.send(REQUEST, 0);
    },
  };
}

describe('the guard of an acquirer', () => {
  test('what the acquirer says comes through as it is', async () => {
    const { guard, say } = open();
    assert.deepEqual(await guard.send(REQUEST, 0), { result: 'approved' });
    say('not_found');
    assert.deepEqual(await guard.find('x'), { result: 'not_found' });
    say('unknown');
    assert.deepEqual(await guard.find('x'), { result: 'unknown' });
  });

  test('only so many are under way; who leaves makes room', () => {
    const { guard, isTurnedAway } = open();
    const leaves = Array.from({ length: MOST_UNDER_WAY }, () => guard.enter());
    assert.equal(guard.room(), 0);
    assert.ok(isTurnedAway());
    leaves[0]?.();
    assert.equal(guard.room(), 1);
    assert.ok(!isTurnedAway());
    for (const leave of leaves.slice(1)) leave();
    assert.ok(!isTurnedAway());
  });

  test('it rests after eight failures in a row, and not before', async () => {
    const { guard, fail, isTurnedAway } = open();
    await fail(FAILURES_TO_OPEN - 1);
    assert.ok(!isTurnedAway());
    await fail(1);
    assert.equal(guard.room(), 0);
    assert.ok(isTurnedAway());
  });

  test('one good answer in between, and the count begins anew: a word that it does not know is good', async () => {
    const { guard, fail, say, isTurnedAway } = open();
    for (const word of ['approved', 'not_found'] as const) {
      await fail(FAILURES_TO_OPEN - 1);
      say(word);
      await guard.find('x');
      await fail(FAILURES_TO_OPEN - 1);
      assert.ok(!isTurnedAway());
      say('approved');
      await guard.find('x');
    }
  });

  test('after its rest one may try, alone; when that goes well, all may', async () => {
    const { guard, fail, pass, say, isTurnedAway } = open();
    await fail(FAILURES_TO_OPEN);
    pass(FIRST_REST_MS - 1);
    assert.ok(isTurnedAway());
    pass(1);
    assert.equal(guard.room(), 1);
    const leave = guard.enter();
    assert.equal(guard.room(), 0);
    assert.ok(isTurnedAway(), 'a second one while the first tries');
    say('approved');
    await guard.send(REQUEST, 0);
    assert.equal(guard.room(), MOST_UNDER_WAY - 1);
    assert.ok(!isTurnedAway());
    leave();
    assert.ok(!isTurnedAway());
  });

  test('a try that fails makes the next rest twice as long, up to half a minute', async () => {
    const { guard, fail, pass, operate, isTurnedAway } = open();
    await fail(FAILURES_TO_OPEN);
    for (let restMs = FIRST_REST_MS; restMs < 4 * LONGEST_REST_MS; restMs *= 2) {
      const most = Math.min(restMs, LONGEST_REST_MS);
      pass(most - 1);
      assert.ok(isTurnedAway(), `after ${most - 1} ms`);
      pass(1);
      await operate();
      assert.equal(guard.room(), 0);
    }
  });

  test('it tells each call, once that it is left alone, and once that it is back', async () => {
    const { guard, fail, pass, operate, say, told } = open();
    await fail(FAILURES_TO_OPEN + 2);
    pass(FIRST_REST_MS);
    await operate();
    pass(2 * FIRST_REST_MS);
    say('approved');
    await operate();
    await guard.find('x');
    assert.deepEqual(told, [
      ...Array.from({ length: FAILURES_TO_OPEN }, () => 'unknown'),
      'left alone: it does not answer',
      'unknown',
      'unknown',
      'unknown',
      'approved',
      'back',
      'approved',
    ]);
  });

  test('who is turned away learns how long it rests; where it is only full, nothing is known', async () => {
    const { guard, fail, pass } = open();
    const again = (ms: number) => (error: unknown) => error instanceof AcquirerAway && error.againAfterMs === ms;
    const leaves = Array.from({ length: MOST_UNDER_WAY }, () => guard.enter());
    assert.throws(() => guard.enter(), again(0));
    for (const leave of leaves) leave();
    await fail(FAILURES_TO_OPEN);
    pass(FIRST_REST_MS / 4);
    assert.throws(() => guard.enter(), again(0.75 * FIRST_REST_MS));
  });

  test('a try that came to no call leaves the place to the next', async () => {
    const { guard, fail, pass, isTurnedAway } = open();
    await fail(FAILURES_TO_OPEN);
    pass(FIRST_REST_MS);
    guard.enter()();
    assert.ok(!isTurnedAway());
  });

  test('a try whose call throws is one that failed: a longer rest, and then the next', async () => {
    const { guard, fail, pass, say, operate, isTurnedAway } = open();
    await fail(FAILURES_TO_OPEN);
    pass(FIRST_REST_MS);
    const leave = guard.enter();
    say('broken');
    await assert.rejects(guard.send(REQUEST, 0), /broken/);
    leave();
    pass(FIRST_REST_MS);
    assert.ok(isTurnedAway());
    pass(FIRST_REST_MS);
    say('approved');
    await operate();
    assert.ok(!isTurnedAway());
  });

  test('those under way when it began to rest do not make the rest longer', async () => {
    const { fail, pass, operate, say, isTurnedAway } = open();
    await fail(FAILURES_TO_OPEN);
    pass(FIRST_REST_MS / 2);
    await fail(20);
    pass(FIRST_REST_MS / 2);
    say('approved');
    await operate();
    assert.ok(!isTurnedAway());
  });

  test('a good day forgets how long the rests were', async () => {
    const { fail, pass, say, operate, isTurnedAway } = open();
    await fail(FAILURES_TO_OPEN);
    for (const ms of [1_000, 2_000, 4_000]) {
      pass(ms);
      await operate();
    }
    pass(8_000);
    say('approved');
    await operate();
    await fail(FAILURES_TO_OPEN);
    pass(FIRST_REST_MS);
    assert.ok(!isTurnedAway());
  });
});
