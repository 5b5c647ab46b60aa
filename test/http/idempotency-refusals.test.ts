// Goal: with an Idempotency-Key, a refusal that was decided on the payment is kept like a success, and everything else
// is not: its key can be used again. Method: each refusal is brought about, its reason removed, and the request sent
// again.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DIALECTS, expectFailure, expectNoBody } from '../support/answers.ts';
import { anItem } from '../support/client.ts';
import type { Client, Reply } from '../support/client.ts';
import { readEventNames, readEvents, RESERVED } from '../support/events.ts';
import { isReplayed, keyed, keyedOperations, readEffects } from '../support/keyed-operations.ts';
import { whileDatabaseIsAway, whileEventsAreRefused, whileTableIsMissing } from '../support/outage.ts';
import { exchange, requestText } from '../support/raw.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

const TOO_LONG = String(1_048_577);

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const charges = (paymentId: string): string => `/v1/payments/${paymentId}/charges`;
const cancels = (paymentId: string): string => `/v1/payments/${paymentId}/cancels`;
const refunds = (chargeId: string): string => `/v1/charges/${chargeId}/refunds`;

/** Sends twice, with something between; the second answer must be the first, though it would be another by now. */
async function expectKept(
  client: Client,
  path: string,
  body: object,
  expected: { status: number; text: RegExp },
  between: () => Promise<unknown> = async () => {},
): Promise<void> {
  const first = await client.post(path, body, keyed('kept'));
  assert.equal(first.status, expected.status, first.text);
  assert.match(first.text, expected.text);
  assert.equal(isReplayed(first), false);
  await between();
  const again = await client.post(path, body, keyed('kept'));
  assert.deepEqual([again.status, again.text, isReplayed(again)], [first.status, first.text, true]);
}

for (const dialect of DIALECTS) {
  describe(`refusals that are kept for their Idempotency-Key in the dialect ${dialect}`, () => {
    let shop: Shop;
    before(async () => {
      shop = await service.openShop({ dialect });
    });

    // decision: answers-that-are-kept
    test('charge: 402 not reserved, though it is reserved by now', async () => {
      const { client } = shop;
      const paymentId = await client.create(100);
      const reserve = () => client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
      await expectKept(client, charges(paymentId), { amount: 100 }, { status: 402, text: /"1003"/ }, reserve);
      assert.equal((await client.post(charges(paymentId), { amount: 100 }, keyed('new'))).status, 201);
    });

    test('charge: 402 too much', async () => {
      const paymentId = await shop.client.createReserved(100);
      await expectKept(shop.client, charges(paymentId), { amount: 101 }, { status: 402, text: /"1001"/ });
      assert.deepEqual(await readEventNames(service.pool, paymentId), RESERVED);
    });

    // decision: answers-that-are-kept
    test('charge: 402 declined; the acquirer is asked once', async () => {
      const paymentId = await shop.client.createReserved(100, '4925000000000079');
      await expectKept(shop.client, charges(paymentId), { amount: 100 }, { status: 402, text: /"1020"/ });
      assert.deepEqual(await readEventNames(service.pool, paymentId), [...RESERVED, 'payment.charge.failed']);
    });

    test('refund of a charge: more than is left', async () => {
      const chargeId = await shop.client.charge(await shop.client.createReserved(100), 100);
      const expected = dialect === 'spec' ? { status: 400, text: /errors/ } : { status: 402, text: /"1009"/ };
      await expectKept(shop.client, refunds(chargeId), { amount: 101 }, expected);
    });

    test('refund of a charge: declined; one record is Failed', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100, '4000000000005126');
      const chargeId = await client.charge(paymentId, 100);
      const expected = dialect === 'spec' ? { status: 400, text: /"refund"/ } : { status: 402, text: /"1014"/ };
      await expectKept(client, refunds(chargeId), { amount: 100 }, expected);
      assert.equal((await client.payment(paymentId)).refunds.length, 1);
    });

    test('refund of a payment: 400 no charge has that much left, though one has by now', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100);
      const path = `/v1/payments/${paymentId}/refunds`;
      const expected = { status: 400, text: /nothing was charged yet/ };
      await expectKept(client, path, { amount: 50 }, expected, () => client.charge(paymentId, 50));
    });

    test('cancel: 405 not reserved, though it is reserved by now', async () => {
      const { client } = shop;
      const paymentId = await client.create(100);
      const reserve = () => client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
      await expectKept(client, cancels(paymentId), { amount: 100 }, { status: 405, text: /"1003"/ }, reserve);
    });

    // decision: answers-that-are-kept
    test('cancel: 400 more than is left, 405 nothing left, 405 declined', async () => {
      const { client } = shop;
      const left = await client.createReserved(100);
      await expectKept(client, cancels(left), { amount: 101 }, { status: 400, text: /errors/ });
      const charged = await client.createReserved(100);
      await client.charge(charged, 100);
      await expectKept(client, cancels(charged), { amount: 1 }, { status: 405, text: /"1008"/ });
      const declining = await client.createReserved(100, '4925000000000061');
      await expectKept(client, cancels(declining), { amount: 1 }, { status: 405, text: /"simulator"/ });
      const told = [...RESERVED, 'payment.cancel.failed'];
      assert.deepEqual(await readEventNames(service.pool, declining), told);
    });

    test('strictItems: 400 an item that is not there', async () => {
      const { client } = await service.openShop({ dialect, strictItems: true });
      const paymentId = await client.createReserved(100);
      const body = { amount: 100, orderItems: [anItem({ reference: 'other', grossTotalAmount: 100 })] };
      await expectKept(client, charges(paymentId), body, { status: 400, text: /no item with reference/ });
    });

    test('a kept refusal with another body is 422', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved(100);
      await client.post(charges(paymentId), { amount: 101 }, keyed('refused'));
      const reply = await client.post(charges(paymentId), { amount: 100 }, keyed('refused'));
      expectFailure(reply, { status: 422, code: '1026', message: /another body/ });
    });
  });
}

for (const { name, prepare, body, status, paymentless } of keyedOperations.map((operation) => ({
  ...operation,
  paymentless: operation.name === 'create',
}))) {
  describe(`answers that are not kept for their Idempotency-Key on ${name}`, () => {
    type Spoil = readonly [refused: number, spoil: (client: Client, path: string) => Promise<Pick<Reply, 'status'>>];

    /** Brings about answers with a key, then expects the key to be as good as new. */
    async function expectNotKept(...spoils: readonly Spoil[]): Promise<void> {
      const { client } = await service.openShop();
      const { path, paymentId } = await prepare(client);
      const beforehand = await readEffects(client, paymentId);
      for (const [refused, spoil] of spoils) {
        const reply = await spoil(client, path);
        assert.equal(reply.status, refused);
        if ('headers' in reply) assert.equal(isReplayed(reply as Reply), false);
      }
      assert.deepEqual(await readEffects(client, paymentId), beforehand);
      const done = await client.post(path, body, keyed('again'));
      assert.deepEqual([done.status, isReplayed(done)], [status, false], done.text);
    }

    // decision: answers-that-are-kept
    test('schema errors, the sum rule, a malformed body, none at all: 400; 415, 413 and 401', async () => {
      const asText = { ...keyed('again'), 'content-type': 'text/plain' };
      await expectNotKept(
        ...[{ amount: 0 }, { amount: 1, orderItems: [anItem()] }, '{', undefined].map((bad): Spoil => [
          400,
          (client, path) => client.post(path, bad, keyed('again')),
        ]),
        [415, (client, path) => client.post(path, JSON.stringify(body), asText)],
        [
          413,
          async (client, path) => {
            const headers = {
              authorization: client.secretKey as string,
              ...keyed('again'),
              'content-length': TOO_LONG,
            };
            const [reply] = await exchange(client.url, requestText(`POST ${path}`, headers));
            return { status: reply?.status ?? 0 };
          },
        ],
        [401, (_, path) => service.client('nobody').post(path, body, keyed('again'))],
      );
    });

    // decision: answers-that-are-kept
    test('422', async () => {
      const { client } = await service.openShop();
      const { path } = await prepare(client);
      const first = await client.post(path, body, keyed('again'));
      assert.equal((await client.post(path, { ...body, more: 1 }, keyed('again'))).status, 422);
      const again = await client.post(path, body, keyed('again'));
      assert.deepEqual([again.text, isReplayed(again)], [first.text, true]);
    });

    // decision: answers-that-are-kept
    test('500 and 503', async () => {
      const send = (client: Client, path: string) => client.post(path, body, keyed('again'));
      const spoils: Spoil[] = [
        [500, (client, path) => whileTableIsMissing(service, 'payments', () => send(client, path))],
        [503, (client, path) => whileDatabaseIsAway(service, () => send(client, path))],
      ];
      // A create tells nothing, so only the others can be broken between their gate and their events.
      if (!paymentless) spoils.push([500, (client, path) => whileEventsAreRefused(service, () => send(client, path))]);
      await expectNotKept(...spoils);
    });
  });
}

// decision: answers-that-are-kept
test('404 is not kept: a payment of somebody else, one that is not there, a charge that was declined', async () => {
  const [{ client }, other] = [await service.openShop(), await service.openShop()];
  const paymentId = await client.createReserved(100, '4925000000000079');
  await client.post(charges(paymentId), { amount: 1 });
  const declined = (await readEvents(service.pool, paymentId)).at(-1)?.movement_id as string;
  const unknown = paymentId.replace(/.{4}$/, '0000');
  expectNoBody(await other.client.post(charges(paymentId), { amount: 1 }, keyed('lost')), 404);
  expectNoBody(await client.post(charges(unknown), { amount: 1 }, keyed('lost')), 404);
  expectNoBody(await client.post(refunds(declined), { amount: 1 }, keyed('lost')), 404);
  assert.deepEqual(await service.pool.query(`select * from idempotency_records where key = 'lost'`), []);
});

// decision: repeating-an-idempotency-key, body-of-a-refusal
test('409 while the outcome of the first request is unknown, later its answer', async () => {
  for (const { prepare, body, status } of keyedOperations) {
    const { client, merchant } = await service.openShop();
    const { path, paymentId } = await prepare(client);
    const first = await client.post(path, body, keyed('unknown'));
    const effects = await readEffects(client, paymentId);
    const where = `where merchant_id = ${merchant.id} and key = 'unknown'`;
    await service.pool.query(`update idempotency_records set status = null, answer = null ${where}`);
    const waiting = await client.post(path, body, keyed('unknown'));
    const message =
      'The outcome of the first request with this Idempotency-Key is not known yet; ask again in a moment.';
    expectFailure(waiting, { status: 409, code: '1000', message });
    await service.pool.query(`update idempotency_records set status = $1, answer = $2 ${where}`, [status, first.text]);
    const again = await client.post(path, body, keyed('unknown'));
    assert.deepEqual([again.status, again.text, isReplayed(again)], [status, first.text, true]);
    assert.deepEqual(await readEffects(client, paymentId), effects);
  }
});
