// Goal: no malformed request is taken, crashes the service, changes anything or learns anything; each gets the status
// and names the fields that the contract gives it.
// Method: a table of requests, written byte by byte to a socket of a running service. What stands in the database is
// the same before and after; odd requests that must be taken stand beside, so that the refusals are not for everything.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { exchange } from '../support/raw.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import { BODY_ROWS } from './bad-input-table-bodies.ts';
import { ODD_ROWS } from './bad-input-table-odd.ts';
import { REQUEST_ROWS } from './bad-input-table-requests.ts';
import { bytesOf, expectRow, layGround, OPERATION_KEYS, secretsOf } from './bad-input-table.ts';
import type { Ground, Row } from './bad-input-table.ts';
import { VALUE_ROWS } from './bad-input-table-values.ts';

const TABLES: Readonly<Record<string, readonly Row[]>> = {
  'a field is wrong': VALUE_ROWS,
  'the body is wrong': BODY_ROWS,
  'the request is wrong': REQUEST_ROWS,
};

let service: Service;
let ground: Ground;

async function send(row: Row): Promise<void> {
  const replies = await exchange(service.url, bytesOf(row, ground), { end: row.end ?? false });
  expectRow(row, replies, secretsOf(ground));
}

/**
 * A fingerprint of every row that a request could change. A moment later publishing gives an event its position, and when a
 * key was last used is noted.
 */
async function fingerprint(): Promise<unknown> {
  const tables = ['merchants', 'secret_keys', 'payments', 'movements', 'events', 'idempotency_records'];
  const sums = tables.map(
    (table) =>
      `(select md5(coalesce(string_agg(row::text, '|' order by row::text), ''))
        from (select to_jsonb(t) - 'position' - 'last_used_at' as row from ${table} as t) as rows)`,
  );
  return (await service.pool.query(`select ${sums.map((sum, index) => `${sum} as t${index}`).join()}`))[0];
}

before(async () => {
  service = await startService();
  ground = await layGround((await service.openShop()).client);
});
after(() => service.stop());

// decision: two-host-headers, card-numbers
describe('a bad request is refused', () => {
  let untouched: unknown;
  before(async () => {
    untouched = await fingerprint();
  });

  for (const [subject, rows] of Object.entries(TABLES))
    describe(subject, () => {
      for (const row of rows) test(row.name, () => send(row));
    });

  test('and leaves everything as it was', async () => {
    assert.deepEqual(await fingerprint(), untouched);
  });

  test('and the table is whole: 150 requests at least, no name twice, every operation', () => {
    const rows = Object.values(TABLES).flat();
    assert.ok(rows.length >= 150);
    assert.equal(new Set(rows.map(({ name }) => name)).size, rows.length);
    for (const operation of OPERATION_KEYS)
      assert.ok(
        rows.some(({ name }) => name.startsWith(`${operation}: `)),
        operation,
      );
  });
});

describe('an odd request is taken', () => {
  for (const row of ODD_ROWS) test(row.name, () => send(row));
});

test('the service lives, its log tells of no failure, and the books are right', async () => {
  assert.equal((await service.client().get('/healthz')).status, 200);
  assert.equal((await service.client(ground.key).get(`/v1/payments/${ground.reserved}`)).status, 200);
  assert.doesNotMatch(service.log(), /"level":(?:50|60)/);
  assert.deepEqual((await verifyBooks(service.pool)).differences, []);
});
