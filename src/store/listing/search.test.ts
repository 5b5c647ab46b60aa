// Goal: whatever is searched for, a statement has a bounded number of walks, and who is left out is told. Method: a
// database in which every beginning is that of many names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pool } from '../pool.ts';
import { findBranches } from './search.ts';
import { understand } from './understand.ts';

const NAMES = ['1', '2', '3', '4', '5', '6', '7', '8', '9'].map((digit) => [`name ${digit}`]);

test('a search of many words with many names has a dozen walks, and says that there is more', async () => {
  let asked = 0;
  const run = async (): Promise<string[][]> => {
    asked += 1;
    return NAMES;
  };
  const pool = { run } as unknown as Pool;
  const meanings = understand('anna maria von der heide lund');
  assert.equal(meanings.filter(({ kind }) => kind === 'name').length, 6);
  const { branches, hasMoreNames } = await findBranches(pool, 1, meanings);
  assert.deepEqual([branches.length, hasMoreNames], [12, true]);
  assert.equal(asked, 3, 'nor are names looked up that have no place');
});
