// Goal: a shop knows a card again by its reference, in answers and events of both dialects, and nobody learns anything else
// by it. Method: payments by several cards at two shops, in the sandbox and in the checkout; the column that holds it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { partOf } from '../../src/domain/id.ts';
import { eraseConsumer } from '../../src/store/payments/erase.ts';
import { createKey } from '../../src/store/merchants/keys.ts';
import { createMerchant } from '../../src/store/merchants/merchants.ts';
import { DIALECTS } from '../support/answers.ts';
import { aPay, CARDS, Consumer } from '../support/checkout.ts';
import { anOrder, Client } from '../support/client.ts';
import type { Reply } from '../support/client.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';
import { createWith, reserveWith, subscribe, SUBSCRIPTION_PATHS } from '../support/subscriptions.ts';

let service: SharedService;
before(() => {
  service = shareService();
});
after(() => service.close());

const referenceOf = async (client: Client, paymentId: string): Promise<string | undefined> =>
  (await client.payment(paymentId)).paymentDetails.paymentAccountReference;

const dataOf = async (client: Client, paymentId: string, type: string): Promise<Reply['body']> =>
  (await client.must(200, 'GET', `/v1/events?paymentId=${paymentId}&type=${type}`)).events[0].data;

for (const dialect of DIALECTS)
  describe(`the reference of a card in the dialect ${dialect}`, () => {
    // decision: account-reference-of-a-card
    test('is the same for a returning card, and another one for another card or merchant', async () => {
      const [{ client }, other] = [await service.openShop({ dialect }), await service.openShop({ dialect })];
      const first = await referenceOf(client, await client.createReserved(1_000, CARDS.approved));
      assert.match(first ?? '', /^[0-9A-Z]{29}$/);
      assert.equal(await referenceOf(client, await client.createReserved(2_000, CARDS.approved)), first);
      assert.notEqual(await referenceOf(client, await client.createReserved(1_000, CARDS.mastercard)), first);
      assert.notEqual(await referenceOf(other.client, await other.client.createReserved(1_000, CARDS.approved)), first);
    });

    // decision: account-reference-of-a-card
    test('is told by both events of a reservation, and not before one or for an invoice', async () => {
      const { client } = await service.openShop({ dialect });
      const paymentId = await client.create();
      assert.equal(await referenceOf(client, paymentId), undefined);
      await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
      const reference = await referenceOf(client, paymentId);
      for (const type of ['payment.reservation.created', 'payment.reservation.created.v2'])
        assert.equal((await dataOf(client, paymentId, type)).paymentAccountReference, reference, type);
      const invoice = await client.create();
      await client.must(201, 'POST', `/v1/sandbox/payments/${invoice}/reserve`, { paymentType: 'INVOICE' });
      assert.equal(await referenceOf(client, invoice), undefined);
      const { paymentAccountReference } = await dataOf(client, invoice, 'payment.reservation.created');
      assert.equal(paymentAccountReference, undefined);
    });

    test('is that of the stored card for a charge of a subscription', async () => {
      const { client } = await service.openShop({ dialect });
      const id = await subscribe(client, 'scheduled');
      const { paymentId } = await client.must(200, 'POST', `/v1/subscriptions/${id}/charges`, { order: anOrder(900) });
      const again = await client.createReserved(1_000);
      assert.equal(await referenceOf(client, paymentId), await referenceOf(client, again));
    });
  });

// decision: account-reference-of-a-card
test('it is no digest of what somebody could try out: not of the number, the mask or the source', async () => {
  const { client, merchant } = await service.openShop();
  const reference = await referenceOf(client, await client.createReserved(1_000, CARDS.approved));
  const guesses = [CARDS.approved, '492500******0004', 'sim_approved', 'sim_approved\n492500******0004'].flatMap(
    (text) => [text, `${merchant.id}${text}`, `${merchant.id}:${text}`],
  );
  for (const guess of guesses)
    for (const algorithm of ['sha256', 'sha1', 'md5']) {
      const digest = createHash(algorithm).update(guess).digest('hex');
      const spelled = BigInt(`0x${digest}`).toString(36).toUpperCase();
      assert.ok(!spelled.includes(reference ?? '-'), guess);
    }
});

// decision: account-reference-of-a-card
test('it is erased with the consumer, also for later charges of a subscription', async () => {
  const { client } = await service.openShop();
  const id = await subscribe(client, 'scheduled');
  const charge = async (): Promise<string> =>
    (await client.must(200, 'POST', `/v1/subscriptions/${id}/charges`, { order: anOrder(900) })).paymentId;
  const [row] = await service.pool.query<{ id: string }>('select payment_id as id from subscriptions where id = $1', [
    id,
  ]);
  const first = row?.id.replaceAll('-', '') ?? '';
  assert.ok(await referenceOf(client, first));
  await eraseConsumer(service.pool, first);
  assert.equal(await referenceOf(client, first), undefined);
  assert.equal(await referenceOf(client, await charge()), undefined);
});

test('it is erased also where a payment has replaced the card of a subscription that lives in another part', async () => {
  const { merchant: narrow } = await service.openShop();
  const merchant = await createMerchant(service.pool, false, narrow, { parts: 8 });
  const client = new Client(service.url, (await createKey(service.pool, merchant)).secret);
  const id = await subscribe(client, 'scheduled');
  let paymentId = await createWith(client, SUBSCRIPTION_PATHS.scheduled.update(id), 0);
  while (partOf(paymentId) === partOf(id))
    paymentId = await createWith(client, SUBSCRIPTION_PATHS.scheduled.update(id), 0);
  await reserveWith(client, paymentId, CARDS.mastercard);
  const find = `select payment_id::text as card, method ->> 'accountReference' as reference, version
    from subscriptions where id = $1`;
  const [had] = await service.pool.query<{ card: string; reference: string | null; version: number }>(find, [id]);
  assert.equal(had?.card.replaceAll('-', ''), paymentId);
  assert.ok(had.reference);
  assert.equal(await eraseConsumer(service.pool, paymentId), true);
  assert.equal(await referenceOf(client, paymentId), undefined);
  assert.deepEqual(await service.pool.query(find, [id]), [{ ...had, reference: null, version: had.version + 1 }]);
  assert.equal(await eraseConsumer(service.pool, paymentId.replaceAll(/\d/g, '0')), false);
});

// decision: fields-of-events
test('the bank that asked the consumer is told as acsUrl after a challenge; otherwise it is empty', async () => {
  const shop = await service.openShop();
  const paymentId = await shop.client.create();
  const consumer = new Consumer(service, shop, paymentId);
  const { body } = await consumer.pay(aPay(CARDS.challenge));
  await consumer.answerChallenge(body.redirectUrl);
  const { cardDetails } = await dataOf(shop.client, paymentId, 'payment.reservation.created');
  const { acsUrl } = cardDetails.threeDSecure;
  assert.ok(body.redirectUrl.startsWith(`${acsUrl}/`), acsUrl);
  const plain = await shop.client.createReserved();
  const { threeDSecure } = (await dataOf(shop.client, plain, 'payment.reservation.created')).cardDetails;
  assert.equal(threeDSecure.acsUrl, '');
});
