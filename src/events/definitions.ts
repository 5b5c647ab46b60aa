// Every event: its name, the sentence that says when it is sent, the schema of its `data` and the function that makes
// it. Delivery, the API description and the events page are all generated from this table.
import * as Type from '../schema/type.ts';
import type { EventName } from '../domain/decision.ts';
import type { Movement } from '../domain/movement.ts';
import { reservationOf } from '../domain/payment.ts';
import type { Payment } from '../domain/payment.ts';
import { itemsOfCharge } from '../domain/refund.ts';
import { agreementOf } from '../domain/subscription.ts';
import {
  AccountFields,
  cardAccountOf,
  CardDetailsSchema,
  cardDetailsOf,
  ConsumerSchema,
  ErrorSchema,
  errorOf,
  Id,
  InvoiceDetailsSchema,
  invoiceDetailsOf,
  MethodFields,
  OrderItemsSchema,
  OrderSchema,
  orderOf,
  reservationReferenceOf,
  showConsumer,
  showItems,
  showMethod,
  Timestamp,
} from './body-parts.ts';
import {
  MoneyFields,
  moneyOf,
  ofMovement,
  ofPayment,
  PaymentFields,
  paymentOf,
  ReconciliationFields,
  reconciliationOf,
} from './making.ts';
import type { Definition, Making } from './making.ts';
import { completed, initiated, initiatedAt, refundFailed } from './refund-events.ts';
import { cardReplaced, EndedFields, subscriptionCreated } from './subscription-events.ts';

const SubscriptionFields = {
  subscriptionId: Type.Optional(Id('The subscription of either kind that it begins, or of which it is a charge.')),
};

function subscriptionIdOf(payment: Payment): Type.Static<Type.TObject<typeof SubscriptionFields>> {
  const agreement = agreementOf(payment);
  return agreement ? { subscriptionId: agreement.id } : {};
}

const OrderedFields = { order: OrderSchema };

const reserved = ofMovement(
  'The amount of the order is reserved: the consumer has paid, and you can charge.',
  {
    cardDetails: Type.Optional(CardDetailsSchema),
    ...MethodFields,
    ...AccountFields,
    consumer: ConsumerSchema,
    reservationReference: Type.String({ pattern: '^[0-9]{6}$', description: 'Six digits, for people.' }),
    reserveId: Id('The reservation.'),
    ...ReconciliationFields,
    ...MoneyFields,
  },
  (payment, reservation) => {
    const cardDetails = cardDetailsOf(payment);
    return {
      ...(cardDetails && { cardDetails }),
      ...showMethod(payment),
      ...cardAccountOf(payment),
      consumer: showConsumer(payment.consumer),
      reservationReference: reservationReferenceOf(reservation.id),
      reserveId: reservation.id,
      ...reconciliationOf(reservation),
      ...moneyOf(payment, reservation),
    };
  },
);

const reservedShort = ofMovement(
  'The same event as payment.reservation.created, without card and consumer.',
  { ...MethodFields, ...AccountFields, ...SubscriptionFields, ...ReconciliationFields, ...MoneyFields },
  (payment, reservation) => ({
    ...showMethod(payment),
    ...cardAccountOf(payment),
    ...subscriptionIdOf(payment),
    ...reconciliationOf(reservation),
    ...moneyOf(payment, reservation),
  }),
);

const reservationFailed = ofMovement(
  'A try to pay was declined; the consumer can try again.',
  {
    error: ErrorSchema,
    orderItems: OrderItemsSchema('The items of the order.'),
    reserveId: Id('The reservation that failed.'),
    ...MoneyFields,
  },
  (payment, reservation) => ({
    error: errorOf(reservation),
    orderItems: showItems(payment.order.items),
    reserveId: reservation.id,
    ...moneyOf(payment, reservation),
  }),
);

const ChargedItems = OrderItemsSchema('The items that were named, or of the whole order; [] for a part without items.');
const ChargeFields = { chargeId: Id('The charge.'), orderItems: ChargedItems, ...ReconciliationFields };

const chargeOf = (payment: Payment, charge: Movement): Type.Static<Type.TObject<typeof ChargeFields>> => ({
  chargeId: charge.id,
  orderItems: showItems(itemsOfCharge(payment, charge)),
  ...reconciliationOf(charge),
});

const ReservationIdFields = { reservationId: Id('The reservation that it is taken from.') };

function reservationIdOf(payment: Payment): Type.Static<Type.TObject<typeof ReservationIdFields>> {
  const reservation = reservationOf(payment);
  if (reservation === undefined) throw new Error(`payment ${payment.id} was charged without a reservation`);
  return { reservationId: reservation.id };
}

const charged = ofMovement(
  'Money was charged: the whole reservation or a part of it.',
  {
    ...ChargeFields,
    invoiceDetails: Type.Optional(InvoiceDetailsSchema),
    ...ReservationIdFields,
    ...MoneyFields,
  },
  (payment, charge, publicUrl) => {
    const invoiceDetails = invoiceDetailsOf(payment, charge, publicUrl);
    return {
      ...chargeOf(payment, charge),
      ...(invoiceDetails && { invoiceDetails }),
      ...reservationIdOf(payment),
      ...moneyOf(payment, charge),
    };
  },
);

const chargedByMethod = ofMovement(
  'The same event as payment.charge.created, with the method of payment.',
  { ...ChargeFields, ...MethodFields, ...SubscriptionFields, ...MoneyFields },
  (payment, charge) => ({
    ...chargeOf(payment, charge),
    ...showMethod(payment),
    ...subscriptionIdOf(payment),
    ...moneyOf(payment, charge),
  }),
);

const chargeFailed = ofMovement(
  'A charge was declined; the reservation stays as it was.',
  { error: ErrorSchema, ...ChargeFields, ...ReservationIdFields, ...MoneyFields },
  (payment, charge) => ({
    error: errorOf(charge),
    ...chargeOf(payment, charge),
    ...reservationIdOf(payment),
    ...moneyOf(payment, charge),
  }),
);

const chargeFailedByMethod = ofMovement(
  'The same event as payment.charge.failed, with the method of payment.',
  { error: ErrorSchema, ...ChargeFields, ...MethodFields, ...SubscriptionFields, ...MoneyFields },
  (payment, charge) => ({
    error: errorOf(charge),
    ...chargeOf(payment, charge),
    ...showMethod(payment),
    ...subscriptionIdOf(payment),
    ...moneyOf(payment, charge),
  }),
);

const CancelFields = { cancelId: Id('The cancel.'), orderItems: ChargedItems, ...MoneyFields };

const cancelOf = (payment: Payment, cancel: Movement): Type.Static<Type.TObject<typeof CancelFields>> => ({
  cancelId: cancel.id,
  orderItems: showItems(cancel.items ?? payment.order.items),
  ...moneyOf(payment, cancel),
});

/** The body of an event without a payment is stored with it. */
const ofNoPayment = (summary: string, fields: Type.TProperties): Making => ({
  summary,
  schema: Type.Object(fields),
  data: (_payment, _movement, event) => {
    if (event.data === undefined) throw new Error(`event ${event.id} says nothing`);
    return event.data;
  },
});

const disabled = ofNoPayment(
  'Kassa switched off a webhook of yours: its address is gone for good, or it has failed for three days. Your other webhooks are told.',
  {
    webhookId: Id('The webhook that gets no more events until you switch it on.'),
    url: Type.String({ description: 'Its address.' }),
    reason: Type.String({
      enum: ['gone', 'failing'],
      description: 'gone: it answered 410. failing: no success for three days.',
    }),
    failingSince: Type.Optional(Timestamp('When it was first not reached, of one that fails.')),
  },
);

const makings: Readonly<Record<EventName, Making>> = {
  'payment.created': ofPayment(
    'The consumer pressed Pay for the first time; nothing is reserved yet.',
    { ...OrderedFields, ...SubscriptionFields, ...PaymentFields },
    (payment) => ({ order: orderOf(payment), ...subscriptionIdOf(payment), ...paymentOf(payment) }),
  ),
  'payment.reservation.created': reserved,
  'payment.reservation.created.v2': reservedShort,
  'payment.reservation.failed': reservationFailed,
  'payment.checkout.completed': ofPayment(
    'The consumer is through the checkout and has paid, whether or not they come back to your shop.',
    { ...OrderedFields, consumer: ConsumerSchema, ...PaymentFields },
    (payment) => ({ order: orderOf(payment), consumer: showConsumer(payment.consumer), ...paymentOf(payment) }),
  ),
  'payment.charge.created': charged,
  'payment.charge.created.v2': chargedByMethod,
  'payment.charge.failed': chargeFailed,
  'payment.charge.failed.v2': chargeFailedByMethod,
  'payment.refund.initiated': initiated,
  'payment.refund.initiated.v2': initiatedAt,
  'payment.refund.completed': completed,
  'payment.refund.failed': refundFailed,
  'payment.cancel.created': ofMovement(
    'A reservation was released without being charged, in part or in full.',
    CancelFields,
    cancelOf,
  ),
  'payment.cancel.failed': ofMovement(
    'A cancel was declined; the reservation stays as it was.',
    { error: ErrorSchema, ...CancelFields },
    (payment, cancel) => ({ error: errorOf(cancel), ...cancelOf(payment, cancel) }),
  ),
  'subscription.created': subscriptionCreated,
  'subscription.card.replaced': cardReplaced,
  'subscription.ended': ofNoPayment(
    'A subscription was ended, by the consumer on their page or by you: nothing is charged any more. Your webhooks are told, and no hook of a payment.',
    EndedFields,
  ),
  'webhook.disabled': disabled,
};

/** In the order of a payment's life. */
export const definitions: readonly Definition[] = Object.entries(makings).map(([name, making]) => ({
  name: name as EventName,
  ...making,
}));

const byName = new Map(definitions.map((definition) => [definition.name, definition]));

export function definitionOf(name: EventName): Definition {
  const definition = byName.get(name);
  if (definition === undefined) throw new Error(`there is no event ${name}`);
  return definition;
}
