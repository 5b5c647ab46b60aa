// `kassa load-sample`. Goal: what it makes is what a shop would have left: the books balance, and API and figures show it;
// an empty database has its indexes afterwards, and has them as before where it was cut; nobody who is there has to wait.
// Method: the command on a database of its own, then the check of the books and a look at what is there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMerchantWithKey } from '../../src/merchants/merchants.ts';
import { KASSA } from '../../src/domain/audit.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { loadSample } from '../../src/store/sample/load.ts';
import { gatherFigures } from '../../src/store/books/figures/gather.ts';
import { gatherFacets } from '../../src/store/lists/facets/gather.ts';
import { listForPeople } from '../../src/store/lists/listing/listing.ts';
import { readFigures } from '../../src/store/books/figures/read.ts';
import { findMerchant } from '../../src/store/merchants/merchants.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { runCommand } from '../support/commands.ts';
import { cloneDatabase } from '../support/database.ts';

const indexesOf = (pool: Pool): Promise<{ indexname: string; indexdef: string }[]> =>
  pool.query('select indexname, indexdef from pg_indexes order by indexname');

type Shop = { readonly merchantId: number; readonly secretKey: string; readonly payments: number };

test('load-sample makes payments of every kind, twice beside each other, and the books balance', async () => {
  const databaseUrl = await cloneDatabase();
  const fresh = openPool(databaseUrl, { size: 1 });
  const indexes = await indexesOf(fresh);
  await fresh.close();
  const kassa = (...args: string[]) => runCommand(['load-sample', ...args], { env: { DATABASE_URL: databaseUrl } });
  const made = await kassa('--payments', '1200', '--json');
  assert.equal(made.code, 0, made.err);
  // On the way nothing but steps by their names: who sees 100 % last would think that it hangs.
  assert.match(made.err, /^Creating payments: 100 %, 1200 payments, \d+\/s, 0 s left\nBuilding indexes\n/m);
  assert.match(
    made.err,
    /Building indexes: 100 %, \d+ MB indexed.*\nCommitting\nGathering statistics for the query planner\n$/s,
  );
  const shops = JSON.parse(made.out) as Shop[];
  assert.deepEqual(
    shops.map(({ payments }) => payments),
    [840, 240, 84, 30, 6],
  );
  const more = await kassa('--payments', '10');
  assert.equal(more.code, 0, more.err);
  assert.doesNotMatch(more.err, /index|Committing/i, 'what is there keeps its indexes');
  assert.match(more.err, /Creating payments: 100 %.*\nGathering statistics/s);

  const pool = openPool(databaseUrl, { size: 2 });
  try {
    assert.deepEqual(await indexesOf(pool), indexes);
    // Figures and facets come along; who gathers finds nothing to add.
    const figuresOf = (): Promise<unknown> =>
      pool.query('select * from daily_figures order by part, merchant_id, day, currency, kind, state, method, reason');
    const before = await figuresOf();
    await gatherFigures(pool, new AbortController().signal);
    await gatherFacets(pool, new AbortController().signal);
    assert.deepEqual(await figuresOf(), before);
    const { counts, differences } = await verifyBooks(pool);
    assert.deepEqual(differences, []);
    assert.equal(counts.payments, 1_210);
    const states = await pool.query<{ count: number }>(
      `select count(*)::int as count from payments
       group by reserved > 0, charged > 0, refunded > 0, cancelled > 0`,
    );
    assert.ok(counts.idempotencyRecords > 0);
    assert.equal(states.length, 5, 'unpaid, reserved, charged, refunded, cancelled');
    const merchant = await findMerchant(pool, (shops[0] as Shop).merchantId);
    assert.ok(merchant);
    const { figures } = await readFigures(pool, { merchant, from: '2020-01-01', to: '2040-01-01' });
    const query = { merchantId: merchant.id, sort: 'newest', limit: 500 } as const;
    const lifetimes = { paymentMs: 48 * 3_600_000, reservationMs: 7 * 86_400_000 };
    const listedStates = [
      'expired',
      'reservation expired',
      'reserved',
      'charged',
      'partly refunded',
      'cancelled',
    ] as const;
    let listed = 0;
    for (const state of listedStates)
      for (let cursor: string | undefined, isOver = false; !isOver; isOver = cursor === undefined) {
        const asked = { ...query, state, ...(cursor && { after: cursor }) };
        const page = await listForPeople(pool, asked, Date.now(), lifetimes);
        listed += page.payments.length;
        cursor = page.cursor;
      }
    assert.equal(listed, 840, 'each by one filter');
    assert.ok(figures.some(({ kind, state }) => kind === 'reservation' && state === 'declined'));
  } finally {
    await pool.close();
  }
});

test('an empty database that is cut while it is loaded is empty again, with all of its indexes', async () => {
  const pool = openPool(await cloneDatabase(), { size: 1 });
  try {
    const made = await createMerchantWithKey(pool, KASSA, { name: 'Shop' });
    assert.ok(made.kind === 'created');
    const shares = [{ merchant: made.merchant, payments: 10 }];
    const standing = async (): Promise<unknown> => [
      await indexesOf(pool),
      await pool.query('select * from event_counters'),
      await pool.query('select * from figure_walks'),
      await pool.query('select 1 from payments union all select 1 from movements union all select 1 from events'),
    ];
    const before = await standing();
    for (const cut of ['onMade', 'onIndexed'] as const) {
      const progress = { onMade: () => {}, onIndexed: () => {}, onStep: () => {} };
      progress[cut] = () => {
        throw new Error('cut');
      };
      await assert.rejects(loadSample(pool, shares, Date.now(), progress), /cut/);
      assert.deepEqual(await standing(), before);
    }
  } finally {
    await pool.close();
  }
});

test('beside somebody who is connected nothing is locked, and indexes stay', async () => {
  const url = await cloneDatabase();
  const [pool, other] = [openPool(url, { size: 2 }), openPool(url, { size: 1 })];
  try {
    const made = await createMerchantWithKey(pool, KASSA, { name: 'Shop' });
    assert.ok(made.kind === 'created');
    const before = await indexesOf(other);
    const seen: Promise<unknown>[] = [];
    await loadSample(pool, [{ merchant: made.merchant, payments: 10 }], Date.now(), {
      onMade: () => seen.push(other.query('select 1 from payments'), indexesOf(other)),
      onIndexed: () => assert.fail('indexes were built'),
      onStep: () => {},
    });
    const [payments, indexes] = await Promise.all(seen);
    assert.equal((payments as unknown[]).length, 10);
    assert.deepEqual(indexes, before);
  } finally {
    await pool.close();
    await other.close();
  }
});

test('what is wrong is said in one sentence', async () => {
  for (const given of [[], ['--payments', '0'], ['--payments', 'many'], ['--payments', '1000000000']]) {
    const { code, err } = await runCommand(['load-sample', ...given], {});
    assert.equal(code, 1);
    assert.match(err, /--payments is (?:missing|0|many|1000000000); it must be a number from 1 to 100000000\./);
  }
});
