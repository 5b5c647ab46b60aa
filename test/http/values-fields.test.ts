// Goal: what a body may hold beside the fields that are known: unknown fields and nulls are as if they were not there,
// of a duplicate name the last one counts, and __proto__ is refused.
// Method: a running service; the payment that comes of an odd body is compared with the one of a plain body.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DIALECTS, expectErrors } from '../support/answers.ts';
import { aCreate, anItem } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const ANYTHING = { text: 'x', number: 1e300, list: [1, [2, { a: null }]], nothing: null, constructor: 'c' };

describe('fields of a body', () => {
  let service: SharedService;
  before(async () => {
    service = shareService();
  });
  after(() => service.close());

  /** Creates a payment by the text of a body, and gives it without what is new in every payment. */
  async function createAndRead(client: Client, text: string): Promise<object> {
    const { paymentId } = await client.must(201, 'POST', '/v1/payments', text);
    const { paymentId: _id, created: _created, ...payment } = await client.payment(paymentId);
    return payment;
  }

  for (const dialect of DIALECTS) {
    // decision: unknown-fields-and-nulls
    test(`${dialect}: unknown fields at every level are ignored`, async () => {
      const { client } = await service.openShop({ dialect });
      const plain = aCreate(100_000, { consumer: { shippingAddress: { city: 'Oslo' } } });
      const odd = {
        ...ANYTHING,
        order: { ...ANYTHING, ...plain.order, items: [{ ...ANYTHING, ...anItem() }] },
        checkout: {
          ...ANYTHING,
          ...plain.checkout,
          consumer: { ...ANYTHING, shippingAddress: { ...ANYTHING, city: 'Oslo' } },
        },
        toString: 'x',
        hasOwnProperty: {},
      };
      const text = JSON.stringify(odd);
      assert.deepEqual(await createAndRead(client, text), await createAndRead(client, JSON.stringify(plain)));
    });

    test(`${dialect}: unknown fields of an item are not kept`, async () => {
      const { client } = await service.openShop({ dialect });
      const body = aCreate();
      body.order.items = [{ ...ANYTHING, ...anItem() }];
      const { paymentId } = await client.must(201, 'POST', '/v1/payments', body);
      await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
      await client.charge(paymentId, 100_000);
      assert.deepEqual((await client.payment(paymentId)).charges[0].orderItems, [anItem()]);
    });

    // decision: unknown-fields-and-nulls
    test(`${dialect}: a null is the same as absent, at every level`, async () => {
      const { client } = await service.openShop({ dialect });
      const plain = aCreate(100_000, { consumer: { privatePerson: { firstName: 'Kari' } } });
      const odd = {
        ...plain,
        order: { ...plain.order, items: [anItem({ unknown: null })], unknown: null },
        checkout: {
          ...plain.checkout,
          integrationType: null,
          returnUrl: null,
          cancelUrl: null,
          termsUrl: null,
          ShippingCountries: null,
          shippingCountries: null,
          shipping: null,
          charge: null,
          publicDevice: null,
          merchantHandlesConsumerData: null,
          consumerType: null,
          appearance: null,
          consumer: {
            email: null,
            reference: null,
            phoneNumber: { prefix: null, number: null },
            shippingAddress: { addressLine1: null, country: null },
            billingAddress: null,
            privatePerson: { firstName: 'Kari', lastName: null, dateOfBirth: null, phoneNumber: null },
            company: null,
          },
        },
        notifications: { webHooks: null, webhooks: null },
        myReference: null,
      };
      const text = JSON.stringify(odd);
      assert.deepEqual(await createAndRead(client, text), await createAndRead(client, JSON.stringify(plain)));
    });

    // decision: duplicate-names-in-json
    test(`${dialect}: of a duplicate JSON key the last one counts`, async () => {
      const { client } = await service.openShop({ dialect });
      const text = JSON.stringify(aCreate()).replace(
        '"reference":"order-1"',
        '"reference":"first","reference":7,"reference":"last"',
      );
      const { orderDetails } = (await createAndRead(client, text)) as { orderDetails: object };
      assert.deepEqual(orderDetails, { amount: 100_000, currency: 'SEK', reference: 'last' });
    });

    // decision: duplicate-names-in-json
    test(`${dialect}: __proto__ is 400 errors.body, at any level and however it is escaped`, async () => {
      const { client } = await service.openShop({ dialect });
      const plain = JSON.stringify(aCreate());
      for (const name of ['__proto__', '\\u005f_proto__'])
        for (const place of ['{"order"', '"amount"', '"url"', '"name"']) {
          const text = plain.replace(place, place.replace('"', `"${name}":{"amount":1},"`));
          const reply = await client.post('/v1/payments', text);
          expectErrors(reply, { body: ['must be JSON: __proto__ is no name for a field'] });
        }
      assert.equal((await client.post('/v1/payments', aCreate())).status, 201);
    });

    test(`${dialect}: __proto__ in the value of a text is only a text`, async () => {
      const { client } = await service.openShop({ dialect });
      const text = JSON.stringify(aCreate()).replace('order-1', '__proto__');
      const { orderDetails } = (await createAndRead(client, text)) as { orderDetails: { reference: string } };
      assert.equal(orderDetails.reference, '__proto__');
    });
  }

  // decision: sizes-and-times-of-requests
  test('32 levels of nesting are taken, 33 are 400 errors.body', async () => {
    const { client } = await service.openShop();
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const bodyWith = (levels: number) => JSON.stringify(aCreate()).replace('{', `{"unknown":${nested(levels - 1)},`);
    assert.equal((await client.post('/v1/payments', bodyWith(32))).status, 201);
    const reply = await client.post('/v1/payments', bodyWith(33));
    expectErrors(reply, { body: ['must not be nested deeper than 32 levels'] });
  });
});
