// Goal: a disabled merchant begins nothing new, and what has begun goes on. Method: a real service, the use cases that
// commands run, and a consumer at the simulated bank in between.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { KASSA } from '../../src/domain/audit.ts';
import { disableMerchant, enableMerchant } from '../../src/merchants/merchants.ts';
import { aPay, CARDS, Consumer } from '../support/checkout.ts';
import { readEventNames } from '../support/events.ts';
import { openReceiver } from '../support/receiver.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

describe('a disabled merchant', () => {
  let service: SharedService;
  let shop: Shop;
  before(async () => {
    service = shareService();
  });
  after(() => service.close());
  beforeEach(async () => {
    shop = await service.openShop();
  });

  // decision: disabled-merchants
  test('none of its keys is taken, at once; enabled again, all is as before', async () => {
    const other = await service.openShop();
    const paymentId = await shop.client.createReserved();
    const open = new Consumer(service, shop, await shop.client.create());
    assert.equal((await open.state()).status, 200);
    const asItWas = await shop.client.payment(paymentId);

    const disabled = await disableMerchant(service.pool, KASSA, shop.merchant.id);
    assert.equal(disabled.kind, 'changed');
    for (const path of ['/v1/payments', `/v1/payments/${paymentId}`, '/v1/webhooks'])
      assert.deepEqual([(await shop.client.get(path)).status, path], [401, path]);
    assert.equal((await shop.client.post(`/v1/payments/${paymentId}/charges`, { amount: 100 })).status, 401);
    assert.equal((await open.state()).status, 401, 'the checkout key is one as well');
    assert.equal((await open.pay(aPay())).status, 401);
    assert.equal((await other.client.get('/v1/payments')).status, 200, 'another merchant notices nothing');

    await enableMerchant(service.pool, KASSA, shop.merchant.id);
    assert.deepEqual(await shop.client.payment(paymentId), asItWas);
    assert.equal((await open.pay(aPay())).status, 201);
  });

  // decision: disabled-merchants
  test('who is at the bank comes back and pays; events are delivered', async () => {
    const receiver = await openReceiver();
    try {
      await shop.client.must(201, 'POST', '/v1/webhooks', {
        url: receiver.url,
        events: ['payment.reservation.created'],
      });
      const paymentId = await shop.client.create();
      const consumer = new Consumer(service, shop, paymentId);
      const { redirectUrl } = (await consumer.pay(aPay(CARDS.challenge))).body as { redirectUrl: string };
      await disableMerchant(service.pool, KASSA, shop.merchant.id);
      const approved = await fetch(service.url + new URL(redirectUrl).pathname, {
        method: 'POST',
        body: new URLSearchParams({ outcome: 'approve' }),
        redirect: 'manual',
      });
      assert.equal(approved.status, 303);
      assert.ok((await readEventNames(service.pool, paymentId)).includes('payment.reservation.created'));
      const [received] = await receiver.until(1);
      assert.equal(received?.body.data.paymentId, paymentId);
    } finally {
      await receiver.close();
    }
  });

  test('one that there is not is told', async () => {
    assert.deepEqual(await disableMerchant(service.pool, KASSA, 999_999_999), { kind: 'not_found' });
  });
});
