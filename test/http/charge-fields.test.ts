// Goal: what a shop says of a charge or a refund beyond its money is taken, bounded and used: a final charge cancels the
// rest, a movement's own reference stands in its events. Method: real requests in both dialects, at the simulator and at
// a bank on another machine; effects are read back over the API, from the events and from the rows.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { partOf } from '../../src/domain/id.ts';
import { putAcquirer } from '../../src/store/merchants/acquirers.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { DIALECTS, expectErrors, expectFailure, summaryIn } from '../support/answers.ts';
import { startBank } from '../support/bank.ts';
import type { RunningBank } from '../support/bank.ts';
import { aCreate, anItem } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { readEventNames, RESERVED } from '../support/events.ts';
import { until } from '../support/kassa.ts';
import { isReplayed, keyed } from '../support/keyed-operations.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

const CANCEL_DECLINED = '4925000000000061';
const CHARGED = 'payment.charge.created';
const CANCELLED = 'payment.cancel.created';

let service: Service;
let bank: RunningBank;
before(async () => {
  [service, bank] = await Promise.all([startService({ env: { KASSA_ACQUIRER_TIMEOUT: '2s' } }), startBank()]);
  await putAcquirer(service.pool, { name: 'bank', url: bank.url, key: bank.key });
});
after(async () => {
  await service.stop();
  await bank.stop();
});

const charges = (paymentId: string): string => `/v1/payments/${paymentId}/charges`;

/** The data of the payment's events, as a subscriber gets them, by name. */
async function tell(client: Client, paymentId: string, count: number): Promise<Map<string, { myReference?: string }>> {
  let told: { event: string; data: { myReference?: string } }[] = [];
  await until(`${count} events`, async () => {
    told = (await client.must(200, 'GET', `/v1/events?paymentId=${paymentId}&limit=100`)).events;
    return told.length >= count;
  });
  return new Map(told.map(({ event, data }) => [event, data]));
}

async function readDetails(paymentId: string): Promise<unknown[]> {
  const rows = await service.pool.query<{ details: unknown }>(
    `select nullif(details::jsonb - 'askedByKey', '{}') as details from movements
     where part = $1 and payment_id = $2 order by sequence`,
    [partOf(paymentId), paymentId],
  );
  return rows.map(({ details }) => details);
}

for (const dialect of DIALECTS)
  describe(`fields of a charge in the dialect ${dialect}`, () => {
    let shop: Shop;
    before(async () => {
      shop = await service.openShop({ dialect });
    });

    // decision: final-charge
    test('finalCharge: the rest of the reservation is cancelled with the charge, and told', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(1_000);
      await client.charge(paymentId, 300);
      const reply = await client.post(charges(paymentId), { amount: 200, finalCharge: true }, keyed('final'));
      assert.equal(reply.status, 201, reply.text);
      const { summary } = await client.payment(paymentId);
      assert.deepEqual(summary, summaryIn(dialect, { reserved: 1_000, charged: 500, cancelled: 500 }));
      assert.deepEqual(await readEventNames(service.pool, paymentId), [...RESERVED, CHARGED, CHARGED, CANCELLED]);
      const again = await client.post(charges(paymentId), { amount: 200, finalCharge: true }, keyed('final'));
      assert.deepEqual([again.status, again.text, isReplayed(again)], [201, reply.text, true]);
      const more = await client.post(charges(paymentId), { amount: 1 });
      expectFailure(more, { status: 402, code: '1001', message: 'The charge of 1 is more than the 0 left to charge.' });
      assert.deepEqual((await verifyBooks(service.pool)).differences, []);
    });

    // decision: final-charge
    test('finalCharge: of the whole, false, null: there is nothing to cancel, or nobody asks for it', async () => {
      const { client } = shop;
      const whole = await client.createReserved(1_000);
      await client.must(201, 'POST', charges(whole), { amount: 1_000, finalCharge: true });
      assert.deepEqual((await client.payment(whole)).summary, summaryIn(dialect, { reserved: 1_000, charged: 1_000 }));
      for (const finalCharge of [false, null]) {
        const paymentId = await client.createReserved(1_000);
        await client.must(201, 'POST', charges(paymentId), { amount: 400, finalCharge });
        const { summary } = await client.payment(paymentId);
        assert.deepEqual(summary, summaryIn(dialect, { reserved: 1_000, charged: 400 }));
      }
    });

    test('finalCharge: a text is true in the dialect nexi, and refused in spec', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(1_000);
      const reply = await client.post(charges(paymentId), { amount: 400, FinalCharge: 'true', finalCharge: 'true' });
      if (dialect === 'spec') return expectErrors(reply, { finalCharge: [/^must be true or false/] });
      assert.equal(reply.status, 201, reply.text);
      assert.equal((await client.payment(paymentId)).summary.cancelledAmount, 600);
    });

    // decision: final-charge
    test('finalCharge: a charge that is declined cancels nothing; a cancel that is declined leaves the charge', async () => {
      const { client } = shop;
      const declined = await client.createReserved(1_000, '4925000000000079');
      assert.equal((await client.post(charges(declined), { amount: 400, finalCharge: true })).status, 402);
      assert.deepEqual((await client.payment(declined)).summary, summaryIn(dialect, { reserved: 1_000 }));
      const kept = await client.createReserved(1_000, CANCEL_DECLINED);
      await client.must(201, 'POST', charges(kept), { amount: 400, finalCharge: true });
      assert.deepEqual((await client.payment(kept)).summary, summaryIn(dialect, { reserved: 1_000, charged: 400 }));
      assert.deepEqual(await readEventNames(service.pool, kept), [...RESERVED, CHARGED, 'payment.cancel.failed']);
    });

    // decision: my-reference
    test('myReference of a charge and of a refund stands in its events, before the payment’s', async () => {
      const { client } = shop;
      const { paymentId } = await client.must(201, 'POST', '/v1/payments', { ...aCreate(1_000), myReference: 'mine' });
      await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
      const { chargeId } = await client.must(201, 'POST', charges(paymentId), { amount: 600, myReference: 'parcel 1' });
      await client.must(201, 'POST', `/v1/charges/${chargeId}/refunds`, { amount: 100, myReference: 'came back' });
      await client.cancel(paymentId, 400);
      const told = await tell(client, paymentId, 10);
      assert.equal(told.get('payment.reservation.created')?.myReference, 'mine');
      assert.equal(told.get('payment.charge.created')?.myReference, 'parcel 1');
      assert.equal(told.get('payment.charge.created.v2')?.myReference, 'parcel 1');
      assert.equal(told.get('payment.refund.initiated')?.myReference, 'came back');
      assert.equal(told.get('payment.refund.completed')?.myReference, 'came back');
      assert.equal(told.get('payment.cancel.created')?.myReference, 'mine');
      assert.equal((await client.payment(paymentId)).myReference, 'mine');
    });

    // decision: fields-without-effect
    test('shipping and paymentMethodReference are kept with the charge; empty texts are none', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(1_000);
      const shipping = { trackingNumber: 'T'.repeat(255), provider: 'PNOR' };
      const details = { shipping, paymentMethodReference: 'r'.repeat(20), myReference: 'm'.repeat(36) };
      await client.must(201, 'POST', charges(paymentId), { amount: 1, ...details });
      const empty = { shipping: { trackingNumber: '', provider: null }, paymentMethodReference: '', myReference: '' };
      await client.must(201, 'POST', charges(paymentId), { amount: 1, ...empty });
      await client.must(201, 'POST', charges(paymentId), { amount: 1, shipping: [] });
      assert.deepEqual((await readDetails(paymentId)).slice(1), [
        { myReference: details.myReference, shipping, paymentMethodReference: details.paymentMethodReference },
        null,
        null,
      ]);
    });

    // decision: my-reference, fields-without-effect
    test('400 by name: what is too long or of another type', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(1_000);
      const bad = {
        amount: 1,
        finalCharge: 'perhaps',
        myReference: 'm'.repeat(37),
        shipping: { trackingNumber: 'T'.repeat(256), provider: 'FIVER' },
        paymentMethodReference: 'r'.repeat(21),
      };
      expectErrors(await client.post(charges(paymentId), bad), {
        finalCharge: [/^must be true or false/],
        myReference: [/at most 36 characters, found a text of 37/],
        'shipping.trackingNumber': [/at most 255 characters/],
        'shipping.provider': [/at most 4 characters/],
        paymentMethodReference: [/at most 20 characters/],
      });
      const chargeId = await client.charge(paymentId, 10);
      const refund = await client.post(`/v1/charges/${chargeId}/refunds`, { amount: 1, myReference: 'm'.repeat(37) });
      expectErrors(refund, { myReference: [/at most 36 characters/] });
    });

    // decision: final-charge
    test('finalCharge at a bank elsewhere: the cancel is in its book once', async () => {
      const { client } = await service.openShop({ dialect, acquirer: 'bank' });
      const paymentId = await client.createReserved(1_000);
      await client.must(201, 'POST', charges(paymentId), { amount: 400, finalCharge: true, orderItems: [item(400)] });
      const { summary } = await client.payment(paymentId);
      assert.deepEqual(summary, summaryIn(dialect, { reserved: 1_000, charged: 400, cancelled: 600 }));
      const [row] = await service.pool.query<{ id: string }>(
        "select replace(id::text, '-', '') as id from movements where part = $1 and payment_id = $2 and kind = 'cancel'",
        [partOf(paymentId), paymentId],
      );
      assert.equal((await bank.book()).filter(({ id }) => id === row?.id).length, 1);
    });

    // decision: final-charge
    test('finalCharge at a bank that does not answer: when it has, the charge and the cancel of the rest follow', async () => {
      const { client } = await service.openShop({ dialect, acquirer: 'bank' });
      const paymentId = await client.createReserved(1_000);
      await bank.setFaults({ errorBefore: 1 });
      const reply = await client.post(charges(paymentId), { amount: 400, finalCharge: true });
      await bank.setFaults({});
      assert.equal(reply.status, 500, reply.text);
      const expected = summaryIn(dialect, { reserved: 1_000, charged: 400, cancelled: 600 });
      await until('the rest to be cancelled', async () => {
        const { summary } = await client.payment(paymentId);
        return JSON.stringify(summary) === JSON.stringify(expected);
      });
      assert.deepEqual(await readEventNames(service.pool, paymentId), [...RESERVED, CHARGED, CANCELLED]);
      assert.deepEqual((await verifyBooks(service.pool)).differences, []);
    });
  });

const item = (grossTotalAmount: number): object => anItem({ grossTotalAmount });
