// Goal: Kassa works through a pooler in session mode as it does directly. Method: a real PgBouncer between a real service
// and its database, and a payment from its creation to its refund.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cloneDatabase } from '../support/database.ts';
import { startPooler } from '../support/pooler.ts';
import type { Pooler } from '../support/pooler.ts';
import { spawnService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

describe('PgBouncer in session mode', () => {
  let pooler: Pooler;
  let service: Service;
  before(async () => {
    const databaseUrl = await cloneDatabase();
    pooler = await startPooler(databaseUrl, { mode: 'session', size: 100 });
    service = await spawnService({ databaseUrl, env: { DATABASE_URL: pooler.url } });
  });
  after(async () => {
    await service.stop();
    await pooler.stop();
  });

  test('a payment is reserved, charged and refunded', async () => {
    const { client } = await service.openShop();
    const paymentId = await client.createReserved(10_000);
    const charged = await client.post(`/v1/payments/${paymentId}/charges`, { amount: 10_000 });
    assert.equal(charged.status, 201, charged.text);
    const refunded = await client.post(`/v1/charges/${charged.body.chargeId}/refunds`, { amount: 5_000 });
    assert.equal(refunded.status, 201, refunded.text);
    const { body } = await client.get(`/v1/payments/${paymentId}`);
    assert.deepEqual(body.payment.summary, {
      reservedAmount: 10_000,
      chargedAmount: 10_000,
      refundedAmount: 5_000,
      cancelledAmount: 0,
    });
  });
});
