// Goal: 3-D Secure reserves exactly when it is passed, once, whatever the browser does in between. Method: the page's
// API and the simulated bank of a real service, rows of events to see what the merchant is told.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readEventNames } from '../support/events.ts';
import { aConsumer, aPay, CARDS, Consumer } from '../support/checkout.ts';
import { anItem } from '../support/client.ts';
import { whileDatabaseIsAway } from '../support/outage.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

describe('3-D Secure', () => {
  let service: Service;
  let shop: Shop;
  before(async () => {
    service = await startService({ env: { KASSA_ADDRESS_ATTEMPTS: 'off' } });
    shop = await service.openShop();
  });
  after(() => service.stop());

  /** A payment with an open challenge. */
  const challenge = async (card: string = CARDS.challenge) => {
    const paymentId = await shop.client.create();
    const consumer = new Consumer(service, shop, paymentId);
    const reply = await consumer.pay(aPay(card));
    assert.equal(reply.status, 202, reply.text);
    return { paymentId, consumer, redirectUrl: reply.body.redirectUrl as string };
  };
  const bankUrl = (redirectUrl: string): string => service.url + new URL(redirectUrl).pathname;
  const decide = (redirectUrl: string, outcome: string): Promise<Response> =>
    fetch(bankUrl(redirectUrl), { method: 'POST', body: new URLSearchParams({ outcome }), redirect: 'manual' });
  const reservedOf = async (paymentId: string): Promise<number> =>
    (await shop.client.payment(paymentId)).summary.reservedAmount;
  const eventsOf = (paymentId: string): Promise<string[]> => readEventNames(service.pool, paymentId);

  test('nothing is reserved before the bank has said yes; the merchant hears of each step once', async () => {
    const { paymentId, consumer, redirectUrl } = await challenge();
    assert.equal(await reservedOf(paymentId), 0);
    assert.deepEqual(await eventsOf(paymentId), ['payment.created']);
    const page = await fetch(bankUrl(redirectUrl));
    assert.equal(page.status, 200);
    assert.match(await page.text(), /•••• 4847/);
    const decided = await decide(redirectUrl, 'approve');
    assert.equal(decided.status, 303);
    assert.equal(await reservedOf(paymentId), 100_000);
    const told = ['payment.created', 'payment.reservation.created', 'payment.checkout.completed'];
    assert.deepEqual(await eventsOf(paymentId), told);
    assert.equal((await consumer.state()).body.state, 'paid');
  });

  test('approved twice, and by both ways at once: one reservation', async () => {
    const { paymentId, consumer, redirectUrl } = await challenge();
    await Promise.all([
      ...Array.from({ length: 5 }, () => decide(redirectUrl, 'approve')),
      ...Array.from({ length: 5 }, () => consumer.answerChallenge(redirectUrl)),
    ]);
    assert.equal(await reservedOf(paymentId), 100_000);
    assert.equal((await consumer.answerChallenge(redirectUrl)).status, 201);
    assert.equal((await eventsOf(paymentId)).length, 3);
  });

  test('rejected: declined, told to the merchant, and open for another try', async () => {
    const { paymentId, consumer, redirectUrl } = await challenge();
    await decide(redirectUrl, 'reject');
    assert.deepEqual(await eventsOf(paymentId), ['payment.created', 'payment.reservation.failed']);
    const { state, lastTry } = (await consumer.state()).body;
    assert.deepEqual({ state, lastTry }, { state: 'open', lastTry: 'challenge_failed' });
    assert.equal((await consumer.answerChallenge(redirectUrl)).status, 402);
    assert.equal((await consumer.pay()).status, 201);
    assert.equal((await eventsOf(paymentId)).filter((name) => name === 'payment.created').length, 1);
  });

  test('left: nothing happened, nothing is told, and another try is open', async () => {
    const { paymentId, consumer, redirectUrl } = await challenge();
    await decide(redirectUrl, 'leave');
    assert.deepEqual(await eventsOf(paymentId), ['payment.created']);
    await decide(redirectUrl, 'approve');
    assert.equal(await reservedOf(paymentId), 0);
    assert.equal((await consumer.pay()).status, 201);
  });

  test('passed, then declined by the issuer: 402, also when asked again', async () => {
    const { paymentId, consumer, redirectUrl } = await challenge(CARDS.challengeDeclined);
    assert.equal((await consumer.answerChallenge(redirectUrl)).status, 402);
    assert.equal((await consumer.answerChallenge(redirectUrl)).status, 402);
    assert.equal(await reservedOf(paymentId), 0);
  });

  test('an older challenge, one of another amount, and one of a paid payment reserve nothing', async () => {
    const first = await challenge();
    const second = await first.consumer.pay(aPay(CARDS.challenge));
    assert.equal((await first.consumer.answerChallenge(first.redirectUrl)).status, 404);
    const items = [anItem({ grossTotalAmount: 1 })];
    await shop.client.must(204, 'PUT', `/v1/payments/${first.paymentId}/orderitems`, { items });
    assert.equal((await first.consumer.answerChallenge(second.body.redirectUrl)).status, 402);
    assert.equal(await reservedOf(first.paymentId), 0);

    const paid = await challenge();
    assert.equal((await paid.consumer.pay()).status, 201);
    const late = await paid.consumer.answerChallenge(paid.redirectUrl);
    assert.deepEqual([late.status, late.body.reason], [409, 'already_paid']);
    assert.equal(await reservedOf(paid.paymentId), 100_000);
  });

  test('another cart of the same amount is not what was approved; a new reference, or the same cart again, is', async () => {
    const { paymentId, consumer, redirectUrl } = await challenge();
    const cart = `/v1/payments/${paymentId}/orderitems`;
    await shop.client.must(204, 'PUT', cart, { items: [anItem({ reference: 'brick', name: 'A brick' })] });
    const page = await fetch(bankUrl(redirectUrl));
    assert.doesNotMatch(await page.text(), /•••• 4847/, 'there is nothing left to approve');
    const late = await consumer.answerChallenge(redirectUrl);
    assert.deepEqual([late.status, late.body.reason], [402, 'challenge_over']);
    await decide(redirectUrl, 'approve');
    assert.equal(await reservedOf(paymentId), 0);
    const again = await consumer.pay(aPay(CARDS.challenge));
    const path = `/v1/payments/${paymentId}/referenceinformation`;
    await shop.client.must(204, 'PUT', path, { reference: 'order-2', checkoutUrl: 'https://shop.example/checkout' });
    await shop.client.must(204, 'PUT', cart, { items: [anItem({ reference: 'brick', name: 'A brick' })] });
    assert.equal((await consumer.answerChallenge(again.body.redirectUrl)).status, 201);
    assert.equal(await reservedOf(paymentId), 100_000);
  });

  test('a try of another kind in between ends it: nobody approves what somebody else has typed since', async () => {
    const { paymentId, consumer, redirectUrl } = await challenge();
    const shippingAddress = { addressLine1: 'Elsewhere 66', postalCode: '11122', city: 'Stockholm', country: 'SWE' };
    assert.equal((await consumer.pay(aPay(CARDS.declined, { consumer: aConsumer({ shippingAddress }) }))).status, 402);
    assert.equal((await consumer.answerChallenge(redirectUrl)).status, 402);
    assert.equal(await reservedOf(paymentId), 0);
  });

  test('opening one again and again is a try each time', async () => {
    const { consumer } = await challenge();
    for (let tries = 1; tries < 10; tries += 1) assert.equal((await consumer.pay(aPay(CARDS.challenge))).status, 202);
    const reply = await consumer.pay(aPay(CARDS.challenge));
    assert.deepEqual([reply.status, reply.body.reason], [429, 'too_many_attempts']);
  });

  test('what the bank is sent by others is a page, and changes nothing', async () => {
    const { paymentId, redirectUrl } = await challenge();
    for (const outcome of ['constructor', '__proto__', '', 'APPROVE']) await decide(redirectUrl, outcome);
    for (const path of ['%0d%0a', '%00', '%F0%9F%98%80', 'x'.repeat(64)]) {
      const page = await fetch(`${service.url}/challenge/${path}`, { method: 'POST', redirect: 'manual' });
      assert.equal(page.status, 404);
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    }
    const large = await fetch(bankUrl(redirectUrl), {
      method: 'POST',
      body: new URLSearchParams({ a: 'x'.repeat(5_000) }),
    });
    assert.equal(large.status, 400);
    assert.match(await large.text(), /^<!doctype html>/);
    assert.equal(await reservedOf(paymentId), 0);
    assert.equal((await decide(redirectUrl, 'approve')).status, 303);
    assert.equal(await reservedOf(paymentId), 100_000);
  });

  test('while the database is away, the bank has a page that leads back to the same question', async () => {
    const { paymentId, redirectUrl } = await challenge();
    const page = await whileDatabaseIsAway(service, () => decide(redirectUrl, 'approve'));
    assert.equal(page.status, 503);
    assert.ok((await page.text()).includes(new URL(redirectUrl).pathname));
    await decide(redirectUrl, 'approve');
    assert.equal(await reservedOf(paymentId), 100_000);
  });

  test('neither a merchant’s number nor a secret key is a checkout key, whoever asked before', async () => {
    const { consumer, redirectUrl } = await challenge();
    const texts = [String(shop.merchant.id), shop.secretKey.slice(-32), shop.secretKey];
    const ask = async () => {
      for (const checkoutKey of texts)
        assert.equal((await consumer.pay(aPay(), { checkoutKey })).status, 401, 'before and after they were looked up');
    };
    await ask();
    assert.equal((await consumer.answerChallenge(redirectUrl)).status, 201);
    await shop.client.get('/v1/payments');
    await ask();
  });

  test('a session that nobody was given is a page that says so', async () => {
    const { redirectUrl } = await challenge();
    const guessed = bankUrl(redirectUrl).replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
    assert.equal((await fetch(guessed)).status, 404);
    assert.equal((await fetch(`${service.url}/challenge/x`)).status, 404);
  });
});
