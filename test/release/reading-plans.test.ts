// Goal: no reading query reads more than a page's worth, however many payments there are and however rare what is asked
// for, and no plan of one filter serves another. Method: every reading is called on a filled database by its own
// function; each plan is carried out, and the rows that its scans came upon are counted. `npm run plans` prints the same
// plans at 1,000,000 payments.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { firstIdAt } from '../../src/domain/id.ts';
import { findAttention } from '../../src/store/lists/attention.ts';
import { listForPeople } from '../../src/store/lists/listing/listing.ts';
import type { ListingQuery } from '../../src/store/lists/listing/listing.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { cloneDatabase } from '../support/database.ts';
import {
  explainReading,
  fillWith,
  LIFETIMES,
  MERCHANT,
  PART,
  RARE,
  readingsOf,
  rowsReadBy,
  scansOf,
  STARTED_AT,
  STEP_MS,
} from '../store/readings.ts';

// Three times as many as a page looks at.
const PAYMENTS = 30_000;
const MOST_READ = 10_000;
const DAY_MS = 86_400_000;
const END = STARTED_AT + PAYMENTS * STEP_MS;
const ofPeriod = (fromMs: number, toMs: number): readonly [Partial<ListingQuery>, string] => [
  { fromMs, toMs },
  `id >= '${firstIdAt(fromMs)}' and id < '${firstIdAt(toMs)}'`,
];
/** Filters, and which payments meet them, asked of the payments themselves. */
const COUNTED: readonly (readonly [Partial<ListingQuery>, string])[] = [
  [{ currency: 'EUR' }, `currency = 'EUR'`],
  [{ least: '100', most: '150' }, 'amount between 10000 and 15000'],
  [{ state: 'partly charged', method: 'Visa' }, 'charged > 0 and refunded = 0 and charged + cancelled < reserved'],
  ofPeriod(STARTED_AT + 7_777 * STEP_MS, STARTED_AT + 7_977 * STEP_MS),
  ofPeriod(STARTED_AT + 7_777 * STEP_MS, STARTED_AT + 9_999 * STEP_MS),
  ofPeriod(STARTED_AT - 300 * DAY_MS, STARTED_AT + DAY_MS),
];

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

    test('reservations that end soon are counted all the same', async () => {
      const merchant = { id: MERCHANT, parts: [PART] as const };
      // Two days from the first on: nearly all of those were charged in part.
      const { expiring } = await findAttention(pool, merchant, STARTED_AT + 7 * DAY_MS, LIFETIMES.reservationMs);
      assert.equal(expiring, 1_000, 'as many as are counted');
    });

    for (const sort of ['newest', 'oldest', 'largest', 'smallest'] as const)
      test(`a walk that found too little goes on from where it stopped, and misses none: ${sort}`, async () => {
        const { ids, pages } = await listAll({ currency: 'EUR', sort });
        assert.equal(new Set(ids).size, RARE);
        assert.equal(ids.length, RARE);
        assert.ok(pages >= 3, 'the walk is longer than one page looks at');
      });
  });

  test('a filtered list is whole, page by page, in both directions and orders', async () => {
    for (const sort of ['newest', 'oldest', 'largest', 'smallest'] as const)
      for (const [query, condition] of COUNTED) {
        const { ids, pages } = await listAll({ ...query, sort, limit: 500 }, END + DAY_MS);
        assert.equal(new Set(ids).size, ids.length, 'none twice');
        const by = sort === 'newest' || sort === 'oldest' ? 'id' : 'amount, id';
        const expected = await pool.query<{ id: string }>(
          `select replace(id::text, '-', '') as id from payments where merchant_id = $1 and ${condition}
           order by ${by.replaceAll(/\w+/g, `$& ${sort === 'newest' || sort === 'largest' ? 'desc' : 'asc'}`)}`,
          [MERCHANT],
        );
        assert.ok(expected.length > 0);
        assert.deepEqual(
          ids,
          expected.map(({ id }) => id),
          `${sort} ${JSON.stringify(query)}`,
        );
        // What facets and orders have no index for is a walk, a page of which ends where it has looked at enough.
        const isLed = Object.keys(query).every((filter) => ['state', 'method', 'currency'].includes(filter));
        const most = Math.ceil(ids.length / 500) + 1 + (isLed ? 0 : PAYMENTS / MOST_READ);
        assert.ok(pages <= most, `${pages} pages`);
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
    const named = Array.from({ length: PAYMENTS }, (_none, n) => n + 1).filter((n) => n % 20 === 11);
    for (const [text, count] of [
      ['rare name11', 1],
      ['r name11', 1],
      ['name11, ada', named.length - 1],
      ['eve name11', 0],
    ] as const)
      assert.equal((await listAll({ text, limit: 500 })).ids.length, count, text);
  });

  for (const reading of readingsOf(PAYMENTS))
    test(reading.name, async () => {
      const explained = await explainReading(reading.isGrouped ? grouped : pool, reading);
      assert.ok(explained.length > 0);
      for (const { mode, plan } of explained)
        for (const scan of scansOf(plan)) {
          const what = `${mode}: ${scan['Node Type']} of ${scan['Relation Name']} by ${scan['Index Name']}`;
          assert.match(scan['Node Type'], /^(?:Index|Index Only|Bitmap Heap) Scan$/, what);
          assert.ok(rowsReadBy(scan) <= (reading.most ?? MOST_READ), `${what} read ${rowsReadBy(scan)} rows`);
        }
    });
});
