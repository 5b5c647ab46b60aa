// Goal: what a claim and a look for what is due cost does not grow with what was done while somebody holds a long
// snapshot, as a backup does. Method: a snapshot is held, lanes are done under it, and the pages that are read are counted.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { claimLanes, findDueAgain } from '../../src/store/events/lanes.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { readStatement } from '../../src/store/statements/statement.ts';
import { cloneDatabase } from '../support/database.ts';

const busy = { merchantId: 100_000_001, endpoint: 'https://busy.example' };
const DONE = 20_000;

describe('lanes under a long snapshot', () => {
  let pool: Pool;
  let holder: Pool;
  before(async () => {
    const url = await cloneDatabase();
    [pool, holder] = [openPool(url, { size: 1, lookUpsOnly: true }), openPool(url, { size: 1 })];
  });
  after(async () => {
    await pool.close();
    await holder.close();
  });

  const insert = (count: number, lateS: number): Promise<unknown> =>
    pool.query(
      `insert into lanes (part, subject_id, subscriber, merchant_id, endpoint, entry_count, next_try_at)
       select 1, gen_random_uuid(), 'hook-0', $1, $2, 1, now() - make_interval(secs => $4)
       from generate_series(1, $3::int)`,
      [busy.merchantId, busy.endpoint, count, lateS],
    );

  /** Pages that a statement reads. */
  async function pagesOf(name: string, values: readonly unknown[]): Promise<number> {
    type Plan = { Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } };
    const rows = await pool.query<{ 'QUERY PLAN': [Plan] }>(
      `explain (analyze, buffers, format json) ${readStatement(name).text}`,
      values,
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? assert.fail();
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  }

  test('begin where the endpoint was looked through last, and find what has come since', async () => {
    await holder.withClient(async (client) => {
      await client.query('begin isolation level repeatable read');
      await client.query('select count(*) from lanes');
      await insert(DONE, 600);
      await pool.query('update lanes set next_try_at = null where next_try_at is not null');

      const { lanes, at } = await claimLanes(pool, [{ ...busy, room: 32 }]);
      assert.deepEqual(lanes, []);
      const wanted = (since?: string): string =>
        JSON.stringify([{ merchant_id: busy.merchantId, endpoint: busy.endpoint, room: 32, since }]);
      const all = await pagesOf('claim-lanes', [wanted(), 30, 15]);
      for (const [name, values] of [
        ['claim-lanes', [wanted(at), 30, 15]],
        ['due-again', [wanted(at), 15]],
      ] as const)
        assert.ok((await pagesOf(name, values)) * 10 < all, `${name}, of ${all} pages`);

      assert.deepEqual(await findDueAgain(pool, [{ ...busy, since: at }]), []);
      await insert(2, 0);
      assert.deepEqual(await findDueAgain(pool, [{ ...busy, since: at }]), [busy]);
      assert.equal((await claimLanes(pool, [{ ...busy, room: 32, since: at }])).lanes.length, 2);
      // What a slow transaction puts in is found up to a while before, and what is older from the beginning.
      await insert(1, 5);
      assert.equal((await claimLanes(pool, [{ ...busy, room: 32, since: at }])).lanes.length, 1);
      await insert(1, 300);
      assert.equal((await claimLanes(pool, [{ ...busy, room: 32, since: at }])).lanes.length, 0);
      assert.equal((await claimLanes(pool, [{ ...busy, room: 32 }])).lanes.length, 1);
      await client.query('rollback');
    });
  });
});
