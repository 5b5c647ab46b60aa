// Goal: which refunds need a proof is what the merchant has written, and nobody goes around it. Method: tables of texts and
// of refunds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Payment } from './payment.ts';
import { needsRefundProof, readRefundProof, showRefundProof } from './refund-proof.ts';

test('amounts are read in each currency’s own decimals, and shown so that they can be read again', () => {
  for (const [text, limits] of [
    ['', {}],
    ['5000 SEK', { SEK: 500_000 }],
    ['5000 sek, 500.50 EUR, 1000 JPY', { SEK: 500_000, EUR: 50_050, JPY: 1_000 }],
    ['0 SEK', { SEK: 0 }],
    ['500,50 EUR', { EUR: 50_050 }],
  ] as const) {
    assert.deepEqual(readRefundProof(text), limits, text);
    assert.deepEqual(readRefundProof(showRefundProof(limits)), limits, text);
  }
  for (const text of ['5000', 'SEK', '5000 XXY', '-1 SEK', '1.001 SEK', '1 JPY, 2 JPY', '5000 SEK EUR', '1.5 JPY'])
    assert.equal(readRefundProof(text), undefined, text);
});

test('above the amount, with what is refunded already; in another currency always; without a setting never', () => {
  const payment = (currency: string, refunded = 0, refunding = 0): Payment =>
    ({ order: { currency }, totals: { refunded, refunding } }) as Payment;
  const limits = { SEK: 1_000 };
  assert.equal(needsRefundProof(limits, payment('SEK'), 1_000), false);
  assert.equal(needsRefundProof(limits, payment('SEK'), 1_001), true);
  assert.equal(needsRefundProof(limits, payment('SEK', 600, 300), 100), false);
  assert.equal(needsRefundProof(limits, payment('SEK', 600, 300), 101), true);
  assert.equal(needsRefundProof(limits, payment('EUR'), 1), true);
  assert.equal(needsRefundProof({}, payment('SEK'), 1_000_000), false);
});
