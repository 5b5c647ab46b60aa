// Goal: a key is read in every spelling that it can have, and nothing else is one. Method: spellings and what they say.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkoutKeyText, readCheckoutKey, readSecretKey } from './key.ts';

const DIGITS = '0123456789abcdef0123456789abcdef';
const GUID = '01234567-89ab-cdef-0123-456789abcdef';

describe('keys', () => {
  test('with a prefix, without one, without dashes, as a GUID, in capitals', () => {
    for (const [text, mode] of [
      [`test-secret-key-${DIGITS}`, 'test'],
      [`livesecretkey${DIGITS}`, 'live'],
      [DIGITS, undefined],
      [GUID, undefined],
      [GUID.toUpperCase(), undefined],
    ] as const)
      assert.deepEqual(readSecretKey(text), { mode, digits: DIGITS });
  });

  test('a checkout key has one text by which it is kept, with its prefix or without one', () => {
    for (const [text, kept] of [
      [`test-checkout-key-${DIGITS}`, `test-checkout-key-${DIGITS}`],
      [`LIVE-CHECKOUT-KEY-${DIGITS}`, `live-checkout-key-${DIGITS}`],
      [DIGITS, DIGITS],
      [GUID, DIGITS],
    ] as const) {
      const read = readCheckoutKey(text);
      assert.equal(read && checkoutKeyText(read), kept);
    }
  });

  test('anything else is none', () => {
    const wrong = ['', '-', DIGITS.slice(1), `${DIGITS}0`, `prod-${DIGITS}`, `${DIGITS.slice(1)}g`, `{${GUID}}`];
    for (const text of [...wrong, ` ${DIGITS}`, DIGITS + '-'.repeat(200)]) {
      assert.equal(readSecretKey(text), undefined, text);
      assert.equal(readCheckoutKey(text), undefined, text);
    }
    assert.equal(readSecretKey(`test-checkout-key-${DIGITS}`), undefined);
    assert.equal(readCheckoutKey(`test-secret-key-${DIGITS}`), undefined);
  });
});
