// Goal: a bulk ends, whatever goes wrong with an entry, and never says that nothing was charged where something was; so
// many may wait and no more; its entries are forgotten after a time and its name never. Method: bulks through a real
// service, whose rows are then changed by SQL: without an order, an entry cannot be done; made older, it is forgotten.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { partOf } from '../../src/domain/id.ts';
import type { Order } from '../../src/domain/payment.ts';
import { newId } from '../../src/payments/ids.ts';
import { createBulk, MOST_WAITING_ENTRIES } from '../../src/store/payments/bulks.ts';
import type { NewBulk } from '../../src/store/payments/bulks.ts';
import { purgeBulks } from '../../src/store/purge/bulks.ts';
import { purgeExpiredPayments } from '../../src/store/purge/expired-payments.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { forgetFacets } from '../support/payouts.ts';
import { expectFailure } from '../support/answers.ts';
import { anOrder } from '../support/client.ts';
import type { Client, Reply } from '../support/client.ts';
import { until } from '../support/kassa.ts';
import { isReplayed, keyed } from '../support/keyed-operations.ts';
import { purgeNow } from '../support/purge.ts';
import { spawnService, startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';
import { subscribe } from '../support/subscriptions.ts';

const DAY_MS = 86_400_000;
const PATH = '/v1/subscriptions/charges';
// The last try of an entry that fails for a defect, and one before.
const [LAST_TRY, SOME_TRY] = [20, 5];

describe('bulks', () => {
  let service: Service;
  let shop: Shop;
  let client: Client;
  before(async () => {
    service = await startService({ env: { KASSA_RETAIN_BULKS: 'off', KASSA_LOG_LEVEL: 'silent' } });
    shop = await service.openShop();
    ({ client } = shop);
  });
  after(() => service.stop());

  const ask = (name: string, ids: readonly string[], amount = 5_000): Promise<Reply> =>
    client.post(PATH, {
      externalBulkChargeId: name,
      subscriptions: ids.map((subscriptionId) => ({ subscriptionId, order: anOrder(amount) })),
    });
  const read = (bulkId: string): Promise<Reply['body']> => client.must(200, 'GET', `${PATH}/${bulkId}`);
  const done = (bulkId: string): Promise<Reply['body']> =>
    until('the bulk to be done', async () => {
      const bulk = await read(bulkId);
      return bulk.status === 'Done' && bulk;
    });
  const expectBooksBalance = async (): Promise<void> =>
    assert.deepEqual((await verifyBooks(service.pool)).differences, []);

  /** The first entry of a bulk that is done is pending again, and cannot be done any more: it has no order. */
  const breakEntry = (bulkId: string, tries: number, paymentId?: string): Promise<unknown> =>
    service.pool.query(
      `update bulk_entries set state = 'pending', next_try_at = now(), charge_id = null, purchase = null, tries = $2,
         payment_id = coalesce($3, payment_id)
       where bulk_id = $1`,
      [bulkId, tries, paymentId ?? null],
    );
  const rowOf = async (bulkId: string): Promise<{ state: string; tries: number; is_due: boolean } | undefined> =>
    (
      await service.pool.query<{ state: string; tries: number; is_due: boolean }>(
        'select state, tries, next_try_at <= now() as is_due from bulk_entries where bulk_id = $1',
        [bulkId],
      )
    )[0];

  test('429 when too many of one merchant wait; what was taken is still found, and others are taken', async () => {
    const id = await subscribe(client, 'scheduled');
    const { bulkId } = (await ask('before', [id])).body;
    await done(bulkId);
    await service.pool.query(
      `insert into bulk_entries (part, bulk_id, place, merchant_id, subscription_id, payment_id, next_try_at)
       select part, bulk_id, n, merchant_id, subscription_id, payment_id, 'infinity'
       from bulk_entries cross join generate_series(1, $2::int) as n where bulk_id = $1`,
      [bulkId, MOST_WAITING_ENTRIES],
    );
    const reply = await ask('one-more', [id]);
    expectFailure(reply, { status: 429, code: '1000', message: /Too many charges wait/ });
    assert.equal(reply.headers.get('retry-after'), '60');
    assert.ok(isReplayed(await ask('before', [id])));
    const other = await service.openShop();
    const theirs = { subscriptionId: await subscribe(other.client, 'scheduled'), order: anOrder(5_000) };
    await other.client.must(202, 'POST', PATH, { externalBulkChargeId: 'one-more', subscriptions: [theirs] });
    await service.pool.query('delete from bulk_entries where bulk_id = $1 and place > 0', [bulkId]);
    assert.equal((await ask('one-more', [id])).status, 202);
  });

  test('so many bytes of orders may wait, beside so many entries', async () => {
    const id = await subscribe(client, 'scheduled');
    const { bulkId } = (await ask('light', [id])).body;
    await done(bulkId);
    // Random digits, which the database cannot make shorter.
    const heavy = JSON.stringify(randomBytes(30_000).toString('base64'));
    await service.pool.query(
      `insert into bulk_entries (part, bulk_id, place, merchant_id, subscription_id, payment_id, purchase, next_try_at)
       select part, bulk_id, 1, merchant_id, subscription_id, payment_id, $2, 'infinity'
       from bulk_entries where bulk_id = $1`,
      [bulkId, heavy],
    );
    const create = (bytes: number): ReturnType<typeof createBulk> => {
      const entry = { subscriptionId: id, paymentId: newId(Date.now(), partOf(id)), order: anOrder(5_000) as Order };
      const bulk: NewBulk = {
        id: newId(Date.now(), shop.merchant.parts[0]),
        merchantId: shop.merchant.id,
        kind: 'scheduled',
        purpose: 'charge',
        externalId: 'heavy',
        request: '0'.repeat(64),
        entries: [entry],
      };
      const store: Parameters<typeof createBulk>[0] = {
        pool: service.pool,
        write: ({ statement, values }) => service.pool.run(statement, values),
        confirm: () => Promise.resolve(),
      };
      return createBulk(store, bulk, { entries: MOST_WAITING_ENTRIES, bytes });
    };
    assert.equal(await create(40_000), 'too_many_wait');
    assert.equal(await create(50_000), 'made');
    await service.pool.query('delete from bulk_entries where bulk_id = $1 and place = 1', [bulkId]);
  });

  test('entries of a bulk that is done are forgotten; a name is free again when nothing waits, and the books balance', async () => {
    const id = await subscribe(client, 'scheduled');
    const { bulkId } = (await ask('old', [id, id])).body;
    const { page } = await done(bulkId);
    const waits = (await ask('old-and-waiting', [id])).body.bulkId;
    await done(waits);
    await service.pool.query(
      `update bulk_entries set state = 'pending', next_try_at = 'infinity', charge_id = null where bulk_id = $1`,
      [waits],
    );
    await service.pool.query(`update bulks set created_at = now() - interval '91 days' where id = any ($1)`, [
      [bulkId, waits],
    ]);
    assert.deepEqual(await purgeNow(purgeBulks(service.pool, 90 * DAY_MS)), { bulk_entries: 2 });
    assert.deepEqual(await read(bulkId), { page: [], more: false, status: 'Done' });
    assert.equal((await read(waits)).page.length, 1, 'what is pending is never forgotten');
    const again = await ask('old-and-waiting', [id]);
    assert.ok(isReplayed(again));
    assert.equal(again.body.bulkId, waits);
    assert.equal((await ask('old-and-waiting', [id, id])).status, 422);
    const later = await ask('old', [id, id]);
    assert.deepEqual([later.status, isReplayed(later)], [202, false]);
    await done(later.body.bulkId);
    for (const { paymentId } of page) assert.equal((await client.payment(paymentId)).summary.chargedAmount, 5_000);
    await expectBooksBalance();
    assert.deepEqual(await purgeNow(purgeBulks(service.pool, 90 * DAY_MS)), { bulk_entries: 0 });
  });

  test('the key of a charge that was declined goes with its payment, that of one that was made stays', async () => {
    const id = await subscribe(client, 'scheduled');
    const path = `/v1/subscriptions/${id}/charges`;
    const charge = (amount: number, key: string): Promise<Reply> =>
      client.post(path, { order: anOrder(amount) }, keyed(key));
    assert.equal((await charge(5_000, 'made')).status, 200);
    assert.equal((await charge(151, 'declined')).status, 402);
    await service.pool.query(`update payments set created_at = now() - interval '31 days' where merchant_id = $1`, [
      shop.merchant.id,
    ]);
    await forgetFacets(service.pool);
    await until('nothing is to be published', async () => {
      const [row] = await service.pool.query('select 1 from events where position is null limit 1');
      return row === undefined;
    });
    await purgeNow(purgeExpiredPayments(service.pool, 30 * DAY_MS));
    const keys = await service.pool.query<{ key: string }>(
      'select key from idempotency_records where target = $1 order by key',
      [id],
    );
    assert.deepEqual(keys, [{ key: 'made' }]);
    assert.ok(isReplayed(await charge(5_000, 'made')));
    await expectBooksBalance();
  });

  // These leave rows behind that disagree, so they come last.
  test('an entry that fails for a defect is put off with growing pauses, and given up after some tries', async () => {
    const id = await subscribe(client, 'scheduled');
    const { bulkId } = (await ask('defect', [id])).body;
    await done(bulkId);
    const paymentId = newId(Date.now(), partOf(id));
    await breakEntry(bulkId, SOME_TRY, paymentId);
    const put = await until('it to be put off', async () => {
      const row = await rowOf(bulkId);
      return row?.tries === SOME_TRY + 1 && !row.is_due && row;
    });
    assert.equal(put.state, 'pending');
    assert.equal((await read(bulkId)).status, 'Processing');
    await breakEntry(bulkId, LAST_TRY, paymentId);
    const { page } = await done(bulkId);
    const [{ status, code, source, message }] = page;
    assert.deepEqual([status, code, source], ['Failed', '1000', 'internal']);
    assert.match(message, /wrong on our side.*nothing was charged/);
    assert.equal((await client.get(`/v1/payments/${paymentId}`)).status, 404);
  });

  test('an entry whose payment is there is never given up', async () => {
    const id = await subscribe(client, 'scheduled');
    const { bulkId } = (await ask('charged', [id])).body;
    await done(bulkId);
    await breakEntry(bulkId, LAST_TRY);
    const row = await until('its try', async () => {
      const found = await rowOf(bulkId);
      return found?.tries === LAST_TRY + 1 && !found.is_due && found;
    });
    assert.equal(row.state, 'pending');
    await service.pool.query('delete from bulk_entries where bulk_id = $1', [bulkId]);
    await service.pool.query('delete from bulks where id = $1', [bulkId]);
  });
});

test('a small bulk is answered while the charges of its entries hang', async () => {
  const flags = ['--import', new URL('../support/hold-entries.ts', import.meta.url).href];
  const service = await spawnService({ flags });
  try {
    const { client } = await service.openShop();
    const entries = [{ subscriptionId: await subscribe(client, 'scheduled'), order: anOrder(5_000) }];
    const { bulkId } = await client.must(202, 'POST', PATH, { externalBulkChargeId: 'hangs', subscriptions: entries });
    const { status, page } = await client.must(200, 'GET', `${PATH}/${bulkId}`);
    assert.deepEqual([status, page[0].status], ['Processing', 'Pending']);
  } finally {
    await service.kill();
  }
});
