// Says how a refund ends that the simulator has left open: what an acquirer would say hours or days later, a test says when
// it wants to.
import { isCancelledRefund, refundNamed } from '../domain/cancel-refund.ts';
import { settle } from '../domain/settle.ts';
import type { Outcome } from '../domain/settle.ts';
import { isLocal } from './acquirers.ts';
import type { Decide } from './operate.ts';

/** `not_open`: it is no refund that was left open, or it has ended otherwise. */
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
