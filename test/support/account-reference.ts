// The reference by which a shop knows a test card again.
import { exchangeTestCard } from '../../src/acquirers/test-cards.ts';
import type { Instrument } from '../../src/acquirers/test-cards.ts';
import type { Merchant } from '../../src/domain/merchant.ts';
import { accountReferenceOf } from '../../src/payments/account-reference.ts';
import { CARDS } from './checkout.ts';

export const accountReferenceAt = (merchant: Merchant, card: string = CARDS.approved): string | undefined =>
  accountReferenceOf(merchant, exchangeTestCard(card) as Instrument);
