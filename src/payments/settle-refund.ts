// Settles a refund that the simulator left open: a real acquirer would answer hours or days later, a test chooses when.
import { isCancelledRefund, refundNamed } from '../domain/cancel-refund.ts';
import { settle } from '../domain/settle.ts';
import type { Outcome } from '../domain/settle.ts';
import { isLocal } from './acquirers.ts';
import type { Decide } from './operate.ts';

/** `not_open`: it is not a refund that was left open, or it is already settled. */
export type SettledRefund = 'settled' | 'not_open';

export function settleOpenRefund(refundId: string, outcome: Outcome): Decide<SettledRefund> {
  return (payment, at) => {
    const refund = refundNamed(payment, refundId);
    if (refund === undefined) return undefined;
    if (refund.state === outcome.result && isLocal(refund.acquirer) && !isCancelledRefund(refund))
      return { decision: undefined, result: 'settled' };
    if (refund.state !== 'pending' || !isLocal(refund.acquirer)) return { decision: undefined, result: 'not_open' };
    const { change } = settle(payment, refundId, outcome, at);
    return { decision: change && { change }, result: 'settled' };
  };
}
