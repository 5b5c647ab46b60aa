// Goal: a subscription ends after its last moment, and not before; without an end it lasts for five years, or for ever.
// Method: the functions alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultEndOf, hasExpired } from './subscription.ts';

const END = Date.UTC(2026, 11, 31);

test('its last moment is its own', () => {
  assert.deepEqual([hasExpired({ endsAt: END }, END), hasExpired({ endsAt: END }, END + 1)], [false, true]);
  assert.equal(hasExpired({}, Number.MAX_SAFE_INTEGER), false);
});

test('what names no end has five years', () => {
  assert.equal(defaultEndOf(Date.UTC(2026, 10, 15, 8)), Date.UTC(2031, 10, 15, 8));
  assert.equal(defaultEndOf(Date.UTC(2028, 1, 29)), Date.UTC(2033, 2, 1));
});
