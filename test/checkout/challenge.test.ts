// Goal: 3-D Secure reserves exactly when it is passed, once, whatever the browser does in between. Method: the page's
// API and the simulated bank of a real service, rows of events to see what the merchant is told.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readEventNames } from '../support/events.ts';
import { aConsumer, aPay, CARDS, Consumer } from '../support/checkout.ts';
import { aCreate, anItem } from '../support/client.ts';
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

  // decision: effect-of-3-d-secure
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

  // decision: effect-of-3-d-secure
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

  // decision: effect-of-3-d-secure
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

  // decision: effect-of-3-d-secure
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

  // decision: effect-of-3-d-secure
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

  /** A payment whose consumer was asked by an app. */
  const inApp = async (name: string, currency: string) => {
    const { order, ...rest } = aCreate();
    const paymentMethodsConfiguration = [{ name }, { name: 'Card' }];
    const body = { ...rest, order: { ...order, currency }, paymentMethodsConfiguration };
    const { paymentId } = await shop.client.must(201, 'POST', '/v1/payments', body);
    const consumer = new Consumer(service, shop, paymentId as string);
    const type = name.toLowerCase();
    const reply = await consumer.pay(aPay(undefined, { type, paymentType: { [type]: {} } }));
    assert.equal(reply.status, 202, reply.text);
    return { paymentId: paymentId as string, consumer, redirectUrl: reply.body.redirectUrl as string };
  };

  for (const [name, currency, paymentType] of [
    ['Swish', 'SEK', 'A2A'],
    ['Vipps', 'NOK', 'WALLET'],
    ['MobilePay', 'DKK', 'WALLET'],
    ['MobilePay', 'EUR', 'WALLET'],
  ] as const)
    // decision: swish-vipps-and-mobilepay
    test(`${name} in ${currency}: it waits while nobody answers, is approved once, and is shown by its name`, async () => {
      const { paymentId, consumer, redirectUrl } = await inApp(name, currency);
      const simulated = new RegExp(`Simulated ${name} – no money moves`);
      const page = await (await fetch(bankUrl(redirectUrl))).text();
      assert.match(page, simulated);
      assert.doesNotMatch(page, /Test Bank|••••/);
      const later = await decide(redirectUrl, 'later');
      assert.match(later.headers.get('location') ?? '', /\/challenge\/\w+\?later=1$/);
      const { state, confirming, paymentTypes } = (await consumer.state()).body;
      assert.deepEqual([state, confirming, await reservedOf(paymentId)], ['open', true, 0]);
      assert.deepEqual(paymentTypes[1], { type: name.toLowerCase(), methods: [name], amount: 100_000 });
      assert.match(await (await fetch(bankUrl(redirectUrl))).text(), simulated, 'it can still be answered');

      await Promise.all(['approve', 'approve', 'approve'].map((answer) => decide(redirectUrl, answer)));
      await decide(redirectUrl, 'reject');
      assert.equal(await reservedOf(paymentId), 100_000);
      const { paymentDetails } = await shop.client.payment(paymentId);
      assert.deepEqual(paymentDetails, { paymentType, paymentMethod: name, invoiceDetails: {}, cardDetails: {} });
      const { events } = await shop.client.must(200, 'GET', `/v1/events?paymentId=${paymentId}`);
      const reserved = events.find(({ event }: { event: string }) => event === 'payment.reservation.created');
      assert.deepEqual([reserved.data.paymentType, reserved.data.paymentMethod], [paymentType, name]);
      assert.equal(reserved.data.cardDetails, undefined);
      assert.equal((await consumer.state()).body.confirming, false);
    });

  // decision: swish-vipps-and-mobilepay
  test('declined in the app: told to the merchant, and another way is open; a card ends what an app still asks', async () => {
    const { paymentId, consumer, redirectUrl } = await inApp('Swish', 'SEK');
    await decide(redirectUrl, 'reject');
    const { state, lastTry, confirming } = (await consumer.state()).body;
    assert.deepEqual([state, lastTry, confirming], ['open', 'declined_in_app', false]);
    assert.deepEqual(await eventsOf(paymentId), ['payment.created', 'payment.reservation.failed']);
    const query = new URLSearchParams({ checkoutKey: shop.merchant.checkoutKey, pid: paymentId });
    const page = await (await fetch(`${service.url}/hostedpaymentpage/?${query.toString()}`)).text();
    assert.match(page, /The payment was declined in Swish/);
    const again = await consumer.pay(aPay(undefined, { type: 'swish', paymentType: {} }));
    assert.equal(again.status, 202);
    assert.equal((await consumer.pay()).status, 201);
    await decide(again.body.redirectUrl as string, 'approve');
    assert.equal(await reservedOf(paymentId), 100_000);
    assert.equal((await shop.client.payment(paymentId)).paymentDetails.paymentMethod, 'Visa');
  });

  // decision: swish-vipps-and-mobilepay
  test('an app is offered where it was asked for, in its currency, and to test merchants', async () => {
    const { order, ...rest } = aCreate();
    const create = (names: readonly string[], currency: string, { client } = shop) =>
      client.post('/v1/payments', {
        ...rest,
        order: { ...order, currency },
        paymentMethodsConfiguration: names.map((name) => ({ name })),
      });
    const offered = async (names: readonly string[], currency: string): Promise<string[]> => {
      const { body } = await create(names, currency);
      const { paymentTypes } = (await new Consumer(service, shop, body.paymentId as string).state()).body;
      return paymentTypes.flatMap(({ methods }: { methods: string[] }) => methods);
    };
    assert.deepEqual(await offered([], 'SEK'), ['Visa', 'MasterCard', 'EasyInvoice']);
    assert.deepEqual(await offered(['swish', 'Vipps', 'mobile-pay'], 'SEK'), ['Swish']);
    assert.deepEqual(await offered(['Wallet', 'Visa'], 'NOK'), ['Visa', 'Vipps']);
    assert.deepEqual(await offered(['A2A', 'Wallet'], 'EUR'), ['MobilePay']);
    const none = (await create(['Swish'], 'NOK')).body.errors['paymentMethodsConfiguration[0].name'];
    assert.match(none[0], /^leaves no method to pay with; in NOK there are Visa, MasterCard, EasyInvoice, Vipps, /);
    const live = await service.openShop({ live: true });
    assert.equal((await create(['Swish'], 'SEK', live)).status, 400);

    const { consumer } = await inApp('Swish', 'SEK');
    const vipps = await consumer.pay(aPay(undefined, { type: 'vipps', paymentType: {} }));
    assert.deepEqual(vipps.body.errors, { type: ['this payment offers only Visa, MasterCard, Swish'] });
    const { paymentId } = (await create(['Swish'], 'SEK')).body;
    await shop.client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
    assert.equal((await shop.client.payment(paymentId as string)).paymentDetails.paymentMethod, 'Swish');
    const fee = anItem({ reference: 'fee', grossTotalAmount: 100 });
    const paymentMethods = [{ name: 'Swish', fee }];
    const paymentMethodsConfiguration = [{ name: 'Swish' }];
    const costly = await shop.client.post('/v1/payments', {
      ...aCreate(),
      paymentMethods,
      paymentMethodsConfiguration,
    });
    assert.deepEqual(costly.body.errors, { 'paymentMethods[0].name': ['only easy-invoice can have a fee'] });
  });

  // decision: effect-of-3-d-secure
  test('a try of another kind in between ends it: nobody approves what somebody else has typed since', async () => {
    const { paymentId, consumer, redirectUrl } = await challenge();
    const shippingAddress = { addressLine1: 'Elsewhere 66', postalCode: '11122', city: 'Stockholm', country: 'SWE' };
    assert.equal((await consumer.pay(aPay(CARDS.declined, { consumer: aConsumer({ shippingAddress }) }))).status, 402);
    assert.equal((await consumer.answerChallenge(redirectUrl)).status, 402);
    assert.equal(await reservedOf(paymentId), 0);
  });

  // decision: failed-payments-in-a-row
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
