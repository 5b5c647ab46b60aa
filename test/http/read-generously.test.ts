// Goal: a merchant whose dialect is `nexi` can send what published plugins send: texts for numbers and booleans, numbers
// for texts, names in any case; what is kept and answered has the right type and a key compares what was meant. In `spec`
// each of these is the clear 400 that it was, or an unknown field. Method: the requests in the clients' own spelling,
// over real HTTP, read back over the API and in the row.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { expectErrors } from '../support/answers.ts';
import { aCreate, anItem, anOrder } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

/** The numbers of an item as texts, as the most used plugin sends shipping and fees. */
const TEXTUAL_ITEM = anItem({
  quantity: '2',
  unitPrice: '40000',
  taxRate: '2500',
  taxAmount: '20000',
  grossTotalAmount: '100000',
  netTotalAmount: '80000',
});

const TEXTUAL_CREATE = {
  order: { ...anOrder(), amount: '100000', items: [TEXTUAL_ITEM] },
  checkout: { url: 'https://shop.example/checkout', charge: 'false', publicDevice: 'false' },
};

/** Numbers where texts are expected, as a shop with numbers for everything sends them. */
const NUMERIC_CONSUMER = {
  email: 'kari@example.test',
  phoneNumber: { prefix: 47, number: 40_000_000 },
  shippingAddress: { addressLine1: 7, postalCode: 1150, city: 'Oslo', country: 'NOR' },
  company: { name: 1881, organisationNumber: 912_345_678, contact: { firstname: 'Kari', lastname: 'Nordmann' } },
};

const PASCAL_CREATE = {
  Order: {
    Items: [Object.fromEntries(Object.entries(anItem()).map(([name, value]) => [pascal(name), value]))],
    Amount: 100_000,
    Currency: 'SEK',
    Reference: 'order-1',
  },
  Checkout: {
    Url: 'https://shop.example/checkout',
    IntegrationType: 'EmbeddedCheckout',
    ShippingCountries: [{ CountryCode: 'SWE' }],
    Consumer: { PrivatePerson: { FirstName: 'Kari', LastName: 'Nordmann' } },
  },
  Notifications: {
    WebHooks: [{ EventName: 'payment.created', Url: 'https://shop.example/hook', Authorization: 'shop-secret-1' }],
  },
};

function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

let service: SharedService;
let spec: Client;
let nexi: Client;
before(async () => {
  service = shareService();
  spec = (await service.openShop({ dialect: 'spec' })).client;
  nexi = (await service.openShop({ dialect: 'nexi' })).client;
});
after(() => service.close());

async function checkoutOf(paymentId: string): Promise<Record<string, unknown>> {
  const text = 'select checkout from payments where id = $1';
  const [row] = await service.pool.query<{ checkout: Record<string, unknown> }>(text, [paymentId]);
  return row?.checkout ?? {};
}

describe('texts for numbers and booleans', () => {
  // decision: texts-for-numbers-and-booleans-in-nexi
  test('nexi: a create, a cart, a cancel, a charge and a refund; items come back as numbers', async () => {
    const { paymentId } = await nexi.must(201, 'POST', '/v1/payments', TEXTUAL_CREATE);
    const { charge, publicDevice } = await checkoutOf(paymentId);
    assert.deepEqual([charge, publicDevice], [false, false]);
    const cart = { amount: '100000', items: [TEXTUAL_ITEM], shipping: { costSpecified: 'true' } };
    await nexi.must(204, 'PUT', `/v1/payments/${paymentId}/orderitems`, cart);
    await nexi.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
    const shipping = { ...TEXTUAL_ITEM, quantity: '1', grossTotalAmount: '6000' };
    const body = { amount: '6000', orderItems: [shipping] };
    await nexi.must(204, 'POST', `/v1/payments/${paymentId}/cancels`, body);
    const { chargeId } = await nexi.must(201, 'POST', `/v1/payments/${paymentId}/charges`, body);
    await nexi.must(201, 'POST', `/v1/charges/${chargeId}/refunds`, body);
    const { summary, charges, refunds, orderDetails } = await nexi.payment(paymentId);
    assert.equal(orderDetails.amount, 100_000);
    assert.deepEqual(summary, {
      reservedAmount: 100_000,
      chargedAmount: 6_000,
      refundedAmount: 6_000,
      cancelledAmount: 6_000,
    });
    for (const { amount, orderItems } of [charges[0], refunds[0]]) {
      assert.equal(amount, 6_000);
      assert.deepEqual(orderItems, [anItem({ quantity: 1, grossTotalAmount: 6_000 })]);
    }
  });

  // decision: texts-for-numbers-and-booleans-in-nexi
  test('nexi: a flag as true in quotes or 1 is true, as false in quotes or 0 is false', async () => {
    for (const [charge, charged] of [
      ['true', 100_000],
      ['True', 100_000],
      [1, 100_000],
      ['false', undefined],
      [0, undefined],
    ] as const) {
      const paymentId = await nexi.create(100_000, { charge });
      await nexi.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
      assert.equal((await nexi.payment(paymentId)).summary.chargedAmount, charged);
    }
  });

  // decision: words-and-rounding-errors-in-nexi
  test('nexi: words of a list in any case, and amounts that are whole but for a rounding error', async () => {
    const consumerType = { default: 'b2c', supportedTypes: ['B2c', 'b2b'] };
    const checkout = { url: 'https://shop.example/checkout', integrationType: 'embeddedCheckout', consumerType };
    const order = { ...anOrder(), amount: 100_000 + 2 ** -24 };
    const { paymentId } = await nexi.must(201, 'POST', '/v1/payments', { order, checkout });
    const payment = await nexi.payment(paymentId);
    assert.equal(payment.orderDetails.amount, 100_000);
    const refused = await spec.post('/v1/payments', { ...aCreate(), checkout });
    expectErrors(refused, {
      'checkout.integrationType': [/^must be /],
      'checkout.consumerType.default': [/^must be /],
      'checkout.consumerType.supportedTypes[0]': [/^must be /],
      'checkout.consumerType.supportedTypes[1]': [/^must be /],
    });
  });

  // decision: texts-for-numbers-and-booleans-in-nexi
  test('nexi: what spells no number and no boolean is 400, as it was', async () => {
    for (const amount of [' 100000', '100000.00', '1e5', '0x1', '+100000', '0100000', '100 000', ''])
      expectErrors(await nexi.post('/v1/payments', { ...aCreate(), order: { ...anOrder(), amount } }), {
        'order.amount': [
          `must be a whole number, found ${amount === '' ? 'an empty text' : `a text of ${amount.length} characters`}`,
        ],
      });
    for (const charge of ['yes', '1', '', 'tRUE', 2])
      expectErrors(await nexi.post('/v1/payments', aCreate(100, { charge })), {
        'checkout.charge': [/^must be true or false, found /],
      });
    const outOfRange = { ...aCreate(), order: { ...anOrder(), amount: '0' } };
    expectErrors(await nexi.post('/v1/payments', outOfRange), {
      amount: ['Amount must be greater than 0', 'must be a whole number from 1 to 1000000000000, found 0'],
    });
  });

  // decision: texts-for-numbers-and-booleans-in-nexi
  test('spec: each is the 400 that it was', async () => {
    const item = (name: string) => `order.items[0].${name}`;
    expectErrors(await spec.post('/v1/payments', TEXTUAL_CREATE), {
      [item('quantity')]: ['must be a number, found a text of 1 character'],
      [item('unitPrice')]: ['must be a whole number, found a text of 5 characters'],
      [item('taxRate')]: ['must be a number, found a text of 4 characters'],
      [item('taxAmount')]: ['must be a whole number, found a text of 5 characters'],
      [item('grossTotalAmount')]: ['must be a whole number, found a text of 6 characters'],
      [item('netTotalAmount')]: ['must be a whole number, found a text of 5 characters'],
      'order.amount': ['must be a whole number, found a text of 6 characters'],
      'checkout.charge': ['must be true or false, found a text of 5 characters'],
      'checkout.publicDevice': ['must be true or false, found a text of 5 characters'],
    });
    const paymentId = await spec.createReserved();
    for (const path of ['charges', 'cancels'])
      expectErrors(await spec.post(`/v1/payments/${paymentId}/${path}`, { amount: '6000' }), {
        amount: ['must be a whole number, found a text of 4 characters'],
      });
    expectErrors(await spec.post('/v1/payments', aCreate(100, { charge: 1 })), {
      'checkout.charge': ['must be true or false, found 1'],
    });
  });
});

describe('numbers for texts', () => {
  const body = (consumer: object) => ({
    order: { ...anOrder(), reference: 4711, items: [anItem({ reference: 1, name: 2, unit: 3 })] },
    checkout: { url: 'https://shop.example/checkout', consumer },
    myReference: 12,
  });

  // decision: numbers-for-texts-in-nexi
  test('nexi: references, names, postal codes and phone numbers are taken as texts', async () => {
    const { paymentId } = await nexi.must(201, 'POST', '/v1/payments', body(NUMERIC_CONSUMER));
    await nexi.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
    await nexi.charge(paymentId, 100_000);
    const { orderDetails, charges, consumer, myReference } = await nexi.payment(paymentId);
    assert.deepEqual([orderDetails.reference, myReference], ['4711', '12']);
    assert.deepEqual(charges[0].orderItems, [anItem({ reference: '1', name: '2', unit: '3' })]);
    assert.deepEqual(consumer.shippingAddress, {
      addressLine1: '7',
      postalCode: '1150',
      city: 'Oslo',
      country: 'NOR',
      phoneNumber: { prefix: '47', number: '40000000' },
    });
    const { name, organisationNumber, phoneNumber, contactDetails } = consumer.company;
    assert.deepEqual([name, organisationNumber], ['1881', '912345678']);
    assert.deepEqual(phoneNumber, { prefix: '47', number: '40000000' });
    assert.deepEqual([contactDetails.firstName, contactDetails.lastName], ['Kari', 'Nordmann']);
  });

  // decision: numbers-for-texts-in-nexi
  test('nexi: a fraction, a number that is not exact, and one for a code or an address are 400', async () => {
    const order = { ...anOrder(), reference: 1.5, currency: 752, items: [anItem({ name: 2 ** 53 })] };
    expectErrors(await nexi.post('/v1/payments', { order, checkout: { url: 7 } }), {
      'order.items[0].name': ['must be a text, found a number of 16 digits'],
      'order.currency': ['must be a text, found 752'],
      'order.reference': ['must be a text, found 1.5'],
      'checkout.url': ['must be a text, found 7'],
    });
  });

  // decision: numbers-for-texts-in-nexi
  test('spec: each is the 400 that it was, but for the reference of an item', async () => {
    expectErrors(await spec.post('/v1/payments', body({ phoneNumber: { number: 7 } })), {
      'order.items[0].name': ['must be a text, found 2'],
      'order.items[0].unit': ['must be a text, found 3'],
      'order.reference': ['must be a text, found 4711'],
      'checkout.consumer.phoneNumber.number': ['must be a text, found 7'],
      myReference: ['must be a text, found 12'],
    });
  });
});

describe('names in any case', () => {
  // decision: case-of-field-names-in-nexi
  test('nexi: a body in PascalCase makes the payment that one in our spelling makes', async () => {
    const { paymentId } = await nexi.must(201, 'POST', '/v1/payments', PASCAL_CREATE);
    const { orderDetails, consumer, checkout } = await nexi.payment(paymentId);
    assert.deepEqual(orderDetails, { amount: 100_000, currency: 'SEK', reference: 'order-1' });
    assert.equal(checkout.url, 'https://shop.example/checkout');
    assert.deepEqual([consumer.privatePerson.firstName, consumer.privatePerson.lastName], ['Kari', 'Nordmann']);
    const { shippingCountries, webHooks } = await checkoutOf(paymentId);
    assert.deepEqual(shippingCountries, ['SWE']);
    assert.deepEqual(webHooks, [
      { eventName: 'payment.created', url: 'https://shop.example/hook', authorization: 'shop-secret-1' },
    ]);
    await nexi.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
    const body = { Amount: 100_000, OrderItems: [anItem()] };
    await nexi.must(201, 'POST', `/v1/payments/${paymentId}/charges`, body);
  });

  // decision: case-of-field-names-in-nexi
  test('nexi: two spellings of one field: the same value is taken, different ones are 400 and named', async () => {
    const order = { ...anOrder(), Amount: '100000' };
    await nexi.must(201, 'POST', '/v1/payments', { ...aCreate(), order });
    const consumer = { company: { contact: { firstname: 'Kari', firstName: 'Ola' } } };
    expectErrors(await nexi.post('/v1/payments', aCreate(100, { consumer })), {
      'checkout.consumer.company.contact.firstName': ['is given as firstName and as firstname, with different values'],
    });
    const reserved = await nexi.createReserved();
    expectErrors(await nexi.post(`/v1/payments/${reserved}/charges`, { amount: 1, Amount: 2 }), {
      amount: ['is given as amount and as Amount, with different values'],
    });
    assert.equal((await nexi.payment(reserved)).summary.chargedAmount, undefined);
  });

  // decision: case-of-field-names-in-nexi
  test('nexi: a webhook of the merchant, too, which knows no other fields', async () => {
    const reply = await nexi.post('/v1/webhooks', { Url: 'https://shop.example/hook', Events: ['payment.created'] });
    assert.equal(reply.status, 201, reply.text);
    assert.deepEqual(reply.body.events, ['payment.created']);
  });

  // decision: case-of-field-names-in-nexi
  test('spec: another case is another field, which is not known', async () => {
    expectErrors(await spec.post('/v1/payments', PASCAL_CREATE), {
      order: ['is required'],
      checkout: ['is required'],
    });
    const consumer = { company: { name: 'Kari AS', contact: { firstname: 'Kari' } } };
    const { paymentId } = await spec.must(201, 'POST', '/v1/payments', aCreate(100, { consumer }));
    assert.equal((await spec.payment(paymentId)).consumer.company.name, 'Kari AS');
  });
});

describe('an Idempotency-Key compares what was meant', () => {
  const keyed = (key: string) => ({ 'Idempotency-Key': key });
  const charges = (paymentId: string): string => `/v1/payments/${paymentId}/charges`;
  const plain = { amount: 6_000, orderItems: [anItem({ reference: '7', quantity: 1, grossTotalAmount: 6_000 })] };
  const textual = {
    Amount: '6000',
    OrderItems: [anItem({ reference: 7, quantity: '1', grossTotalAmount: '6000' })],
  };

  // decision: repeating-an-idempotency-key
  test('nexi: one request in two spellings is one request, in either order', async () => {
    for (const [first, second] of [
      [plain, textual],
      [textual, plain],
      [textual, textual],
    ]) {
      const paymentId = await nexi.createReserved();
      const made = await nexi.post(charges(paymentId), first, keyed('parcel-1'));
      assert.equal(made.status, 201, made.text);
      const again = await nexi.post(charges(paymentId), second, keyed('parcel-1'));
      assert.deepEqual([again.status, again.text], [201, made.text]);
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
      assert.equal((await nexi.payment(paymentId)).summary.chargedAmount, 6_000);
      const other = await nexi.post(charges(paymentId), { ...textual, Amount: '6001' }, keyed('parcel-2'));
      assert.equal(other.status, 400, other.text);
      const more = { amount: '5', orderItems: [anItem({ quantity: '1', grossTotalAmount: '5' })] };
      assert.equal((await nexi.post(charges(paymentId), more, keyed('parcel-1'))).status, 422);
    }
  });

  // decision: repeating-an-idempotency-key
  test('nexi: a create, too', async () => {
    const made = await nexi.post('/v1/payments', aCreate(100_000, { charge: false }), keyed('order-1'));
    const again = await nexi.post('/v1/payments', aCreate(100_000, { charge: 'false' }), keyed('order-1'));
    assert.deepEqual([again.status, again.text], [201, made.text]);
  });

  // decision: repeating-an-idempotency-key
  test('spec: what is spelled otherwise is another body', async () => {
    const paymentId = await spec.createReserved();
    const inTexts = { amount: 5, orderItems: [anItem({ reference: '7', grossTotalAmount: 5 })] };
    const inNumbers = { amount: 5, orderItems: [anItem({ reference: 7, grossTotalAmount: 5 })] };
    assert.equal((await spec.post(charges(paymentId), inTexts, keyed('parcel-1'))).status, 201);
    assert.equal((await spec.post(charges(paymentId), inNumbers, keyed('parcel-1'))).status, 422);
  });
});
