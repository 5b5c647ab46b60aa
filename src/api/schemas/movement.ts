// The bodies of the moves of money, and a charge and a refund as the dialect `spec` spells them.
import { Id, Timestamp } from '../../events/body-parts.ts';
import * as Type from '../../schema/type.ts';
import { MovedItems, OrderItemSchema } from './item.ts';
import { Amount, LooseText } from './values.ts';

const Items = Type.Array(OrderItemSchema);

const MOVE_TEXT =
  'An amount, and the orderItems that it is for; items is taken for them. With items, the amount equals their sum; without, it can be any.';

const MoveFields = { amount: Amount, orderItems: Type.Optional(MovedItems), items: Type.Optional(MovedItems) };

const MyReference = Type.Optional(LooseText(36, "Your own name of it: shown in its events in place of the payment's."));
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

/** A body of any of the three: each schema leaves out what the others have beyond it. */
export type MoveBody = Type.Static<typeof ChargeSchema>;

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

export const RefundCreated = Type.Object({ refundId: Id('Identifies the refund.') }, { title: 'RefundCreated' });
