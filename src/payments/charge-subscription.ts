// Charges a subscription: a new payment, reserved with the stored card and charged at once, by the one path of every
// change. It is let in only on the version of the subscription that it was decided on; at an acquirer on another machine
// its intent is committed first. Who brings a key again, or a bulk that is taken up again, is told what came of the first.
import { joinChanges } from '../domain/decision.ts';
import type { Change } from '../domain/decision.ts';
import { partOf } from '../domain/id.ts';
import type { Movement } from '../domain/movement.ts';
import type { Order, Payment, WebHook } from '../domain/payment.ts';
import { refuseUnlessDue, renew } from '../domain/subscription-charge.ts';
import type { SubscriptionRefusal } from '../domain/subscription-charge.ts';
import { dayOf, hasExpired } from '../domain/subscription.ts';
import type { SubscriptionKind } from '../domain/agreement.ts';
import type { Subscription } from '../domain/subscription.ts';
import { checkpoint } from '../ops/checkpoints.ts';
import type { CommitRequest, NewIdempotencyRecord } from '../store/payments/commit-request.ts';
import { isEntryPending } from '../store/payments/bulk-entries.ts';
import type { EntryName } from '../store/payments/bulk-entries.ts';
import { Overloaded } from '../store/connections/group.ts';
import type { RecordedAnswer } from '../store/statements/recorded-answer.ts';
import { findSubscription, recordRefusal } from '../store/payments/subscriptions.ts';
import { isLocal } from './acquirers.ts';
import { madeByKey } from './attribution.ts';
import { chargeAtOnce } from './charge-at-once.ts';
import { nowOfMerchant } from './clock.ts';
import { executeAtAcquirer } from './execute-at-acquirer.ts';
import type { Execution } from './execute-at-acquirer.ts';
import { confirmed, replay } from './idempotency.ts';
import type { FoundByKey, IdempotencyKey } from './idempotency.ts';
import { newId } from './ids.ts';
import { LONGEST_TRY_MS } from './payment-lock.ts';
import { settleIfLocal } from './service.ts';
import type { Payments } from './service.ts';

/** What came of the charge that a payment is. */
export type Renewed =
  | { readonly kind: 'charged'; readonly payment: Payment; readonly charge: Movement }
  | { readonly kind: 'declined'; readonly payment: Payment; readonly movement: Movement }
  | { readonly kind: 'pending'; readonly payment: Payment };

export type RenewalOutcome = Renewed | { readonly kind: 'refused'; readonly refusal: SubscriptionRefusal };

type Told = { readonly recorded?: RecordedAnswer };
/** An entry that was given up meanwhile is not wanted any more. */
export type ChargedSubscription =
  | (RenewalOutcome & Told)
  | FoundByKey
  | { readonly kind: 'not_found' }
  | { readonly kind: 'not_wanted' };

export type RenewalRequest = {
  readonly merchantId: number;
  readonly kind: SubscriptionKind;
  readonly subscriptionId: string;
  readonly order: Order;
  readonly myReference?: string;
  readonly webHooks?: readonly WebHook[];
  /** The key of the merchant that asked for it, or for its bulk. */
  readonly keyId?: string;
  /** Of an entry of a bulk: its name, and the id of its payment, which was drawn when it was asked for. */
  readonly entry?: EntryName & { readonly paymentId: string };
  readonly keyed?: {
    readonly idempotency: IdempotencyKey;
    readonly recordAnswer: (outcome: RenewalOutcome) => RecordedAnswer;
  };
};

/** It follows from the payment alone, whenever it is asked for. */
export function renewedOf(payment: Payment): Renewed {
  const { movements } = payment;
  const charge = movements.find(({ kind }) => kind === 'charge');
  if (charge?.state === 'approved') return { kind: 'charged', payment, charge };
  const declined = charge ?? movements.find(({ kind }) => kind === 'reservation');
  return declined?.state === 'declined'
    ? { kind: 'declined', payment, movement: declined }
    : { kind: 'pending', payment };
}

export async function chargeSubscription(payments: Payments, request: RenewalRequest): Promise<ChargedSubscription> {
  const giveUpAt = performance.now() + LONGEST_TRY_MS;
  while (performance.now() < giveUpAt) {
    const outcome = await attempt(payments, request);
    if (outcome !== 'again') return outcome;
  }
  throw new Overloaded(`a charge of subscription ${request.subscriptionId} lost to others for too long`);
}

/** Whether nothing can be charged any more, whatever card there is. */
export const isOver = (subscription: Subscription, at: number): boolean =>
  subscription.state === 'ended' || hasExpired(subscription, at);

async function attempt(payments: Payments, request: RenewalRequest): Promise<ChargedSubscription | 'again'> {
  const { merchantId, kind, subscriptionId } = request;
  const { store } = payments;
  // The subscription first: what is found missing after it cannot come into being before its version has moved on.
  const subscription = await findSubscription(store.pool, merchantId, kind, subscriptionId);
  if (subscription === undefined) return { kind: 'not_found' };
  const found = await findFirst(payments, request);
  if (found) return found;
  if (request.entry && !(await isEntryPending(store.pool, request.entry))) return { kind: 'not_wanted' };

  const at = await nowOfMerchant(store, merchantId);
  const refusal = refuseUnlessDue(subscription, at);
  if (refusal) return refuse(payments, request, subscription, refusal);
  const { payment: first } = await store.load({ merchantId, target: subscription.paymentId });
  if (first === undefined) throw new Error(`subscription ${subscriptionId} lost its payment`);
  const paymentId = request.entry?.paymentId ?? newId(at, partOf(subscriptionId));
  const movementId = newId(at, partOf(paymentId));
  const { order, myReference, webHooks, entry } = request;
  const given = { ...(myReference && { myReference }), ...(webHooks && { webHooks }) };
  const command = { paymentId, movementId, order, ...given, ...(entry && { bulkId: entry.bulkId }) };
  const renewed = renew(subscription, first, command, at, payments.lifetimes);
  const decided = isLocal(subscription.acquirer) ? chargeLocally(payments, renewed, movementId, at) : renewed;
  const change = madeByKey(decided, request.keyId);
  const made = { at, ...(request.keyId !== undefined && { keyId: request.keyId }) };
  const renewal = {
    subscriptionId,
    version: subscription.version,
    day: dayOf(at),
    cardPaymentId: subscription.paymentId,
  };
  return isLocal(subscription.acquirer)
    ? commitLocal(payments, request, { change, renewal, made })
    : commitIntent(payments, request, { change, renewal, made }, movementId);
}

/** What the first request with the key came to, or the payment of that id. */
async function findFirst(
  payments: Payments,
  { merchantId, subscriptionId, entry, keyed }: RenewalRequest,
): Promise<ChargedSubscription | undefined> {
  const { store } = payments;
  if (entry !== undefined) {
    const { payment, timeline } = await store.load({ merchantId, target: entry.paymentId });
    if (payment !== undefined) {
      // Its end is written after this, perhaps on another server.
      if (timeline) await store.confirm(timeline);
      return renewedOf(payment);
    }
  }
  if (keyed === undefined) return undefined;
  const { idempotency, recordAnswer } = keyed;
  const { record, timeline } = await store.load({
    merchantId,
    target: subscriptionId,
    operation: 'charge',
    key: idempotency.key,
  });
  if (record === undefined) return undefined;
  const { payment } = record.recorded ? {} : await store.load({ merchantId, target: record.paymentId });
  const recordLate = (): RecordedAnswer | undefined => {
    const renewed = payment && renewedOf(payment);
    return renewed && renewed.kind !== 'pending' ? recordAnswer(renewed) : undefined;
  };
  return confirmed(payments, replay(record, idempotency, recordLate), timeline);
}

const recordOf = (
  { subscriptionId, keyed }: RenewalRequest,
  paymentId: string,
  answer: Pick<NewIdempotencyRecord, 'recorded' | 'movementId'>,
): NewIdempotencyRecord | undefined =>
  keyed && {
    ...keyed.idempotency,
    operation: 'charge',
    target: subscriptionId,
    paymentId,
    lasting: true,
    ...answer,
  };

async function refuse(
  { store }: Payments,
  request: RenewalRequest,
  subscription: Subscription,
  refusal: SubscriptionRefusal,
): Promise<ChargedSubscription | 'again'> {
  const outcome = { kind: 'refused', refusal } as const;
  const recorded = request.keyed?.recordAnswer(outcome);
  const record = recorded && recordOf(request, subscription.id, { recorded });
  if (record === undefined) {
    const { timeline } = await store.load({ merchantId: subscription.merchantId, target: subscription.paymentId });
    if (timeline === undefined) return outcome;
    // It may follow from a charge that the standby does not have yet, or that only a server had which was lost since.
    const now = await findSubscription(store.pool, request.merchantId, request.kind, subscription.id);
    if (now?.version !== subscription.version) return 'again';
    await store.confirm(timeline);
    return outcome;
  }
  if (!(await recordRefusal(store.write, subscription, record))) return 'again';
  return { ...outcome, ...(recorded && { recorded }) };
}

/** Reservation and charge, decided within the same change. */
function chargeLocally(payments: Payments, renewed: Change, movementId: string, at: number): Change {
  const reserved = settleIfLocal(renewed, movementId, at);
  if (reserved.change === undefined) throw new Error(`movement ${movementId} could not be settled`);
  if (reserved.refusal) return reserved.change;
  const charging = chargeAtOnce(payments, reserved.change.payment, at);
  if (charging?.decision.change === undefined) throw new Error(`reservation ${movementId} could not be charged`);
  const charged = settleIfLocal(charging.decision.change, charging.movementId, at).change;
  return joinChanges(reserved.change, charged ?? charging.decision.change);
}

type Renewing = Pick<CommitRequest, 'change'> & Required<Pick<CommitRequest, 'renewal' | 'made'>>;

async function commitLocal(
  { store }: Payments,
  request: RenewalRequest,
  { change, renewal, made }: Renewing,
): Promise<ChargedSubscription | 'again'> {
  const outcome = renewedOf(change.payment);
  const recorded = request.keyed?.recordAnswer(outcome);
  const record = recorded && recordOf(request, change.payment.id, { recorded });
  const committed = await store.commit({ change, renewal, made, ...(record && { record }) });
  if (committed !== 'committed') return 'again';
  return recorded ? { ...outcome, recorded } : outcome;
}

/** What came of it. Where that cannot be looked at, it is not known, and no longer nothing: the acquirer was asked. */
async function lookAfterwards(
  { store, acquirers }: Payments,
  { payment, movement }: Execution,
): Promise<ChargedSubscription> {
  try {
    const now = await store.load({ merchantId: payment.merchantId, target: payment.id });
    const outcome = renewedOf(now.payment ?? payment);
    // Somebody else may have settled it.
    if (now.timeline && outcome.kind !== 'pending') await store.confirm(now.timeline);
    return outcome;
  } catch (error) {
    const why = `it could not be looked at, ${(error as Error).message}`;
    acquirers.onUnknown({ acquirer: movement.acquirer, paymentId: payment.id, movementId: movement.id, why });
    return renewedOf(payment);
  }
}

async function commitIntent(
  payments: Payments,
  request: RenewalRequest,
  { change, renewal, made }: Renewing,
  movementId: string,
): Promise<ChargedSubscription | 'again'> {
  const { store, acquirers } = payments;
  const { payment } = change;
  const movement = payment.movements.find(({ id }) => id === movementId) as Movement;
  const record = recordOf(request, payment.id, { movementId });
  const until = performance.now() + acquirers.timeouts.answerMs;
  await checkpoint('decided', payment.id);
  const acquirer = await acquirers.find(movement.acquirer);
  const leave = await acquirer.enter();
  try {
    const { ownTryMs } = acquirers.timeouts;
    const committed = await store.commit({ change, renewal, made, ...(record && { record }), ownTryMs });
    if (committed !== 'committed') return 'again';
    await checkpoint('intent committed', payment.id);
    const execution = { payment, movement };
    await executeAtAcquirer(payments, acquirer, execution, until);
    const outcome = await lookAfterwards(payments, execution);
    await checkpoint('before answer', payment.id);
    return outcome;
  } finally {
    leave();
  }
}
