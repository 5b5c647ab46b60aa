// Goal: section 2.6 of the specification, the consumer of a payment: a private person or a company, given by the shop
// at the create or known from the finished checkout, in both dialects.
// Method: a running service; the consumer goes in by checkout.consumer or by the sandbox's reserve, and the whole
// consumer that a read shows is compared.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DIALECTS, expectErrors } from '../support/answers.ts';
import { aCreate } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const SHIPPING = {
  addressLine1: 'Storgatan 1',
  addressLine2: '2 tr',
  receiverLine: 'Åsa Öberg',
  postalCode: '111 22',
  city: 'Stockholm',
  country: 'SWE',
};
const BILLING = { addressLine1: 'Box 7', postalCode: '0150', city: 'Oslo', country: 'NOR' };
const PHONE = { prefix: '+46', number: '701234567' };

const COMMON = {
  email: 'asa@shop.example',
  reference: 'consumer-7',
  phoneNumber: PHONE,
  shippingAddress: SHIPPING,
  billingAddress: BILLING,
};
const PERSON = { ...COMMON, privatePerson: { firstName: 'Åsa', lastName: 'Öberg', dateOfBirth: '1990-12-31' } };
const COMPANY = {
  ...COMMON,
  company: {
    name: 'Öberg & Co AB',
    organisationNumber: '556677-8899',
    contact: { firstName: 'Åsa', lastName: 'Öberg' },
  },
};

const SHARED = { email: 'asa@shop.example', phoneNumber: PHONE, merchantReference: 'consumer-7' };
const SHOWN_PERSON = { dateOfBirth: '1990-12-31T00:00:00.000Z', firstName: 'Åsa', lastName: 'Öberg', ...SHARED };
const SHOWN_COMPANY = { name: 'Öberg & Co AB', organisationNumber: '556677-8899', ...SHARED };
const ADDRESSES = {
  shippingAddress: { ...SHIPPING, phoneNumber: PHONE },
  billingAddress: { ...BILLING, phoneNumber: PHONE },
};

const EXPECTED = {
  spec: {
    person: { ...ADDRESSES, company: {}, privatePerson: SHOWN_PERSON },
    company: { ...ADDRESSES, company: SHOWN_COMPANY, privatePerson: {} },
    nobody: { shippingAddress: {}, billingAddress: {}, company: {}, privatePerson: {} },
  },
  nexi: {
    person: { ...ADDRESSES, company: { contactDetails: { phoneNumber: {} } }, privatePerson: SHOWN_PERSON },
    company: {
      ...ADDRESSES,
      company: {
        ...SHOWN_COMPANY,
        registrationNumber: '556677-8899',
        contactDetails: { firstName: 'Åsa', lastName: 'Öberg', email: 'asa@shop.example', phoneNumber: PHONE },
      },
      privatePerson: { phoneNumber: {} },
    },
    nobody: {
      shippingAddress: {},
      billingAddress: {},
      company: { contactDetails: { phoneNumber: {} } },
      privatePerson: { phoneNumber: {} },
    },
  },
};

let service: SharedService;
before(async () => {
  service = shareService();
});
after(() => service.close());

async function createWith(client: Client, consumer: object): Promise<string> {
  return client.create(100_000, { merchantHandlesConsumerData: true, consumer });
}

async function reserve(client: Client, paymentId: string, body: object = {}): Promise<void> {
  await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, body);
}

for (const dialect of DIALECTS) {
  const expected = EXPECTED[dialect];

  describe(`the consumer of a payment in the dialect ${dialect}`, () => {
    let client: Client;
    before(async () => {
      client = (await service.openShop({ dialect })).client;
    });

    for (const [who, consumer] of [
      ['person', PERSON],
      ['company', COMPANY],
    ] as const) {
      test(`a ${who} that the shop gave at the create is shown, and still is after the reservation`, async () => {
        const paymentId = await createWith(client, consumer);
        assert.deepEqual((await client.payment(paymentId)).consumer, expected[who]);
        await reserve(client, paymentId);
        assert.deepEqual((await client.payment(paymentId)).consumer, expected[who]);
      });

      test(`a ${who} that the finished checkout brought is shown, in place of anybody before`, async () => {
        for (const paymentId of [await client.create(), await createWith(client, { email: 'other@shop.example' })]) {
          await reserve(client, paymentId, { consumer });
          assert.deepEqual((await client.payment(paymentId)).consumer, expected[who]);
        }
      });
    }

    // decision: empty-parts-of-a-payment
    test('nobody: every part is there and empty', async () => {
      for (const consumer of [undefined, {}, { phoneNumber: {}, privatePerson: {}, company: {}, billingAddress: {} }]) {
        const paymentId = await client.create(100_000, { consumer });
        assert.deepEqual((await client.payment(paymentId)).consumer, expected.nobody);
      }
    });

    // decision: empty-parts-of-a-payment
    test('a text that nobody gave, or gave empty, is left out', async () => {
      const consumer = {
        email: '',
        reference: '',
        phoneNumber: { prefix: '', number: '' },
        shippingAddress: { addressLine1: 'Storgatan 1', addressLine2: '', city: '' },
        privatePerson: { firstName: 'Åsa', lastName: '' },
      };
      const paymentId = await createWith(client, consumer);
      assert.deepEqual((await client.payment(paymentId)).consumer, {
        ...expected.nobody,
        shippingAddress: { addressLine1: 'Storgatan 1' },
        privatePerson: { firstName: 'Åsa', phoneNumber: {} },
      });
    });

    test('only an e-mail address is known: a private person has it', async () => {
      const paymentId = await createWith(client, { email: 'asa@shop.example' });
      const { privatePerson } = (await client.payment(paymentId)).consumer;
      assert.deepEqual(privatePerson, { email: 'asa@shop.example', phoneNumber: {} });
    });

    // decision: phone-numbers
    test('a phone number without a prefix is kept: its prefix is empty', async () => {
      for (const prefix of [undefined, null, '']) {
        const paymentId = await createWith(client, { phoneNumber: { prefix, number: '701234567' } });
        const { privatePerson } = (await client.payment(paymentId)).consumer;
        assert.deepEqual(privatePerson.phoneNumber, { prefix: '', number: '701234567' });
      }
    });

    // decision: phone-numbers
    test('a phone number that came with an address is the consumer’s, and shown with each address', async () => {
      const { phoneNumber, ...others } = PERSON;
      const consumer = { ...others, shippingAddress: { ...SHIPPING, phoneNumber } };
      const paymentId = await createWith(client, consumer);
      assert.deepEqual((await client.payment(paymentId)).consumer, expected.person);
    });

    // decision: phone-numbers
    test('a prefix without a number is no phone number', async () => {
      const paymentId = await createWith(client, { ...PERSON, phoneNumber: { prefix: '+46' } });
      assert.deepEqual((await client.payment(paymentId)).consumer.privatePerson.phoneNumber, {});
    });
  });
}

describe('a consumer as the specification spells one', () => {
  let client: Client;
  before(async () => {
    client = (await service.openShop()).client;
  });

  test('what a read shows can be sent again: a private person, a company', async () => {
    for (const shown of [EXPECTED.spec.person, EXPECTED.spec.company]) {
      const paymentId = await createWith(client, shown);
      assert.deepEqual((await client.payment(paymentId)).consumer, shown);
    }
  });

  test('the registrationNumber of a company is its organisationNumber', async () => {
    const paymentId = await createWith(client, { company: { name: 'AB', registrationNumber: '556677-8899' } });
    const { company } = (await client.payment(paymentId)).consumer;
    assert.deepEqual(company, { name: 'AB', organisationNumber: '556677-8899', phoneNumber: {} });
  });
});

// decision: dates-and-times
describe('dateOfBirth: a date or a timestamp in, midnight UTC as a timestamp out', () => {
  let client: Client;
  before(async () => {
    client = (await service.openShop()).client;
  });

  for (const given of [
    '1990-12-31',
    '1990-12-31T00:00:00.000Z',
    '1990-12-31T23:59:59Z',
    '1990-12-31T10:15',
    '1990-12-31T22:30:00+02:00',
    '1990-12-31T22:30:00-0500',
  ])
    test(`${given} is 1990-12-31T00:00:00.000Z`, async () => {
      const paymentId = await client.create();
      await reserve(client, paymentId, { consumer: { privatePerson: { dateOfBirth: given } } });
      const { privatePerson } = (await client.payment(paymentId)).consumer;
      assert.deepEqual(privatePerson, { dateOfBirth: '1990-12-31T00:00:00.000Z', phoneNumber: {} });
    });

  test('a leap day is a day', async () => {
    const paymentId = await createWith(client, { privatePerson: { dateOfBirth: '2000-02-29' } });
    const { dateOfBirth } = (await client.payment(paymentId)).consumer.privatePerson;
    assert.equal(dateOfBirth, '2000-02-29T00:00:00.000Z');
  });

  for (const given of ['1990-02-30', '1900-02-29', '31.12.1990', '1990', '1990-12-31T25:00:00Z', 'yesterday', ''])
    test(`${JSON.stringify(given)} is no date: 400`, async () => {
      const consumer = { privatePerson: { dateOfBirth: given } };
      const reply = await client.post('/v1/payments', aCreate(100_000, { consumer }));
      const text = /^must be a date or a timestamp such as 1990-12-31, found /;
      expectErrors(reply, { 'checkout.consumer.privatePerson.dateOfBirth': [text] });
    });
});
