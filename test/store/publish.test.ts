// Goal: publishing costs what there is to publish, whoever holds a snapshot and however much others have waiting; who reads
// publishes its own merchant's events, a page of them at most; what a process left behind is found. Method: merchants with
// events written by hand, a publisher of our own, and the pages that a statement reads.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import pg from 'pg';
import type { Merchant } from '../../src/domain/merchant.ts';
import { createMerchant } from '../../src/store/merchants/merchants.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { MOST_SUBJECTS, publishSubjects } from '../../src/store/events/publish.ts';
import { EventPublisher } from '../../src/store/events/publisher.ts';
import { createWebhook, newWebhookSecret } from '../../src/store/events/webhooks.ts';
import { newId } from '../../src/payments/ids.ts';
import { readStatement } from '../../src/store/statements/statement.ts';
import { cloneDatabase } from '../support/database.ts';
import { until } from '../support/kassa.ts';
import { moveBeside } from '../support/service.ts';

const SETTINGS = { name: 'Shop', dialect: 'spec', strictItems: false, reserveOnDemand: false } as const;

describe('publish', () => {
  let url: string;
  let pool: Pool;
  let publisher: EventPublisher;
  let merchant: Merchant;
  before(async () => {
    url = await cloneDatabase();
    pool = openPool(url, { size: 4, lookUpsOnly: true });
    publisher = new EventPublisher(pool);
  });
  beforeEach(async () => {
    merchant = await createMerchant(pool, false, { ...SETTINGS, acquirer: 'simulator' });
  });
  after(() => pool.close());

  let made = 0;
  /** Unpublished events, one for each of so many subjects, as a process leaves them that dies after its commit. */
  const leaveBehind = async (whose: Merchant, subjects: number): Promise<string[]> => {
    const rows = await pool.query<{ id: string }>(
      `insert into events (part, subject_id, version, ordinal, merchant_id, name, happened_at, recorded_at)
       select $1::int,
         (lpad(to_hex($3::bigint + n), 12, '0') || '7' || lpad(to_hex($1::int), 3, '0') || '8000000000000000')::uuid,
         1, 0, $2, 'payment.created', now(), now() - interval '1 minute'
       from generate_series(1, $4::int) as n returning replace(subject_id::text, '-', '') as id`,
      [whose.parts[0], whose.id, made, subjects],
    );
    made += subjects;
    return rows.map(({ id }) => id);
  };
  const waiting = async ({ id }: Merchant): Promise<number> => {
    const text = 'select count(*)::int as count from events where merchant_id = $1 and position is null';
    return (await pool.query<{ count: number }>(text, [id]))[0]?.count ?? 0;
  };

  test('who reads publishes a page of its own, and nothing of others', async () => {
    const other = await createMerchant(pool, false, { ...SETTINGS, acquirer: 'simulator' });
    await leaveBehind(other, 1_000);
    await leaveBehind(merchant, 1_000);
    await publisher.catchUp(merchant);
    assert.equal(await waiting(other), 1_000);
    assert.equal(await waiting(merchant), 1_000 - MOST_SUBJECTS);
    await publisher.catchUp(merchant);
    assert.equal(await waiting(merchant), 1_000 - 2 * MOST_SUBJECTS);
    await publisher.sweep();
    await publisher.close();
    assert.deepEqual([await waiting(other), await waiting(merchant)], [0, 0]);
  });

  test('a sweep ends at a shutdown, also while another process holds all that it has found', async () => {
    await leaveBehind(merchant, MOST_SUBJECTS);
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    const sweeping = new EventPublisher(pool);
    try {
      await holder.query('begin');
      await holder.query('select 1 from event_counters where merchant_id = $1 for update', [merchant.id]);
      const stopping = new AbortController();
      const swept = sweeping.sweep(stopping.signal);
      stopping.abort();
      assert.ok((await swept) >= MOST_SUBJECTS);
      assert.equal(await waiting(merchant), MOST_SUBJECTS);
    } finally {
      await holder.end();
      await sweeping.close();
    }
  });

  test('within a subject by version, whatever the clocks said; among subjects by time', async () => {
    const [first = '', second = ''] = await leaveBehind(merchant, 2);
    await pool.query(
      `insert into events (part, subject_id, version, ordinal, merchant_id, name, happened_at)
       select part, subject_id, 2, ordinal, merchant_id, 'payment.charge.created', happened_at - interval '9 days'
       from events where subject_id = $1`,
      [first],
    );
    await pool.query(`update events set happened_at = happened_at - interval '1 hour' where subject_id = $1`, [second]);
    const { count } = await publishSubjects(
      pool,
      [first, second].map((id) => ({ id, merchantId: merchant.id })),
    );
    assert.equal(count, 3);
    const rows = await pool.query<{ id: string; version: number }>(
      `select replace(subject_id::text, '-', '') as id, version from events where merchant_id = $1 order by position`,
      [merchant.id],
    );
    assert.deepEqual(
      rows.map(({ id, version }) => [id, version]),
      [
        [second, 1],
        [first, 1],
        [first, 2],
      ],
    );
  });

  test("is for the merchant's own webhooks, and not for those of another in the same part", async () => {
    const apart = await createMerchant(pool, false, { ...SETTINGS, acquirer: 'simulator' });
    const other = await moveBeside(pool, apart, merchant);
    const hear = async (whose: Merchant): Promise<string> => {
      const id = newId(Date.now(), whose.parts[0]);
      await createWebhook(pool, whose, {
        id,
        url: `http://127.0.0.1/${whose.id}`,
        events: undefined,
        secret: newWebhookSecret(),
      });
      return id;
    };
    const own = await hear(merchant);
    await hear(other);
    const [id = ''] = await leaveBehind(merchant, 1);
    await publishSubjects(pool, [{ id, merchantId: merchant.id }]);
    const rows = await pool.query('select subscriber from lanes where subject_id = $1', [id]);
    assert.deepEqual(rows, [{ subscriber: own }]);
  });

  test('of two who saw one event unpublished, the second leaves it as the first has published it', async () => {
    const [id = ''] = await leaveBehind(merchant, 1);
    const look = 'from (select distinct home, merchant_id from waiting) as wanted';
    const { text } = readStatement('publish');
    assert.ok(text.includes(look));
    // Held between its look at what waits and its turn at the counter.
    const held = text.replace(look, look.replace(')', ` where pg_advisory_xact_lock(${merchant.id})::text = '')`));
    const [holder, second] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })];
    await Promise.all([holder.connect(), second.connect()]);
    try {
      await holder.query('select pg_advisory_lock($1)', [merchant.id]);
      const wanted = JSON.stringify([{ part: merchant.parts[0], subject_id: id }]);
      const late = second.query({ text: held, values: [wanted, 500], rowMode: 'array' });
      await until('the second to have looked', async () => {
        const rows = await pool.query(`select 1 from pg_locks where locktype = 'advisory' and not granted`);
        return rows.length > 0;
      });
      assert.equal((await publishSubjects(pool, [{ id, merchantId: merchant.id }])).count, 1);
      await holder.query('select pg_advisory_unlock($1)', [merchant.id]);
      const [seen, published] = (await late).rows[0] ?? [];
      assert.deepEqual([Number(seen), Number(published)], [1, 0]);
      const rows = await pool.query('select position::int from events where merchant_id = $1', [merchant.id]);
      assert.deepEqual(rows, [{ position: 1 }]);
    } finally {
      await Promise.all([holder.end(), second.end()]);
    }
  });

  test('an old snapshot, which keeps what was published in the index, makes publishing no dearer', async () => {
    const pagesOf = async (id: string): Promise<number> =>
      pool.withClient(async (client) => {
        const { text } = readStatement('publish');
        await client.query('begin');
        await client.query(`prepare publish_one (json, int) as ${text}`);
        const values = `'[{"part": ${merchant.parts[0]}, "subject_id": "${id}"}]', 500`;
        const { rows } = await client.query(`explain (analyze, buffers, format json) execute publish_one (${values})`);
        await client.query('rollback; deallocate publish_one');
        const plan = rows[0]['QUERY PLAN'][0].Plan;
        return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      });
    const [one = ''] = await leaveBehind(merchant, 1);
    const pagesBefore = await pagesOf(one);
    const reader = new pg.Client({ connectionString: url });
    await reader.connect();
    try {
      await reader.query('begin isolation level repeatable read; select count(*) from events');
      await leaveBehind(merchant, 20_000);
      await publisher.sweep();
      await publisher.close();
      assert.equal(await waiting(merchant), 0);
      const [another = ''] = await leaveBehind(merchant, 1);
      const pages = await pagesOf(another);
      assert.ok(pages < 3 * pagesBefore, `${pages} pages beside the snapshot, ${pagesBefore} before`);
    } finally {
      await reader.end();
    }
  });
});
