// POST /v1/payments/{paymentId}/charges: every status the specification lists, and what is kept of a charge.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

describe('charge', () => {
  let service: Service;
  let shop: Shop;
  before(async () => {
    service = await startService();
    shop = await service.openShop();
  });
  after(() => service.stop());

  test('201: a charge of a reserved payment has an id and an invoice number', async () => {
    const paymentId = await shop.client.createReserved(100_000);
    const reply = await shop.client.post(`/v1/payments/${paymentId}/charges`, { amount: 100_000 });
    assert.equal(reply.status, 201);
    assert.match(reply.body.chargeId, /^[0-9a-f]{32}$/);
    assert.match(reply.body.invoice.invoiceNumber, /^\d{24}$/);
  });
});
