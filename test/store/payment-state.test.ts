// Goal: what SQL takes for the state of a payment is what src/domain/state.ts says, wherever it is asked: in conditions, in
// the lists of the API and of the console, in facets and in the check of the books. Method: random payments as rows, whose
// totals, tries and ages meet each border often, in one statement; their states are worked out by the domain.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { NO_TOTALS } from '../../src/domain/payment.ts';
import type { Payment, Totals } from '../../src/domain/payment.ts';
import {
  factsOf,
  hasHappened,
  lastingStateOf,
  LIST_STATES,
  sayState,
  STATE_NAMES,
  stateOf,
} from '../../src/domain/state.ts';
import { gatherFacets } from '../../src/store/lists/facets/gather.ts';
import { listPayments } from '../../src/store/lists/list.ts';
import { listForPeople } from '../../src/store/lists/listing/listing.ts';
import type { ListedPayment } from '../../src/store/lists/listing/row.ts';
import { newStatement } from '../../src/store/statements/put.ts';
import { LASTING_STATE, stateAt } from '../../src/store/statements/payment-state.ts';
import { plainId } from '../../src/store/statements/payment-row.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { cloneDatabase } from '../support/database.ts';
import { aPayment } from '../support/domain-payment.ts';
import * as rows from '../support/rows.ts';

const PAYMENTS = 800;
const HOUR_MS = 3_600_000;
const LIFETIMES = { paymentMs: 48 * HOUR_MS, reservationMs: 168 * HOUR_MS };
const METHOD = { paymentType: 'CARD', paymentMethod: 'Visa' } as const;
const PART = 7;
const AT = Date.now();
const SEED = Math.trunc(Math.random() * 2 ** 31);

type Try = 'none' | 'declined' | 'pending' | 'approved';

// To the millisecond on both sides of each end.
const ages = [
  0,
  HOUR_MS,
  ...Object.values(LIFETIMES).flatMap((ms) => [ms - 1, ms, ms + 1]),
  400 * HOUR_MS,
  500 * HOUR_MS,
];
// Small, so that parts are often all there is, and mostly nothing is pending: so each state comes up tens of times.
const part = fc.constantFrom(0, 0, 1, 2, 3);
const pendingPart = fc.constantFrom(0, 0, 0, 0, 0, 1, 2);
const drawn = fc.record({
  tried: fc.constantFrom<Try>('none', 'declined', 'pending', 'approved', 'approved', 'approved', 'approved'),
  isTerminated: fc.boolean(),
  amount: fc.constantFrom(0, 1, 2, 3, 4, 6),
  parts: fc.tuple(part, pendingPart, part, pendingPart, part, pendingPart),
  age: fc.constantFrom(...ages),
  reservationAge: fc.constantFrom(Infinity, Infinity, ...ages, Infinity, Infinity, Infinity),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer Value> ? Value : never;

function totalsOf({ tried, amount, parts }: Drawn): Totals {
  if (tried !== 'approved') return NO_TOTALS;
  let [left, given] = [amount, 0];
  const take = (most: number): number => {
    const taken = Math.min(left, most);
    left -= taken;
    return taken;
  };
  const [charged, charging, cancelled, cancelling] = [take(parts[0]), take(parts[1]), take(parts[2]), take(parts[3])];
  const give = (most: number): number => {
    const back = Math.min(charged - given, most);
    given += back;
    return back;
  };
  const [refunded, refunding] = [give(parts[4]), give(parts[5])];
  return { reserved: amount, charged, charging, cancelled, cancelling, refunded, refunding };
}

function paymentOf(one: Drawn): Payment {
  const { tried, amount, age } = one;
  const idAt = (atMs: number): string => rows.newRowId(PART, new Date(atMs).toISOString());
  // It is made while the payment can be paid.
  const reservationAge = Math.max(age - LIFETIMES.paymentMs + 1, Math.min(age, one.reservationAge));
  const isEnded = one.isTerminated && (tried === 'none' || tried === 'declined');
  const reservation = {
    id: idAt(AT - reservationAge),
    kind: 'reservation',
    state: tried === 'none' ? 'declined' : tried,
    sequence: 1,
    amount,
    items: null,
    updatedAt: AT,
    acquirer: 'simulator',
    refunded: 0,
    refunding: 0,
    ...(tried === 'declined' && { reason: 'declined' }),
  } as const;
  return {
    ...aPayment(amount),
    id: idAt(AT - age),
    totals: totalsOf(one),
    ...(tried !== 'none' && { method: METHOD }),
    ...(isEnded && { terminatedAt: AT }),
    movements: tried === 'none' ? [] : [reservation],
  };
}

async function insertAll(pool: Pool, table: 'payments' | 'movements', all: readonly rows.Row[]): Promise<void> {
  const columns = Object.keys(all[0] ?? {}).join();
  await pool.query(
    `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1::json)`,
    [JSON.stringify(all)],
  );
}

describe(`the states of ${PAYMENTS} random payments, seed ${SEED}`, () => {
  let pool: Pool;
  let merchantId = 0;
  const payments = new Map(
    fc.sample(drawn, { numRuns: PAYMENTS, seed: SEED }).map((one) => {
      const payment = paymentOf(one);
      return [payment.id, payment] as const;
    }),
  );

  before(async () => {
    pool = openPool(await cloneDatabase(), { size: 2 });
    const { id } = await rows.insertRow(pool, 'merchants', rows.aMerchantRow({ parts: `{${PART}}` }));
    merchantId = Number(id);
    const [{ behind }] = (await pool.query<{ behind: number }>(
      `select (extract(epoch from now()) * 1000)::float8 - $1::float8 as behind`,
      [AT],
    )) as [{ behind: number }];
    assert.ok(Math.abs(behind) < HOUR_MS, 'the clock of the database is ours');
    const timeOf = (atMs: number): string => new Date(atMs).toISOString();
    await insertAll(
      pool,
      'payments',
      Array.from(payments.values(), ({ id: paymentId, order, totals, method, terminatedAt }) => ({
        ...rows.aPaymentRow({ part: PART, id: paymentId, merchant_id: merchantId, amount: order.amount, ...totals }),
        created_at: timeOf(Number.parseInt(paymentId.slice(0, 12), 16)),
        items: [],
        checkout: {},
        consumer: {},
        method: method ?? null,
        terminated_at: terminatedAt === undefined ? null : timeOf(terminatedAt),
      })),
    );
    await insertAll(
      pool,
      'movements',
      Array.from(payments.values()).flatMap(({ id: paymentId, movements }) =>
        movements.map(({ id: movementId, state, amount, reason }) => ({
          ...rows.aReservationRow(paymentId, { part: PART, id: movementId, state, amount, reason: reason ?? null }),
          created_at: timeOf(Number.parseInt(paymentId.slice(0, 12), 16)),
        })),
      ),
    );
  });
  after(() => pool.close());

  /** Of each payment that the domain puts so, in the order of ids. */
  const idsWhere = (holds: (payment: Payment) => boolean): string[] =>
    Array.from(payments.values())
      .filter(holds)
      .map(({ id }) => id)
      .toSorted();
  const say = (id: string): string => JSON.stringify(payments.get(id));

  async function listAll(query: object): Promise<ListedPayment[]> {
    const found: ListedPayment[] = [];
    for (let cursor: string | undefined; ;) {
      const asked = { merchantId, limit: 500, sort: 'newest', ...query, ...(cursor && { after: cursor }) } as const;
      const page = await listForPeople(pool, asked, AT, LIFETIMES);
      found.push(...page.payments);
      if (page.cursor === undefined) return found;
      cursor = page.cursor;
    }
  }

  test('every state is there', () => {
    for (const state of STATE_NAMES)
      assert.ok(idsWhere((payment) => stateOf(factsOf(payment), AT, LIFETIMES) === state).length > 0, state);
  });

  // decision: state-of-a-payment
  test('a condition, with the time and without it', async () => {
    const { values, put } = newStatement();
    const found = await pool.run(
      { name: '', text: `select id, ${stateAt(put, AT, LIFETIMES)}, ${LASTING_STATE} from payments as payment` },
      values,
    );
    assert.equal(found.length, payments.size);
    for (const [uuid, state, lasting] of found) {
      const id = plainId(uuid as string);
      const facts = factsOf(payments.get(id) as Payment);
      assert.deepEqual([state, lasting], [stateOf(facts, AT, LIFETIMES), lastingStateOf(facts)], say(id));
    }
  });

  // decision: state-filter-of-the-list
  test('the list of the API, by what has happened', async () => {
    for (const state of LIST_STATES) {
      const ids: string[] = [];
      for (let cursor: string | undefined, isOver = false; !isOver; isOver = cursor === undefined) {
        const query = { merchantId, state, limit: 100, ...(cursor !== undefined && { after: cursor }) };
        const page = await listPayments(pool, query, AT, LIFETIMES);
        ids.push(...page.payments.map(({ id }) => id));
        cursor = page.cursor;
      }
      const expected = idsWhere((payment) => hasHappened(state, factsOf(payment), AT, LIFETIMES));
      assert.deepEqual(ids.toSorted(), expected, state);
    }
  });

  const look = async (when: string): Promise<void> => {
    for (const { id, state, also } of await listAll({})) {
      const expected = sayState(factsOf(payments.get(id) as Payment), AT, LIFETIMES);
      assert.deepEqual({ state, also }, expected, `${when}: ${say(id)}`);
    }
    for (const state of STATE_NAMES) {
      const found = await listAll({ state });
      assert.deepEqual(
        found.map(({ id }) => id).toSorted(),
        idsWhere((payment) => stateOf(factsOf(payment), AT, LIFETIMES) === state),
        `${when}: ${state}`,
      );
    }
  };

  test('the list of the console and its filter, before the facets are gathered', () => look('before'));

  test('the same by facets, which the check of the books finds right', async () => {
    await pool.query(`update housekeeping set walked_to = '-infinity' where job = 'facets'`);
    await gatherFacets(pool, new AbortController().signal);
    const kept = await pool.query<{ id: string; standing: string }>(
      'select payment_id as id, standing from payment_facets',
    );
    assert.ok(kept.length > PAYMENTS / 2, `${kept.length} are kept`);
    const keptOf = (payment: Payment): string => lastingStateOf(factsOf(payment)).replace('terminated', 'unpaid');
    for (const { id, standing } of kept)
      assert.equal(standing, keptOf(payments.get(plainId(id)) as Payment), say(plainId(id)));
    await look('after');
    const { differences } = await verifyBooks(pool);
    assert.deepEqual(
      differences.filter(({ difference }) => difference.includes('facets')),
      [],
    );
  });
});
