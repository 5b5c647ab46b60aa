// Goal: no reading query reads more than a page's worth, however many payments there are and however rare what is asked
// for, and no plan of one filter serves another. Method: every reading is called on a filled database by its own
// function; each plan is carried out, and the rows that its scans came upon are counted. `npm run plans` prints the same
// plans at 1,000,000 payments.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { listForPeople } from '../../src/store/listing/listing.ts';
import type { ListingQuery } from '../../src/store/listing/listing.ts';
import { openPool } from '../../src/store/pool.ts';
import type { Pool } from '../../src/store/pool.ts';
import { cloneDatabase } from '../support/database.ts';
import {
  explainReading,
  fillWith,
  LIFETIMES,
  MERCHANT,
  RARE,
  readingsOf,
  rowsReadBy,
  scansOf,
  STARTED_AT,
} from './readings.ts';

// Three times as many as a page looks at.
const PAYMENTS = 30_000;
const MOST_READ = 10_000;
/** How many payments meet a filter, asked of the payments themselves. */
const COUNTED: Readonly<Record<string, string>> = {
  currency: `select count(*)::int as count from payments where merchant_id = $1 and currency = 'EUR'`,
  least: `select count(*)::int as count from payments where merchant_id = $1 and amount between 10000 and 15000`,
  standing: `select count(*)::int as count from payments where merchant_id = $1 and charged > 0 and refunded = 0
    and charged + cancelled < reserved`,
};

describe(`reading ${PAYMENTS} payments`, () => {
  let pool: Pool;
  let grouped: Pool;
  before(async () => {
    const url = await cloneDatabase();
    pool = openPool(url, { size: 2 });
    grouped = openPool(url, { size: 2, lookUpsOnly: true });
    await fillWith(pool, PAYMENTS);
  });
  after(async () => {
    await pool.close();
    await grouped.close();
  });

  /** Every payment of a list, page by page, and how many pages that took. */
  async function listAll(
    query: Partial<ListingQuery>,
    atMs = STARTED_AT,
  ): Promise<{ readonly ids: string[]; readonly pages: number }> {
    const ids: string[] = [];
    let cursor: string | undefined;
    for (let pages = 1; ; pages += 1) {
      const whole = {
        merchantId: MERCHANT,
        limit: 50,
        sort: 'newest',
        ...query,
        ...(cursor && { after: cursor }),
      } as const;
      const page = await listForPeople(pool, whole, atMs, LIFETIMES);
      ids.push(...page.payments.map(({ id }) => id));
      if (page.cursor === undefined) return { ids, pages };
      assert.notEqual(page.cursor, cursor, 'it goes on');
      cursor = page.cursor;
    }
  }

  describe('where facets are not there yet', () => {
    const walkTo = (time: string): Promise<unknown> =>
      pool.query(`update housekeeping set walked_to = ${time} where job = 'facets'`);
    before(() => walkTo(`'-infinity'`));
    after(() => walkTo('now()'));

    for (const sort of ['newest', 'oldest', 'largest', 'smallest'] as const)
      test(`a walk that found too little goes on from where it stopped, and misses none: ${sort}`, async () => {
        const { ids, pages } = await listAll({ currency: 'EUR', sort });
        assert.equal(new Set(ids).size, RARE);
        assert.equal(ids.length, RARE);
        assert.ok(pages >= 3, 'the walk is longer than one page looks at');
      });
  });

  test('what facets lead to is whole as well, page by page, in both directions and orders', async () => {
    const now = STARTED_AT + PAYMENTS * 1_000 + 86_400_000;
    for (const sort of ['newest', 'oldest', 'largest', 'smallest'] as const)
      for (const query of [
        { currency: 'EUR' },
        { least: '100', most: '150' },
        { standing: 'partly charged', method: 'Visa' },
      ] as const) {
        const { ids, pages } = await listAll({ ...query, sort, limit: 500 }, now);
        assert.equal(new Set(ids).size, ids.length, 'none twice');
        const [{ count }] = (await pool.query<{ count: number }>(COUNTED[Object.keys(query)[0] as string] as string, [
          MERCHANT,
        ])) as [{ count: number }];
        assert.equal(ids.length, count, `${sort} ${JSON.stringify(query)}`);
        assert.ok(pages <= Math.ceil(count / 500) + 1, 'each page is full');
      }
  });

  test('so does a search by several meanings', async () => {
    // All but five have this amount, and five another currency.
    const { ids } = await listAll({ text: '10', currency: 'EUR' });
    assert.equal(new Set(ids).size, RARE);
    assert.equal(ids.length, RARE);
    const found = await listAll({ text: 'mail7@example.com' });
    const expected = Array.from({ length: PAYMENTS }, (_none, n) => n + 1).filter((n) => n % 1_000 === 7);
    assert.equal(found.ids.length, expected.length);
  });

  for (const reading of readingsOf(PAYMENTS))
    test(reading.name, async () => {
      const explained = await explainReading(reading.isGrouped ? grouped : pool, reading);
      assert.ok(explained.length > 0);
      for (const { mode, plan } of explained)
        for (const scan of scansOf(plan)) {
          const what = `${mode}: ${scan['Node Type']} of ${scan['Relation Name']} by ${scan['Index Name']}`;
          assert.match(scan['Node Type'], /^Index (?:Only )?Scan$/, what);
          assert.ok(rowsReadBy(scan) <= (reading.most ?? MOST_READ), `${what} read ${rowsReadBy(scan)} rows`);
        }
    });
});
