// Goal: what one change of a group does wrong harms nobody else in it, and groups of two processes do not lock each
// other out. Method: the store itself, with changes made by hand: one that a CHECK refuses, rows that somebody else
// locks in the other order, groups that two stores send in opposite orders.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { create } from '../../src/domain/create.ts';
import type { Change } from '../../src/domain/decision.ts';
import { NO_ID, partOf } from '../../src/domain/id.ts';
import type { Merchant } from '../../src/domain/merchant.ts';
import type { Movement } from '../../src/domain/movement.ts';
import type { Payment } from '../../src/domain/payment.ts';
import { updateMyReference } from '../../src/domain/update-reference.ts';
import { newId } from '../../src/payments/ids.ts';
import { operateCreate } from '../../src/payments/operate-create.ts';
import type { Payments } from '../../src/payments/service.ts';
import type { CommitRequest } from '../../src/store/payments/commit-request.ts';
import { createMerchant } from '../../src/store/merchants/merchants.ts';
import { DatabaseBusy } from '../../src/store/connections/pool.ts';
import { openStore } from '../../src/store/store.ts';
import type { Store } from '../../src/store/store.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { cloneDatabase } from '../support/database.ts';
import { anOrderItem, changeOf } from '../support/domain-payment.ts';
import { until } from '../support/kassa.ts';

type Watched = { readonly store: Store; readonly seen: { alone: number; groups: number[]; conflicts: number } };

async function openWatchedStore(url: string): Promise<Watched> {
  const seen = { alone: 0, groups: [] as number[], conflicts: 0 };
  const store = await openStore(url, {
    onGroup: (kind, size) => void (kind === 'commit' && seen.groups.push(size)),
    onConflicts: (count) => void (seen.conflicts += count),
    onRunAlone: () => void (seen.alone += 1),
    onLookUp: () => {},
  });
  return { store, seen };
}

const chargeWithoutInvoice = (id: string): Movement => ({
  id,
  kind: 'charge',
  state: 'approved',
  sequence: 1,
  amount: 1,
  items: null,
  updatedAt: Date.now(),
  acquirer: 'simulator',
  refunded: 0,
  refunding: 0,
});

/** By part, then by id: how a group is sorted. */
const lockOrder = ({ id }: Payment): string => id.slice(13, 16) + id;

const rename = (payment: Payment, text: string): CommitRequest => ({
  before: payment,
  change: changeOf(updateMyReference(payment, text)),
});

describe('guilty change', () => {
  let first: Watched;
  let second: Watched;
  let merchantId: number;
  before(async () => {
    const url = await cloneDatabase();
    [first, second] = [await openWatchedStore(url), await openWatchedStore(url)];
    const rules = { strictItems: false, reserveOnDemand: false, acquirer: 'simulator' } as const;
    const settings = { name: 'Shop', dialect: 'spec', ...rules } as const;
    merchantId = (await createMerchant(first.store.pool, false, settings)).id;
  });
  after(async () => {
    await Promise.all([first.store.close(), second.store.close()]);
  });

  const creation = (amount = 1_000, id = newId(Date.now(), Math.floor(Math.random() * 4096))): Change => {
    const order = { amount, currency: 'SEK', items: [anOrderItem(amount)] };
    return create(id, merchantId, { order, checkout: { integrationType: 'EmbeddedCheckout' }, consumer: {} });
  };
  const load = async (id: string): Promise<Payment> => {
    const { payment } = await first.store.load({ merchantId, target: id });
    return payment ?? assert.fail(`there is no payment ${id}`);
  };
  const made = async (): Promise<Payment> => {
    const change = creation();
    await first.store.commit({ change });
    return load(change.payment.id);
  };

  test('a change that a CHECK refuses fails alone, wherever it stands in its group', async () => {
    for (const guilty of [0, 7, 19]) {
      first.seen.groups.length = 0;
      const alone = first.seen.alone;
      const changes = Array.from({ length: 20 }, (_, n) => creation(n === guilty ? -1 : 1_000));
      const outcomes = await Promise.allSettled(changes.map((change) => first.store.commit({ change })));
      assert.deepEqual([first.seen.groups, first.seen.alone - alone], [[20], 1], 'one group, which was run again');
      outcomes.forEach((outcome, n) => {
        if (n !== guilty) assert.deepEqual(outcome, { status: 'fulfilled', value: 'committed' });
        else {
          assert.equal(outcome.status, 'rejected');
          assert.equal((outcome.reason as { constraint?: string }).constraint, 'payments_amount_check');
        }
      });
      for (const [n, { payment }] of changes.entries())
        assert.equal((await first.store.load({ merchantId, target: payment.id })).payment === undefined, n === guilty);
    }
  });

  // decision: limits-on-totals
  test('a change that takes more than is reserved is refused by the database, its neighbours are not', async () => {
    const payments = await Promise.all(Array.from({ length: 5 }, made));
    const requests = payments.map((payment, n): CommitRequest => {
      const { change } = rename(payment, 'mine');
      const totals = { ...payment.totals, charged: 1 };
      return { before: payment, change: n === 2 ? { ...change, payment: { ...change.payment, totals } } : change };
    });
    const outcomes = await Promise.allSettled(requests.map((request) => first.store.commit(request)));
    const constraints = outcomes.map((each) => each.status === 'rejected' && each.reason.constraint);
    assert.deepEqual(constraints, [false, false, 'payments_taken_within_reserved', false, false]);
    const references = await Promise.all(payments.map(async ({ id }) => (await load(id)).myReference));
    assert.deepEqual(references, ['mine', 'mine', undefined, 'mine', 'mine']);
  });

  test('where no answer can be made nothing is done, with a key or without', async () => {
    const payments = { store: first.store } as Payments;
    const merchant = { id: merchantId, parts: [7] } as unknown as Merchant;
    const idempotency = { key: 'no-answer', request: 'ab'.repeat(32) };
    for (const given of [undefined, idempotency]) {
      let id = '';
      const creating = operateCreate(payments, {
        merchant,
        idempotency: given,
        decide: (newOne) => creation(1_000, (id = newOne)),
        recordAnswer: () => {
          throw new Error('no answer');
        },
      });
      await assert.rejects(creating, /no answer/);
      assert.deepEqual(await first.store.load({ merchantId, target: id }), {});
    }
  });

  test('nothing of a change is kept when any part of it is refused: not its version, movements, events or answer', async () => {
    const payment = await made();
    const bad: Change = {
      ...rename(payment, 'mine').change,
      moved: [chargeWithoutInvoice(newId(Date.now(), partOf(payment.id)))],
      events: [{ name: 'payment.charge.created', at: Date.now() }],
    };
    const record = {
      operation: 'charge',
      target: payment.id,
      key: 'k',
      at: Date.now(),
      paymentId: payment.id,
      request: 'ab'.repeat(32),
      recorded: { status: 201, text: '{}' },
    } as const;
    await assert.rejects(first.store.commit({ before: payment, change: bad, record }), /movements_charge_has_invoice/);
    assert.deepEqual(await load(payment.id), payment);
    const rows = await first.store.pool.query(
      `select 1 from events where part = $1 and subject_id = $2
       union all select 1 from idempotency_records where part = $1 and subject_id = $2`,
      [partOf(payment.id), payment.id],
    );
    assert.deepEqual(rows, []);
  });

  test('a group that is the victim of a deadlock with somebody else is run again, and nobody in it fails', async () => {
    const pair = await Promise.all([made(), made()]);
    const sorted = pair.toSorted((a, b) => (lockOrder(a) < lockOrder(b) ? -1 : 1)) as [Payment, Payment];
    const alone = first.seen.alone;
    await second.store.pool.withClient(async (other) => {
      const touch = async ({ id }: Payment) =>
        other.query('update payments set created_at = created_at where part = $1 and id = $2', [partOf(id), id]);
      await other.query('begin');
      await touch(sorted[1]);
      const group = Promise.all(pair.map((payment) => first.store.commit(rename(payment, 'mine'))));
      await until('the group to wait', async () => {
        const text = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        return (await first.store.pool.query(text)).length > 0;
      });
      // Whoever has waited longer finds the deadlock, and gives way: that must be the group.
      await sleep(300);
      await touch(sorted[0]);
      await other.query('commit');
      assert.deepEqual(await group, ['committed', 'committed']);
    });
    assert.equal(first.seen.alone - alone, 1);
  });

  test('groups of two processes over the same payments, sent in opposite orders, never deadlock', async () => {
    const payments = await Promise.all(Array.from({ length: 200 }, made));
    const alone = [first.seen.alone, second.seen.alone];
    for (let round = 0; round < 10; round += 1) {
      const read = await Promise.all(payments.map(({ id }) => load(id)));
      const send = ({ store }: Watched, all: readonly Payment[], text: string) =>
        Promise.all(all.map((payment) => store.commit(rename(payment, text))));
      const [one, other] = await Promise.all([send(first, read, 'a'), send(second, read.toReversed(), 'b')]);
      one.forEach((outcome, n) => assert.notEqual(outcome, other.toReversed()[n], 'one of the two wins each payment'));
    }
    assert.deepEqual([first.seen.alone, second.seen.alone], alone);
  });

  test('creates with the same keys, made in two processes in opposite orders, never deadlock', async () => {
    // Keys of one part, so that only their order among themselves matters.
    const keys = Array.from({ length: 200 }, (_, n) => `key-${n}`);
    const alone = [first.seen.alone, second.seen.alone];
    for (let round = 0; round < 10; round += 1) {
      const request = (key: string, n: number): CommitRequest => {
        const change = creation(1_000, newId(Date.now() + n, 7));
        const { id } = change.payment;
        const kept = {
          paymentId: id,
          request: 'ab'.repeat(32),
          recorded: { status: 201, text: JSON.stringify({ paymentId: id }) },
        };
        return {
          change,
          record: { ...kept, operation: 'create', target: NO_ID, key: `${round}-${key}` },
        };
      };
      const ones = keys.map(request);
      const others = keys.map((key, n) => request(key, keys.length - n));
      const [one, other] = await Promise.all([
        Promise.all(ones.map((each) => first.store.commit(each))),
        Promise.all(others.map((each) => second.store.commit(each))),
      ]);
      one.forEach((outcome, n) => assert.notEqual(outcome, other[n], 'one of the two wins each key'));
    }
    assert.deepEqual([first.seen.alone, second.seen.alone], alone);
  });

  test('loads that cannot be had are refused together, and not one after the other', async () => {
    const payments = await Promise.all(Array.from({ length: 12 }, made));
    await second.store.pool.withClient(async (other) => {
      await other.query('begin');
      await other.query('lock table payments in access exclusive mode');
      let answered = 0;
      const loading = payments.map(({ id }) =>
        first.store.load({ merchantId, target: id }).finally(() => (answered += 1)),
      );
      const outcomes = Promise.allSettled(loading);
      // One by one they would take two minutes.
      await until('an answer to each', () => answered === payments.length);
      await other.query('rollback');
      for (const outcome of await outcomes) {
        assert.equal(outcome.status, 'rejected');
        assert.ok(outcome.reason instanceof DatabaseBusy, String(outcome.reason));
      }
    });
    assert.deepEqual(await load((payments[0] as Payment).id), payments[0]);
  });

  test('the books balance after all of it', async () => {
    assert.deepEqual((await verifyBooks(first.store.pool)).differences, []);
  });
});
