// Goal: a commit whose answer was lost is taken for done only where it is its own that stands there, and not another's of
// the same payment: whoever takes it for done goes on to ask an acquirer. Method: rows made by hand, and the very look-up.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findMarked } from '../../src/store/payments/commit-look-ups.ts';
import type { CommitRequest } from '../../src/store/payments/commit-request.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { cloneDatabase } from '../support/database.ts';
import * as rows from '../support/rows.ts';

let pool: Pool;
before(async () => {
  pool = openPool(await cloneDatabase(), { size: 1, lookUpsOnly: true });
});
after(() => pool.close());

/** A change that makes these movements: of a new payment, or of one with so many before. */
const changeOf = (id: unknown, movementIds: readonly unknown[], movementsBefore?: number): CommitRequest =>
  ({
    change: {
      payment: { id },
      moved: movementIds.map((movementId, index) => ({ id: movementId, sequence: (movementsBefore ?? 0) + index + 1 })),
    },
    ...(movementsBefore !== undefined && { before: { movements: Array.from({ length: movementsBefore }) } }),
  }) as unknown as CommitRequest;

const idsOf = async (requests: readonly CommitRequest[]): Promise<readonly string[]> =>
  (await findMarked(pool, requests))?.ids ?? [];

test('a payment that somebody else made under the same id is not ours; one with our movement is', async () => {
  const { id } = await rows.insertRow(pool, 'payments', rows.aPaymentRow());
  const { id: theirs } = await rows.insertRow(pool, 'movements', rows.aReservationRow(id));
  assert.deepEqual(await idsOf([changeOf(id, [rows.newRowId()])]), [], 'the same payment, another try');
  assert.deepEqual(await idsOf([changeOf(id, [theirs])]), [id]);
  assert.deepEqual(await idsOf([changeOf(id, [])]), [id], 'a create without movements drew its id itself');
  assert.deepEqual(await idsOf([changeOf(id, [rows.newRowId()], 1)]), []);
  assert.deepEqual(await idsOf([changeOf(id, [], 1)]), [], 'what has no mark cannot be found');
});
