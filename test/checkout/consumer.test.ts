// Goal: who is about to pay stands in the payment before the shop is asked, holds no money, and is given back to nobody
// who has only the link. Method: the page's API and the pages of a real service, the merchant's API to see what is kept.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eraseConsumer } from '../../src/store/payments/erase.ts';
import { aConsumer, aPay, CARDS, Consumer } from '../support/checkout.ts';
import { anItem } from '../support/client.ts';
import { findColumns } from '../support/columns.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

let service: Service;
let shop: Shop;
before(async () => {
  service = await startService({ env: { KASSA_ADDRESS_ATTEMPTS: 'off' } });
  shop = await service.openShop();
});
after(() => service.stop());

const SHOPS_OWN = {
  email: 'kari@example.test',
  privatePerson: { firstName: 'Kari', lastName: 'Nordmann' },
  shippingAddress: { addressLine1: 'Testveien 1', postalCode: '0150', city: 'Oslo', country: 'NOR' },
};

const PERSON = { firstName: 'Ada', lastName: 'Öberg' };

const begin = async (checkout: object = {}) => {
  const paymentId = await shop.client.create(100_000, checkout);
  return { paymentId, consumer: new Consumer(service, shop, paymentId) };
};

/** Both pages of a payment, as anybody with its link gets them. */
async function pagesOf(paymentId: string): Promise<string> {
  const key = shop.merchant.checkoutKey;
  const hosted = await fetch(`${service.url}/hostedpaymentpage/?checkoutKey=${key}&pid=${paymentId}`);
  const embedded = await fetch(`${service.url}/checkout/?checkoutKey=${key}&paymentId=${paymentId}`);
  return (await hosted.text()) + (await embedded.text());
}

const TYPED = /Ada|Öberg|Storgatan|ada@example\.test|701234567|70 123 45 67/;

describe('before the shop is asked', () => {
  // decision: consumer-before-payment
  test('what the consumer typed is in the payment; nothing is reserved and nobody is told', async () => {
    const { paymentId, consumer } = await begin();
    const reply = await consumer.note();
    assert.deepEqual([reply.status, reply.text], [204, '']);
    const payment = await shop.client.payment(paymentId);
    assert.equal(payment.consumer.privatePerson.firstName, 'Ada');
    assert.deepEqual(payment.consumer.privatePerson.phoneNumber, { prefix: '+46', number: '701234567' });
    assert.equal(payment.consumer.shippingAddress.postalCode, '11122');
    assert.equal(payment.summary.reservedAmount, 0);
    assert.deepEqual(payment.paymentDetails, { invoiceDetails: {}, cardDetails: {} });
    const events = await service.pool.query('select name from events where subject_id = $1', [paymentId]);
    assert.deepEqual(events, []);
    assert.equal((await consumer.pay()).status, 201);
  });

  // decision: consumer-before-payment
  test('also when the shop gave another address, and its own reference stays', async () => {
    const { paymentId, consumer } = await begin({ consumer: { ...SHOPS_OWN, reference: 'customer-7' } });
    assert.equal((await consumer.note()).status, 204);
    const { consumer: kept } = await shop.client.payment(paymentId);
    assert.equal(kept.shippingAddress.addressLine1, 'Storgatan 1');
    assert.deepEqual(kept.billingAddress, kept.shippingAddress);
    assert.equal(kept.privatePerson.merchantReference, 'customer-7');
    assert.equal((await consumer.note({ consumer: aConsumer({ email: 'beda@example.test' }) })).status, 204);
    assert.equal((await shop.client.payment(paymentId)).consumer.privatePerson.email, 'beda@example.test');
  });

  // decision: consumer-before-payment
  test('the name that a shop has for its consumers is nothing that a consumer can type', async () => {
    const { paymentId, consumer } = await begin();
    const passing = aConsumer({
      reference: 'customer-7',
      privatePerson: { ...PERSON, merchantReference: 'customer-8' },
    });
    const nameOf = async () => (await shop.client.payment(paymentId)).consumer.privatePerson.merchantReference;
    assert.equal((await consumer.note({ consumer: passing })).status, 204);
    assert.equal(await nameOf(), undefined);
    assert.equal((await consumer.pay(aPay(undefined, { consumer: passing }))).status, 201);
    assert.equal(await nameOf(), undefined);
  });

  // decision: consumer-before-payment
  test('a payment is not written without end by whoever has its link', async () => {
    const { consumer } = await begin();
    const others = Array.from({ length: 200 }, (_, index) => ({
      consumer: aConsumer({ email: `${index}@example.test` }),
    }));
    const replies = await Promise.all(others.map((other) => consumer.note(other)));
    const late = replies.find(({ status }) => status === 429);
    assert.equal(late?.body.reason, 'too_many_attempts');
    assert.match(late.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.equal((await (await begin()).consumer.note()).status, 204, 'another payment');
  });

  test('a shop that handles the consumer has the last word on them', async () => {
    const { paymentId, consumer } = await begin({ merchantHandlesConsumerData: true, consumer: SHOPS_OWN });
    assert.equal((await consumer.note()).status, 204);
    assert.equal((await shop.client.payment(paymentId)).consumer.privatePerson.firstName, 'Kari');
  });

  test('the same again changes nothing, and without a consumer nothing is kept', async () => {
    const { paymentId, consumer } = await begin({ consumer: SHOPS_OWN });
    assert.equal((await consumer.note({ consumer: undefined })).status, 204);
    assert.equal((await shop.client.payment(paymentId)).consumer.privatePerson.firstName, 'Kari');
    const versionOf = async () =>
      (await service.pool.query<{ version: number }>('select version from payments where id = $1', [paymentId]))[0]
        ?.version;
    await consumer.note();
    const version = await versionOf();
    assert.equal((await consumer.note()).status, 204);
    assert.equal(await versionOf(), version);
  });

  // decision: consumer-before-payment
  test('what could not be paid is refused as it is there, and nothing is kept', async () => {
    const refused = async (checkout: object, changes: object, status: number, reason: string) => {
      const { paymentId, consumer } = await begin(checkout);
      const reply = await consumer.note(changes);
      assert.deepEqual([reply.status, reply.body.reason], [status, reason]);
      assert.deepEqual((await shop.client.payment(paymentId)).consumer.privatePerson, {});
    };
    await refused({}, { amountConfirmedByConsumer: 99_999 }, 409, 'amount_changed');
    await refused({ shipping: { merchantHandlesShippingCost: true } }, {}, 409, 'shipping_cost_missing');
    const { paymentId, consumer } = await begin({ termsUrl: 'https://shop.example/terms' });
    const unread = await consumer.note({ acceptedTermsAndConditions: undefined });
    assert.deepEqual(Object.keys(unread.body.errors), ['acceptedTermsAndConditions']);
    const odd = await consumer.note({ consumer: aConsumer({ email: '4925 0000 0000 0004' }) });
    assert.equal(odd.status, 400);
    await shop.client.must(204, 'PUT', `/v1/payments/${paymentId}/terminate`);
    assert.deepEqual([(await consumer.note()).status], [410]);
    const paid = await begin();
    assert.equal((await paid.consumer.pay()).status, 201);
    const late = await paid.consumer.note({ consumer: aConsumer({ email: 'beda@example.test' }) });
    assert.deepEqual([late.status, late.body.reason], [409, 'already_paid']);
    assert.equal((await shop.client.payment(paid.paymentId)).consumer.privatePerson.email, 'ada@example.test');
  });

  test('an unknown key is 401, another shop’s payment 404', async () => {
    const { paymentId } = await begin();
    const other = await service.openShop();
    assert.equal((await new Consumer(service, other, paymentId).note()).status, 404);
    const nobody = { merchant: { ...shop.merchant, checkoutKey: `test-checkout-key-${'0'.repeat(32)}` } } as Shop;
    assert.equal((await new Consumer(service, nobody, paymentId).note()).status, 401);
  });

  // decision: consumer-before-payment
  test('who is at their bank does not approve what somebody else has typed since', async () => {
    const { paymentId, consumer } = await begin();
    const { body } = await consumer.pay(aPay(CARDS.challenge));
    assert.equal((await consumer.note()).status, 204);
    assert.equal((await consumer.answerChallenge(body.redirectUrl)).status, 201, 'the same consumer goes on');
    assert.equal((await shop.client.payment(paymentId)).summary.reservedAmount, 100_000);
    const other = await begin();
    const { body: asked } = await other.consumer.pay(aPay(CARDS.challenge));
    assert.equal((await other.consumer.note({ consumer: aConsumer({ email: 'eve@example.test' }) })).status, 204);
    assert.equal((await other.consumer.answerChallenge(asked.redirectUrl)).status, 402);
    assert.equal((await shop.client.payment(other.paymentId)).summary.reservedAmount, 0);
  });
});

describe('whoever has only the link', () => {
  const tries: readonly [string, (consumer: Consumer) => Promise<unknown>][] = [
    ['before the shop is asked', (consumer) => consumer.note()],
    ['before a decline', (consumer) => consumer.pay(aPay(CARDS.declined))],
    ['before the bank asks', (consumer) => consumer.pay(aPay(CARDS.challenge))],
    ['before a payment', (consumer) => consumer.pay()],
  ];
  for (const [when, press] of tries)
    // decision: prefilled-fields
    test(`does not get back what was typed ${when}`, async () => {
      const { paymentId, consumer } = await begin();
      await press(consumer);
      assert.equal((await shop.client.payment(paymentId)).consumer.privatePerson.firstName, 'Ada');
      assert.doesNotMatch(await pagesOf(paymentId), TYPED);
      assert.doesNotMatch((await consumer.state()).text, TYPED);
    });

  // decision: prefilled-fields
  test('gets what the shop gave, however often another was typed', async () => {
    const { paymentId, consumer } = await begin({ consumer: SHOPS_OWN });
    for (let times = 0; times < 2; times += 1) {
      await consumer.note();
      await consumer.pay(aPay(CARDS.declined, { consumer: aConsumer({ email: `ada${times}@example.test` }) }));
      const pages = await pagesOf(paymentId);
      assert.doesNotMatch(pages, /Öberg|Storgatan|ada\d@/);
      assert.match(pages, /value="Testveien 1"/);
      assert.match(pages, /value="NOR" selected/);
    }
    await consumer.pay(aPay(CARDS.declined, { consumer: undefined }));
    assert.match(await pagesOf(paymentId), /value="Testveien 1"/);
    assert.equal((await shop.client.payment(paymentId)).consumer.privatePerson.firstName, 'Ada');
  });

  test('gets nothing after the cart was changed, either', async () => {
    const { paymentId, consumer } = await begin({ consumer: SHOPS_OWN });
    await consumer.note();
    const items = [anItem({ grossTotalAmount: 70_000 })];
    await shop.client.must(204, 'PUT', `/v1/payments/${paymentId}/orderitems`, { amount: 70_000, items });
    assert.doesNotMatch(await pagesOf(paymentId), TYPED);
  });
});

test('erasing takes both, what was typed and what the shop gave', async () => {
  const { paymentId, consumer } = await begin({ consumer: SHOPS_OWN });
  await consumer.note();
  assert.deepEqual(await findColumns(service.pool, 'Testveien 1'), ['payments.consumer']);
  await eraseConsumer(service.pool, paymentId);
  assert.equal((await shop.client.payment(paymentId)).consumer.shippingAddress.addressLine1, undefined);
  assert.doesNotMatch(await pagesOf(paymentId), /Testveien|Kari/);
});
