// The reference of a card: the same whenever it pays the same merchant, so that a shop knows it again. Made of what the
// acquirer calls the card and of its mask, under a secret of the merchant: without that nobody can try out which card it
// is, and two merchants cannot compare whom they serve. A card number has no part in it.
import { createHmac } from 'node:crypto';
import type { Merchant } from '../domain/merchant.ts';
import type { Instrument } from '../acquirers/test-cards.ts';

// As long as those of the card schemes, of the same letters and digits.
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
