// Goal: how a payment is found by its path, and who may: the statuses of section 4.2 of the specification, ids and
// paths in any case, and what is the same answer for whoever has no business here.
// Method: a running service with two shops in each dialect; answers are compared to the last byte.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DIALECTS, expectErrors, expectNoBody } from '../support/answers.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

const NOBODYS_ID = '0190a1b2c3d47abc8def0123456789ab';

let service: SharedService;
before(async () => {
  service = shareService();
});
after(() => service.close());

for (const dialect of DIALECTS)
  describe(`finding a payment in the dialect ${dialect}`, () => {
    let shop: Shop;
    before(async () => {
      shop = await service.openShop({ dialect });
    });

    test('200: exactly one key, payment', async () => {
      const paymentId = await shop.client.create();
      const reply = await shop.client.get(`/v1/payments/${paymentId}`);
      assert.equal(reply.status, 200);
      assert.deepEqual(Object.keys(reply.body), ['payment']);
      assert.equal(reply.body.payment.paymentId, paymentId);
    });

    test('200: the id in upper case is the same payment, and is answered in lower case', async () => {
      const paymentId = await shop.client.create();
      const reply = await shop.client.get(`/v1/payments/${paymentId.toUpperCase()}`);
      assert.equal(reply.body.payment.paymentId, paymentId);
    });

    // decision: spelling-of-paths
    test('200: the path in any case, with or without a trailing slash, percent-encoded, with a query', async () => {
      const paymentId = await shop.client.create();
      const plain = await shop.client.get(`/v1/payments/${paymentId}`);
      const encoded = `%${paymentId.charCodeAt(0).toString(16)}${paymentId.slice(1)}`;
      for (const path of [
        `/V1/PAYMENTS/${paymentId}`,
        `/v1/Payments/${paymentId}/`,
        `/v1/payments/${encoded}`,
        `/v1/payments/${paymentId}?expand=all`,
      ]) {
        const reply = await shop.client.get(path);
        assert.equal(reply.status, 200, path);
        assert.equal(reply.text, plain.text, path);
      }
    });

    test('200: a JSON content type without a body', async () => {
      const paymentId = await shop.client.create();
      for (const type of ['application/json', 'application/json; charset=utf-8', 'text/json']) {
        const reply = await shop.client.get(`/v1/payments/${paymentId}`, { 'content-type': type });
        assert.equal(reply.status, 200, type);
      }
    });

    test('401 without a body: no key, an unknown key, a key of the other mode', async () => {
      const paymentId = await shop.client.create();
      const unknown = `test-secret-key-${'0'.repeat(32)}`;
      for (const key of [undefined, '', 'nonsense', unknown, shop.secretKey.replace('test', 'live')])
        expectNoBody(await service.client(key).get(`/v1/payments/${paymentId}`), 401);
    });

    test('401 for a payment that there is not, too', async () => {
      expectNoBody(await service.client().get(`/v1/payments/${NOBODYS_ID}`), 401);
    });

    test("404 without a body: an id that is nobody's", async () => {
      expectNoBody(await shop.client.get(`/v1/payments/${NOBODYS_ID}`), 404);
    });

    // decision: ids
    test('404 without a body: an id that is malformed', async () => {
      const paymentId = await shop.client.create();
      const dashed = paymentId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
      for (const id of [
        'x',
        `${paymentId}0`,
        paymentId.slice(1),
        dashed,
        '0'.repeat(32),
        'f'.repeat(32),
        'a'.repeat(128),
        `${paymentId.slice(0, -1)}g`,
        `%20${paymentId}`,
        `${paymentId}%00`,
        '%F0%9F%98%80',
        "'%20or%201=1--",
      ])
        expectNoBody(await shop.client.get(`/v1/payments/${id}`), 404);
    });

    test('404 without a body: the id of a charge, of a refund', async () => {
      const chargeId = await shop.client.charge(await shop.client.createReserved(), 100);
      const refundId = await shop.client.refund(chargeId, 10);
      for (const id of [chargeId, refundId]) expectNoBody(await shop.client.get(`/v1/payments/${id}`), 404);
    });

    test("404 for another merchant is the same answer as for an id that is nobody's", async () => {
      const paymentId = await shop.client.create();
      const other = await service.openShop({ dialect });
      const [theirs, nobodys] = [
        await other.client.get(`/v1/payments/${paymentId}`),
        await other.client.get(`/v1/payments/${NOBODYS_ID}`),
      ];
      expectNoBody(theirs, 404);
      const namesOf = (headers: Headers) => [...headers.keys()].toSorted();
      assert.deepEqual(namesOf(theirs.headers), namesOf(nobodys.headers));
      assert.equal((await shop.client.payment(paymentId)).paymentId, paymentId);
    });

    test('400: an id of more than 128 characters', async () => {
      for (const length of [129, 1_000])
        expectErrors(await shop.client.get(`/v1/payments/${'a'.repeat(length)}`), {
          paymentId: [`must have at most 128 characters, found ${length}`],
        });
    });

    test('400: a path that is badly percent-encoded', async () => {
      for (const id of ['%', '%zz', '%E0%A4%A', '%C3%28', '%FF'])
        expectErrors(await shop.client.get(`/v1/payments/${id}`), { path: ['is badly percent-encoded'] });
    });
  });
