// Goal: GET /v1/payments/{paymentId} shows every field of sections 2.4 to 2.9 of the specification, in every state that
// a payment can be in.
// Method: a running service; a payment is brought into the state over HTTP, and the whole answer is compared. Only
// timestamps that no id tells are compared by their form.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anItem, aCreate } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { momentOf, TIMESTAMP } from '../support/moment.ts';
import { accountReferenceAt } from '../support/account-reference.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const NOTHING_KNOWN = { billingAddress: {}, shippingAddress: {}, company: {}, privatePerson: {} };
const PHONE = { prefix: '+47', number: '40000000' };
const ADDRESS = {
  addressLine1: 'Testveien 1',
  postalCode: '0150',
  city: 'Oslo',
  country: 'NOR',
  phoneNumber: PHONE,
};
const SANDBOX_CONSUMER = {
  billingAddress: ADDRESS,
  shippingAddress: ADDRESS,
  company: {},
  privatePerson: {
    firstName: 'Kari',
    lastName: 'Nordmann',
    email: 'consumer@example.test',
    phoneNumber: PHONE,
  },
};
/** With the reference of the card, once there is a merchant. */
let CARD = {
  paymentType: 'CARD',
  paymentMethod: 'Visa',
  invoiceDetails: {},
  cardDetails: { maskedPan: '492500******0004', expiryDate: '1230' },
  paymentAccountReference: '' as string | undefined,
};
const ORDER_ITEMS = [anItem({ grossTotalAmount: 100_000 })];

const summaryOf = (reserved = 0, charged = 0, refunded = 0, cancelled = 0) => ({
  reservedAmount: reserved,
  chargedAmount: charged,
  refundedAmount: refunded,
  cancelledAmount: cancelled,
});

/** A payment of 100000 as it is right after its create, with what has changed since. */
const expectedPayment = (paymentId: string, changes: object = {}) => ({
  paymentId,
  summary: summaryOf(),
  consumer: NOTHING_KNOWN,
  paymentDetails: { invoiceDetails: {}, cardDetails: {} },
  orderDetails: { amount: 100_000, currency: 'SEK', reference: 'order-1' },
  checkout: { url: 'https://shop.example/checkout' },
  created: momentOf(paymentId),
  charges: [],
  refunds: [],
  ...changes,
});

describe('get payment in every state', () => {
  let service: SharedService;
  let client: Client;
  let mastercardReference: string | undefined;
  before(async () => {
    service = shareService();
    const shop = await service.openShop();
    ({ client } = shop);
    CARD = { ...CARD, paymentAccountReference: accountReferenceAt(shop.merchant) };
    mastercardReference = accountReferenceAt(shop.merchant, '5413000000000000');
  });
  after(() => service.close());

  const reserveBy = (paymentId: string, body: object) =>
    client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, body);

  /** The invoice number that the charge's answer told. */
  async function charge(paymentId: string, body: object): Promise<{ chargeId: string; invoiceNumber: string }> {
    const answer = await client.must(201, 'POST', `/v1/payments/${paymentId}/charges`, body);
    return { chargeId: answer.chargeId, invoiceNumber: answer.invoice.invoiceNumber };
  }

  // decision: answers-in-spec, empty-parts-of-a-payment
  test('fresh: all of the skeleton is there, and nothing is null', async () => {
    const earliest = new Date().toISOString();
    const paymentId = await client.create();
    const latest = new Date().toISOString();
    const reply = await client.get(`/v1/payments/${paymentId}`);
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.body, { payment: expectedPayment(paymentId) });
    assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.match(reply.body.payment.created, TIMESTAMP);
    assert.ok(earliest <= reply.body.payment.created && reply.body.payment.created <= latest);
    assert.ok(!reply.text.includes('null'));
  });

  // decision: consumer-of-the-sandbox-call
  test('reserved by a card', async () => {
    const paymentId = await client.createReserved();
    assert.deepEqual(
      await client.payment(paymentId),
      expectedPayment(paymentId, {
        summary: summaryOf(100_000),
        consumer: SANDBOX_CONSUMER,
        paymentDetails: CARD,
      }),
    );
  });

  test('reserved by a MasterCard', async () => {
    const paymentId = await client.createReserved(100_000, '5413000000000000');
    assert.deepEqual((await client.payment(paymentId)).paymentDetails, {
      ...CARD,
      paymentMethod: 'MasterCard',
      cardDetails: { maskedPan: '541300******0000', expiryDate: '1230' },
      paymentAccountReference: mastercardReference,
    });
  });

  test('reserved by an invoice', async () => {
    const paymentId = await client.create();
    await reserveBy(paymentId, { paymentType: 'INVOICE' });
    assert.deepEqual(
      await client.payment(paymentId),
      expectedPayment(paymentId, {
        summary: summaryOf(100_000),
        consumer: SANDBOX_CONSUMER,
        paymentDetails: {
          paymentType: 'INVOICE',
          paymentMethod: 'EasyInvoice',
          invoiceDetails: {},
          cardDetails: {},
        },
      }),
    );
  });

  // decision: charges-of-a-payment
  test('partially charged, once with items and once without', async () => {
    const paymentId = await client.createReserved();
    const orderItems = [anItem({ quantity: 1, grossTotalAmount: 30_000 })];
    const first = await charge(paymentId, { amount: 30_000, orderItems });
    const second = await charge(paymentId, { amount: 20_000, orderItems: [] });
    assert.deepEqual(
      await client.payment(paymentId),
      expectedPayment(paymentId, {
        summary: summaryOf(100_000, 50_000),
        consumer: SANDBOX_CONSUMER,
        paymentDetails: { ...CARD, invoiceDetails: { invoiceNumber: second.invoiceNumber } },
        charges: [
          { chargeId: first.chargeId, amount: 30_000, created: momentOf(first.chargeId), orderItems },
          { chargeId: second.chargeId, amount: 20_000, created: momentOf(second.chargeId), orderItems: [] },
        ],
      }),
    );
  });

  test("charged in whole without items: the charge has the order's items", async () => {
    const paymentId = await client.createReserved();
    const { chargeId, invoiceNumber } = await charge(paymentId, { amount: 100_000 });
    assert.deepEqual(
      await client.payment(paymentId),
      expectedPayment(paymentId, {
        summary: summaryOf(100_000, 100_000),
        consumer: SANDBOX_CONSUMER,
        paymentDetails: { ...CARD, invoiceDetails: { invoiceNumber } },
        charges: [{ chargeId, amount: 100_000, created: momentOf(chargeId), orderItems: ORDER_ITEMS }],
      }),
    );
  });

  test('charged at once, because checkout.charge was true', async () => {
    const paymentId = await client.create(100_000, { charge: true });
    await reserveBy(paymentId, {});
    const payment = await client.payment(paymentId);
    const [{ chargeId }] = payment.charges;
    assert.deepEqual(payment.summary, summaryOf(100_000, 100_000));
    assert.deepEqual(payment.charges, [
      { chargeId, amount: 100_000, created: momentOf(chargeId), orderItems: ORDER_ITEMS },
    ]);
  });

  test("refunded: a part without items, a part with items, and a whole charge with the charge's items", async () => {
    const paymentId = await client.createReserved();
    const chargeItems = [anItem({ grossTotalAmount: 40_000 })];
    const first = await charge(paymentId, { amount: 40_000, orderItems: chargeItems });
    const second = await charge(paymentId, { amount: 60_000 });
    const refundItems = [anItem({ reference: 'regret', grossTotalAmount: 25_000 })];
    const whole = await client.refund(first.chargeId, 40_000);
    const part = await client.refund(second.chargeId, 10_000);
    const { refundId: withItems } = await client.must(201, 'POST', `/v1/charges/${second.chargeId}/refunds`, {
      amount: 25_000,
      orderItems: refundItems,
    });
    const payment = await client.payment(paymentId);
    for (const { lastUpdated } of payment.refunds) assert.match(lastUpdated, TIMESTAMP);
    const [lastUpdated1, lastUpdated2, lastUpdated3] = payment.refunds.map(
      (refund: { lastUpdated: string }) => refund.lastUpdated,
    );
    const state = 'Completed';
    assert.deepEqual(
      payment,
      expectedPayment(paymentId, {
        summary: summaryOf(100_000, 100_000, 75_000),
        consumer: SANDBOX_CONSUMER,
        paymentDetails: { ...CARD, invoiceDetails: { invoiceNumber: second.invoiceNumber } },
        charges: [
          { chargeId: first.chargeId, amount: 40_000, created: momentOf(first.chargeId), orderItems: chargeItems },
          { chargeId: second.chargeId, amount: 60_000, created: momentOf(second.chargeId), orderItems: [] },
        ],
        refunds: [
          { refundId: whole, amount: 40_000, state, lastUpdated: lastUpdated1, orderItems: chargeItems },
          { refundId: part, amount: 10_000, state, lastUpdated: lastUpdated2, orderItems: [] },
          { refundId: withItems, amount: 25_000, state, lastUpdated: lastUpdated3, orderItems: refundItems },
        ],
      }),
    );
  });

  test('with a refund that the acquirer declined: it is kept as Failed and not summed up', async () => {
    const paymentId = await client.createReserved(100_000, '4000000000005126');
    const { chargeId } = await charge(paymentId, { amount: 100_000 });
    assert.equal((await client.post(`/v1/charges/${chargeId}/refunds`, { amount: 5 })).status, 400);
    const payment = await client.payment(paymentId);
    const [{ refundId, lastUpdated }] = payment.refunds;
    assert.match(refundId, /^[0-9a-f]{32}$/);
    assert.match(lastUpdated, TIMESTAMP);
    assert.deepEqual(payment.refunds, [{ refundId, amount: 5, state: 'Failed', lastUpdated, orderItems: [] }]);
    assert.deepEqual(payment.summary, summaryOf(100_000, 100_000));
  });

  // decision: a-declined-charge
  test('with a charge that the acquirer declined: it is not among the charges', async () => {
    const paymentId = await client.createReserved(100_000, '4925000000000079');
    assert.equal((await client.post(`/v1/payments/${paymentId}/charges`, { amount: 100_000 })).status, 402);
    const payment = await client.payment(paymentId);
    assert.deepEqual(payment.charges, []);
    assert.deepEqual(payment.summary, summaryOf(100_000));
    assert.deepEqual(payment.paymentDetails.invoiceDetails, {});
  });

  // decision: life-of-a-payment
  test('cancelled, in part and then in whole: reservedAmount stays at what was reserved', async () => {
    const paymentId = await client.createReserved();
    const reserved = { consumer: SANDBOX_CONSUMER, paymentDetails: CARD };
    for (const [amount, cancelled] of [
      [30_000, 30_000],
      [70_000, 100_000],
    ] as const) {
      await client.cancel(paymentId, amount);
      const summary = summaryOf(100_000, 0, 0, cancelled);
      assert.deepEqual(await client.payment(paymentId), expectedPayment(paymentId, { ...reserved, summary }));
    }
  });

  test('terminated: the fresh payment with a timestamp', async () => {
    const paymentId = await client.create();
    await client.must(204, 'PUT', `/v1/payments/${paymentId}/terminate`);
    const payment = await client.payment(paymentId);
    assert.match(payment.terminated, TIMESTAMP);
    assert.ok(payment.terminated >= payment.created);
    assert.deepEqual(payment, expectedPayment(paymentId, { terminated: payment.terminated }));
  });

  test('without a reference: the key is left out', async () => {
    const body = aCreate();
    delete body.order.reference;
    const { paymentId } = await client.must(201, 'POST', '/v1/payments', body);
    const orderDetails = { amount: 100_000, currency: 'SEK' };
    assert.deepEqual(await client.payment(paymentId), expectedPayment(paymentId, { orderDetails }));
  });

  test('reading changes nothing: two reads are the same text', async () => {
    const paymentId = await client.createReserved();
    await client.charge(paymentId, 10_000);
    const first = await client.get(`/v1/payments/${paymentId}`);
    assert.equal((await client.get(`/v1/payments/${paymentId}`)).text, first.text);
  });
});
