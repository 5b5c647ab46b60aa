// The events of a refund: its request, in two shapes, and its outcome.
import * as Type from '../schema/type.ts';
import { timeOf } from '../domain/id.ts';
import type { Movement } from '../domain/movement.ts';
import type { Payment } from '../domain/payment.ts';
import { itemsOfRefund } from '../domain/refund.ts';
import { isoTime } from '../domain/time.ts';
import {
  ErrorSchema,
  errorOf,
  Id,
  InvoiceDetailsSchema,
  invoiceDetailsOf,
  invoiceLinkOf,
  OrderItemsSchema,
  showItems,
  Timestamp,
} from './body-parts.ts';
import { MoneyFields, moneyOf, ofMovement, ReconciliationFields, reconciliationOf } from './making.ts';

const RefundIdFields = { refundId: Id('The refund.') };

const InitiatedFields = {
  ...RefundIdFields,
  chargeId: Id('The charge that is given back.'),
  orderItems: OrderItemsSchema('The items that were named, or of the whole charge; [] for a part without items.'),
  ...ReconciliationFields,
};

function initiatedOf(payment: Payment, refund: Movement): Type.Static<Type.TObject<typeof InitiatedFields>> {
  if (refund.chargeId === undefined) throw new Error(`refund ${refund.id} is of no charge`);
  return {
    refundId: refund.id,
    chargeId: refund.chargeId,
    orderItems: showItems(itemsOfRefund(payment, refund)),
    ...reconciliationOf(refund),
  };
}

export const initiated = ofMovement(
  'A refund was asked for; whether the money goes back is told next.',
  { ...InitiatedFields, ...MoneyFields },
  (payment, refund) => ({ ...initiatedOf(payment, refund), ...moneyOf(payment, refund) }),
);

export const initiatedAt = ofMovement(
  'The same event as payment.refund.initiated, with the time.',
  {
    ...InitiatedFields,
    executed: Timestamp('When it was asked for.'),
    paymentActionId: Id('The refund, once more.'),
    ...MoneyFields,
  },
  (payment, refund) => ({
    ...initiatedOf(payment, refund),
    executed: isoTime(timeOf(refund.id)),
    paymentActionId: refund.id,
    ...moneyOf(payment, refund),
  }),
);

const RefundFields = {
  ...RefundIdFields,
  invoiceDetails: Type.Optional(InvoiceDetailsSchema),
  creditNoteNumber: Type.Optional(
    Type.Integer({ description: 'Of an invoice payment: the number of the credit note in your series.' }),
  ),
  creditNoteLink: Type.Optional(Type.String({ description: 'Its PDF.' })),
  ...ReconciliationFields,
  ...MoneyFields,
};

function refundOf(
  payment: Payment,
  refund: Movement,
  publicUrl: string | undefined,
): Type.Static<Type.TObject<typeof RefundFields>> {
  const charge = payment.movements.find(({ id }) => id === refund.chargeId);
  const invoiceDetails = invoiceDetailsOf(payment, charge, publicUrl);
  const creditNoteLink = refund.state === 'approved' ? invoiceLinkOf(payment, refund, publicUrl) : undefined;
  return {
    refundId: refund.id,
    ...(invoiceDetails && { invoiceDetails }),
    ...(refund.issued && { creditNoteNumber: refund.issued.number }),
    ...(creditNoteLink !== undefined && { creditNoteLink }),
    ...reconciliationOf(refund),
    ...moneyOf(payment, refund),
  };
}

export const completed = ofMovement('The money of a refund is on its way back.', RefundFields, refundOf);

export const refundFailed = ofMovement(
  'A refund was declined, or cancelled (1012); the charge can be refunded again.',
  { error: ErrorSchema, ...RefundFields },
  (payment, refund, publicUrl) => ({ error: errorOf(refund), ...refundOf(payment, refund, publicUrl) }),
);
