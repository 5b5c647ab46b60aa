// Goal: whatever is searched, a statement has a bounded number of walks, and omitted results are reported. Method: a
// database in which every prefix matches many names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pool } from '../../connections/pool.ts';
import { findBranches } from './search.ts';
import { waysOf } from './spellings.ts';
import { understand } from './understand.ts';

const NAMES = ['1', '2', '3', '4', '5', '6', '7', '8', '9'].map((digit) => [`name ${digit}`]);

test('a search of many words with many names has so many walks, and says that there is more', async () => {
  let asked = 0;
  const run = async (): Promise<string[][]> => {
    asked += 1;
    return NAMES;
  };
  const pool = { run } as unknown as Pool;
  const meanings = understand('anna maria von der heide lund').filter(({ kind }) => kind !== 'beginning');
  assert.equal(meanings.filter(({ kind }) => kind === 'name').length, 6);
  const { branches, hasMoreNames } = await findBranches(pool, 1, meanings);
  assert.deepEqual([branches.length, hasMoreNames], [16, true]);
  assert.equal(asked, 4, 'nor are names looked up that have no place');
});

test('each meaning has its first walk before any has its second', async () => {
  const meanings = [
    { kind: 'reference', reference: 'A-1' },
    { kind: 'email', email: 'A-1' },
  ] as const;
  const { branches, hasMoreNames } = await findBranches({} as Pool, 1, meanings);
  const walks = branches.flatMap(({ leads }) => leads.map((lead) => lead(String)));
  assert.deepEqual(
    [walks, hasMoreNames],
    [['reference = A-1', `lower(consumer ->> 'email') = lower(A-1)`, 'my_reference = A-1'], false],
  );
});

test('of a beginning 200 payments are found, and one more is said to be there', async () => {
  const find = (count: number) => {
    const ids = Array.from({ length: count }, (_none, number) => [number.toString(16).padStart(32, '0')]);
    return findBranches({ run: async () => ids } as unknown as Pool, 1, [{ kind: 'beginning', text: 'ord-' }]);
  };
  assert.deepEqual(await find(0), { branches: [], hasMoreNames: false });
  assert.deepEqual([(await find(1)).branches.length, (await find(1)).hasMoreNames], [1, false]);
  assert.deepEqual([(await find(200)).hasMoreNames, (await find(201)).hasMoreNames], [false, true]);
});

test('each letter is spelled in so many ways', () => {
  const ways = waysOf('Mueller-Łoś'.repeat(20));
  assert.ok(ways.length <= 41);
  for (const each of ways) assert.ok(each.length <= 32, JSON.stringify(each));
  assert.deepEqual(waysOf('x'), [[{ text: 'x' }]]);
  assert.deepEqual(waysOf('Å'), [[{ text: 'å' }, { text: 'Å' }]]);
  assert.ok(waysOf('ue')[1]?.some(({ text, behind }) => text === '' && behind === 'üÜ'));
});
