// Goal: a bad acquirer is left alone and costs the service little; a good one is not turned away for long.
// Method: the guard around an acquirer that answers what the test says, with a clock that the test moves.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AcquirerRequest, RemoteAcquirer } from '../../src/acquirers/acquirer.ts';
import { AcquirerAway, withCircuitBreaker } from '../../src/acquirers/circuit-breaker.ts';

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
  type Word = 'approved' | 'unknown' | 'not_found' | 'broken';
  let [word, wordOfSend]: [Word, Word] = ['approved', 'approved'];
  const say = (next: Word, onSend = next): void => void ([word, wordOfSend] = [next, onSend]);
  const said = (what: Word) => {
    if (what === 'broken') throw new Error('broken');
    return what;
  };
  let sent = 0;
  const bank: RemoteAcquirer = {
    name: 'bank',
    isLocal: false,
    send: async () => {
      sent += 1;
      const result = said(wordOfSend);
      return { result: result === 'not_found' ? 'unknown' : result };
    },
    find: async () => ({ result: said(word) }),
    forbid: async () => ({ result: said(word) }),
    book: async () => ({ lines: [] }),
  };
  const told: string[] = [];
  const guard = withCircuitBreaker(bank, {
    now: () => nowMs,
    onCall: (result) => told.push(result),
    onLeftAlone: (why) => told.push(`left alone: ${why}`),
    onBack: () => told.push('back'),
  });
  const isTurnedAway = async (): Promise<boolean> => {
    try {
      (await guard.enter())();
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
    say,
    sent: () => sent,
    /** As an operation does it: enters, calls, leaves; or is turned away. */
    operate: async (): Promise<void> => {
      const leave = await guard.enter().catch(() => undefined);
      if (leave === undefined) return;
      await guard.send(REQUEST);
      leave();
    },
    fail: async (times: number): Promise<void> => {
      say('unknown');
      for (let n = 0; n < times; n += 1) await guard.send(REQUEST);
    },
  };
}

describe('the guard of an acquirer', () => {
  test('what the acquirer says comes through as it is', async () => {
    const { guard, say } = open();
    assert.deepEqual(await guard.send(REQUEST), { result: 'approved' });
    say('not_found');
    assert.deepEqual(await guard.find('x'), { result: 'not_found' });
    assert.deepEqual(await guard.forbid('x'), { result: 'not_found' });
    say('unknown');
    for (const said of [await guard.find('x'), await guard.forbid('x')]) assert.deepEqual(said, { result: 'unknown' });
  });

  // decision: acquirer-that-does-not-answer
  test('only so many are under way; who leaves makes room', async () => {
    const { guard, isTurnedAway } = open();
    const leaves = await Promise.all(Array.from({ length: MOST_UNDER_WAY }, () => guard.enter()));
    assert.equal(guard.room(), 0);
    assert.ok(await isTurnedAway());
    leaves[0]?.();
    assert.equal(guard.room(), 1);
    assert.ok(!(await isTurnedAway()));
    for (const leave of leaves.slice(1)) leave();
    assert.ok(!(await isTurnedAway()));
  });

  // decision: acquirer-that-does-not-answer
  test('it rests after eight failures in a row, and not before', async () => {
    const { guard, fail, isTurnedAway } = open();
    await fail(FAILURES_TO_OPEN - 1);
    assert.ok(!(await isTurnedAway()));
    await fail(1);
    assert.equal(guard.room(), 0);
    assert.ok(await isTurnedAway());
  });

  test('one good answer in between, and the count begins anew: a word that it does not know is good', async () => {
    const { guard, fail, say, isTurnedAway } = open();
    for (const word of ['approved', 'not_found'] as const) {
      await fail(FAILURES_TO_OPEN - 1);
      say(word);
      await guard.find('x');
      await fail(FAILURES_TO_OPEN - 1);
      assert.ok(!(await isTurnedAway()));
      say('approved');
      await guard.find('x');
    }
  });

  test('after its rest one may try, alone; when that goes well, all may', async () => {
    const { guard, fail, pass, say, isTurnedAway } = open();
    await fail(FAILURES_TO_OPEN);
    pass(FIRST_REST_MS - 1);
    assert.ok(await isTurnedAway());
    pass(1);
    assert.equal(guard.room(), 1);
    say('approved');
    const trying = guard.enter();
    assert.equal(guard.room(), 0);
    const leave = await trying;
    assert.equal(guard.room(), 0);
    assert.ok(await isTurnedAway(), 'a second one while the first tries');
    await guard.send(REQUEST);
    assert.equal(guard.room(), MOST_UNDER_WAY - 1);
    assert.ok(!(await isTurnedAway()));
    leave();
    assert.ok(!(await isTurnedAway()));
  });

  test('a try that fails makes the next rest twice as long, up to half a minute', async () => {
    const { guard, fail, pass, operate, isTurnedAway } = open();
    await fail(FAILURES_TO_OPEN);
    for (let restMs = FIRST_REST_MS; restMs < 4 * LONGEST_REST_MS; restMs *= 2) {
      const most = Math.min(restMs, LONGEST_REST_MS);
      pass(most - 1);
      assert.ok(await isTurnedAway(), `after ${most - 1} ms`);
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
      'approved',
      'back',
      'approved',
    ]);
  });

  // decision: acquirer-that-does-not-answer
  test('who tries asks first: while there is no answer, nothing is sent', async () => {
    const { fail, pass, operate, say, sent, isTurnedAway } = open();
    await fail(FAILURES_TO_OPEN);
    for (const word of ['unknown', 'broken'] as const) {
      pass(LONGEST_REST_MS);
      say(word);
      await operate();
      assert.equal(sent(), FAILURES_TO_OPEN);
      assert.ok(await isTurnedAway());
    }
    pass(LONGEST_REST_MS);
    say('approved');
    await operate();
    assert.equal(sent(), FAILURES_TO_OPEN + 1);
    assert.ok(!(await isTurnedAway()));
  });

  test('one that answers questions and does nothing is not back for that', async () => {
    const { guard, fail, pass, operate, say, sent } = open();
    await fail(FAILURES_TO_OPEN);
    say('not_found', 'unknown');
    for (const times of [1, 2, 3]) {
      pass(LONGEST_REST_MS);
      await operate();
      assert.equal(sent(), FAILURES_TO_OPEN + times);
      assert.equal(guard.room(), 0);
    }
  });

  test('who is turned away learns how long it rests; where it is only full, nothing is known', async () => {
    const { guard, fail, pass } = open();
    const again = (ms: number) => (error: unknown) => error instanceof AcquirerAway && error.againAfterMs === ms;
    const leaves = await Promise.all(Array.from({ length: MOST_UNDER_WAY }, () => guard.enter()));
    await assert.rejects(guard.enter(), again(0));
    for (const leave of leaves) leave();
    await fail(FAILURES_TO_OPEN);
    pass(FIRST_REST_MS / 4);
    await assert.rejects(guard.enter(), again(0.75 * FIRST_REST_MS));
  });

  test('a try that came to no call leaves the place to the next', async () => {
    const { guard, fail, pass, say, isTurnedAway } = open();
    await fail(FAILURES_TO_OPEN);
    pass(FIRST_REST_MS);
    say('approved');
    (await guard.enter())();
    assert.ok(!(await isTurnedAway()));
  });

  test('a try whose call throws is one that failed: a longer rest, and then the next', async () => {
    const { guard, fail, pass, say, operate, isTurnedAway } = open();
    await fail(FAILURES_TO_OPEN);
    pass(FIRST_REST_MS);
    say('approved');
    const leave = await guard.enter();
    say('broken');
    await assert.rejects(guard.send(REQUEST), /broken/);
    leave();
    pass(FIRST_REST_MS);
    assert.ok(await isTurnedAway());
    pass(FIRST_REST_MS);
    say('approved');
    await operate();
    assert.ok(!(await isTurnedAway()));
  });

  test('those under way when it began to rest do not make the rest longer', async () => {
    const { fail, pass, operate, say, isTurnedAway } = open();
    await fail(FAILURES_TO_OPEN);
    pass(FIRST_REST_MS / 2);
    await fail(20);
    pass(FIRST_REST_MS / 2);
    say('approved');
    await operate();
    assert.ok(!(await isTurnedAway()));
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
    say('approved');
    assert.ok(!(await isTurnedAway()));
  });
});
