// Goal: idempotency records are forgotten when their time is over and not before, and a consumer that was erased stays
// erased, whatever happens at the same time. Method: records made older by SQL; changes decided before the erasure,
// committed after it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { partOf } from '../../src/domain/id.ts';
import { updateMyReference } from '../../src/domain/update-reference.ts';
import { eraseConsumer } from '../../src/store/payments/erase.ts';
import { purgeIdempotencyRecords } from '../../src/store/purge/idempotency-records.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { openStore } from '../../src/store/store.ts';
import type { Store } from '../../src/store/store.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import type { Client } from '../support/client.ts';
import { changeOf } from '../support/domain-payment.ts';
import { until } from '../support/kassa.ts';
import { isReplayed, keyed } from '../support/keyed-operations.ts';
import { purgeNow } from '../support/purge.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

const purgeAnswers = async (pool: Pool): Promise<number> =>
  (await purgeNow(purgeIdempotencyRecords(pool, 8 * 86_400_000)))['idempotency_records'] ?? 0;

const consumer = {
  email: 'kari@example.test',
  phoneNumber: { prefix: '+47', number: '40000000' },
  privatePerson: { firstName: 'Kari', lastName: 'Nordmann' },
  billingAddress: { addressLine1: 'Testveien 1', postalCode: '0150', city: 'Oslo', country: 'NOR' },
};

describe('purge and erase', () => {
  let service: Service;
  let store: Store;
  let shop: Shop;
  let client: Client;
  before(async () => {
    service = await startService();
    shop = await service.openShop();
    client = shop.client;
    const silent = { onGroup: () => {}, onConflicts: () => {}, onRunAlone: () => {}, onLookUp: () => {} };
    store = await openStore(service.databaseUrl, silent);
  });
  after(async () => {
    await store.close();
    await service.stop();
  });

  const age = (paymentId: string, days: number): Promise<unknown> =>
    service.pool.query(
      'update idempotency_records set created_at = now() - make_interval(secs => $3) where part = $1 and subject_id = $2',
      [partOf(paymentId), paymentId, days * 86_400],
    );

  const reservedWithConsumer = async (): Promise<string> => {
    const paymentId = await client.create(1_000);
    await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, { consumer });
    return paymentId;
  };

  test('an answer is kept for seven days at least, and forgotten after eight', async () => {
    const paymentId = await client.createReserved(1_000);
    const path = `/v1/payments/${paymentId}/charges`;
    const first = await client.post(path, { amount: 100 }, keyed('k'));
    await age(paymentId, 7.9);
    await purgeAnswers(service.pool);
    const again = await client.post(path, { amount: 100 }, keyed('k'));
    assert.deepEqual([again.text, isReplayed(again)], [first.text, true]);

    await age(paymentId, 8.1);
    // The service tidies up as well, and what it has under its hands is passed over.
    await until('it to be forgotten', async () => {
      await purgeAnswers(service.pool);
      const kept = 'select 1 from idempotency_records where part = $1 and subject_id = $2';
      return (await service.pool.query(kept, [partOf(paymentId), paymentId])).length === 0;
    });
    const later = await client.post(path, { amount: 100 }, keyed('k'));
    assert.equal(later.status, 201);
    assert.equal(isReplayed(later), false);
    assert.equal((await client.payment(paymentId)).summary.chargedAmount, 200);
  });

  test('an answer that is open is kept as long as its movement is pending, and not longer', async () => {
    const paymentId = await client.createReserved(1_000);
    const reply = await client.post(`/v1/payments/${paymentId}/charges`, { amount: 100 }, keyed('k'));
    const chargeId = reply.body.chargeId as string;
    const place = [partOf(paymentId), paymentId, chargeId];
    await service.pool.query(
      'update idempotency_records set status = null, movement_id = $3 where part = $1 and subject_id = $2',
      place,
    );
    const setState = (state: string): Promise<unknown> =>
      service.pool.query('update movements set state = $4 where part = $1 and payment_id = $2 and id = $3', [
        ...place,
        state,
      ]);
    await setState('pending');
    await age(paymentId, 100);
    assert.equal(await purgeAnswers(service.pool), 0);
    const countKept = async (): Promise<number> =>
      (
        await service.pool.query(
          'select 1 from idempotency_records where part = $1 and subject_id = $2',
          place.slice(0, 2),
        )
      ).length;
    assert.equal(await countKept(), 1);
    await setState('approved');
    // Unless the service was quicker.
    await purgeAnswers(service.pool);
    await until('it to be forgotten', async () => (await countKept()) === 0);
  });

  test('any number of old answers is forgotten in one go, by several processes at once, and nothing else with them', async () => {
    const paymentId = await client.createReserved(1_000);
    await service.pool.query(
      `insert into idempotency_records
         (part, merchant_id, operation, target, key, subject_id, request, status, answer, created_at)
       select $1, $3, 'cancel', $2, 'old-' || n, $2, decode(repeat('ab', 32), 'hex'), 405, '', now() - interval '9 days'
       from generate_series(1, 2500) as n`,
      [partOf(paymentId), paymentId, shop.merchant.id],
    );
    const purged = await Promise.all([purgeAnswers(service.pool), purgeAnswers(store.pool)]);
    // The service does so by itself as well, now and then.
    assert.ok(purged[0] + purged[1] <= 2_500, `${purged[0]} and ${purged[1]}: something was forgotten twice`);
    await until('all of them to be gone', async () => {
      const left = await service.pool.query(`select 1 from idempotency_records where key like 'old-%' limit 1`);
      return left.length === 0;
    });
    assert.equal((await client.payment(paymentId)).summary.reservedAmount, 1_000);
  });

  test('an erased consumer is gone from the payment and from every table, and the books stay', async () => {
    const paymentId = await reservedWithConsumer();
    await client.charge(paymentId, 400);
    const { summary, charges } = await client.payment(paymentId);
    assert.equal(await eraseConsumer(service.pool, paymentId), true);
    const payment = await client.payment(paymentId);
    assert.deepEqual(payment.consumer, { billingAddress: {}, shippingAddress: {}, company: {}, privatePerson: {} });
    assert.deepEqual([payment.summary, payment.charges], [summary, charges]);
    const rows = await service.pool.query(
      `select 1 from payments where payments::text ~* 'kari|40000000|testveien' and id = $1
       union all select 1 from events where events::text ~* 'kari|40000000|testveien'
       union all select 1 from idempotency_records where idempotency_records::text ~* 'kari|40000000|testveien'`,
      [paymentId],
    );
    assert.deepEqual(rows, []);
    assert.equal(await eraseConsumer(service.pool, paymentId), true, 'again is no fault');
  });

  test('a change that was decided before the erasure does not bring the consumer back', async () => {
    const paymentId = await reservedWithConsumer();
    const { payment } = await store.load({ merchantId: shop.merchant.id, target: paymentId });
    assert.ok(payment);
    await eraseConsumer(service.pool, paymentId);
    const change = changeOf(updateMyReference({ ...payment, consumer: { email: 'kari@example.test' } }, 'mine'));
    assert.equal(await store.commit({ change, before: payment }), 'conflict');
    await client.must(204, 'PUT', `/v1/payments/${paymentId}/myreference`, { myReference: 'mine' });
    await client.charge(paymentId, 1_000);
    assert.deepEqual((await client.payment(paymentId)).consumer.privatePerson, {});
  });

  test('erasing while others charge loses neither', async () => {
    const paymentId = await reservedWithConsumer();
    const [erased] = await Promise.all([
      eraseConsumer(service.pool, paymentId),
      ...Array.from({ length: 10 }, () => client.charge(paymentId, 100)),
    ]);
    assert.equal(erased, true);
    const { summary, consumer: left } = await client.payment(paymentId);
    assert.deepEqual([summary.chargedAmount, left.privatePerson], [1_000, {}]);
  });

  test('a payment that is not there cannot be erased', async () => {
    assert.equal(await eraseConsumer(service.pool, '0199f0a07abc7abc8000000000000001'), false);
  });

  test('the books balance after all of it', async () => {
    assert.deepEqual((await verifyBooks(service.pool)).differences, []);
  });
});
