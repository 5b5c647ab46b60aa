// The refusals and requests that the documentation of charges, cancels and refunds shares.
import { problem } from '../operation.ts';
import { onePair, refundMade } from './story.ts';

const EXPIRES_AT = Date.UTC(2026, 2, 24, 8, 31, 46, 345);
export const acquirer = 'simulator';
export const reason = 'declined by the issuer';

export const NEVER_RESERVED = ['The consumer has not paid yet', { name: 'payment_was_never_reserved' }] as const;
export const EXPIRED = ['The reservation has expired', { name: 'reservation_has_expired', at: EXPIRES_AT }] as const;

export const notKnownYet = (kind: 'reservation' | 'charge' | 'cancel') =>
  ['The outcome is not known yet', { name: 'outcome_is_unknown', kind, hasKey: kind !== 'reservation' }] as const;

export const AMOUNT_MISSING = problem('No amount', 'amount', 'is required');

export const WITH_ITEMS = { 'With items': { amount: 50_000, orderItems: [onePair] } };

export const AMOUNT_ONLY = { 'Only an amount': { amount: 20_000 } };

export const refundCreated = { refundId: refundMade.id };

export const REFUND_DECLINED = [
  'The acquirer declined it',
  { name: 'acquirer_declined', kind: 'refund', reason, acquirer },
] as const;
