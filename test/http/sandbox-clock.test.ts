// Goal: a test merchant's clock is moved forward by the API, and everything of its payments goes by it from then on; it
// never goes back nor further than two years, and neither a live merchant nor any other notices. Method: real requests,
// a real endpoint for events; what would wait for hours is made to wait in the rows.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { partOf, timeOf } from '../../src/domain/id.ts';
import { createKey } from '../../src/store/merchants/keys.ts';
import { expectErrors, expectFailure } from '../support/answers.ts';
import { aPay, CARDS, Consumer } from '../support/checkout.ts';
import { anOrder } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { isReplayed, keyed } from '../support/keyed-operations.ts';
import { openReceiver } from '../support/receiver.ts';
import { until } from '../support/kassa.ts';
import { putOffDeliveries } from '../support/waiting.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import { subscribe } from '../support/subscriptions.ts';

const CLOCK = '/v1/sandbox/clock';
const DAY_S = 86_400;
const DAY_MS = DAY_S * 1_000;
// Requests take their time, and the clocks of a process and of the database are not one.
const NEAR_MS = 30_000;

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const advance = (client: Client, days: number): Promise<{ time: string; aheadSeconds: number; latest: string }> =>
  client.must(200, 'POST', CLOCK, { advanceSeconds: days * DAY_S });

const assertNear = (time: string | number, expected: number): void =>
  assert.ok(
    Math.abs(new Date(time).getTime() - expected) < NEAR_MS,
    `${time} is not ${new Date(expected).toISOString()}`,
  );

describe('the contract of the clock', () => {
  // decision: the-test-clock
  test('it shows the real time until it is moved, and moves add up', async () => {
    const { client } = await service.openShop();
    const first = await client.must(200, 'GET', CLOCK);
    assert.equal(first.aheadSeconds, 0);
    assertNear(first.time, Date.now());
    await advance(client, 3);
    const moved = await advance(client, 5);
    assert.equal(moved.aheadSeconds, 8 * DAY_S);
    assertNear(moved.time, Date.now() + 8 * DAY_MS);
    assertNear(moved.latest, Date.now() + 730 * DAY_MS);
    assert.equal((await client.must(200, 'GET', CLOCK)).aheadSeconds, 8 * DAY_S);
  });

  // decision: the-test-clock
  test('to a moment; a moment that is over by it is refused, whatever the real time is', async () => {
    const { client } = await service.openShop();
    const to = new Date(Date.now() + 40 * DAY_MS).toISOString();
    assertNear((await client.must(200, 'POST', CLOCK, { to })).time, Date.parse(to));
    const back = new Date(Date.now() + 39 * DAY_MS).toISOString();
    const refused = await client.post(CLOCK, { to: back });
    assert.equal(refused.status, 400);
    assert.match(refused.body.errors.to[0], /^must be after .*Z, which it is by this clock already$/);
    assertNear((await client.must(200, 'GET', CLOCK)).time, Date.parse(to));
  });

  // decision: the-test-clock
  test('two years at most, in one move or in several', async () => {
    const { client } = await service.openShop();
    await advance(client, 729);
    const refused = await client.post(CLOCK, { advanceSeconds: 2 * DAY_S });
    assert.equal(refused.status, 400);
    assert.match(refused.body.errors.advanceSeconds[0], /^must leave the clock at .* at most, two years ahead$/);
    await advance(client, 1);
    assert.equal((await client.post(CLOCK, { advanceSeconds: 1 })).status, 400);
  });

  test('bad bodies are told by the name of the field', async () => {
    const { client } = await service.openShop();
    const cases: readonly [object, Record<string, string[]>][] = [
      [{}, { advanceSeconds: ['is required, or to'] }],
      [{ advanceSeconds: 1, to: '2099-01-01' }, { to: ['must be left out where advanceSeconds is given'] }],
    ];
    for (const [body, errors] of cases) expectErrors(await client.post(CLOCK, body), errors);
    for (const advanceSeconds of [0, -1, 1.5, 'P3D', 63_072_001]) {
      const { status, body } = await client.post(CLOCK, { advanceSeconds });
      assert.deepEqual([status, Object.keys(body.errors)], [400, ['advanceSeconds']], String(advanceSeconds));
    }
    const { status, body } = await client.post(CLOCK, { to: 'tomorrow' });
    assert.deepEqual([status, Object.keys(body.errors)], [400, ['to']]);
    assert.equal((await client.must(200, 'GET', CLOCK)).aheadSeconds, 0);
  });

  test('a key moves it once, and is answered so again; with another body it is 422', async () => {
    const { client, merchant } = await service.openShop();
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => client.post(CLOCK, { advanceSeconds: DAY_S }, keyed('move'))),
    );
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    assert.deepEqual(new Set(replies.map(({ text }) => text)).size, 1);
    assert.equal(replies.filter(isReplayed).length, 4);
    assert.equal((await client.must(200, 'GET', CLOCK)).aheadSeconds, DAY_S);
    assert.equal((await client.post(CLOCK, { advanceSeconds: 2 * DAY_S }, keyed('move'))).status, 422);
    const acts = await service.pool.query(
      `select actor_kind, action, before, after from audit_records where merchant_id = $1`,
      [merchant.id],
    );
    assert.deepEqual(
      acts.map(({ actor_kind: kind, action }) => [kind, action]),
      [['key', 'clock.move']],
    );
  });

  // decision: the-test-clock
  test('a live merchant has none: 404 that says so, whatever the body', async () => {
    const { client, merchant } = await service.openShop({ live: true });
    const message = 'A live merchant has no test clock: its time is the real one. Use the key of a test merchant.';
    expectFailure(await client.get(CLOCK), { status: 404, code: '1000', message });
    for (const body of [{ advanceSeconds: DAY_S }, {}, { to: 1 }])
      expectFailure(await client.post(CLOCK, body), { status: 404, code: '1000', message });
    await assert.rejects(
      service.pool.query('update merchants set clock_ahead_ms = 1 where id = $1', [merchant.id]),
      /merchants_clock_of_test/,
    );
  });

  test('to read it a key needs the scope read, to move it money', async () => {
    const { merchant } = await service.openShop();
    const { secret } = await createKey(service.pool, merchant, undefined, { scopes: ['read'] });
    const reader = service.client(secret);
    assert.equal((await reader.get(CLOCK)).status, 200);
    assert.equal((await reader.post(CLOCK, { advanceSeconds: 1 })).status, 403);
  });
});

describe('what goes by the clock', () => {
  // decision: the-test-clock
  test('a reservation expires, and so does a payment that nobody pays; another merchant notices nothing', async () => {
    const { client } = await service.openShop();
    const { client: other } = await service.openShop();
    const [reserved, open] = [await client.createReserved(1_000), await client.create(1_000)];
    const ofOther = await other.createReserved(1_000);
    await advance(client, 8);
    const charge = await client.post(`/v1/payments/${reserved}/charges`, { amount: 1_000 });
    assert.deepEqual([charge.status, charge.body.code], [402, '1010']);
    const { payments } = await client.must(200, 'GET', '/v1/payments?state=expired&limit=10');
    assert.deepEqual(
      payments.map(({ paymentId }: { paymentId: string }) => paymentId),
      [open],
    );
    await other.charge(ofOther, 1_000);
    assertNear((await other.payment(await other.create(100))).created, Date.now());
  });

  // decision: the-test-clock
  test('what is made from then on has its time, in answers, ids, invoices and events', async () => {
    const receiver = await openReceiver();
    try {
      const { client } = await service.openShop();
      await client.must(201, 'POST', '/v1/webhooks', { url: receiver.url, events: ['payment.charge.created'] });
      await advance(client, 30);
      const then = Date.now() + 30 * DAY_MS;
      const paymentId = await client.create(100_000);
      await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, { paymentType: 'INVOICE' });
      const chargeId = await client.charge(paymentId, 100_000);
      assertNear(timeOf(paymentId), then);
      const payment = await client.payment(paymentId);
      assertNear(payment.created, then);
      assertNear(payment.charges[0].created, then);
      const dueOn = new Date(timeOf(chargeId) + 14 * DAY_MS).toISOString().slice(0, 10);
      assert.equal(payment.paymentDetails.invoiceDetails.dueDate.slice(0, 10), dueOn);
      const [told] = await receiver.until(1);
      assertNear(told?.body.timestamp, then);
      // Whoever checks a signature does so by the real time.
      assertNear(Number(told?.headers['webhook-timestamp']) * 1_000, Date.now());
    } finally {
      await receiver.close();
    }
  });

  test('a checkout page expires, and the question of a bank', async () => {
    const shop = await service.openShop();
    const [left, asked] = [await shop.client.create(), await shop.client.create()];
    const [leaving, challenged] = [new Consumer(service, shop, left), new Consumer(service, shop, asked)];
    const { body } = await challenged.pay(aPay(CARDS.challenge));
    await shop.client.must(200, 'POST', CLOCK, { advanceSeconds: 16 * 60 });
    assert.equal((await leaving.state()).body.state, 'open');
    const late = await challenged.answerChallenge(body.redirectUrl);
    assert.ok(late.status >= 400, `${late.status} ${late.text}`);
    assert.equal((await shop.client.payment(asked)).summary.reservedAmount ?? 0, 0);
    await advance(shop.client, 3);
    assert.equal((await leaving.state()).body.state, 'expired');
    const refused = await leaving.pay();
    assert.ok(refused.status >= 400, refused.text);
  });

  test('a subscription is charged again when its day has come, also by a bulk', async () => {
    const { client } = await service.openShop();
    const id = await subscribe(client, 'scheduled', undefined, { interval: 30 });
    const path = `/v1/subscriptions/${id}/charges`;
    const order = anOrder(5_000);
    const early = await client.post(path, { order });
    assert.equal(early.status, 402, early.text);
    await advance(client, 31);
    assert.equal((await client.post(path, { order })).status, 200);
    assert.equal((await client.post(path, { order })).status, 402, 'once in an interval');
    await advance(client, 31);
    const bulk = { externalBulkChargeId: 'by-clock', subscriptions: [{ subscriptionId: id, order }] };
    const { bulkId } = await client.must(202, 'POST', '/v1/subscriptions/charges', bulk);
    await until('the bulk to be done', async () => {
      const { page } = await client.must(200, 'GET', `/v1/subscriptions/charges/${bulkId}`);
      return page[0].status === 'Succeeded';
    });
    await client.must(204, 'PUT', `/v1/subscriptions/${id}/terminate`);
    assertNear((await client.must(200, 'GET', `/v1/subscriptions/${id}`)).endedAt, Date.now() + 62 * DAY_MS);
  });

  test('a subscription ends with its time', async () => {
    const { client } = await service.openShop();
    const endDate = new Date(Date.now() + 90 * DAY_MS).toISOString();
    const id = await subscribe(client, 'scheduled', undefined, { interval: 0, endDate });
    await advance(client, 91);
    assert.equal((await client.must(200, 'GET', `/v1/subscriptions/${id}`)).state, 'expired');
    assert.equal((await client.post(`/v1/subscriptions/${id}/charges`, { order: anOrder(100) })).status, 402);
  });
});

describe('what waits for a time', () => {
  // decision: the-test-clock
  test('a delivery that waits for its next try goes out at once, those of others stay', async () => {
    const [receiver, bystander] = [await openReceiver(), await openReceiver()];
    try {
      const shops = [await service.openShop(), await service.openShop()] as const;
      for (const [shop, endpoint] of [
        [shops[0], receiver],
        [shops[1], bystander],
      ] as const) {
        endpoint.react(500, 200);
        await shop.client.must(201, 'POST', '/v1/webhooks', { url: endpoint.url, events: ['payment.created'] });
        await shop.client.createReserved(100);
      }
      await Promise.all([receiver.until(1), bystander.until(1)]);
      const ids = shops.map(({ merchant }) => merchant.id);
      await until('both to wait', () => putOffDeliveries(service.pool, ids, 2));
      await shops[0].client.must(200, 'POST', CLOCK, { advanceSeconds: 1 });
      const [first, second] = await receiver.until(2);
      assert.equal(second?.body.id, first?.body.id);
      assert.equal(bystander.received.length, 1);
      const left = await service.pool.query('select 1 from clock_moves where merchant_id = $1', [ids[0]]);
      assert.equal(left.length, 0, 'it is followed up');
    } finally {
      await Promise.all([receiver.close(), bystander.close()]);
    }
  });

  test('a movement whose outcome was asked for before is asked for at once, one that is under way is left alone', async () => {
    const shop = await service.openShop();
    const { client } = shop;
    const other = await service.openShop({ beside: shop });
    const [asked, first] = [await client.createReserved(100), await client.createReserved(100)];
    const foreign = await other.client.createReserved(100);
    const pend = (paymentId: string, tries: number): Promise<unknown> =>
      service.pool.query(
        `update movements set state = 'pending', tries = $3, next_try_at = now() + interval '1 hour'
         where part = $1 and payment_id = $2`,
        [partOf(paymentId), paymentId, tries],
      );
    await pend(asked, 4);
    await pend(first, 0);
    await pend(foreign, 4);
    await advance(client, 1);
    const isDue = async (paymentId: string): Promise<unknown> =>
      (
        await service.pool.query(
          'select next_try_at <= now() as due from movements where part = $1 and payment_id = $2',
          [partOf(paymentId), paymentId],
        )
      )[0]?.['due'];
    assert.deepEqual([await isDue(asked), await isDue(first), await isDue(foreign)], [true, false, false]);
    for (const paymentId of [asked, first, foreign])
      await service.pool.query(`update movements set state = 'approved', next_try_at = null where payment_id = $1`, [
        paymentId,
      ]);
  });
});
