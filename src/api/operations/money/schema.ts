// The bodies of the moves of money and of a reservation in the sandbox, and of what is answered to them as the dialect
// `spec` spells it.
import * as Type from '../../../schema/type.ts';
import { PAYMENT_TYPES } from '../../../domain/payment.ts';
import { Id, Timestamp } from '../../../events/body-parts.ts';
import { ConsumerSchema } from '../../schemas/consumer.ts';
import { MovedItems, OrderItemSchema } from '../../schemas/item.ts';
import { Amount, LooseText } from '../../schemas/values.ts';

const Items = Type.Array(OrderItemSchema);

const MOVE_TEXT =
  'An amount, and the orderItems that it is for; items is taken for them. With items, the amount equals their sum; without, it can be any.';

const MoveFields = { amount: Amount, orderItems: Type.Optional(MovedItems), items: Type.Optional(MovedItems) };

const MyReference = Type.Optional(LooseText(36, "Your own name of it: told in its events in place of the payment's."));

export const MoveSchema = Type.Object(MoveFields, { title: 'MoneyRequest', description: MOVE_TEXT });

export const ChargeSchema = Type.Object(
  {
    ...MoveFields,
    finalCharge: Type.Optional(
      Type.Boolean({
        description: 'true: what this charge leaves of the reservation is cancelled as soon as it is approved.',
      }),
    ),
    myReference: MyReference,
    shipping: Type.Optional(
      Type.Object(
        {
          trackingNumber: Type.Optional(LooseText(255, 'Of the parcel.')),
          provider: Type.Optional(LooseText(4, 'Who carries it, by a short code.')),
        },
        { title: 'ChargeShipping', description: 'How the goods travel; kept with the charge.' },
      ),
    ),
    paymentMethodReference: Type.Optional(
      LooseText(20, 'What the method of payment is to know the charge by; kept with it.'),
    ),
  },
  { title: 'ChargeRequest', description: MOVE_TEXT },
);

export const RefundSchema = Type.Object(
  { ...MoveFields, myReference: MyReference },
  { title: 'RefundRequest', description: MOVE_TEXT },
);

export const SandboxReserveSchema = Type.Object(
  {
    card: Type.Optional(
      Type.String({
        maxLength: 32,
        description: 'A test card number; by default 4925000000000004, which is approved.',
      }),
    ),
    paymentType: Type.Optional(
      Type.String({
        enum: [...PAYMENT_TYPES],
        description: 'By default CARD. A2A and WALLET: the app that it offers.',
      }),
    ),
    consumer: Type.Optional(ConsumerSchema),
  },
  { title: 'SandboxReserveRequest', description: 'Everything may be left out, the body itself too.' },
);

export const SandboxSettleSchema = Type.Object(
  {
    state: Type.Optional(
      Type.String({ enum: ['Completed', 'Failed'], description: 'How the refund ends; by default Completed.' }),
    ),
  },
  { title: 'SandboxSettleRequest', description: 'It may be left out, the body itself too.' },
);

/** A body of any of the three: each schema leaves out what the others have beyond it. */
export type MoveBody = Type.Static<typeof ChargeSchema>;
export type SandboxReserveBody = Type.Static<typeof SandboxReserveSchema>;
export type SandboxSettleBody = Type.Static<typeof SandboxSettleSchema>;

const InvoiceLink = Type.Optional(
  Type.Object(
    {
      link: Type.String({ format: 'uri', description: 'Its PDF.' }),
      number: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: 'Its number in your series of invoices and credit notes: from 1, without gaps. Not in `nexi`.',
        }),
      ),
    },
    {
      title: 'InvoiceLink',
      description:
        'Of an invoice payment: the invoice of the charge, or the credit note of the refund once it is Completed. Only ' +
        'where a charge or refund is read alone.',
    },
  ),
);

export const Charge = Type.Object(
  {
    chargeId: Id('Identifies the charge.'),
    amount: Type.Integer({ minimum: 1 }),
    created: Timestamp('When it was made.'),
    orderItems: Items,
    invoiceDetails: InvoiceLink,
  },
  { title: 'Charge', description: 'What was taken. The dialect `nexi` adds `surchargeAmount`, always 0.' },
);

export const Refund = Type.Object(
  {
    refundId: Id('Identifies the refund.'),
    amount: Type.Integer({ minimum: 1 }),
    state: Type.String({ enum: ['Pending', 'Completed', 'Failed', 'Cancelled'] }),
    lastUpdated: Timestamp('When its state last changed.'),
    orderItems: Items,
    invoiceDetails: InvoiceLink,
  },
  { title: 'Refund', description: 'What was given back. The dialect `nexi` adds `surchargeAmount`, always 0.' },
);

export const ChargeCreated = Type.Object(
  {
    chargeId: Id('Identifies the charge.'),
    invoice: Type.Object({ invoiceNumber: Type.String({ description: 'Unique for you, not gapless.' }) }),
  },
  { title: 'ChargeCreated', description: 'In the dialect `nexi`, `invoice` is there for invoice payments only.' },
);

export const RefundCreated = Type.Object({ refundId: Id('Identifies the refund.') }, { title: 'RefundCreated' });

export const ReservationCreated = Type.Object(
  { reservationId: Id('Identifies the reservation.') },
  { title: 'ReservationCreated' },
);
