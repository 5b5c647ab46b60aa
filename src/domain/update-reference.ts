// Decides the updates of what a merchant calls a payment: its reference, the address of its checkout, and the
// merchant's own second reference. Possible until the payment has come to an end without money.
import { altered, refuse } from './decision.ts';
import type { Decision, Refused } from './decision.ts';
import type { Payment } from './payment.ts';

export type UpdateReferenceCommand = { readonly reference?: string; readonly checkoutUrl?: string };

function refuseIfEnded(payment: Payment): Refused | undefined {
  if (payment.terminatedAt !== undefined) return refuse({ name: 'payment_is_terminated' });
  const { reserved, cancelled } = payment.totals;
  if (reserved > 0 && cancelled === reserved) return refuse({ name: 'reservation_is_fully_cancelled' });
  return undefined;
}

export function updateReference(payment: Payment, command: UpdateReferenceCommand): Decision {
  const refused = refuseIfEnded(payment);
  if (refused) return refused;
  const { reference, checkoutUrl } = command;
  const order = reference === undefined ? payment.order : { ...payment.order, reference };
  return { change: altered({ ...payment, order, ...(checkoutUrl !== undefined && { checkoutUrl }) }) };
}

export function updateMyReference(payment: Payment, myReference: string): Decision {
  return refuseIfEnded(payment) ?? { change: altered({ ...payment, myReference }) };
}
