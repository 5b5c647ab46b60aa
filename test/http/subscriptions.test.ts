// Goal: a subscription is made by a finished checkout, read, charged again and refused as the contract says, in both
// dialects and for both kinds. Method: real requests; every effect is read back over the API, events from the rows.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DIALECTS, expectErrors, expectFailure, expectNoBody, summaryIn } from '../support/answers.ts';
import { anOrder } from '../support/client.ts';
import type { Client, Reply } from '../support/client.ts';
import { aPay, Consumer } from '../support/checkout.ts';
import { readEventNames } from '../support/events.ts';
import { isReplayed, keyed } from '../support/keyed-operations.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';
import { createWith, reserveWith, subscribe, SUBSCRIPTION_PATHS, zeroOrder } from '../support/subscriptions.ts';

const NOBODY = '0190a1b2c3d47abc8def0123456789ab';
const CARDS = {
  approved: '4925000000000004',
  declinedLater: '4000000000000341',
  expiredLater: '4000000000004954',
  needsConsumer: '4000000000003220',
  chargeDeclined: '4925000000000079',
};
const DAY_MS = 86_400_000;

let service: SharedService;
before(() => {
  service = shareService();
});
after(() => service.close());

for (const dialect of DIALECTS)
  for (const kind of ['scheduled', 'unscheduled'] as const)
    describe(`${kind} subscriptions in the dialect ${dialect}`, () => {
      const { path, idName, asked, update, idIn } = SUBSCRIPTION_PATHS[kind];
      let shop: Shop;
      let client: Client;
      before(async () => {
        shop = await service.openShop({ dialect });
        ({ client } = shop);
      });
      const charge = (
        id: string,
        amount = 5_000,
        headers?: Record<string, string>,
        more: object = {},
      ): Promise<Reply> => client.post(`${path}/${id}/charges`, { order: anOrder(amount), ...more }, headers);

      // decision: subscription-on-a-payment
      test('GET payment shows it only once the checkout is finished', async () => {
        const paymentId = await createWith(client, asked());
        assert.equal(idIn(await client.payment(paymentId)), undefined);
        await client.post(`/v1/sandbox/payments/${paymentId}/reserve`, { card: '4925000000000087' });
        assert.equal(idIn(await client.payment(paymentId)), undefined, 'a decline finishes nothing');
        await reserveWith(client, paymentId);
        assert.match(idIn(await client.payment(paymentId)), /^[0-9a-f]{32}$/);
      });

      // decision: currency-and-methods-of-a-subscription
      test('a consumer who pays in the checkout begins one, and what they agreed to is kept', async () => {
        const paymentId = await createWith(client, asked({ interval: 30 }), 100_000);
        const reply = await new Consumer(service, shop, paymentId).pay(aPay(undefined, { language: 'sv' }));
        assert.equal(reply.status, 201, reply.text);
        const id = idIn(await client.payment(paymentId));
        const [row] = await service.pool.query<{ consent: Record<string, unknown>; source: string }>(
          'select consent, source from subscriptions where id = $1',
          [id],
        );
        assert.equal(row?.consent['amount'], 100_000);
        assert.equal(row?.consent['language'], 'sv');
        if (kind === 'scheduled') assert.equal(row?.consent['intervalDays'], 30);
        assert.equal(row?.source, 'sim_approved', 'the token, never a card number');
      });

      // decision: currency-and-methods-of-a-subscription
      test('an invoice cannot be charged again', async () => {
        const paymentId = await createWith(client, asked());
        const reply = await client.post(`/v1/sandbox/payments/${paymentId}/reserve`, { paymentType: 'INVOICE' });
        assert.equal(reply.status, 400, reply.text);
        const body = { order: anOrder(), checkout: { url: 'https://shop.example/checkout' }, ...asked() };
        const none = await client.post('/v1/payments', {
          ...body,
          paymentMethodsConfiguration: [{ name: 'Invoice' }],
        });
        expectErrors(none, {
          paymentMethodsConfiguration: ['leaves no card, and only a card can be charged again'],
        });
      });

      // decision: ids
      test('GET: exactly the card, and for a scheduled one interval and end', async () => {
        const endDate = '2031-06-01T12:30';
        const id = await subscribe(client, kind, CARDS.approved, { interval: 28, endDate });
        const { body } = await client.get(`${path}/${id}`);
        const paymentDetails = {
          paymentType: 'CARD',
          paymentMethod: 'Visa',
          cardDetails: { expiryDate: '1230', maskedPan: '492500******0004' },
        };
        const terms = kind === 'scheduled' ? { interval: 28, endDate: '2031-06-01T12:30:00.000Z' } : {};
        const { state: _state, consent: _consent, consumerPageUrl: _page, ...contract } = body;
        assert.deepEqual(dialect === 'spec' ? contract : body, { [idName]: id, ...terms, paymentDetails });
        const dashed = id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
        assert.deepEqual((await client.get(`${path}/${dashed}`)).body, body);
      });

      test('404: nobody’s, another merchant’s, of the other kind, by an external reference', async () => {
        const id = await subscribe(client, kind);
        const other = await service.openShop({ dialect, beside: shop });
        const otherPath = SUBSCRIPTION_PATHS[kind === 'scheduled' ? 'unscheduled' : 'scheduled'].path;
        for (const unknown of [`${path}/${NOBODY}`, `${path}/nonsense`, `${otherPath}/${id}`])
          expectNoBody(await client.get(unknown), 404);
        expectNoBody(await other.client.get(`${path}/${id}`), 404);
        expectNoBody(await other.client.post(`${path}/${id}/charges`, { order: anOrder(5_000) }), 404);
        expectNoBody(await charge(NOBODY), 404);
        expectNoBody(await client.get(`${path}?externalReference=old-1`), 404);
        expectNoBody(await client.get(`${path}?externalreference=old-1`), 404);
        expectErrors(await client.get(path), { externalReference: ['is required'] });
      });

      // decision: events-of-a-subscriptions-charge
      test('200: a charge is a new payment, reserved and charged, with the consumer of the first', async () => {
        const id = await subscribe(client, kind);
        const reply = await charge(id, 7_000, {}, { myReference: 'month-2' });
        assert.equal(reply.status, 200, reply.text);
        assert.deepEqual(Object.keys(reply.body).toSorted(), ['chargeId', 'paymentId']);
        const payment = await client.payment(reply.body.paymentId);
        assert.deepEqual(payment.summary, summaryIn(dialect, { reserved: 7_000, charged: 7_000 }));
        assert.equal(payment.charges[0].chargeId, reply.body.chargeId);
        assert.equal(idIn(payment), id);
        assert.equal(payment.myReference, 'month-2');
        assert.equal(payment.consumer.privatePerson.firstName, 'Kari');
        assert.equal(payment.checkout.url, 'https://shop.example/checkout');
        assert.equal(payment.paymentDetails.cardDetails.maskedPan, '492500******0004');
        assert.deepEqual(await readEventNames(service.pool, reply.body.paymentId), [
          'payment.created',
          'payment.reservation.created',
          'payment.charge.created',
        ]);
        await client.must(201, 'POST', `/v1/charges/${reply.body.chargeId}/refunds`, { amount: 1_000 });
      });

      // decision: currency-and-methods-of-a-subscription
      test('any currency, and an amount of its own', async () => {
        const id = await subscribe(client, kind);
        const order = { ...anOrder(900), currency: 'EUR' };
        const { paymentId } = await client.must(200, 'POST', `${path}/${id}/charges`, { order });
        assert.equal((await client.payment(paymentId)).orderDetails.currency, 'EUR');
      });

      test('400: an amount of 0, or one that is not the sum of the items', async () => {
        const id = await subscribe(client, kind);
        assert.equal((await charge(id, 0)).status, 400);
        const reply = await client.post(`${path}/${id}/charges`, { order: { ...anOrder(900), amount: 901 } });
        assert.equal(reply.status, 400, reply.text);
      });

      // decision: declined-charges-of-a-subscription, declines-of-subscriptions-on-demand
      test('a soft decline: 402, 1020 with the payment’s id in the text; the next charge may succeed', async () => {
        const id = await subscribe(client, kind);
        const reply = await charge(id, 133);
        const paymentId = /payment id: ([0-9a-f]{32})\. ErrorMessage: Refused by issuer$/.exec(reply.body.message)?.[1];
        const message = `Direct charge failed for payment id: ${paymentId}. ErrorMessage: Refused by issuer`;
        expectFailure(reply, { status: 402, code: '1020', message, source: 'Issuer' });
        const payment = await client.payment(paymentId as string);
        assert.deepEqual(payment.summary, summaryIn(dialect, {}));
        assert.equal(idIn(payment), id);
        assert.deepEqual(await readEventNames(service.pool, paymentId as string), [
          'payment.created',
          'payment.reservation.failed',
        ]);
        const events = await client.get(`/v1/events?paymentId=${paymentId}`);
        const failed = (events.body.events as Reply['body'][]).find(
          ({ event }) => event === 'payment.reservation.failed',
        );
        if (failed) {
          assert.equal(failed.data.error.code, '33');
          assert.equal(failed.data.error.source, 'Issuer');
          assert.equal(failed.data.subscriptionId, undefined);
        }
        assert.equal((await charge(id)).status, 200);
      });

      // decision: refused-charges-of-a-subscription, declined-charges-of-a-subscription
      test('a hard decline: 402, 1029, and so is all that follows until the card is replaced', async () => {
        const id = await subscribe(client, kind, CARDS.expiredLater);
        const first = await charge(id);
        expectFailure(first, { status: 402, code: '1029', message: /^Direct charge failed/, source: 'Issuer' });
        const second = await charge(id);
        const message = 'The issuer refuses this card for good; the subscription needs a new card.';
        expectFailure(second, { status: 402, code: '1029', message });
        const paymentId = await createWith(client, update(id), 0);
        await reserveWith(client, paymentId);
        assert.equal(idIn(await client.payment(paymentId)), id);
        assert.equal((await charge(id)).status, 200);
      });

      // decision: declines-of-subscriptions-on-demand
      test('test cards: first ok then declined; needs the consumer again; …0079 fails only what does not recur', async () => {
        for (const [card, code] of [
          [CARDS.declinedLater, '1020'],
          [CARDS.needsConsumer, '1020'],
        ] as const) {
          const reply = await charge(await subscribe(client, kind, card));
          expectFailure(reply, { status: 402, code, message: /^Direct charge failed/, source: 'Issuer' });
        }
        const id = await subscribe(client, kind, CARDS.chargeDeclined);
        assert.equal((await charge(id)).status, 200);
      });

      // decision: idempotency-of-a-subscriptions-charge
      test('the same key gives the first answer again, charges once, and can be asked about', async () => {
        const id = await subscribe(client, kind);
        const key = keyed('renewal-1');
        const first = await charge(id, 5_000, key);
        const again = await charge(id, 5_000, key);
        assert.deepEqual(again.body, first.body);
        assert.ok(isReplayed(again));
        const other = await charge(id, 6_000, key);
        assert.equal(other.status, 422);
        assert.equal(other.body.code, '1026');
        const status = (headers?: Record<string, string>) => client.get(`${path}/${id}/charges/status`, headers);
        assert.deepEqual((await status(key)).body, { ...first.body, completed: true });
        expectNoBody(await status(keyed('unknown')), 404);
        expectErrors(await status(), { 'Idempotency-Key': ['is required'] });
        const declined = keyed('renewal-2');
        const refused = await charge(id, 133, declined);
        assert.deepEqual((await charge(id, 133, declined)).body, refused.body);
        expectNoBody(await status(declined), 404);
      });

      test('ten at once with one key are one charge, and ten without are ten', async () => {
        const id = await subscribe(client, kind);
        const same = await Promise.all(Array.from({ length: 10 }, () => charge(id, 5_000, keyed('once'))));
        const ids = new Set(same.filter(({ status }) => status === 200).map(({ body }) => body.paymentId));
        assert.equal(ids.size, 1);
        const all = await Promise.all(Array.from({ length: 10 }, () => charge(id, 5_000)));
        assert.equal(new Set(all.map(({ body }) => body.paymentId)).size, 10);
      });

      // decision: an-order-of-zero
      test('amount 0: a reservation of 0; a charge is 402 (1001), a cancel 405 (1003)', async () => {
        const paymentId = await createWith(client, asked(), 0, { charge: true });
        await reserveWith(client, paymentId);
        const payment = await client.payment(paymentId);
        assert.ok(idIn(payment));
        assert.deepEqual(payment.summary, summaryIn(dialect, {}));
        const charged = await client.post(`/v1/payments/${paymentId}/charges`, { amount: 1 });
        expectFailure(charged, { status: 402, code: '1001', message: /more than the 0 left/ });
        const cancelled = await client.post(`/v1/payments/${paymentId}/cancels`, { amount: 1 });
        expectFailure(cancelled, { status: 405, code: '1003', message: /there is no money to cancel/ });
      });

      // decision: defaults-of-a-subscription
      test('an object that says nothing: {} is a new scheduled one; of the other kind it is 400, and create false is none', async () => {
        const create = { order: anOrder(), checkout: { url: 'https://shop.example/checkout' } };
        if (kind === 'scheduled') {
          const paymentId = await createWith(client, { subscription: {} });
          await reserveWith(client, paymentId);
          assert.match(idIn(await client.payment(paymentId)), /^[0-9a-f]{32}$/);
          return;
        }
        const text = 'must have create: true for a new one, or the unscheduledSubscriptionId of one that there is';
        for (const empty of [{}, { create: null, unscheduledSubscriptionId: null }, { unscheduledSubscriptionId: '' }])
          for (const more of [{}, { subscription: {} }])
            expectErrors(await client.post('/v1/payments', { ...create, unscheduledSubscription: empty, ...more }), {
              unscheduledSubscription: [text],
            });
        const paymentId = await createWith(client, { unscheduledSubscription: { create: false } });
        await reserveWith(client, paymentId);
        assert.equal(idIn(await client.payment(paymentId)), undefined);
      });

      // decision: replacing-the-card-of-a-subscription
      test('400: an update of an unknown id', async () => {
        const body = { order: anOrder(), checkout: { url: 'https://shop.example/checkout' }, ...update(NOBODY) };
        const reply = await client.post('/v1/payments', body);
        const field = kind === 'scheduled' ? 'subscription' : 'unscheduledSubscription';
        expectErrors(reply, { [`${field}.${idName}`]: ['must be the id of a subscription of yours'] });
      });
    });

describe('scheduled subscriptions', () => {
  let client: Client;
  before(async () => {
    ({ client } = await service.openShop());
  });
  const body = (more: object, order: object = anOrder()) => ({
    order,
    checkout: { url: 'https://shop.example/checkout' },
    ...more,
  });

  // decision: replacing-the-card-of-a-subscription, an-order-of-zero
  test('400: both kinds at once, an end in the past, 0 without a subscription', async () => {
    const both = await client.post(
      '/v1/payments',
      body({ subscription: {}, unscheduledSubscription: { create: true } }),
    );
    expectErrors(both, { unscheduledSubscription: ['must be left out when subscription is given'] });
    const past = await client.post('/v1/payments', body({ subscription: { endDate: '2020-01-01T00:00:00+02:00' } }));
    expectErrors(past, { 'subscription.endDate': ['Subscription end date must be in the future'] });
    for (const none of [{}, { subscription: null, unscheduledSubscription: null }]) {
      const free = await client.post('/v1/payments', body(none, zeroOrder()));
      expectErrors(free, { 'order.amount': ['must be a whole number from 1 to 1000000000000, found 0'] });
    }
    const paymentId = (await client.must(201, 'POST', '/v1/payments', body({ subscription: null }))).paymentId;
    await reserveWith(client, paymentId);
    assert.equal((await client.payment(paymentId)).subscription, undefined);
  });

  // decision: defaults-of-a-subscription
  test('without interval and end: 0, and five years from creation', async () => {
    const paymentId = await createWith(client, { subscription: {} });
    await reserveWith(client, paymentId);
    const { id } = (await client.payment(paymentId)).subscription;
    const { interval, endDate } = (await client.get(`/v1/subscriptions/${id}`)).body;
    assert.equal(interval, 0);
    const years = (Date.parse(endDate) - Date.now()) / DAY_MS / 365.25;
    assert.ok(Math.abs(years - 5) < 0.01, endDate);
  });

  // decision: defaults-of-a-subscription, refused-charges-of-a-subscription
  test('402: too early is 1031 with the first day, by UTC date from creation or the latest charge; expired is 1030', async () => {
    const id = await subscribe(client, 'scheduled', CARDS.approved, { interval: 30 });
    const charge = () => client.post(`/v1/subscriptions/${id}/charges`, { order: anOrder(5_000) });
    const day = (from: number, days: number) => new Date(from + days * DAY_MS).toISOString().slice(0, 10);
    const first = await charge();
    expectFailure(first, {
      status: 402,
      code: '1031',
      message: `The subscription can be charged again from ${day(Date.now(), 30)} on.`,
    });
    await service.pool.query(`update subscriptions set began_on = began_on - 30 where id = $1`, [id]);
    assert.equal((await charge()).status, 200, 'on the day itself');
    expectFailure(await charge(), { status: 402, code: '1031', message: new RegExp(day(Date.now(), 30)) });
    await service.pool.query(`update subscriptions set ends_at = now() - interval '1 second' where id = $1`, [id]);
    expectFailure(await charge(), { status: 402, code: '1030', message: /^The subscription expired at / });
  });

  // decision: refused-charges-of-a-subscription
  test('a declined charge does not count for the interval', async () => {
    const id = await subscribe(client, 'scheduled', CARDS.approved, { interval: 30 });
    await service.pool.query(`update subscriptions set began_on = began_on - 30 where id = $1`, [id]);
    assert.equal((await client.post(`/v1/subscriptions/${id}/charges`, { order: anOrder(133) })).status, 402);
    assert.equal((await client.post(`/v1/subscriptions/${id}/charges`, { order: anOrder(5_000) })).status, 200);
  });

  // decision: replacing-the-card-of-a-subscription
  test('an update’s end and interval count once its card is approved', async () => {
    const id = await subscribe(client, 'scheduled', CARDS.approved, { interval: 7 });
    const asked = { subscription: { subscriptionId: id, interval: 14, endDate: '2040-01-01' } };
    const paymentId = await createWith(client, asked);
    const interval = async () => (await client.get(`/v1/subscriptions/${id}`)).body.interval;
    assert.equal(await interval(), 7);
    await reserveWith(client, paymentId, '5413000000000000');
    assert.equal(await interval(), 14);
    const { paymentDetails } = (await client.get(`/v1/subscriptions/${id}`)).body;
    assert.equal(paymentDetails.paymentMethod, 'MasterCard');
  });
});
