// Goal: requests for a payment are served one after the other, each gets what the previous one left as far as it may
// rely on it, and waiting is bounded. Method: the lock alone, with payments that have little more than a version.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Payment } from '../domain/payment.ts';
import { Overloaded } from '../store/connections/group.ts';
import { isLocked, isLockedFor, lockFree, lockPayment } from './payment-lock.ts';
import type { PaymentLock } from './payment-lock.ts';

const at = (version: number): Payment => ({ id: 'p', merchantId: 7, version }) as Payment;
const later = (): number => performance.now() + 60_000;

describe('payment lock', () => {
  test('waiting requests are served in order, and get the payment as it was committed', async () => {
    const first = lockFree('p') ?? assert.fail();
    assert.equal(lockFree('p'), undefined);
    const order: number[] = [];
    const waiting = [1, 2, 3].map(async (n) => {
      const lock = await lockPayment('p', later());
      order.push(n);
      assert.equal(lock.passedTo({ merchantId: 7 })?.version, n);
      lock.committed(at(n), at(n), undefined);
      lock.release();
    });
    first.committed(at(0), at(0), undefined);
    first.release();
    await Promise.all(waiting);
    assert.deepEqual([order, isLocked('p')], [[1, 2, 3], false]);
  });

  const passOn = async (prepare: (lock: PaymentLock) => void): Promise<PaymentLock> => {
    const lock = lockFree('p') ?? assert.fail();
    prepare(lock);
    const next = lockPayment('p', later());
    lock.release();
    const given = await next;
    given.release();
    return given;
  };

  test('who brings a key gets it only when no change since it looked can have brought that key', async () => {
    const lock = await passOn((first) => {
      first.committed(at(4), at(4), 'charge p a');
      first.committed(at(5), at(5), 'charge p b');
    });
    const versionFor = (key: string | undefined, version?: number) =>
      lock.passedTo({ merchantId: 7, key, version })?.version;
    assert.equal(versionFor(undefined), 6);
    assert.equal(versionFor('charge p c', 4), 6);
    assert.equal(versionFor('charge p a', 4), undefined, 'its key was brought meanwhile');
    assert.equal(versionFor('charge p c', 3), undefined, 'it looked before what is known began');
    assert.equal(versionFor('charge p c', 7), undefined, 'it has seen more than was passed on');
    assert.equal(versionFor('charge p c'), undefined, 'it has not looked');
    assert.equal(lock.passedTo({ merchantId: 8 }), undefined, 'it is another merchant’s');
  });

  test('what another process has changed in between is not passed on as known', async () => {
    const lock = await passOn((first) => {
      first.committed(at(4), at(4), 'charge p a');
      first.committed(at(9), at(9), undefined);
    });
    assert.equal(lock.passedTo({ merchantId: 7, key: 'charge p c', version: 4 }), undefined);
    assert.equal(lock.passedTo({ merchantId: 7, key: 'charge p c', version: 9 })?.version, 10);
    const forgotten = await passOn((first) => {
      first.committed(at(4), at(4), undefined);
      first.forget();
    });
    assert.equal(forgotten.passedTo({ merchantId: 7 }), undefined);
  });

  test('before it is read, a payment that somebody has is known to be taken to its own merchant alone', async () => {
    const first = lockFree('p', 7) ?? assert.fail();
    assert.deepEqual([isLockedFor('p', 7), isLockedFor('p', 8), isLockedFor('q', 7)], [true, false, false]);
    first.release();
    assert.equal(isLockedFor('p', 7), false);
    // Settling a movement does not read the owner; the next waiting request has read it.
    const settling = lockFree('p') ?? assert.fail();
    assert.equal(isLockedFor('p', 7), false);
    const next = lockPayment('p', later(), 7);
    assert.equal(isLockedFor('p', 7), true);
    settling.release();
    (await next).release();
    assert.equal(isLocked('p'), false);
  });

  test('only so many wait, and only for so long', async () => {
    const first = lockFree('p') ?? assert.fail();
    await assert.rejects(lockPayment('p', performance.now()), Overloaded);
    const waiting = Array.from({ length: 300 }, () => lockPayment('p', later()).then((lock) => lock.release()));
    first.release();
    const outcomes = await Promise.allSettled(waiting);
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 256);
    assert.equal(isLocked('p'), false);
  });
});
