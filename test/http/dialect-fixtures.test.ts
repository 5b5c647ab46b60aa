// Goal: answers in the dialect `nexi` have the structure of the answers that were recorded from the service the
// existing clients were written for.
// Method: a payment is brought into the state of each recording, by a request with the recording's own values, and the
// names and JSON types of the two are compared. Where the contract wants something else than the recording, the
// recording is changed here first, each time with the reason.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { anItem } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { withField } from '../support/field.ts';
import { TIMESTAMP } from '../support/moment.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';
import { shapeOf } from '../support/shape.ts';

const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'recorded');

const read = (name: string) => JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'));

describe('answers beside their recordings', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = shareService();
    client = (await service.openShop({ dialect: 'nexi' })).client;
  });
  after(() => service.close());

  /** A payment with the order and the checkout of a recording. */
  async function createLike({ payment }: ReturnType<typeof read>, changes: object = {}): Promise<string> {
    const { orderDetails, checkout } = payment;
    const order = { ...orderDetails, items: [anItem({ grossTotalAmount: orderDetails.amount })] };
    const body = { order, checkout: { url: checkout.url }, ...changes };
    return (await client.must(201, 'POST', '/v1/payments', body)).paymentId;
  }

  test('create, embedded (2022)', async () => {
    const recorded = read('create_payment_embedded_2022');
    const answer = await client.must(201, 'POST', '/v1/payments', {
      order: { items: [anItem()], amount: 100_000, currency: 'SEK' },
      checkout: { url: 'https://shop.example/checkout' },
    });
    assert.deepEqual(shapeOf(answer), shapeOf(recorded));
    assert.equal(answer.paymentId.length, recorded.paymentId.length);
  });

  test('create, hosted (2021): the address of the page has the same path and parameters', async () => {
    const recorded = read('create_payment_hosted_2021');
    const answer = await client.must(201, 'POST', '/v1/payments', {
      order: { items: [anItem()], amount: 100_000, currency: 'SEK' },
      checkout: { integrationType: 'HostedPaymentPage', returnUrl: 'https://shop.example/thanks' },
    });
    assert.deepEqual(shapeOf(answer), shapeOf(recorded));
    const [ours, theirs] = [new URL(answer.hostedPaymentPageUrl), new URL(recorded.hostedPaymentPageUrl)];
    assert.equal(ours.pathname, theirs.pathname);
    assert.deepEqual([...ours.searchParams.keys()], [...theirs.searchParams.keys()]);
    assert.equal(ours.searchParams.get('pid'), answer.paymentId);
    assert.equal(theirs.searchParams.get('pid'), recorded.paymentId);
  });

  // decision: skeleton-in-nexi
  test('a fresh payment (2022): the same structure, and the same order and checkout', async () => {
    const recorded = read('get_payment_created_2022');
    const paymentId = await createLike(recorded);
    const { body } = await client.get(`/v1/payments/${paymentId}`);
    assert.deepEqual(shapeOf(body), shapeOf(recorded));
    assert.deepEqual(body.payment.orderDetails, recorded.payment.orderDetails);
    assert.deepEqual(body.payment.checkout, recorded.payment.checkout);
  });

  test('a fresh payment (2024): the same structure, but for the phone numbers of addresses', async () => {
    const recorded = read('get_payment_created_2024');
    // Of an address that nobody gave there is none, as the recording of 2022 shows it.
    delete recorded.payment.consumer.shippingAddress.phoneNumber;
    delete recorded.payment.consumer.billingAddress.phoneNumber;
    // A cancelUrl that nobody gave is left out, as every such text, and not shown as "".
    delete recorded.payment.checkout.cancelUrl;
    const { myReference } = recorded.payment;
    const paymentId = await createLike(recorded, { myReference });
    const { body } = await client.get(`/v1/payments/${paymentId}`);
    assert.deepEqual(shapeOf(body), shapeOf(recorded));
    assert.equal(body.payment.myReference, myReference);
  });

  // decision: address-of-a-hosted-payment
  test('a fresh payment with a cancelUrl (2024): it is shown beside the url', async () => {
    const { url } = read('get_payment_created_2024').payment.checkout;
    const cancelUrl = 'https://shop.example/cancelled';
    const paymentId = await createLike(read('get_payment_created_2024'), { checkout: { url, cancelUrl } });
    assert.deepEqual((await client.payment(paymentId)).checkout, { url, cancelUrl });
  });

  test('a reserved payment (2020): the same structure and values, but for an address nobody gave', async () => {
    const recorded = read('get_payment_reserved_2020');
    const paymentId = await createLike(recorded);
    const { privatePerson, shippingAddress } = recorded.payment.consumer;
    const { email, phoneNumber, firstName, lastName } = privatePerson;
    const consumer = { email, phoneNumber, shippingAddress, privatePerson: { firstName, lastName } };
    await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, { consumer });

    // The contract wants the whole skeleton; this recording is older than the empty billingAddress.
    const whole = withField(recorded, 'payment.consumer.billingAddress', {});
    // So it is than the phone numbers of addresses and the reference of the card.
    const withPhone = withField(whole, 'payment.consumer.shippingAddress.phoneNumber', phoneNumber);
    const expected = withField(withPhone, 'payment.paymentDetails.paymentAccountReference', 'of the card');
    // A text that was given empty is left out.
    const { body } = await client.get(`/v1/payments/${paymentId}`);
    const withoutEmpty = withField(expected, 'payment.consumer.shippingAddress.addressLine2', undefined);
    assert.deepEqual(shapeOf(body), shapeOf(withoutEmpty));

    const { payment } = withoutEmpty as { payment: Record<string, unknown> };
    assert.deepEqual(body.payment.consumer, payment['consumer']);
    assert.deepEqual(body.payment.summary, payment['summary']);
    assert.deepEqual(body.payment.orderDetails, payment['orderDetails']);
    assert.equal(body.payment.paymentDetails.cardDetails.maskedPan, '492500******0004');
  });

  // decision: dates-and-times
  test('timestamps: recorded with four decimals and +00:00, ours with milliseconds and Z', async () => {
    const recorded = read('get_payment_created_2022').payment.created;
    assert.ok(!TIMESTAMP.test(recorded) && !Number.isNaN(Date.parse(recorded)));
    const { created } = await client.payment(await client.create());
    assert.match(created, TIMESTAMP);
  });
});
