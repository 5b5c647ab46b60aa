// Goal: an acquirer's address is read once for all who ask for it at once, and again when it may have changed. Method: a
// real database, whose queries are counted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAcquirers } from '../../src/payments/acquirers.ts';
import { putAcquirer } from '../../src/store/merchants/acquirers.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { cloneDatabase } from '../support/database.ts';

const OBSERVER = { onCall: () => {}, onOpened: () => {}, onLeftAlone: () => {}, onBack: () => {}, onUnknown: () => {} };

test('many who ask at once share one reading and one guard; one that fails is not kept', async (t) => {
  const pool = openPool(await cloneDatabase(), { size: 2 });
  t.after(() => pool.close());
  let queries = 0;
  const query: Pool['query'] = (...args) => {
    queries += 1;
    return pool.query(...args);
  };
  const acquirers = openAcquirers({ ...pool, query }, 1_000, OBSERVER);
  const askForAll = () => Promise.all(Array.from({ length: 50 }, () => acquirers.find('bank')));
  await assert.rejects(askForAll(), /there is no acquirer called bank/);
  assert.equal(queries, 1);
  await putAcquirer(pool, { name: 'bank', url: 'http://127.0.0.1:9', key: 'a-key-of-a-bank' });
  const [first, ...others] = await askForAll();
  assert.ok(others.every((other) => other === first));
  assert.equal(queries, 2);
});
