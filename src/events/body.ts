// The body of an event as subscribers receive it. It is made at the time of sending, from the payment as it then is:
// events contain no personal data themselves, so erased data is no longer sent.
import * as Type from '../schema/type.ts';
import type { Payment } from '../domain/payment.ts';
import { isoTime } from '../domain/time.ts';
import type { StoredEvent } from '../store/events/events.ts';
import { definitionOf } from './definitions.ts';
import type { Definition } from './making.ts';
import { Id, Timestamp } from './body-parts.ts';

const MerchantNumber = (description: string) => Type.Integer({ description });

/** payment.charge.created.v2 is PaymentChargeCreatedV2Event. */
const titleOf = (name: string): string =>
  `${name.replaceAll(/(?:^|\.)([a-z])/g, (_match, letter: string) => letter.toUpperCase())}Event`;

export const EnvelopeSchema = ({ name, summary, schema }: Definition) =>
  Type.Object(
    {
      id: Id('The event: the same however often it is sent.'),
      merchantId: MerchantNumber('Your merchant.'),
      timestamp: Timestamp('When it happened.'),
      merchantNumber: MerchantNumber('The same as merchantId: clients read the one or the other.'),
      event: Type.String({ enum: [name], description: 'Its name.' }),
      data: schema,
    },
    { title: titleOf(name), description: summary },
  );

/**
 * The payment is undefined for an event that belongs to none. Links to invoices need the service's URL; a process that
 * does not know it leaves them out.
 */
export function bodyOf(event: StoredEvent, payment: Payment | undefined, publicUrl?: string): object {
  const movement = event.movementId && payment?.movements.find(({ id }) => id === event.movementId);
  return {
    id: event.id,
    merchantId: event.merchantId,
    timestamp: isoTime(event.at),
    merchantNumber: event.merchantId,
    event: event.name,
    data: definitionOf(event.name).data(payment, movement || undefined, event, publicUrl),
  };
}
