// The bodies of answers about payments, as the dialect `spec` spells them. They are documentation: answers are sent as
// texts and never pass through here, so a test holds real answers against these schemas.
import { Id, Timestamp } from '../../events/body-parts.ts';
import * as Type from '../../schema/type.ts';
import { AddressSchema, PhoneSchema } from './consumer.ts';
import { Charge, Refund } from './movement.ts';

const Sum = (description: string) => Type.Integer({ minimum: 0, description });
const PaymentId = Id('Identifies the payment.');

const Person = {
  email: Type.Optional(Type.String()),
  phoneNumber: Type.Optional(PhoneSchema),
  merchantReference: Type.Optional(Type.String({ description: 'Your own name for this consumer.' })),
};

const Summary = Type.Object(
  {
    reservedAmount: Sum('What the consumer has set aside for you. It stays when money is charged or cancelled.'),
    chargedAmount: Sum('What you have taken of it.'),
    refundedAmount: Sum('What you have given back of what you took.'),
    cancelledAmount: Sum('What you have released without taking it.'),
  },
  { title: 'Summary', description: 'Sums in minor units. In the dialect `nexi` a sum that is 0 is left out.' },
);

const Consumer = Type.Object(
  {
    billingAddress: AddressSchema,
    shippingAddress: AddressSchema,
    company: Type.Object(
      { name: Type.Optional(Type.String()), organisationNumber: Type.Optional(Type.String()), ...Person },
      { title: 'Company' },
    ),
    privatePerson: Type.Object(
      {
        dateOfBirth: Type.Optional(Timestamp('Midnight UTC of the day.')),
        firstName: Type.Optional(Type.String()),
        lastName: Type.Optional(Type.String()),
        ...Person,
      },
      { title: 'PrivatePerson' },
    ),
  },
  { title: 'Consumer', description: 'Who pays. A part of which nothing is known is an empty object.' },
);

const PaymentDetails = Type.Object(
  {
    paymentType: Type.Optional(Type.String({ description: 'CARD or INVOICE.' })),
    paymentMethod: Type.Optional(Type.String({ description: 'For example Visa, MasterCard or EasyInvoice.' })),
    invoiceDetails: Type.Object({
      invoiceNumber: Type.Optional(Type.String({ description: 'Of the latest charge.' })),
      ocr: Type.Optional(Type.String({ description: 'The reference with which the invoice is paid.' })),
      pdfLink: Type.Optional(Type.String({ format: 'uri' })),
      dueDate: Type.Optional(Timestamp('14 days after the charge.')),
    }),
    cardDetails: Type.Object({
      maskedPan: Type.Optional(Type.String({ description: 'First six and last four digits.' })),
      expiryDate: Type.Optional(Type.String({ pattern: '^[0-9]{4}$', description: 'MMYY.' })),
    }),
    paymentAccountReference: Type.Optional(
      Type.String({
        pattern: '^[0-9A-Z]{29}$',
        description: 'Of a card: the same whenever it pays you, and different for every merchant.',
      }),
    ),
  },
  { title: 'PaymentDetails', description: 'How it was paid. Empty until the payment is reserved.' },
);

const OrderDetails = Type.Object(
  {
    amount: Type.Integer({ minimum: 0 }),
    currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' }),
    reference: Type.Optional(Type.String()),
  },
  { title: 'OrderDetails' },
);

const Pending = Type.Object(
  {
    kind: Type.String({ enum: ['reservation', 'charge', 'cancel'] }),
    id: Id('Of a charge: its chargeId, once it is made.'),
    amount: Type.Integer({ minimum: 1 }),
    created: Timestamp('When it was asked for.'),
  },
  {
    title: 'PendingMovement',
    description:
      'Its outcome is not known yet: the acquirer has not answered. Its amount is set aside, and in no sum. Once it is ' +
      'known, it is gone from here. A refund stands among the refunds, as Pending.',
  },
);

export const PaymentSchema = Type.Object(
  {
    paymentId: PaymentId,
    summary: Summary,
    consumer: Consumer,
    paymentDetails: PaymentDetails,
    orderDetails: OrderDetails,
    checkout: Type.Object({ url: Type.String({ description: 'Of a hosted payment: the page on which it is paid.' }) }),
    created: Timestamp('When it was created.'),
    charges: Type.Array(Charge),
    refunds: Type.Array(Refund),
    pending: Type.Optional(
      Type.Array(Pending, { description: 'What is under way, left out while nothing is. Not in the dialect `nexi`.' }),
    ),
    terminated: Type.Optional(Timestamp('When it was terminated, if it was.')),
    myReference: Type.Optional(Type.String()),
    subscription: Type.Optional(
      Type.Object(
        { id: Id('The subscription that it began, or of which it is a charge.') },
        {
          title: 'SubscriptionOfPayment',
          description: 'Only once the checkout is finished.',
        },
      ),
    ),
    unscheduledSubscription: Type.Optional(
      Type.Object(
        { unscheduledSubscriptionId: Id('The same of an unscheduled one.') },
        {
          title: 'UnscheduledSubscriptionOfPayment',
          description: 'Only once the checkout is finished.',
        },
      ),
    ),
  },
  {
    title: 'Payment',
    description: 'In the dialect `nexi`, `charges` and `refunds` are left out as long as there are none.',
  },
);

export const PaymentCreated = Type.Object(
  {
    paymentId: PaymentId,
    hostedPaymentPageUrl: Type.Optional(
      Type.String({ format: 'uri', description: 'The page on which the consumer pays; only with HostedPaymentPage.' }),
    ),
  },
  { title: 'PaymentCreated' },
);
