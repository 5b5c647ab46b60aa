// Goal: a caller's own id is used, unless it would put a key or a card number into the log.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenRequestId } from './request-id.ts';

const taken = (id: string): boolean => givenRequestId({ headers: { 'x-request-id': id } }) === id;

test('ids as callers make them are taken: counts, times, hexadecimal ones', () => {
  for (const id of [
    'order-1',
    '550e8400-e29b-41d4-a716-446655440000',
    '4bf92f3577b34da6a3ce929d0e0e4736',
    '1731912345678',
    ...Array.from({ length: 50 }, (_, n) => `20261118-093012-${String(n).padStart(4, '0')}`),
    ...Array.from({ length: 50 }, (_, n) => `4111111111111111${String(n).padStart(4, '0')}`),
  ])
    assert.ok(taken(id), id);
});

test('the key of the request itself is none, however it is spelled; another text of that length is', () => {
  const digits = '4bf92f3577b34da6a3ce929d0e0e4736';
  const guid = '4BF92F35-77B3-4DA6-A3CE-929D0E0E4736';
  for (const authorization of [digits, `Bearer test-secret-key-${digits}`, guid])
    for (const id of [digits, guid, `try-${digits}`])
      assert.equal(givenRequestId({ headers: { authorization, 'x-request-id': id } }), undefined, id);
  const headers = { authorization: `live-secret-key-${'0'.repeat(32)}`, 'x-request-id': digits };
  assert.equal(givenRequestId({ headers }), digits);
});

test('a key, a card number in whatever groups, and what is not plain are not', () => {
  for (const id of [
    '4111111111111111',
    'order-4111111111111111',
    '4111-1111-1111-1111',
    'pay.5555.5555.5555.4444',
    '378282246310005',
    '3782-822463-10005',
    '4111__1111__1111__1111',
    `testsecretkey${'0'.repeat(32)}`,
    `test-secret-key-${'0'.repeat(32)}`,
    'whsec_abc',
    'a b',
    'x'.repeat(65),
  ])
    assert.ok(!taken(id), id);
});
