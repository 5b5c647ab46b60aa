// Goal: points 8 to 10 of what the existing clients rely on: the texts that an old plugin compares, the bodies of
// refusals, and the two codes of asking for too much.
// Method: a running service with a shop in the dialect `nexi`; refusals are compared as a whole.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { expectErrors, expectFailure, expectNoBody } from '../support/answers.ts';
import { aCreate, anItem } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { withField } from '../support/field.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const NOBODYS_ID = '0190a1b2c3d47abc8def0123456789ab';

let service: SharedService;
let client: Client;
before(async () => {
  service = shareService();
  client = (await service.openShop({ dialect: 'nexi' })).client;
});
after(() => service.close());

describe('nexi 8: 400 is {"errors":{field:[text,…]}}, with four literal texts', () => {
  // decision: validation-errors-in-nexi
  test('create: "Amount dosent match sum of orderitems" first, then a text with both figures', async () => {
    const reply = await client.post('/v1/payments', withField(aCreate(100_000), 'order.amount', 100_001));
    expectErrors(reply, {
      amount: [
        'Amount dosent match sum of orderitems',
        'is 100001, but the grossTotalAmount of the items sums up to 100000',
      ],
    });
  });

  // decision: validation-errors-in-nexi
  test('charge, refund, cancel: "Amount dosen\'t match sum of orderitems" first, then both figures', async () => {
    const paymentId = await client.createReserved();
    const chargeId = await client.charge(paymentId, 1_000);
    const body = { amount: 101, orderItems: [anItem({ grossTotalAmount: 100 })] };
    for (const path of [
      `/v1/payments/${paymentId}/charges`,
      `/v1/charges/${chargeId}/refunds`,
      `/v1/payments/${paymentId}/cancels`,
    ])
      expectErrors(await client.post(path, body), {
        amount: [
          "Amount dosen't match sum of orderitems",
          'is 101, but the grossTotalAmount of the items sums up to 100',
        ],
      });
  });

  // decision: validation-errors-in-nexi
  test('"Amount must be greater than 0" first: create, charge, refund, cancel', async () => {
    const paymentId = await client.createReserved();
    const chargeId = await client.charge(paymentId, 1_000);
    for (const amount of [0, -5]) {
      const literal = ['Amount must be greater than 0', /^must be a whole number from 1 to 1000000000000, found /];
      const create = withField(aCreate(), 'order.amount', amount);
      expectErrors(await client.post('/v1/payments', create), { amount: literal });
      for (const path of [
        `/v1/payments/${paymentId}/charges`,
        `/v1/charges/${chargeId}/refunds`,
        `/v1/payments/${paymentId}/cancels`,
      ])
        expectErrors(await client.post(path, { amount }), { amount: literal });
    }
  });

  // decision: validation-errors-in-nexi
  test('an empty body: errors.instance[0] is "cannot be null"', async () => {
    const paymentId = await client.createReserved();
    for (const path of ['/v1/payments', `/v1/payments/${paymentId}/charges`, `/v1/payments/${paymentId}/cancels`])
      for (const body of [undefined, '']) expectErrors(await client.post(path, body), { instance: ['cannot be null'] });
  });

  test('every other field is named by its path, with a list of texts', async () => {
    const reply = await client.post('/v1/payments', withField(aCreate(), 'order.items[0].name', undefined));
    expectErrors(reply, { 'order.items[0].name': ['is required'] });
  });
});

describe('nexi 9: 401 and 404 have no body, every other 4xx but 400 has {message, code, source}', () => {
  // decision: other-refusals-in-nexi
  test('401 and 404', async () => {
    const reads = [`/v1/payments/${NOBODYS_ID}`, `/v1/charges/${NOBODYS_ID}`, `/v1/refunds/${NOBODYS_ID}`];
    for (const path of reads) {
      expectNoBody(await service.client().get(path), 401);
      expectNoBody(await client.get(path), 404);
    }
    for (const path of [`/v1/payments/${NOBODYS_ID}/charges`, `/v1/charges/${NOBODYS_ID}/refunds`]) {
      expectNoBody(await service.client().post(path, { amount: 1 }), 401);
      expectNoBody(await client.post(path, { amount: 1 }), 404);
    }
  });

  // decision: other-refusals-in-nexi
  test('402, 405, 413, 415, 422: the code is a text from 1000 to 1032', async () => {
    const paymentId = await client.create();
    const charge = `/v1/payments/${paymentId}/charges`;
    const reserved = await client.createReserved();
    const key = { 'idempotency-key': 'one-key' };
    await client.post(`/v1/payments/${reserved}/charges`, { amount: 1 }, key);
    for (const [status, reply] of [
      [402, await client.post(charge, { amount: 1 })],
      [405, await client.post(`/v1/payments/${paymentId}/cancels`, { amount: 1 })],
      [405, await client.get(charge)],
      [413, await client.post(charge, { amount: 1, padding: 'x'.repeat(1_100_000) })],
      [415, await client.post(charge, 'amount=1', { 'content-type': 'application/x-www-form-urlencoded' })],
      [422, await client.post(`/v1/payments/${reserved}/charges`, { amount: 2 }, key)],
    ] as const) {
      assert.equal(reply.status, status, reply.text);
      assert.deepEqual(Object.keys(reply.body), ['message', 'code', 'source']);
      for (const field of ['message', 'code', 'source']) assert.equal(typeof reply.body[field], 'string');
      assert.match(reply.body.code, /^10(?:[0-2]\d|3[0-2])$/);
    }
  });
});

describe('nexi 10: asking for too much', () => {
  // decision: other-refusals-in-nexi
  test('a charge of more than is left, or again: 402, code "1001"', async () => {
    const paymentId = await client.createReserved(100);
    const charge = `/v1/payments/${paymentId}/charges`;
    const over = { status: 402, code: '1001', message: 'The charge of 101 is more than the 100 left to charge.' };
    expectFailure(await client.post(charge, { amount: 101 }), over);
    await client.charge(paymentId, 100);
    const again = { status: 402, code: '1001', message: 'The charge of 100 is more than the 0 left to charge.' };
    expectFailure(await client.post(charge, { amount: 100 }), again);
  });

  // decision: other-refusals-in-nexi
  test('a refund of more than is left of the charge, or again: 402, code "1009"', async () => {
    const chargeId = await client.charge(await client.createReserved(100), 60);
    const refund = `/v1/charges/${chargeId}/refunds`;
    const over = { status: 402, code: '1009', message: 'The refund of 61 is more than the 60 left of the charge.' };
    expectFailure(await client.post(refund, { amount: 61 }), over);
    await client.refund(chargeId, 60);
    const again = { status: 402, code: '1009', message: 'The refund of 1 is more than the 0 left of the charge.' };
    expectFailure(await client.post(refund, { amount: 1 }), again);
  });
});
