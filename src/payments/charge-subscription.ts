// Charges a subscription: a new payment, reserved with the stored card and charged immediately. It is only committed if
// the subscription still has the version that it was decided on. A request with a used key, or an entry of a bulk that
// is retried, gets the outcome of the first.
import type { Change } from '../domain/decision.ts';
import { partOf } from '../domain/id.ts';
import type { Movement } from '../domain/movement.ts';
import type { Order, Payment, WebHook } from '../domain/payment.ts';
import { refuseUnlessDue, renew } from '../domain/subscription-charge.ts';
import type { SubscriptionRefusal } from '../domain/subscription-charge.ts';
import { dayOf, hasExpired } from '../domain/subscription.ts';
import type { SubscriptionKind } from '../domain/agreement.ts';
import type { Subscription } from '../domain/subscription.ts';
import { isEntryPending } from '../store/payments/bulk-entries.ts';
import type { EntryName } from '../store/payments/bulk-entries.ts';
import type { RecordedAnswer } from '../store/statements/recorded-answer.ts';
import { findSubscription } from '../store/payments/subscriptions.ts';
import { madeByKey } from './attribution.ts';
import { withChargeAtOnce } from './charge-at-once.ts';
import { nowOfMerchant } from './clock.ts';
import { intendedIn, LOAD, perform } from './engine.ts';
import { executeAtAcquirer } from './execute-at-acquirer.ts';
import { replay } from './idempotency.ts';
import type { FoundByKey, IdempotencyKey } from './idempotency.ts';
import { newId } from './ids.ts';
import { settleIfLocal } from './service.ts';
import type { Payments } from './service.ts';

/** The outcome of the charge that a payment represents. */
export type Renewed =
  | { readonly kind: 'charged'; readonly payment: Payment; readonly charge: Movement }
  | { readonly kind: 'declined'; readonly payment: Payment; readonly movement: Movement }
  | { readonly kind: 'pending'; readonly payment: Payment };

export type RenewalOutcome = Renewed | { readonly kind: 'refused'; readonly refusal: SubscriptionRefusal };

/** `not_wanted`: an entry that was given up meanwhile. */
type Found = FoundByKey | { readonly kind: 'not_found' } | { readonly kind: 'not_wanted' };
export type ChargedSubscription = (RenewalOutcome & { readonly recorded?: RecordedAnswer }) | Found;

export type RenewalRequest = {
  readonly merchantId: number;
  readonly kind: SubscriptionKind;
  readonly subscriptionId: string;
  readonly order: Order;
  readonly myReference?: string;
  readonly webHooks?: readonly WebHook[];
  /** The merchant's key that requested it, or its bulk. */
  readonly keyId?: string;
  /** For an entry of a bulk: its name, and the id of its payment, which was generated with the bulk. */
  readonly entry?: EntryName & { readonly paymentId: string };
  readonly keyed?: {
    readonly idempotency: IdempotencyKey;
    readonly recordAnswer: (outcome: RenewalOutcome) => RecordedAnswer;
  };
};

/** Derived from the payment alone, at any time. */
export function renewedOf(payment: Payment): Renewed {
  const { movements } = payment;
  const charge = movements.find(({ kind }) => kind === 'charge');
  if (charge?.state === 'approved') return { kind: 'charged', payment, charge };
  const declined = charge ?? movements.find(({ kind }) => kind === 'reservation');
  return declined?.state === 'declined'
    ? { kind: 'declined', payment, movement: declined }
    : { kind: 'pending', payment };
}

/** Whether nothing can be charged any more, with any card. */
export const isOver = (subscription: Subscription, at: number): boolean =>
  subscription.state === 'ended' || hasExpired(subscription, at);

const outcomeOf = ({ payment }: { readonly payment: Payment }): RenewalOutcome => renewedOf(payment);

export function chargeSubscription(payments: Payments, request: RenewalRequest): Promise<ChargedSubscription> {
  const { store } = payments;
  const { merchantId, kind, subscriptionId, entry, keyId } = request;
  const keyed = request.keyed && { ...request.keyed, operation: 'charge' as const, lasting: true };
  const find = (): Promise<Subscription | undefined> => findSubscription(store.pool, merchantId, kind, subscriptionId);

  return perform<Subscription, RenewalOutcome, Found>(payments, {
    target: subscriptionId,
    keyed,
    load: async () => {
      // The subscription first: whatever is missing after it cannot be created before its version has changed.
      const subscription = await find();
      if (subscription === undefined) return { step: 'end', outcome: { kind: 'not_found' } };
      if (entry) {
        const { payment, timeline } = await store.load({ merchantId, target: entry.paymentId });
        // Its end is written after this, perhaps on another server.
        if (payment) return { step: 'confirm', outcome: renewedOf(payment), timeline };
        if (!(await isEntryPending(store.pool, entry))) return { step: 'end', outcome: { kind: 'not_wanted' } };
      }
      if (keyed) {
        const { operation, idempotency } = keyed;
        const asked = { merchantId, target: subscriptionId, operation, key: idempotency.key };
        const { record, timeline } = await store.load(asked);
        const needed = record && !record.recorded && { merchantId, target: record.paymentId };
        const { payment } = needed ? await store.load(needed) : {};
        if (record) return { step: 'confirm', outcome: replay(record, keyed, payment, outcomeOf), timeline };
      }
      return { step: 'decide', subject: subscription };
    },

    decide: async (subscription) => {
      const at = await nowOfMerchant(store, merchantId);
      const written = { gate: 'subscription', subscription, day: dayOf(at), made: { at, keyId } } as const;
      const refusal = refuseUnlessDue(subscription, at);
      const refused = refusal && ({ kind: 'refused', refusal } as const);
      if (refused && keyed) return { step: 'record', proposal: { ...written, outcome: refused } };
      const { payment: first, timeline } = await store.load({ merchantId, target: subscription.paymentId });
      if (refused) {
        // It may depend on a charge that the standby does not have yet, or that was only on a lost server.
        const isSame = timeline === undefined || (await find())?.version === subscription.version;
        return isSame ? { step: 'confirm', outcome: refused, timeline } : LOAD;
      }
      if (first === undefined) throw new Error(`subscription ${subscriptionId} lost its payment`);
      const change = decide(payments, request, subscription, first, at);
      const { payment } = change;
      const movement = intendedIn(change);
      const intent = movement && { execution: { payment, movement }, execute: executeAtAcquirer, outcomeOf };
      return { step: 'record', proposal: { ...written, change, outcome: renewedOf(payment), intent } };
    },
  });
}

/** The new payment: at the simulator with its reservation and charge, elsewhere with a pending reservation. */
function decide(
  payments: Payments,
  { subscriptionId, order, myReference, webHooks, entry, keyId }: RenewalRequest,
  subscription: Subscription,
  first: Payment,
  at: number,
): Change {
  const paymentId = entry?.paymentId ?? newId(at, partOf(subscriptionId));
  const movementId = newId(at, partOf(paymentId));
  const given = { ...(myReference && { myReference }), ...(webHooks && { webHooks }) };
  const command = { paymentId, movementId, order, ...given, ...(entry && { bulkId: entry.bulkId }) };
  const renewed = renew(subscription, first, command, at, payments.lifetimes);
  const { change } = withChargeAtOnce(payments, settleIfLocal(renewed, movementId, at), at);
  if (change === undefined) throw new Error(`movement ${movementId} could not be settled`);
  return madeByKey(change, keyId);
}
