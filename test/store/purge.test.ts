// Goal: what is over is forgotten when its time has come by the database's clock, nothing that is pending or holds money
// goes with it, and the books balance all the same. Method: whole lives through a real service, made older by SQL; the
// steps of the purge, alone, twice at once, and while others work on the same rows.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { partOf } from '../../src/domain/id.ts';
import { purgeEvents } from '../../src/store/purge/events.ts';
import { purgeExpiredPayments } from '../../src/store/purge/expired-payments.ts';
import { purgeLeftovers } from '../../src/store/purge/leftovers.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { aCreate } from '../support/client.ts';
import { until } from '../support/kassa.ts';
import { keyed } from '../support/keyed-operations.ts';
import { redate, withoutPayouts } from '../support/payouts.ts';
import { purgeNow } from '../support/purge.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

const DAY_MS = 86_400_000;
const OFF = { KASSA_RETAIN_EVENTS: 'off', KASSA_RETAIN_DELIVERIES: 'off', KASSA_RETAIN_EXPIRED: 'off' };
const DECLINED_CARD = '4000000000000002';

describe('purge', () => {
  let service: Service;
  let receiver: Receiver;
  before(async () => {
    service = await startService({ env: OFF });
    receiver = await openReceiver();
  });
  after(async () => {
    await service.stop();
    await receiver.close();
  });

  /** Makes everything of a merchant, or of one payment, older. */
  const age = async ({ merchant }: Shop, days: number, paymentId?: string): Promise<void> => {
    const ofOne = paymentId === undefined ? '' : `= '${paymentId}'`;
    for (const [table, column, id] of [
      ['events', 'recorded_at', 'subject_id'],
      ['payments', 'created_at', 'id'],
      ['idempotency_records', 'created_at', 'subject_id'],
    ] as const)
      await service.pool.query(
        `update ${table} set ${column} = ${column} - make_interval(days => $1)
         where merchant_id = $2 ${ofOne && `and ${id} ${ofOne}`}`,
        [days, merchant.id],
      );
    await redate(
      service.pool,
      `update movements set created_at = movements.created_at - make_interval(days => $1)
       from payments where payments.part = movements.part and payments.id = movements.payment_id
         and payments.merchant_id = $2 ${ofOne && `and payments.id ${ofOne}`}`,
      [days, merchant.id],
    );
  };

  const purge = async (what: 'events' | 'deliveries', days: number) =>
    purgeNow(purgeEvents(service.pool, what, days * DAY_MS));

  const count = async ({ merchant }: Shop): Promise<Record<string, number>> => {
    const [row] = await service.pool.query<Record<string, number>>(
      `select
         (select count(*)::int from events where merchant_id = $1) as events,
         (select count(*)::int from lanes where merchant_id = $1) as lanes,
         (select count(*)::int from deliveries join lanes using (part, subject_id, subscriber)
          where merchant_id = $1) as deliveries`,
      [merchant.id],
    );
    return row ?? {};
  };

  const expectBooksBalance = async (): Promise<void> =>
    assert.deepEqual((await verifyBooks(service.pool)).differences, []);

  /** Of a webhook and of a payment's own hook. */
  const openShop = async (url = receiver.url): Promise<Shop> => {
    const shop = await service.openShop();
    // Payouts are gathered in the order of time, which is changed here.
    await withoutPayouts(service.pool, shop.merchant);
    await shop.client.must(201, 'POST', '/v1/webhooks', { url });
    return shop;
  };
  const live = async ({ client }: Shop): Promise<string> => {
    const hook = { eventName: 'payment.created', url: receiver.url, authorization: 'secret-of-hook' };
    const notifications = { webHooks: [hook] };
    const created = await client.must(201, 'POST', '/v1/payments', { ...aCreate(1_000), notifications });
    const paymentId: string = created.paymentId;
    await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
    await client.charge(paymentId, 1_000);
    return paymentId;
  };
  const allDelivered = ({ merchant }: Shop): Promise<true> =>
    until('every delivery to be made', async () => {
      const [row] = await service.pool.query<{ waiting: boolean }>(
        `select exists (select 1 from events where merchant_id = $1 and position is null)
           or exists (select 1 from lanes where merchant_id = $1 and next_try_at is not null) as waiting`,
        [merchant.id],
      );
      return row?.waiting === false;
    });

  // decision: retention
  test('deliveries and their lanes go first, events later; the payment and its money stay, and the books balance', async () => {
    const shop = await openShop();
    const other = await openShop();
    const paymentId = await live(shop);
    await live(other);
    await Promise.all([shop, other].map(allDelivered));
    assert.deepEqual(await count(shop), { events: 6, lanes: 2, deliveries: 7 });

    await age(shop, 31);
    assert.deepEqual(await purge('deliveries', 30), { events: 0, deliveries: 7, lanes: 2 });
    assert.deepEqual(await count(shop), { events: 6, lanes: 0, deliveries: 0 });
    await expectBooksBalance();
    assert.deepEqual(await purge('deliveries', 30), {}, 'nothing is looked at twice');

    await age(shop, 60);
    assert.deepEqual(await purge('events', 90), { events: 6, deliveries: 0, lanes: 0 });
    assert.deepEqual(await count(shop), { events: 0, lanes: 0, deliveries: 0 });
    assert.deepEqual(await count(other), { events: 6, lanes: 2, deliveries: 7 });
    assert.equal((await shop.client.payment(paymentId)).summary.chargedAmount, 1_000);
    await expectBooksBalance();

    // What comes after is told as ever, and missed when it is not there.
    const refunded = await shop.client.must(200, 'GET', `/v1/payments/${paymentId}`);
    await shop.client.refund(refunded.payment.charges[0].chargeId, 500);
    await allDelivered(shop);
    await expectBooksBalance();
    await service.pool.query(`delete from deliveries where part = $1 and subject_id = $2`, [
      partOf(paymentId),
      paymentId,
    ]);
    await service.pool.query(`delete from events where part = $1 and subject_id = $2`, [partOf(paymentId), paymentId]);
    const { differences } = await verifyBooks(service.pool);
    assert.match(
      differences[0]?.difference ?? '',
      /^refund .* is approved, but payment\.refund\.completed was told 0 times$/,
    );
    await redate(service.pool, `update movements set created_at = now() - interval '100 days' where part = $1`, [
      partOf(paymentId),
    ]);
  });

  // decision: reading-events-too-late
  test('a reader who is behind what is kept is told so and how to go on; who is not notices nothing', async () => {
    const shop = await openShop();
    const { client } = shop;
    await live(shop);
    await live(shop);
    await allDelivered(shop);
    const { events } = await client.must(200, 'GET', '/v1/events');
    const ids: string[] = events.map(({ id }: { id: string }) => id);
    assert.equal(ids.length, 12);
    const { webhooks } = await client.must(200, 'GET', '/v1/webhooks');
    const redeliver = (since: string, onlyFailed = false) =>
      client.post(`/v1/webhooks/${webhooks[0].webhookId}/redeliver`, { since, onlyFailed });
    await service.pool.query(
      `update events set recorded_at = now() - interval '40 days' where merchant_id = $1 and position <= 7`,
      [shop.merchant.id],
    );
    await redate(
      service.pool,
      `update movements set created_at = now() - interval '41 days'
       where part = $1 and payment_id in (select id from payments where merchant_id = $2)`,
      [shop.merchant.parts[0], shop.merchant.id],
    );
    await purge('deliveries', 30);
    const refused = await redeliver('2026-01-01', true);
    assert.equal(refused.status, 400);
    assert.match(refused.text, /which deliveries failed before \S+Z is no longer known/);
    await purge('events', 30);

    // The seventh is forgotten itself; nothing after it is.
    for (const [index, status] of [400, 400, 400, 400, 400, 400, 200, 200].entries()) {
      const reply = await client.get(`/v1/events?after=${ids[index]}`);
      assert.equal(reply.status, status, `${index}: ${reply.text}`);
      if (status === 200)
        assert.deepEqual(
          reply.body.events.map(({ id }: { id: string }) => id),
          ids.slice(index + 1),
        );
    }
    const behind = await client.get(`/v1/events?after=${ids[2]}`);
    const [, time = ''] = /events before (\S+Z) are no longer kept; .* go on with since=\1"/.exec(behind.text) ?? [];
    const kept = await client.must(200, 'GET', `/v1/events?since=${time}`);
    assert.deepEqual(kept.events, events.slice(7));
    assert.deepEqual((await client.must(200, 'GET', '/v1/events')).events, events.slice(7));
    const early = await client.get('/v1/events?since=2026-01-01');
    assert.deepEqual([early.status, /^.*since.*too long ago/.test(early.text)], [400, true]);
    const streamed = await client.get('/v1/events/stream', { 'last-event-id': ids[2] ?? '' });
    assert.deepEqual([streamed.status, streamed.text.includes('Last-Event-ID')], [400, true]);
    assert.equal((await redeliver('2026-01-01')).status, 400);
    assert.equal((await redeliver(time)).status, 202);
    assert.deepEqual(
      [(await client.get(`/v1/events/${ids[6]}`)).status, (await client.get(`/v1/events/${ids[7]}`)).status],
      [404, 200],
    );
    // What was never an event of theirs is still refused as that.
    const foreign = ids[6]?.replace(/^.{12}/, '0'.repeat(12)).replace(/.$/, '9') ?? '';
    const payment = events[8].data.paymentId;
    for (const id of [foreign, payment])
      assert.match((await client.get(`/v1/events?after=${id}`)).text, /of an event of yours/);
    await allDelivered(shop);
    await expectBooksBalance();
  });

  test('what is pending stays with its event, is looked at again, and goes when it is done', async (context) => {
    const broken = await openReceiver();
    context.after(() => broken.close());
    broken.react(503);
    const shop = await openShop(broken.url);
    await live(shop);
    await until('the first refusals', () => broken.received.length > 0);
    await until(
      'the own hook to be told',
      async () => (await count(shop))['deliveries'] === 7 && receiver.received.length > 0,
    );
    await age(shop, 100);
    // The six of the webhook are pending; the one of the hook is delivered.
    await until('the hook to be forgotten', async () => {
      await purge('events', 90);
      return (await count(shop))['deliveries'] === 6;
    });
    assert.deepEqual(await count(shop), { events: 6, lanes: 1, deliveries: 6 });
    await expectBooksBalance();

    broken.react(200);
    await service.pool.query('update lanes set next_try_at = now() where merchant_id = $1', [shop.merchant.id]);
    await service.pool.query(
      `update deliveries set next_try_at = now() where state = 'pending' and subject_id in
         (select subject_id from lanes where merchant_id = $1)`,
      [shop.merchant.id],
    );
    await allDelivered(shop);
    await purge('events', 90);
    assert.deepEqual(await count(shop), { events: 0, lanes: 0, deliveries: 0 });
    await expectBooksBalance();
  });

  // decision: retention
  test('of payments that are over, those that never held money go, with all that is theirs', async () => {
    const shop = await openShop();
    const { client } = shop;
    const reply = await client.post('/v1/payments', aCreate(1_000), keyed('k'));
    const created: string = reply.body.paymentId;
    await client.post(`/v1/payments/${created}/charges`, { amount: 1 }, keyed('k'));
    const terminated = await client.create(1_000);
    await client.must(204, 'PUT', `/v1/payments/${terminated}/terminate`);
    const declined = await client.create(1_000);
    const refusal = await client.post(`/v1/sandbox/payments/${declined}/reserve`, { card: DECLINED_CARD });
    assert.equal(refusal.status, 402, refusal.text);
    const pending = await client.create(1_000);
    await client.post(`/v1/sandbox/payments/${pending}/reserve`, { card: DECLINED_CARD });
    const [reserved, young] = [await client.createReserved(1_000), await client.create(1_000)];
    await allDelivered(shop);
    await service.pool.query(
      `update movements set state = 'pending', reason = null, next_try_at = now() + interval '1 day'
       where part = $1 and payment_id = $2`,
      [partOf(pending), pending],
    );
    for (const id of [created, terminated, declined, pending, reserved]) await age(shop, 31, id);
    const purgePayments = () => purgeNow(purgeExpiredPayments(service.pool, 30 * DAY_MS));
    const purged = await Promise.all([purgePayments(), purgePayments()]);
    assert.equal((purged[0]['payments'] ?? 0) + (purged[1]['payments'] ?? 0), 3);
    const statuses = [];
    for (const id of [created, terminated, declined, pending, reserved, young])
      statuses.push((await client.get(`/v1/payments/${id}`)).status);
    assert.deepEqual(statuses, [404, 404, 404, 200, 200, 200]);
    const left = await service.pool.query(
      `select 1 from events where subject_id = any ($1) union all select 1 from lanes where subject_id = any ($1)
       union all select 1 from deliveries where subject_id = any ($1)
       union all select 1 from movements where payment_id = any ($1)`,
      [[created, terminated, declined]],
    );
    assert.deepEqual(left, []);
    // Its key still gives its answer, and a request to what is gone is 404.
    assert.equal((await client.post('/v1/payments', aCreate(1_000), keyed('k'))).text, reply.text);
    assert.equal((await client.post(`/v1/payments/${created}/charges`, { amount: 1 }, keyed('new'))).status, 404);
    const differences = (await verifyBooks(service.pool)).differences.filter(({ paymentId }) => paymentId !== pending);
    assert.deepEqual(differences, []);

    // What something hung on is found by the next walk.
    await service.pool.query(
      `update movements set state = 'declined', reason = 'refused', next_try_at = null where part = $1 and payment_id = $2`,
      [partOf(pending), pending],
    );
    await service.pool.query(`update housekeeping set walk_began_at = now() - interval '31 days'`);
    await purgePayments();
    assert.deepEqual(await purgePayments(), { payments: 1 });
    assert.equal((await client.get(`/v1/payments/${pending}`)).status, 404);
    await expectBooksBalance();
  });

  test('redeliveries that have ended and endpoints that were judged long ago go as well', async () => {
    const shop = await openShop();
    const { webhooks } = await shop.client.must(200, 'GET', '/v1/webhooks');
    const path = `/v1/webhooks/${webhooks[0].webhookId}/redeliver`;
    await shop.client.must(202, 'POST', path, { since: '2026-01-01T00:00:00Z' });
    await until('it to end', async () => {
      const { redeliveries } = await shop.client.must(200, 'GET', path.replace(/redeliver$/, 'redeliveries'));
      return redeliveries[0].state === 'completed';
    });
    await live(shop);
    await allDelivered(shop);
    const tables = async (): Promise<unknown[]> =>
      service.pool.query(
        `select 'redelivery' from redeliveries where merchant_id = $1
         union all select 'endpoint' from endpoints where merchant_id = $1`,
        [shop.merchant.id],
      );
    await until('the endpoints to be judged', async () => (await tables()).length >= 2);
    await purgeNow(purgeLeftovers(service.pool, DAY_MS));
    assert.ok((await tables()).length >= 2);
    await service.pool.query(`update redeliveries set ended_at = now() - interval '2 days'`);
    await service.pool.query(`update endpoints set changed_at = now() - interval '2 days'`);
    const purged = await purgeNow(purgeLeftovers(service.pool, DAY_MS));
    assert.ok((purged['redeliveries'] ?? 0) >= 1 && (purged['endpoints'] ?? 0) >= 1, JSON.stringify(purged));
    assert.deepEqual(await tables(), []);
  });

  test('beside those who deliver, send again and charge: nobody fails, nothing is lost, nothing goes twice', async () => {
    const shop = await openShop();
    const paymentIds = await Promise.all(Array.from({ length: 20 }, () => live(shop)));
    await allDelivered(shop);
    const counted = await count(shop);
    await age(shop, 100);
    const webhooks = await shop.client.must(200, 'GET', '/v1/webhooks');
    const { events } = await shop.client.must(200, 'GET', '/v1/events?limit=100');
    const redeliver = async (): Promise<number[]> => {
      const statuses = [];
      for (const { id } of events.slice(0, 30))
        statuses.push(
          (await shop.client.post(`/v1/events/${id}/redeliver`, { webhookId: webhooks.webhooks[0].webhookId })).status,
        );
      return statuses;
    };
    const refund = async (paymentId: string): Promise<void> => {
      const { charges } = await shop.client.payment(paymentId);
      await shop.client.refund(charges[0].chargeId, 100);
    };
    const [first, second, statuses] = await Promise.all([
      purge('events', 90),
      purge('events', 90),
      redeliver(),
      ...paymentIds.map(refund),
    ]);
    assert.deepEqual(
      statuses.filter((status) => status >= 500),
      [],
    );
    await allDelivered(shop);
    const third = await purge('events', 90);
    const sum = (key: string) => [first, second, third].reduce((total, each) => total + (each[key] ?? 0), 0);
    assert.equal(sum('events'), counted['events']);
    assert.ok((counted['lanes'] ?? 0) > 0);
    // What was refunded meanwhile has its own three events, told twice.
    assert.equal((await count(shop))['events'], 20 * 3);
    await expectBooksBalance();
  });
});
