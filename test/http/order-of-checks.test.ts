// Goal: of all that is wrong with a request, the first in this order is told: route and method, 401, 413 and 415, the
// body's 400, 404, idempotency, state. Method: for every operation, requests that break two of the rules at once.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { expectFailure, expectNoBody } from '../support/answers.ts';
import { anItem } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { isReplayed, keyed, keyedOperations } from '../support/keyed-operations.ts';
import { exchange, requestText } from '../support/raw.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

const TOO_LONG = String(1_048_577);
const NOBODYS_ID = '0190a1b2c3d47abc8def0123456789ab';

type Checked = { name: string; method: 'POST' | 'PUT'; path: (id: string) => string; body: object; badBody: unknown };

const move = { body: { amount: 1 }, badBody: { amount: 0 }, method: 'POST' } as const;
const OPERATIONS: readonly Checked[] = [
  { ...move, name: 'charge', path: (id) => `/v1/payments/${id}/charges` },
  { ...move, name: 'cancel', path: (id) => `/v1/payments/${id}/cancels` },
  { ...move, name: 'refund of a payment', path: (id) => `/v1/payments/${id}/refunds` },
  { ...move, name: 'refund of a charge', path: (id) => `/v1/charges/${id}/refunds` },
  {
    name: 'update reference',
    method: 'PUT',
    path: (id) => `/v1/payments/${id}/referenceinformation`,
    body: { reference: 'r' },
    badBody: { reference: null },
  },
  {
    name: 'update my reference',
    method: 'PUT',
    path: (id) => `/v1/payments/${id}/myreference`,
    body: { myReference: 'r' },
    badBody: {},
  },
  {
    name: 'update cart',
    method: 'PUT',
    path: (id) => `/v1/payments/${id}/orderitems`,
    body: { items: [anItem()] },
    badBody: { items: [anItem()], amount: 1 },
  },
  {
    name: 'sandbox reserve',
    method: 'POST',
    path: (id) => `/v1/sandbox/payments/${id}/reserve`,
    body: {},
    badBody: { card: '4111111111111111' },
  },
  { name: 'terminate', method: 'PUT', path: (id) => `/v1/payments/${id}/terminate`, body: {}, badBody: '{' },
];

let service: SharedService;
let shop: Shop;
before(async () => {
  service = shareService();
  shop = await service.openShop();
});
after(() => service.close());

/** A request that announces more bytes than are taken, and sends none of them. */
async function sendTooLong(line: string, headers: Record<string, string>): Promise<number | undefined> {
  const [reply] = await exchange(service.url, requestText(line, { ...headers, 'content-length': TOO_LONG }));
  return reply?.status;
}

for (const { name, method, path, body, badBody } of OPERATIONS) {
  describe(`order of checks of ${name}`, () => {
    const target = path(NOBODYS_ID);
    const plain = { 'content-type': 'text/plain' };

    // decision: order-of-checks
    test('a wrong method is told before the key, the size, the type and the path', async () => {
      const nobody = service.client();
      for (const asking of [nobody, shop.client])
        for (const headers of [{}, plain]) {
          const message = `DELETE is not allowed here; allowed: ${method}.`;
          const reply = await asking.send('DELETE', target, '{', headers);
          expectFailure(reply, { status: 405, code: '1000', message, allow: method });
        }
      assert.equal(await sendTooLong(`DELETE ${target}`, {}), 405);
    });

    test('an unknown path is 404 without a key', async () => {
      const reply = await service.client().send(method, `${target}/more`, body);
      expectFailure(reply, {
        status: 404,
        code: '1000',
        message: 'Nothing is at this address. /docs describes the API.',
      });
    });

    // decision: order-of-checks
    test('401 is told before 413, 415, 400 and 404', async () => {
      const nobody = service.client('nobody');
      assert.equal(await sendTooLong(`${method} ${target}`, { authorization: 'nobody' }), 401);
      expectNoBody(await nobody.send(method, target, JSON.stringify(body), plain), 401);
      expectNoBody(await nobody.send(method, target, '{'), 401);
      expectNoBody(await nobody.send(method, target, badBody), 401);
      expectNoBody(await nobody.send(method, path('a'.repeat(129)), body), 401);
      expectNoBody(await nobody.send(method, target, body, keyed('not well formed')), 401);
    });

    // decision: order-of-checks
    test('413 and 415 are told before 400 and 404', async () => {
      const headers = { authorization: shop.secretKey, ...keyed('not well formed') };
      assert.equal(await sendTooLong(`${method} ${target}`, headers), 413);
      for (const text of ['{', '', JSON.stringify(badBody)])
        assert.equal((await shop.client.send(method, target, text, { ...plain, ...keyed('') })).status, 415, text);
    });

    // decision: order-of-checks
    test('400 is told before 404', async () => {
      for (const text of [badBody, '{'])
        assert.equal((await shop.client.send(method, target, text)).status, 400, JSON.stringify(text));
      assert.equal((await shop.client.send(method, path('nonsense'), badBody)).status, 400);
      expectNoBody(await shop.client.send(method, target, body), 404);
    });
  });
}

for (const { name, prepare, body, otherBody, status } of keyedOperations.filter((each) => each.name !== 'create')) {
  describe(`order of checks of ${name} with an Idempotency-Key`, () => {
    test('a malformed key is a 400, and told before 404', async () => {
      const path = (await prepare(shop.client)).path.replace(/[0-9a-f]{32}/, NOBODYS_ID);
      assert.equal((await shop.client.post(path, body, keyed('not well formed'))).status, 400);
    });

    test('400 is told before idempotency', async () => {
      const { path } = await prepare(shop.client);
      await shop.client.must(status, 'POST', path, body);
      await shop.client.post(path, body, keyed('used'));
      assert.equal((await shop.client.post(path, { amount: 0 }, keyed('used'))).status, 400);
    });

    // decision: order-of-checks
    test('404 is told before idempotency', async () => {
      const [owner, other] = [await service.openShop(), await service.openShop()];
      const { path } = await prepare(owner.client);
      const its = await prepare(other.client);
      for (const [client, own] of [
        [owner.client, path],
        [other.client, its.path],
      ] as [Client, string][])
        assert.equal((await client.post(own, body, keyed('used'))).status, status);
      for (const sent of [body, otherBody]) expectNoBody(await other.client.post(path, sent, keyed('used')), 404);
    });

    // decision: order-of-checks
    test('idempotency is told before the state', async () => {
      const { client } = shop;
      const { path, paymentId } = await prepare(client);
      const first = await client.post(path, body, keyed('used'));
      // Takes all that is left, so that the state forbids whatever comes now.
      const { reservedAmount, chargedAmount, cancelledAmount } = (await client.payment(paymentId as string)).summary;
      const left = reservedAmount - chargedAmount - cancelledAmount;
      await client.cancel(paymentId as string, left);
      for (const charge of (await client.payment(paymentId as string)).charges)
        await client.send('POST', `/v1/charges/${charge.chargeId}/refunds`, {
          amount: name.startsWith('refund') ? 50_000 : 1,
        });
      assert.ok((await client.post(path, body, keyed('unused'))).status >= 400, 'the state does forbid it');
      const again = await client.post(path, body, keyed('used'));
      assert.deepEqual([again.status, again.text, isReplayed(again)], [status, first.text, true]);
      assert.equal((await client.post(path, otherBody, keyed('used'))).status, 422);
    });
  });
}
