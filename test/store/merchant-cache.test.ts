// Goal: what strangers send cannot keep merchants from being known. Method: the cache on a real database, through a pool
// that counts its queries and can hold them.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { writeMove } from '../../src/store/merchants/clock.ts';
import { Listener } from '../../src/store/connections/listener.ts';
import { MerchantCache } from '../../src/store/merchants/merchant-cache.ts';
import { createKey, revokeKey } from '../../src/store/merchants/keys.ts';
import { createMerchant, updateMerchant } from '../../src/store/merchants/merchants.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { withinTransaction } from '../../src/store/connections/transaction.ts';
import { cloneDatabase } from '../support/database.ts';

const SETTINGS = { dialect: 'spec', strictItems: false, reserveOnDemand: false, acquirer: 'simulator' } as const;
const FLOOD = 10_001;

const strangersKey = (): string => randomBytes(16).toString('hex');

describe('the cache of merchants', () => {
  let pool: Pool;
  let listener: Listener;
  let cache: MerchantCache;
  let queries = 0;
  let hold: Promise<void> | undefined;
  before(async () => {
    const url = await cloneDatabase();
    pool = openPool(url, { size: 4 });
    const query: Pool['query'] = async (text, values) => {
      queries += 1;
      await hold;
      return pool.query(text, values);
    };
    // Nothing is read anew for its age, however slow the machine is.
    listener = new Listener(url);
    cache = new MerchantCache({ ...pool, query }, listener, Infinity);
    await listener.listen();
  });
  after(async () => {
    await listener.close();
    await pool.close();
  });

  const shop = async () => {
    const merchant = await createMerchant(pool, false, { ...SETTINGS, name: 'Shop' });
    const { key, secret } = await createKey(pool, merchant);
    return { merchant, keyId: key.id, digits: secret.slice(-32) };
  };

  test("keys of nobody, however many, push out none that is somebody's, and are looked up together", async () => {
    const { merchant, digits } = await shop();
    assert.equal((await cache.find(digits))?.merchant.id, merchant.id);
    assert.equal((await cache.findByCheckoutKey(merchant.checkoutKey))?.id, merchant.id);
    queries = 0;
    const found = await Promise.all(Array.from({ length: FLOOD - 1 }, () => cache.find(strangersKey())));
    assert.ok(found.every((each) => each === undefined));
    assert.equal(await cache.findByCheckoutKey(strangersKey()), undefined);
    assert.ok(queries < 100, `${queries} queries for ${FLOOD} keys`);
    queries = 0;
    assert.equal((await cache.find(digits))?.merchant.id, merchant.id);
    assert.equal((await cache.findByCheckoutKey(merchant.checkoutKey))?.id, merchant.id);
    assert.equal(queries, 0, 'both were still known');
  });

  test('a change of one merchant has that one read anew, and nobody else', async () => {
    const [moved, other] = [await shop(), await shop()];
    const nobody = strangersKey();
    for (const { digits } of [moved, other]) await cache.find(digits);
    await Promise.all([cache.findById(moved.merchant.id), cache.findById(other.merchant.id), cache.find(nobody)]);
    // One that is looked up while the notice comes is not kept: it may be as it was.
    const { promise, resolve: letGo } = Promise.withResolvers<void>();
    hold = promise;
    const late = cache.findByCheckoutKey(moved.merchant.checkoutKey);
    await withinTransaction(pool, (within) => writeMove(within, moved.merchant.id, 5_000));
    letGo();
    hold = undefined;
    await late;
    queries = 0;
    await Promise.all([cache.find(other.digits), cache.findById(other.merchant.id), cache.find(nobody)]);
    assert.equal(queries, 0, 'the others are still known, and who is nobody');
    assert.equal((await cache.find(moved.digits))?.merchant.clockAheadMs, 5_000);
    assert.equal((await cache.findById(moved.merchant.id))?.clockAheadMs, 5_000);
    assert.equal((await cache.findByCheckoutKey(moved.merchant.checkoutKey))?.clockAheadMs, 5_000);
    assert.equal(queries, 3);
  });

  test('strangers have one query under way, and who was known is looked up beside it', async () => {
    const { merchant, digits } = await shop();
    await cache.find(digits);
    // Everything is read anew after a change.
    await updateMerchant(pool, merchant.id, { name: 'Other name' });
    queries = 0;
    const { promise, resolve: letGo } = Promise.withResolvers<void>();
    hold = promise;
    const strangers = Array.from({ length: 2_000 }, () => cache.find(strangersKey()));
    for (let turns = 0; turns < 5; turns += 1) await turn();
    assert.equal(queries, 1, 'one for all of them');
    const known = [cache.find(digits), cache.find(digits)];
    for (let turns = 0; turns < 5; turns += 1) await turn();
    assert.equal(queries, 2, 'one more for who was known, though asked for twice');
    letGo();
    hold = undefined;
    assert.deepEqual(
      (await Promise.all(known)).map((found) => found?.merchant.name),
      ['Other name', 'Other name'],
    );
    await Promise.all(strangers);
  });

  test("a revoked key is nobody's at once", async () => {
    const { keyId, digits } = await shop();
    assert.notEqual(await cache.find(digits), undefined);
    await revokeKey(pool, keyId);
    assert.equal(await cache.find(digits), undefined);
  });
});
