// The bodies of answers, as the dialect `spec` spells them. They are documentation: answers are sent as texts and never
// pass through here, so a test holds real answers against these schemas.
import { Type } from 'typebox';
import { ERROR_CODES } from '../openapi/error-codes.ts';
import type { ErrorCode } from '../openapi/error-codes.ts';
import { AddressSchema, PhoneSchema } from './consumer.ts';
import { OrderItemSchema } from './item.ts';

const Id = (description: string) => Type.String({ pattern: '^[0-9a-f]{32}$', description });
const Timestamp = (description: string) => Type.String({ format: 'date-time', description });
const Sum = (description: string) => Type.Integer({ minimum: 0, description });
const Items = Type.Array(OrderItemSchema);
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
  },
  { title: 'PaymentDetails', description: 'How it was paid. Empty until the payment is reserved.' },
);

const OrderDetails = Type.Object(
  {
    amount: Type.Integer({ minimum: 1 }),
    currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' }),
    reference: Type.Optional(Type.String()),
  },
  { title: 'OrderDetails' },
);

export const Charge = Type.Object(
  {
    chargeId: Id('Identifies the charge.'),
    amount: Type.Integer({ minimum: 1 }),
    created: Timestamp('When it was made.'),
    orderItems: Items,
  },
  { title: 'Charge', description: 'What was taken. The dialect `nexi` adds `surchargeAmount`, always 0.' },
);

export const Refund = Type.Object(
  {
    refundId: Id('Identifies the refund.'),
    amount: Type.Integer({ minimum: 1 }),
    state: Type.String({ enum: ['Pending', 'Completed', 'Failed'] }),
    lastUpdated: Timestamp('When its state last changed.'),
    orderItems: Items,
  },
  { title: 'Refund', description: 'What was given back. The dialect `nexi` adds `surchargeAmount`, always 0.' },
);

const Payment = Type.Object(
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
    terminated: Type.Optional(Timestamp('When it was terminated, if it was.')),
    myReference: Type.Optional(Type.String()),
  },
  {
    title: 'Payment',
    description: 'In the dialect `nexi`, `charges` and `refunds` are left out as long as there are none.',
  },
);

export const PaymentAnswer = Type.Object({ payment: Payment }, { title: 'PaymentAnswer' });

export const PaymentList = Type.Object(
  {
    payments: Type.Array(Payment),
    cursor: Type.Optional(Id('Gives the next page; missing on the last one.')),
  },
  { title: 'PaymentList' },
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

export const PaymentMethods = Type.Array(
  Type.Object(
    {
      name: Type.String(),
      paymentType: Type.String({ enum: ['CARD', 'INVOICE'] }),
      currency: Type.String({ pattern: '^[A-Z]{3}$' }),
      enabled: Type.Boolean(),
    },
    { title: 'PaymentMethod' },
  ),
);

export const Errors = Type.Object(
  {
    errors: Type.Object(
      {},
      {
        additionalProperties: Type.Array(Type.String(), { minItems: 1 }),
        description: 'Texts by the path of the field in the request, for example `order.items[0].name`.',
      },
    ),
  },
  { title: 'Errors', description: 'What is wrong with the request, field by field.' },
);

const describeCode = ({ code, name, meaning = 'Kassa never answers with it.' }: ErrorCode): string =>
  `- \`${code}\` ${name}: ${meaning}`;

export const Failure = Type.Object(
  {
    message: Type.String({ description: 'For people: what is wrong and, where it is known, what to do.' }),
    code: Type.String({
      enum: ERROR_CODES.map(({ code }) => code),
      description: ['A text from a closed list:', ...ERROR_CODES.map(describeCode)].join('\n'),
    }),
    source: Type.String({ description: '`internal`, or the name of the acquirer that said so.' }),
  },
  { title: 'Failure', description: 'Why the request was not carried out.' },
);

export const Health = Type.Object({ status: Type.String({ enum: ['ok'] }) }, { title: 'Health' });

export const Readiness = Type.Object(
  { status: Type.String({ enum: ['ready', 'not ready'] }), reason: Type.Optional(Type.String()) },
  { title: 'Readiness' },
);
