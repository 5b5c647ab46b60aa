// Goal: ids never repeat, secrets match only as a whole, and an idempotency key always maps to the same part. Method:
// the functions alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyPartOf, isSameSecret, newId, newSecret, partOfKey } from './ids.ts';

// More than a page of random bytes suffices for.
const MANY = 2_500;

test('ids of one moment and one part are all different', () => {
  const ids = Array.from({ length: MANY }, () => newId(1_790_000_000_000, 7));
  assert.equal(new Set(ids).size, MANY);
});

test('a secret is the same only as a whole', () => {
  const secret = newSecret();
  assert.match(secret, /^[0-9a-f]{32}$/);
  const others = ['', secret.slice(1), `${secret}0`, newSecret()];
  assert.ok(isSameSecret(secret, secret));
  for (const other of others) assert.ok(!isSameSecret(other, secret), other);
});

test('a payment may come to any part of its merchant, a key to one and the same for ever', () => {
  const merchant = { id: 7, parts: [3, 9, 12] } as const;
  const drawn = new Set(Array.from({ length: 200 }, () => anyPartOf(merchant)));
  assert.deepEqual(drawn, new Set(merchant.parts));
  assert.deepEqual(
    ['order-1', 'order-2', 'order-3', 'order-4', 'order-5'].map((key) => partOfKey(merchant, key)),
    [12, 12, 9, 3, 3],
  );
  assert.deepEqual([anyPartOf({ parts: [4] }), partOfKey({ id: 7, parts: [4] }, 'order-1')], [4, 4]);
});
