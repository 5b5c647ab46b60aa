// `kassa load-sample`. Goal: what it makes is what a shop would have left: the books balance, and API and figures show it.
// Method: the command on a database of its own, then the check of the books and a look at what is there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPool } from '../../src/store/pool.ts';
import { gatherFigures } from '../../src/store/figures/gather.ts';
import { gatherFacets } from '../../src/store/facets/gather.ts';
import { listForPeople } from '../../src/store/listing/listing.ts';
import { readFigures } from '../../src/store/figures/read.ts';
import { findMerchant } from '../../src/store/merchants.ts';
import { verifyBooks } from '../../src/store/verify.ts';
import { runCommand } from '../support/commands.ts';
import { cloneDatabase } from '../support/database.ts';

type Shop = { readonly merchantId: number; readonly secretKey: string; readonly payments: number };

test('load-sample makes payments of every kind, twice beside each other, and the books balance', async () => {
  const databaseUrl = await cloneDatabase();
  const kassa = (...args: string[]) => runCommand(['load-sample', ...args], { env: { DATABASE_URL: databaseUrl } });
  const made = await kassa('--payments', '1200', '--json');
  assert.equal(made.code, 0, made.err);
  assert.match(made.err, /100 %, 1200 payments, \d+ a second/);
  const shops = JSON.parse(made.out) as Shop[];
  assert.deepEqual(
    shops.map(({ payments }) => payments),
    [840, 240, 84, 30, 6],
  );
  assert.equal((await kassa('--payments', '10')).code, 0);

  const pool = openPool(databaseUrl, { size: 2 });
  try {
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
    const standings = ['expired', 'reserved', 'charged', 'partly refunded', 'cancelled'] as const;
    let listed = 0;
    for (const standing of standings)
      for (let cursor: string | undefined, isOver = false; !isOver; isOver = cursor === undefined) {
        const asked = { ...query, standing, ...(cursor && { after: cursor }) };
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

test('what is wrong is said in one sentence', async () => {
  for (const given of [[], ['--payments', '0'], ['--payments', 'many'], ['--payments', '1000000000']]) {
    const { code, err } = await runCommand(['load-sample', ...given], {});
    assert.equal(code, 1);
    assert.match(err, /--payments is (?:missing|0|many|1000000000); it must be a number from 1 to 100000000\./);
  }
});
