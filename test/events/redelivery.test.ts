// Goal: a redelivery of very much is work with a progress and an end: it goes on in small steps, whoever asked has left,
// loses nothing and does nothing twice when its process dies, and waits for nobody who records. Method: thousands of
// events made by hand, a service that does not deliver, and connections that are cut or held up at chosen rows.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { newId } from '../../src/payments/ids.ts';
import { claimLanes, recordLanes } from '../../src/store/events/lanes.ts';
import { createRedelivery, stepRedelivery } from '../../src/store/events/redeliveries.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { findWebhook } from '../../src/store/events/webhooks.ts';
import { until } from '../support/kassa.ts';
import { openReceiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

const MANY = 5_000;
/** What a redelivery puts in before it answers, and a few. */
const MORE_THAN_AT_ONCE = 2_100;
const SINCE = { since: '1970-01-01' };

/** Published events of as many payments that there never were: nobody looks into them here. */
async function makeEvents(pool: Pool, { merchant }: Shop, count: number): Promise<void> {
  const [part] = merchant.parts;
  const ids = Array.from({ length: count }, () => newId(Date.now(), part));
  await pool.query(
    `insert into events (part, subject_id, version, ordinal, merchant_id, name, happened_at, position)
     select $1, id, 1, 0, $2, 'payment.created', now(), n from unnest($3::uuid[]) with ordinality as given (id, n)`,
    [part, merchant.id, ids],
  );
  await pool.query(
    `insert into event_counters (part, merchant_id, last) values ($1, $2, $3)
     on conflict (part, merchant_id) do update set last = excluded.last`,
    [part, merchant.id, count],
  );
}

const countOf = async (pool: Pool, text: string, values: readonly unknown[]): Promise<number> =>
  (await pool.query<{ count: number }>(`select count(*)::int as count from ${text}`, values))[0]?.count ?? -1;

const waiting = (pool: Pool, atLeast: number): Promise<unknown> =>
  until(`${atLeast} that wait for a lock`, async () => {
    const count = await countOf(
      pool,
      `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      [],
    );
    return count >= atLeast;
  });

describe('redelivery', () => {
  let service: Service;
  let shop: Shop;
  let webhookId: string;
  let path: string;
  before(async () => {
    service = await startService({ env: { KASSA_DELIVERIES: 'off' } });
  });
  after(() => service.stop());
  beforeEach(async () => {
    shop = await service.openShop();
    ({ webhookId } = await shop.client.must(201, 'POST', '/v1/webhooks', { url: 'http://127.0.0.1:1/' }));
    path = `/v1/webhooks/${webhookId}`;
  });

  const deliveries = (where = 'true'): Promise<number> =>
    countOf(service.pool, `deliveries where subscriber = $1 and ${where}`, [webhookId]);
  /** As if all that is due had been taken. */
  const takeAll = async (): Promise<void> => {
    await service.pool.query('update lanes set next_try_at = null where subscriber = $1', [webhookId]);
    await service.pool.query(`update deliveries set state = 'delivered', next_try_at = null where subscriber = $1`, [
      webhookId,
    ]);
  };

  // decision: redelivering-since-a-time
  test('of very much: a progress, one at a time, in steps as it is taken, and an end', async () => {
    await makeEvents(service.pool, shop, MANY);
    const begun = await shop.client.must(202, 'POST', `${path}/redeliver`, SINCE);
    assert.partialDeepStrictEqual(begun, { state: 'running', deliveries: 2_000, events: 2_000, ofEvents: MANY });
    assert.equal(await deliveries(), 2_000);
    const own = `${path}/redeliveries/${begun.redeliveryId}`;
    assert.deepEqual(await shop.client.must(200, 'GET', own), begun);
    assert.equal((await shop.client.post(`${path}/redeliver`, SINCE)).status, 409);

    assert.equal((await stepRedelivery(service.pool, begun.redeliveryId))?.made, 0, 'enough is due');
    for (let taken = 2_000; taken < MANY; taken = await deliveries()) {
      await takeAll();
      while (((await stepRedelivery(service.pool, begun.redeliveryId))?.made ?? 0) > 0);
    }
    assert.partialDeepStrictEqual(await shop.client.must(200, 'GET', own), {
      state: 'completed',
      deliveries: MANY,
      events: MANY,
    });
    assert.equal(await deliveries('redelivery_count > 0'), 0, 'none was put in twice');
    const again = await shop.client.must(202, 'POST', `${path}/redeliver`, { ...SINCE, until: '1971-01-01' });
    assert.partialDeepStrictEqual(again, { state: 'completed', deliveries: 0 });
    const { redeliveries } = await shop.client.must(200, 'GET', `${path}/redeliveries`);
    assert.deepEqual(
      redeliveries.map(({ redeliveryId }: { redeliveryId: string }) => redeliveryId),
      [again.redeliveryId, begun.redeliveryId],
    );
  });

  // decision: redelivering-since-a-time
  test('can be ended, ends with its webhook, and is nobody else’s business', async () => {
    await makeEvents(service.pool, shop, MORE_THAN_AT_ONCE);
    const { redeliveryId } = await shop.client.must(202, 'POST', `${path}/redeliver`, SINCE);
    const own = `${path}/redeliveries/${redeliveryId}`;
    const other = await service.openShop();
    for (const method of ['GET', 'DELETE']) assert.equal((await other.client.send(method, own)).status, 404);
    assert.equal((await other.client.get(`${path}/redeliveries`)).status, 404);
    await shop.client.must(204, 'DELETE', own);
    await shop.client.must(204, 'DELETE', own);
    assert.equal((await shop.client.must(200, 'GET', own)).state, 'cancelled');
    assert.equal(await stepRedelivery(service.pool, redeliveryId), undefined);

    await takeAll();
    const second = await shop.client.must(202, 'POST', `${path}/redeliver`, SINCE);
    await takeAll();
    await shop.client.must(204, 'PUT', path, { state: 'disabled' });
    assert.equal((await stepRedelivery(service.pool, second.redeliveryId))?.redelivery.state, 'webhook_disabled');
  });

  test('a process that dies in the middle of a step leaves it whole to the next', async () => {
    await makeEvents(service.pool, shop, 900);
    const webhook = (await findWebhook(service.pool, webhookId, shop.merchant.id)) ?? assert.fail();
    const [part] = shop.merchant.parts;
    const id = newId(Date.now(), part);
    const created = await createRedelivery(service.pool, { id, webhook, sinceMs: 0 });
    assert.equal(created?.state, 'running');
    assert.equal((await stepRedelivery(service.pool, id))?.made, 500);
    await service.pool.withClient(async (client) => {
      // The last of the next step is held, so that it stops half-way.
      await client.query('begin');
      await client.query(
        `insert into lanes (part, subject_id, subscriber, merchant_id, endpoint, entry_count, next_try_at)
         select part, subject_id, $2, merchant_id, $2, 1, now() from events
         where merchant_id = $1 and position > 500 order by part, subject_id desc limit 1`,
        [shop.merchant.id, webhookId],
      );
      const step = stepRedelivery(service.pool, id).catch((error: unknown) => error);
      await waiting(service.pool, 1);
      await service.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      assert.ok((await step) instanceof Error);
      await client.query('rollback');
    });
    assert.equal(await deliveries(), 500);
    const last = await stepRedelivery(service.pool, id);
    assert.partialDeepStrictEqual(last?.redelivery, { state: 'completed', deliveries: 900, events: 900 });
    assert.equal(await deliveries('redelivery_count > 0'), 0);
  });

  test('asked for while attempts at the same events are recorded: neither waits for the other in vain', async () => {
    await makeEvents(service.pool, shop, 2);
    await shop.client.must(202, 'POST', `${path}/redeliver`, SINCE);
    const room = { merchantId: shop.merchant.id, endpoint: webhookId, room: 2 };
    const { lanes } = await claimLanes(service.pool, [room]);
    assert.equal(lanes.length, 2);
    const attempts = [{ at: new Date().toISOString(), ms: 1, status: 200 }];
    const results = lanes.map((lane) => ({
      lane,
      deliveries: lane.due.map((due) => ({ due, state: 'delivered' as const, attempts })),
      isEnded: false,
    }));
    const [held] = lanes.map(({ paymentId }) => paymentId).toSorted((a, b) => (a < b ? 1 : -1));
    await service.pool.withClient(async (client) => {
      await client.query('begin');
      await client.query('select 1 from lanes where subject_id = $1 for update', [held]);
      const recorded = recordLanes(service.pool, results);
      await waiting(service.pool, 1);
      const asked = shop.client.post(`${path}/redeliver`, SINCE);
      await waiting(service.pool, 2);
      await client.query('commit');
      await recorded;
      assert.partialDeepStrictEqual(await asked, { status: 202, body: { deliveries: 2 } });
    });
    assert.equal(await deliveries('redelivery_count = 1 and jsonb_array_length(attempts) = 1'), 2);
  });

  // decision: redelivering-an-event
  test('of very many attempts the first and the last are kept, and all are counted', async () => {
    await makeEvents(service.pool, shop, 1);
    await shop.client.must(202, 'POST', `${path}/redeliver`, SINCE);
    const room = { merchantId: shop.merchant.id, endpoint: webhookId, room: 1 };
    const [lane] = (await claimLanes(service.pool, [room])).lanes;
    const attempts = Array.from({ length: 75 }, (_, ms) => ({ at: new Date().toISOString(), ms, status: 500 }));
    for (const [from, to] of [
      [0, 30],
      [30, 31],
      [31, 75],
    ]) {
      const [due] = lane?.due ?? [];
      if (!lane || !due) assert.fail('nothing is due');
      const tried = { due, state: 'pending' as const, waitMs: 0, attempts: attempts.slice(from, to) };
      await recordLanes(service.pool, [{ lane, deliveries: [tried], isEnded: false, waitMs: 0 }]);
    }
    const { deliveries: shown } = await shop.client.must(200, 'GET', `${path}/deliveries`);
    assert.equal(shown[0].attemptCount, 75);
    assert.deepEqual(
      shown[0].attempts.map(({ ms }: { ms: number }) => ms),
      [...attempts.keys().take(20), ...attempts.keys().drop(55)],
    );
  });

  test('whoever delivers goes on with what nobody works on', async () => {
    const worker = await startService({ databaseUrl: service.databaseUrl });
    const receiver = await openReceiver();
    try {
      const { client, merchant } = await worker.openShop();
      for (let n = 0; n < 3; n += 1) await client.createReserved();
      await client.must(200, 'GET', '/v1/events');
      const made = await client.must(201, 'POST', '/v1/webhooks', { url: receiver.url, events: ['payment.created'] });
      const webhook = (await findWebhook(service.pool, made.webhookId, merchant.id)) ?? assert.fail();
      const id = newId(Date.now(), merchant.parts[0]);
      await createRedelivery(service.pool, { id, webhook, sinceMs: 0 });
      assert.equal((await receiver.until(3)).length, 3);
      const own = `/v1/webhooks/${made.webhookId}/redeliveries/${id}`;
      await until('its end', async () => (await client.must(200, 'GET', own)).state === 'completed');
    } finally {
      await receiver.close();
      await worker.stop();
    }
  });
});
