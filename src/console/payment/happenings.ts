// What happened to a payment, in its order, before anybody reads or draws what there is to tell of each: the page shows a
// part of it, and reads no more than that.
import { timeOf } from '../../domain/id.ts';
import type { Movement } from '../../domain/movement.ts';
import type { Payment } from '../../domain/payment.ts';
import type { StoredEvent } from '../../store/events/events.ts';
import type { PaymentChange } from '../../store/payments/payment-changes.ts';

export type Happening = { readonly at: number } & (
  | { readonly kind: 'created' | 'challenge' | 'terminated' }
  | { readonly kind: 'change'; readonly change: PaymentChange }
  | { readonly kind: 'event'; readonly event: StoredEvent }
  | { readonly kind: 'movement'; readonly movement: Movement }
);

/** Newest first. `events`: those of no movement. */
export function happeningsOf(
  { id, movements, challenge, terminatedAt }: Payment,
  changes: readonly PaymentChange[],
  events: readonly StoredEvent[],
): Happening[] {
  const all: Happening[] = [
    { kind: 'created', at: timeOf(id) },
    // That a payment was ended it says itself.
    ...changes
      .filter(({ kind }) => kind !== 'termination')
      .map((change): Happening => ({ kind: 'change', at: change.at, change })),
    ...events.map((event): Happening => ({ kind: 'event', at: event.at, event })),
    ...movements.map((movement): Happening => ({ kind: 'movement', at: timeOf(movement.id), movement })),
  ];
  if (challenge) all.push({ kind: 'challenge', at: challenge.openedAt });
  if (terminatedAt !== undefined) all.push({ kind: 'terminated', at: terminatedAt });
  // What happened in the same moment stays in its order.
  return all.toSorted((one, other) => one.at - other.at).toReversed();
}

/** The place of what an event was told of; less than nothing where that is not among them. */
export const placeOf = (happenings: readonly Happening[], event: StoredEvent): number =>
  happenings.findIndex((each) =>
    each.kind === 'movement'
      ? each.movement.id === event.movementId
      : each.kind === 'event' && each.event.id === event.id,
  );
