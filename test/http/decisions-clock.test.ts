// Goal: the default lifetimes of payments and reservations, and the order in which the reasons against a charge or a
// cancel are told. Method: real requests; what is to be old has the time in the id of its row set back, since ids carry
// the time from which a lifetime counts.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { partOf, timeOf } from '../../src/domain/id.ts';
import { DIALECTS, expectErrors } from '../support/answers.ts';
import { anItem } from '../support/client.ts';
import type { Client, Reply } from '../support/client.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
// Far more than a step of a test takes.
const MARGIN_MS = HOUR_MS / 2;
const CHARGE_DECLINED = '4925000000000079';
const CANCEL_DECLINED = '4925000000000061';

let service: SharedService;
before(async () => {
  service = shareService();
});
after(() => service.close());

/** Makes a row older, or younger again by a negative age; gives its new id. */
async function age(table: 'payments' | 'movements', id: string, ageMs: number): Promise<string> {
  const aged = (timeOf(id) - ageMs).toString(16).padStart(12, '0') + id.slice(12);
  await service.pool.query(`update ${table} set id = $3 where part = $1 and id = $2`, [partOf(id), id, aged]);
  return aged;
}

const sandbox = (paymentId: string): string => `/v1/sandbox/payments/${paymentId}/reserve`;
const charges = (paymentId: string): string => `/v1/payments/${paymentId}/charges`;
const cancels = (paymentId: string): string => `/v1/payments/${paymentId}/cancels`;

async function reserve(client: Client, paymentId: string, card?: string): Promise<string> {
  const body = card === undefined ? {} : { card };
  return (await client.must(201, 'POST', sandbox(paymentId), body)).reservationId;
}

const expectCode = (reply: Reply, status: number, code: string): void =>
  assert.deepEqual([reply.status, reply.body?.code], [status, code], reply.text);

describe('lifetimes by default', () => {
  // decision: expiry
  test('a created payment can be paid for 48 hours', async () => {
    const { client } = await service.openShop();
    const young = await age('payments', await client.create(), 48 * HOUR_MS - MARGIN_MS);
    await reserve(client, young);
    const old = await age('payments', await client.create(), 48 * HOUR_MS);
    expectCode(await client.post(sandbox(old)), 405, '1010');
  });

  // decision: expiry
  test('a reservation can be charged and cancelled for 7 days', async () => {
    const { client } = await service.openShop();
    const [young, old] = [await client.create(100), await client.create(100)];
    await age('movements', await reserve(client, young), 7 * DAY_MS - MARGIN_MS);
    await client.charge(young, 40);
    await client.cancel(young, 60);
    await age('movements', await reserve(client, old), 7 * DAY_MS);
    expectCode(await client.post(charges(old), { amount: 40 }), 402, '1010');
    expectCode(await client.post(cancels(old), { amount: 60 }), 405, '1010');
  });
});

const withItem = (amount: number, reference: string) => ({
  amount,
  orderItems: [anItem({ reference, quantity: 1, grossTotalAmount: amount })],
});
const UNKNOWN_ITEM = { 'orderItems[0].reference': ['the order has no item with reference "unknown"'] };

for (const dialect of DIALECTS)
  describe(`order of refusals in the dialect ${dialect}`, () => {
    let client: Client;
    before(async () => {
      client = (await service.openShop({ dialect, strictItems: true })).client;
    });

    // decision: order-of-refusals
    test('a charge: not reserved, too much, expired, items, acquirer', async () => {
      const paymentId = await client.create(100);
      const charge = (amount: number, reference: string) =>
        client.post(charges(paymentId), withItem(amount, reference));
      expectCode(await charge(101, 'unknown'), 402, '1003');
      const old = await age('movements', await reserve(client, paymentId, CHARGE_DECLINED), 8 * DAY_MS);
      expectCode(await charge(101, 'unknown'), 402, '1001');
      expectCode(await charge(100, 'unknown'), 402, '1010');
      await age('movements', old, -8 * DAY_MS);
      expectErrors(await charge(100, 'unknown'), UNKNOWN_ITEM);
      expectCode(await charge(100, 'sneaky-1'), 402, '1020');
    });

    // decision: order-of-refusals
    test('a cancel: not reserved, nothing left, expired, too much, items, acquirer', async () => {
      const cancel = (paymentId: string, amount: number, reference: string) =>
        client.post(cancels(paymentId), withItem(amount, reference));
      const charged = await client.create(100);
      expectCode(await cancel(charged, 101, 'unknown'), 405, '1003');
      const reservationId = await reserve(client, charged);
      await client.charge(charged, 100);
      await age('movements', reservationId, 8 * DAY_MS);
      expectCode(await cancel(charged, 101, 'unknown'), 405, '1008');

      const paymentId = await client.create(100);
      const old = await age('movements', await reserve(client, paymentId, CANCEL_DECLINED), 8 * DAY_MS);
      expectCode(await cancel(paymentId, 101, 'unknown'), 405, '1010');
      await age('movements', old, -8 * DAY_MS);
      const text = 'the cancel of 101 is more than the 100 left to cancel';
      expectErrors(await cancel(paymentId, 101, 'unknown'), { amount: [text] });
      expectErrors(await cancel(paymentId, 100, 'unknown'), UNKNOWN_ITEM);
      const declined = await cancel(paymentId, 100, 'sneaky-1');
      expectCode(declined, 405, '1000');
      assert.equal(declined.body.source, 'simulator');
    });
  });
