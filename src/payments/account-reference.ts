// The reference of a card: the same whenever it pays the same merchant, so that a shop can recognize it. Derived from
// the acquirer's token of the card and its mask, with a secret of the merchant: without that, nobody can find the card
// by trial, and two merchants cannot compare their consumers. The card number is not used.
import { createHmac } from 'node:crypto';
import type { Merchant } from '../domain/merchant.ts';
import type { Instrument } from '../acquirers/test-cards.ts';

// As long as those of the card schemes, with the same characters.
const LENGTH = 29;
const BASE = 36;

export function accountReferenceOf(
  { accountSecret }: Pick<Merchant, 'accountSecret'>,
  { source, method: { maskedPan } }: Pick<Instrument, 'source' | 'method'>,
): string | undefined {
  if (maskedPan === undefined) return undefined;
  const digest = createHmac('sha256', accountSecret).update(`${source}\n${maskedPan}`).digest('hex');
  return BigInt(`0x${digest}`).toString(BASE).toUpperCase().padStart(LENGTH, '0').slice(-LENGTH);
}
