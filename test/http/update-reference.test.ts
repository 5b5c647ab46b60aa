// Goal: PUT /v1/payments/{paymentId}/referenceinformation changes the reference and the checkout's address, either or
// both, until the payment has ended. Method: real requests in both dialects, read back over the API.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DIALECTS, expectErrors, expectFailure, expectNoBody } from '../support/answers.ts';
import { anOrder } from '../support/client.ts';
import { readEventNames, RESERVED } from '../support/events.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

let service: SharedService;
before(() => {
  service = shareService();
});
after(() => service.close());

const reference = (paymentId: string): string => `/v1/payments/${paymentId}/referenceinformation`;
const BOTH = { reference: 'order-2', checkoutUrl: 'https://shop.example/other' };

for (const dialect of DIALECTS) {
  describe(`update reference in the dialect ${dialect}`, () => {
    let shop: Shop;
    before(async () => {
      shop = await service.openShop({ dialect });
    });

    test('204: both, and nothing else of the payment changes', async () => {
      const { client } = shop;
      const paymentId = await client.create();
      const beforehand = await client.payment(paymentId);
      expectNoBody(await client.put(reference(paymentId), BOTH), 204);
      assert.deepEqual(await client.payment(paymentId), {
        ...beforehand,
        orderDetails: { ...beforehand.orderDetails, reference: 'order-2' },
        checkout: { ...beforehand.checkout, url: 'https://shop.example/other' },
      });
    });

    // decision: reference-updates
    test('204: either alone leaves the other as it is; a null is the same as left out', async () => {
      const { client } = shop;
      const paymentId = await client.create();
      await client.must(204, 'PUT', reference(paymentId), { reference: 'only-this' });
      let payment = await client.payment(paymentId);
      assert.deepEqual(
        [payment.orderDetails.reference, payment.checkout.url],
        ['only-this', 'https://shop.example/checkout'],
      );
      await client.must(204, 'PUT', reference(paymentId), { reference: null, checkoutUrl: 'https://shop.example/b' });
      payment = await client.payment(paymentId);
      assert.deepEqual([payment.orderDetails.reference, payment.checkout.url], ['only-this', 'https://shop.example/b']);
    });

    test('204: a payment that had no reference gets one, and can be found by it', async () => {
      const { client } = shop;
      const { reference: _, ...order } = anOrder(5_000);
      const body = { order, checkout: { url: 'https://shop.example/checkout' } };
      const { paymentId } = await client.must(201, 'POST', '/v1/payments', body);
      assert.equal('reference' in (await client.payment(paymentId)).orderDetails, false);
      await client.must(204, 'PUT', reference(paymentId), { reference: `late-${dialect}` });
      const { payments } = await client.must(200, 'GET', `/v1/payments?reference=late-${dialect}`);
      assert.deepEqual(
        payments.map((payment: { paymentId: string }) => payment.paymentId),
        [paymentId],
      );
    });

    // decision: reference-updates
    test('204: at any time: reserved, charged, refunded, partly cancelled; no event tells of it', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100_000);
      const steps = [
        async () => {},
        () => client.cancel(paymentId, 10_000),
        async () => client.refund(await client.charge(paymentId, 90_000), 90_000),
      ];
      for (const [index, step] of steps.entries()) {
        await step();
        await client.must(204, 'PUT', reference(paymentId), { reference: `step-${index}` });
        assert.equal((await client.payment(paymentId)).orderDetails.reference, `step-${index}`);
      }
      const told = ['cancel.created', 'charge.created', 'refund.initiated', 'refund.completed'];
      assert.deepEqual(await readEventNames(service.pool, paymentId), [
        ...RESERVED,
        ...told.map((name) => `payment.${name}`),
      ]);
    });

    // decision: reference-updates
    test('405 (1000): terminated; 405 (1019): cancelled in full; both leave it as it was', async () => {
      const { client } = shop;
      const terminated = await client.create();
      await client.must(204, 'PUT', `/v1/payments/${terminated}/terminate`);
      const message = 'The payment is terminated.';
      expectFailure(await client.put(reference(terminated), BOTH), { status: 405, code: '1000', message });
      const cancelled = await client.createReserved(100);
      await client.cancel(cancelled, 100);
      const refused = await client.put(reference(cancelled), BOTH);
      expectFailure(refused, { status: 405, code: '1019', message: 'The payment is cancelled in full.' });
      for (const paymentId of [terminated, cancelled]) {
        const { orderDetails, checkout } = await client.payment(paymentId);
        assert.deepEqual([orderDetails.reference, checkout.url], ['order-1', 'https://shop.example/checkout']);
      }
    });

    // decision: reference-updates
    test('400: neither, an empty or too long reference, an address that is none', async () => {
      const { client } = shop;
      const paymentId = await client.create();
      for (const neither of [{}, { reference: null, checkoutUrl: null }, { other: 1 }])
        expectErrors(await client.put(reference(paymentId), neither), { reference: ['is required, or checkoutUrl'] });
      const bad: [body: object, field: string, text: RegExp][] = [
        [{ reference: '' }, 'reference', /^must not be empty$/],
        [{ reference: 'r'.repeat(129) }, 'reference', /^must have at most 128 characters, found a text of 129/],
        [{ reference: dialect === 'spec' ? 7 : 7.5 }, 'reference', /^must be a text, found /],
        [{ reference: true }, 'reference', /^must be a text, found /],
        [{ reference: 'a\0b' }, 'reference', /NUL/],
        [{ reference: 'a\ud800b' }, 'reference', /surrogate/],
        [{ checkoutUrl: 'shop.example' }, 'checkoutUrl', /^must be an absolute http or https address/],
        [{ checkoutUrl: 'ftp://shop.example' }, 'checkoutUrl', /^must be an absolute http or https address/],
        [{ checkoutUrl: `https://shop.example/${'a'.repeat(2_048)}` }, 'checkoutUrl', /at most 2048 characters/],
      ];
      for (const [body, field, text] of bad)
        expectErrors(await client.put(reference(paymentId), body), { [field]: [text] });
      await client.must(204, 'PUT', reference(paymentId), { reference: 'å'.repeat(128) });
    });
  });
}

// decision: address-of-a-hosted-payment
test('the address of a hosted payment stays that of its page', async () => {
  const { client } = await service.openShop();
  const hosted = { integrationType: 'HostedPaymentPage', returnUrl: 'https://shop.example/return' };
  const paymentId = await client.create(100, hosted);
  const { url } = (await client.payment(paymentId)).checkout;
  await client.must(204, 'PUT', reference(paymentId), BOTH);
  const payment = await client.payment(paymentId);
  assert.deepEqual([payment.checkout.url, payment.orderDetails.reference], [url, 'order-2']);
});
