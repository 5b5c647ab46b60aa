// What a merchant's people do with a payment: charge, refund, cancel, end it, cancel a pending refund, and pay a test
// payment as its consumer. Each uses the same path as every change. A movement keeps the person in its details, and the
// audit record is committed with the change; if it cannot join the merchant's chain immediately, the housekeeping adds
// it.
import type { Actor, Facts } from '../domain/audit.ts';
import { isUnknownConsumer } from '../domain/consumer.ts';
import { amountBy } from '../domain/fee.ts';
import type { OrderItem } from '../domain/item.ts';
import type { Merchant } from '../domain/merchant.ts';
import { refuseUnlessOffered } from '../domain/offered-methods.ts';
import type { Payment } from '../domain/payment.ts';
import type { Refusal } from '../domain/refusal.ts';
import { needsRefundProof } from '../domain/refund-proof.ts';
import { refuseUnlessOpen } from '../domain/reserve.ts';
import { terminate } from '../domain/terminate.ts';
import { cancelRefund } from '../payments/cancel-refund.ts';
import type { IdempotencyKey } from '../payments/idempotency.ts';
import { cancelPayment, chargePayment, refundCharge } from '../payments/move.ts';
import { operate } from '../payments/operate.ts';
import type { Decide, Operation } from '../payments/operate.ts';
import type { DecidedOutcome, OperationOutcome } from '../payments/outcome.ts';
import { pay, settleChallenge } from '../payments/pay.ts';
import type { ChallengeOutcome, Paying, PayOutcome } from '../payments/pay.ts';
import { SANDBOX_CONSUMER } from '../payments/reserve.ts';
import type { Payments } from '../payments/service.ts';
import { flushAuditOutboxOf } from '../store/audit/audit-outbox.ts';
import type { OutboxEntry } from '../store/audit/audit-outbox.ts';
import type { RecordedAnswer } from '../store/statements/recorded-answer.ts';

/** The person, at one of their merchants. */
export type Asker = {
  readonly merchant: Merchant;
  readonly actor: Actor;
  /** They have just confirmed their identity. */
  readonly isProved: boolean;
  /** The audit record stays in the outbox for the housekeeping. */
  readonly onAuditWaits: (error: unknown) => void;
};

type Audited<Result> = Pick<OutboxEntry, 'action'> & {
  readonly target: string;
  readonly after?: (outcome: DecidedOutcome<Result>) => Facts;
};

/** With an audit record if something was changed. */
async function audited<Result>(
  { store }: Payments,
  { merchant, actor, onAuditWaits }: Asker,
  { target, action, after }: Audited<Result>,
  begin: (by: Required<Pick<Operation<Result>, 'merchant' | 'audit'>>) => Promise<OperationOutcome<Result>>,
): Promise<OperationOutcome<Result>> {
  const audit = (decided: DecidedOutcome<Result>) => ({ actor, action, ...(after && { after: after(decided) }) });
  const outcome = await begin({ merchant, audit });
  await flushAuditOutboxOf(store.pool, target).catch(onAuditWaits);
  return outcome;
}

export const terminatePayment = (payments: Payments, asker: Asker, target: string) =>
  audited<undefined>(payments, asker, { target, action: 'payment.terminate' }, (by) => {
    const decide: Decide<undefined> = (payment, at) => ({ decision: terminate(payment, at), result: undefined });
    return operate(payments, { ...by, target, isRefusalFinal: true, decide });
  });

export function callBackRefund(payments: Payments, asker: Asker, target: string, refundId: string) {
  const audit = { target, action: 'payment.cancel-refund', after: () => ({ refundId }) } as const;
  const by = { cancelledBy: asker.actor.id };
  return audited<undefined>(payments, asker, audit, (audits) => cancelRefund(payments, { ...audits, refundId, by }));
}

function payBy(payments: Payments, asker: Asker, target: string, decide: Decide<PayOutcome>) {
  const audit: Audited<PayOutcome> = { target, action: 'payment.pay', after: ({ kind }) => ({ outcome: kind }) };
  return audited(payments, asker, audit, (by) => operate(payments, { ...by, target, decide }));
}

/** Like the consumer's button; what is not allowed is refused by name. */
export const payAsConsumer = (
  payments: Payments,
  asker: Asker,
  paymentId: string,
  paying: Pick<Paying, 'instrument' | 'ip' | 'acsUrl'>,
) =>
  payBy(payments, asker, paymentId, (payment, at) => {
    const { method } = paying.instrument;
    const refused = refuseUnlessOpen(payment, at, payments.lifetimes) ?? refuseUnlessOffered(payment, method);
    if (refused) return { decision: refused, result: { kind: 'declined' } };
    const consumer = isUnknownConsumer(payment.consumer) && { consumer: SANDBOX_CONSUMER };
    const pressed = { ...paying, confirmedAmount: amountBy(payment, method), ...consumer };
    // People of the merchant may try as often as they like.
    return pay(payments, asker.merchant, pressed, Number.POSITIVE_INFINITY)(payment, at);
  });

export const answerChallenge = (
  payments: Payments,
  asker: Asker,
  paymentId: string,
  challenge: string,
  answer: ChallengeOutcome,
) => payBy(payments, asker, paymentId, settleChallenge(payments, asker.merchant, challenge, answer));

export type Move = {
  readonly kind: 'charge' | 'cancel' | 'refund';
  readonly payment: Payment;
  /** For a refund. */
  readonly chargeId?: string;
  /** Without it, only a result that its key already has is looked up. */
  readonly choice: { readonly amount: number; readonly items: readonly OrderItem[] } | undefined;
  /** Generated when the form was opened: a second click, a reload or a lost answer repeats it. */
  readonly idempotency: IdempotencyKey;
};

export type Moved =
  | { readonly kind: 'made'; readonly movementId: string }
  /** The outcome at the acquirer is unknown; the movement's id if known. */
  | { readonly kind: 'pending'; readonly movementId?: string }
  /** With `isReplayed`, it was refused before, and the payment may have changed since. */
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly isReplayed?: true }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'other_request_had_key' }
  /** Without a choice: the key has no result. */
  | { readonly kind: 'key_is_new' }
  /** Nothing was done, and the same key can be used again: first the person must confirm their identity. */
  | { readonly kind: 'proof_needed' };

type Kept = { readonly movementId?: string; readonly refusal?: Refusal };

const keptOf = (outcome: DecidedOutcome<string>): Kept =>
  outcome.kind === 'refused'
    ? { refusal: outcome.refusal }
    : { movementId: outcome.kind === 'pending' ? outcome.movement.id : outcome.result };

/** `kassa verify` looks up the movement in a record. */
const recordAnswer = (outcome: DecidedOutcome<string>): RecordedAnswer => ({
  status: outcome.kind === 'refused' ? 422 : 201,
  text: JSON.stringify(keptOf(outcome)),
});

function decisionOf(
  payments: Payments,
  { merchant, actor, isProved }: Asker,
  { kind, payment: { id }, chargeId, choice }: Move,
): Decide<string> {
  if (choice === undefined) return () => ({ decision: undefined, result: '' });
  const request = { ...choice, details: { askedBy: actor.id } };
  if (kind === 'charge') return chargePayment(payments, merchant, request);
  if (kind === 'cancel') return cancelPayment(payments, merchant, request);
  const refund = refundCharge(payments, merchant, request, chargeId);
  return (payment, at) => {
    if (payment.id !== id) return undefined;
    const isProofNeeded = !isProved && needsRefundProof(merchant.refundProof ?? {}, payment, choice.amount);
    // Nothing is decided, and nothing is recorded for its key.
    return isProofNeeded ? { decision: undefined, result: '' } : refund(payment, at);
  };
}

export async function moveMoney(payments: Payments, asker: Asker, move: Move): Promise<Moved> {
  const { kind, payment, chargeId, choice, idempotency } = move;
  const { currency } = payment.order;
  const after = (decided: DecidedOutcome<string>): Facts => {
    const { refusal, ...moved } = keptOf(decided);
    return { ...(choice && { amount: choice.amount }), currency, ...(refusal ? { refused: refusal.name } : moved) };
  };
  const outcome = await audited(payments, asker, { target: payment.id, action: `payment.${kind}`, after }, (by) =>
    operate(payments, {
      ...by,
      target: chargeId ?? payment.id,
      isMovement: chargeId !== undefined,
      keyed: { operation: kind, idempotency, recordAnswer },
      decide: decisionOf(payments, asker, move),
    }),
  );
  switch (outcome.kind) {
    case 'made':
      return { kind: 'made', movementId: outcome.result };
    case 'pending':
      return { kind: 'pending', movementId: outcome.movement.id };
    case 'outcome_of_key_is_open':
      return { kind: 'pending' };
    case 'replayed': {
      const { movementId, refusal } = JSON.parse(outcome.recorded.text) as Kept;
      if (refusal) return { kind: 'refused', refusal, isReplayed: true };
      return movementId === undefined ? { kind: 'not_found' } : { kind: 'made', movementId };
    }
    case 'refused':
      return { kind: 'refused', refusal: outcome.refusal };
    case 'unchanged':
      return { kind: choice ? 'proof_needed' : 'key_is_new' };
    default:
      return outcome;
  }
}
