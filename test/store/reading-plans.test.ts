// Goal: no reading query reads more than a page's worth, however many payments there are and however rare what is asked
// for, and no plan of one filter serves another. Method: every reading is called on a filled database by its own
// function; each plan is carried out, and the rows that its scans came upon are counted. `npm run plans` prints the same
// plans at 1,000,000 payments.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openPool } from '../../src/store/pool.ts';
import type { Pool } from '../../src/store/pool.ts';
import { cloneDatabase } from '../support/database.ts';
import { explainReading, fillWith, readingsOf, rowsReadBy, scansOf } from './readings.ts';

// Three times as many as a page looks at.
const PAYMENTS = 30_000;
const MOST_READ = 10_000;

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
