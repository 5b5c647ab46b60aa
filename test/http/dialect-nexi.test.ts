// Goal: the ten points on which the existing clients of this API rely, in the dialect `nexi`.
// Method: a running service; one block for each point, numbered as the contract numbers them, with whole answers
// compared wherever a client could stumble over a key too many.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aCreate, anItem } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { momentOf, TIMESTAMP } from '../support/moment.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';
import { accountReferenceAt } from '../support/account-reference.ts';

const PHONE = { prefix: '+47', number: '40000000' };
const ADDRESS = {
  addressLine1: 'Testveien 1',
  postalCode: '0150',
  city: 'Oslo',
  country: 'NOR',
  phoneNumber: PHONE,
};
const NO_COMPANY = { contactDetails: { phoneNumber: {} } };
const SKELETON = {
  shippingAddress: {},
  billingAddress: {},
  privatePerson: { phoneNumber: {} },
  company: NO_COMPANY,
};
const SANDBOX_CONSUMER = {
  shippingAddress: ADDRESS,
  billingAddress: ADDRESS,
  privatePerson: { firstName: 'Kari', lastName: 'Nordmann', email: 'consumer@example.test', phoneNumber: PHONE },
  company: NO_COMPANY,
};
const CARD_DETAILS = { maskedPan: '492500******0004', expiryDate: '1230' };

let service: SharedService;
let shop: Shop;
let client: Client;
before(async () => {
  service = shareService();
  shop = await service.openShop({ dialect: 'nexi' });
  client = shop.client;
});
after(() => service.close());

const orderDetails = { amount: 100_000, currency: 'SEK', reference: 'order-1' };
const checkout = { url: 'https://shop.example/checkout' };
const byCard = () => ({
  paymentType: 'CARD',
  paymentMethod: 'Visa',
  invoiceDetails: {},
  cardDetails: CARD_DETAILS,
  paymentAccountReference: accountReferenceAt(shop.merchant),
});

async function createReservedBy(body: object, amount = 100_000): Promise<string> {
  const paymentId = await client.create(amount);
  await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, body);
  return paymentId;
}

describe('nexi 1: in summary, a field that is 0 is left out', () => {
  // decision: zeros-and-empty-lists-in-nexi
  test('a fresh payment answers "summary":{}', async () => {
    const { text } = await client.get(`/v1/payments/${await client.create()}`);
    assert.ok(text.includes('"summary":{}'), text);
  });

  // decision: zeros-and-empty-lists-in-nexi
  test('every amount shows up with its first movement, and only then', async () => {
    const paymentId = await client.createReserved();
    const summary = async (): Promise<object> => (await client.payment(paymentId)).summary;
    assert.deepEqual(await summary(), { reservedAmount: 100_000 });
    const chargeId = await client.charge(paymentId, 60_000);
    assert.deepEqual(await summary(), { reservedAmount: 100_000, chargedAmount: 60_000 });
    await client.refund(chargeId, 1);
    assert.deepEqual(await summary(), { reservedAmount: 100_000, chargedAmount: 60_000, refundedAmount: 1 });
    await client.cancel(paymentId, 2);
    assert.deepEqual(await summary(), {
      reservedAmount: 100_000,
      chargedAmount: 60_000,
      refundedAmount: 1,
      cancelledAmount: 2,
    });
  });
});

describe('nexi 2: charges, refunds and terminated are left out when there are none', () => {
  // decision: zeros-and-empty-lists-in-nexi
  test('a fresh payment and a reserved one have none of the three', async () => {
    for (const paymentId of [await client.create(), await client.createReserved()]) {
      const payment = await client.payment(paymentId);
      for (const key of ['charges', 'refunds', 'terminated']) assert.ok(!(key in payment), key);
    }
  });

  // decision: zeros-and-empty-lists-in-nexi
  test('each is there once there is one', async () => {
    const paymentId = await client.createReserved();
    const chargeId = await client.charge(paymentId, 10);
    const charged = await client.payment(paymentId);
    assert.equal(charged.charges.length, 1);
    assert.ok(!('refunds' in charged));
    await client.refund(chargeId, 10);
    assert.equal((await client.payment(paymentId)).refunds.length, 1);
    const ended = await client.create();
    await client.must(204, 'PUT', `/v1/payments/${ended}/terminate`);
    assert.match((await client.payment(ended)).terminated, TIMESTAMP);
  });

  // decision: zeros-and-empty-lists-in-nexi
  test('a charge that was declined leaves the key out', async () => {
    const paymentId = await client.createReserved(100, '4925000000000079');
    await client.post(`/v1/payments/${paymentId}/charges`, { amount: 100 });
    assert.ok(!('charges' in (await client.payment(paymentId))));
  });
});

describe('nexi 3: the skeleton is always there', () => {
  // decision: skeleton-in-nexi
  test('a fresh payment, whole', async () => {
    const paymentId = await client.create();
    assert.deepEqual((await client.get(`/v1/payments/${paymentId}`)).body, {
      payment: {
        paymentId,
        summary: {},
        consumer: SKELETON,
        paymentDetails: { invoiceDetails: {}, cardDetails: {} },
        orderDetails,
        checkout,
        created: momentOf(paymentId),
      },
    });
  });

  test('a reserved payment, whole', async () => {
    const paymentId = await client.createReserved();
    assert.deepEqual(await client.payment(paymentId), {
      paymentId,
      summary: { reservedAmount: 100_000 },
      consumer: SANDBOX_CONSUMER,
      paymentDetails: byCard(),
      orderDetails,
      checkout,
      created: momentOf(paymentId),
    });
  });

  test('a terminated payment, whole', async () => {
    const paymentId = await client.create();
    await client.must(204, 'PUT', `/v1/payments/${paymentId}/terminate`);
    const payment = await client.payment(paymentId);
    assert.deepEqual(payment, {
      paymentId,
      summary: {},
      consumer: SKELETON,
      paymentDetails: { invoiceDetails: {}, cardDetails: {} },
      orderDetails,
      checkout,
      created: momentOf(paymentId),
      terminated: payment.terminated,
    });
  });

  // decision: skeleton-in-nexi
  test('a company carries the fields of the specification, registrationNumber and contactDetails', async () => {
    const consumer = {
      email: 'buyer@shop.example',
      reference: 'c-1',
      phoneNumber: PHONE,
      company: { name: 'AB', organisationNumber: '556677', contact: { firstName: 'Åsa', lastName: 'Öberg' } },
    };
    const paymentId = await client.create(100_000, { merchantHandlesConsumerData: true, consumer });
    assert.deepEqual((await client.payment(paymentId)).consumer, {
      ...SKELETON,
      company: {
        name: 'AB',
        organisationNumber: '556677',
        registrationNumber: '556677',
        email: 'buyer@shop.example',
        phoneNumber: PHONE,
        merchantReference: 'c-1',
        contactDetails: { firstName: 'Åsa', lastName: 'Öberg', email: 'buyer@shop.example', phoneNumber: PHONE },
      },
    });
  });

  // decision: skeleton-in-nexi
  test('checkout.url is a text, always: also of a hosted payment without one', async () => {
    const hosted = { url: undefined, integrationType: 'HostedPaymentPage', returnUrl: 'https://shop.example/thanks' };
    const { url } = (await client.payment(await client.create(100_000, hosted))).checkout;
    assert.equal(typeof url, 'string');
    assert.notEqual(url, '');
  });

  // decision: skeleton-in-nexi
  test('nothing is null, in any state', async () => {
    const paymentId = await createReservedBy({ paymentType: 'INVOICE', consumer: {} });
    await client.refund(await client.charge(paymentId, 10), 10);
    await client.cancel(paymentId, 5);
    assert.ok(!(await client.get(`/v1/payments/${paymentId}`)).text.includes('null'));
  });
});

describe('nexi 4: create, refund and orderDetails have these keys and no others', () => {
  // decision: exact-keys-in-nexi
  test('create: exactly {paymentId}; hosted: exactly {paymentId, hostedPaymentPageUrl}', async () => {
    assert.deepEqual(Object.keys((await client.post('/v1/payments', aCreate())).body), ['paymentId']);
    const hosted = { integrationType: 'HostedPaymentPage', returnUrl: 'https://shop.example/thanks' };
    const { body } = await client.post('/v1/payments', aCreate(100_000, hosted));
    const origin = service.url.replace('127.0.0.1', 'localhost');
    const page = `${origin}/hostedpaymentpage/?checkoutKey=${shop.merchant.checkoutKey}&pid=${body.paymentId}`;
    assert.deepEqual(body, { paymentId: body.paymentId, hostedPaymentPageUrl: page });
  });

  // decision: exact-keys-in-nexi
  test('refund: exactly {refundId}, by the charge and by the payment', async () => {
    const paymentId = await client.createReserved();
    const chargeId = await client.charge(paymentId, 100);
    for (const path of [`/v1/charges/${chargeId}/refunds`, `/v1/payments/${paymentId}/refunds`]) {
      const { status, body } = await client.post(path, { amount: 1 });
      assert.equal(status, 201);
      assert.deepEqual(body, { refundId: body.refundId });
      assert.match(body.refundId, /^[0-9a-f]{32}$/);
    }
  });

  // decision: exact-keys-in-nexi
  test('orderDetails: exactly amount, currency and reference', async () => {
    assert.deepEqual((await client.payment(await client.create())).orderDetails, orderDetails);
  });
});

describe('nexi 5: a charge answers {chargeId}, with invoice only for an invoice payment', () => {
  // decision: exact-keys-in-nexi
  test('by card: exactly {chargeId}', async () => {
    const paymentId = await client.createReserved();
    const { status, body } = await client.post(`/v1/payments/${paymentId}/charges`, { amount: 100 });
    assert.equal(status, 201);
    assert.deepEqual(body, { chargeId: body.chargeId });
  });

  // decision: exact-keys-in-nexi
  test('by invoice: exactly {chargeId, invoice: {invoiceNumber}}', async () => {
    const paymentId = await createReservedBy({ paymentType: 'INVOICE' });
    const { body } = await client.post(`/v1/payments/${paymentId}/charges`, { amount: 100 });
    const { invoiceNumber } = body.invoice;
    assert.match(invoiceNumber, /^\d{24}$/);
    assert.deepEqual(body, { chargeId: body.chargeId, invoice: { invoiceNumber } });
  });
});

describe('nexi 6: the elements of charges and refunds', () => {
  // decision: charges-and-refunds-in-nexi
  test('a charged and refunded payment, whole', async () => {
    const paymentId = await client.createReserved();
    const chargeId = await client.charge(paymentId, 100_000);
    const part = await client.refund(chargeId, 30_000);
    const refundItems = [anItem({ grossTotalAmount: 70_000 })];
    const body = { amount: 70_000, orderItems: refundItems };
    const { refundId: rest } = await client.must(201, 'POST', `/v1/charges/${chargeId}/refunds`, body);
    const payment = await client.payment(paymentId);
    const [first, second] = payment.refunds.map(({ lastUpdated }: { lastUpdated: string }) => lastUpdated);
    for (const lastUpdated of [first, second]) assert.match(lastUpdated, TIMESTAMP);
    const common = { surchargeAmount: 0, state: 'Completed' };
    assert.deepEqual(payment, {
      paymentId,
      summary: { reservedAmount: 100_000, chargedAmount: 100_000, refundedAmount: 100_000 },
      consumer: SANDBOX_CONSUMER,
      paymentDetails: byCard(),
      orderDetails,
      checkout,
      created: momentOf(paymentId),
      charges: [{ chargeId, amount: 100_000, surchargeAmount: 0, created: momentOf(chargeId), orderItems: [anItem()] }],
      refunds: [
        { refundId: part, amount: 30_000, ...common, lastUpdated: first, orderItems: [] },
        { refundId: rest, amount: 70_000, ...common, lastUpdated: second, orderItems: refundItems },
      ],
    });
  });

  // decision: charges-and-refunds-in-nexi
  test('the state of a refund that the acquirer declined is Failed', async () => {
    const paymentId = await client.createReserved(100, '4000000000005126');
    await client.post(`/v1/charges/${await client.charge(paymentId, 100)}/refunds`, { amount: 100 });
    assert.equal((await client.payment(paymentId)).refunds[0].state, 'Failed');
  });
});

describe('nexi 7: how it was paid', () => {
  for (const [card, paymentMethod, maskedPan] of [
    ['4925000000000004', 'Visa', '492500******0004'],
    ['5413000000000000', 'MasterCard', '541300******0000'],
    ['5544330000000235', 'MasterCard', '554433******0235'],
  ])
    // decision: payment-details-in-nexi
    test(`a ${paymentMethod}: type CARD, its mask and MMYY`, async () => {
      const { paymentDetails } = await client.payment(await createReservedBy({ card }));
      assert.match(paymentDetails.cardDetails.expiryDate, /^(?:0[1-9]|1[0-2])\d{2}$/);
      const { expiryDate } = paymentDetails.cardDetails;
      const cardDetails = { maskedPan, expiryDate };
      const paymentAccountReference = accountReferenceAt(shop.merchant, card);
      const details = { invoiceDetails: {}, cardDetails, paymentAccountReference };
      assert.deepEqual(paymentDetails, { paymentType: 'CARD', paymentMethod, ...details });
    });

  // decision: payment-details-in-nexi
  test('an invoice: type INVOICE, method EasyInvoice', async () => {
    const { paymentDetails } = await client.payment(await createReservedBy({ paymentType: 'INVOICE' }));
    const method = { paymentType: 'INVOICE', paymentMethod: 'EasyInvoice' };
    assert.deepEqual(paymentDetails, { ...method, invoiceDetails: {}, cardDetails: {} });
  });
});
