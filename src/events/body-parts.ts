// The parts of event bodies: for each its schema, which is both type and documentation, and the function that makes it
// from a payment. Names and types are those that clients of this API know from their webhooks, which spell `postcode` in
// addresses and a card's expiry as two numbers.
import * as Type from '../schema/type.ts';
import { billedCountryOf } from '../domain/consumer.ts';
import type { Address, Consumer } from '../domain/consumer.ts';
import { DECLINE_CODES, declineText, REFUND_CANCELLED_CODE } from '../domain/decline.ts';
import { timeOf } from '../domain/id.ts';
import { dueDateOf, invoicePathOf } from '../domain/invoice.ts';
import type { OrderItem } from '../domain/item.ts';
import type { Movement } from '../domain/movement.ts';
import { PAYMENT_TYPES } from '../domain/payment.ts';
import type { Payment, PaymentMethod } from '../domain/payment.ts';
import type { Seller } from '../domain/seller.ts';
import { referenceOf } from '../domain/payment-reference.ts';
import { isoTime } from '../domain/time.ts';

export const Id = (description: string) => Type.String({ pattern: '^[0-9a-f]{32}$', description });
export const Timestamp = (description: string) => Type.String({ format: 'date-time', description });
const Text = (description: string) => Type.String({ description });
const Known = (description: string) => Type.Optional(Text(description));
const Amount = (description: string) => Type.Integer({ description });

/** Leaves out what was not given. */
function known<Value extends object>(value: Value): { [Key in keyof Value]?: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as never;
}

export const AmountSchema = Type.Object(
  {
    amount: Amount("In the currency's minor unit: 4000 is 40.00 DKK."),
    currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' }),
  },
  { title: 'EventAmount', description: 'How much money it is about.' },
);

export const amountOf = ({ order }: Payment, amount: number): Type.Static<typeof AmountSchema> => ({
  amount,
  currency: order.currency,
});

const OrderItemSchema = Type.Object(
  {
    grossTotalAmount: Amount('The whole line with tax, in minor units; negative for a discount.'),
    name: Text('What the consumer reads.'),
    netTotalAmount: Amount('The whole line without tax, in minor units.'),
    quantity: Type.Number({ description: 'With at most six decimals.' }),
    reference: Text('Your reference of the product.'),
    taxRate: Type.Number({ description: 'Hundredths of a percent: 2500 is 25 %.' }),
    taxAmount: Amount('Tax of the whole line, in minor units.'),
    unit: Text('For example pcs or kg.'),
    unitPrice: Amount('Of one unit, without tax, in minor units.'),
  },
  { title: 'EventOrderItem', description: 'A line of the order.' },
);

export const OrderItemsSchema = (description: string) => Type.Array(OrderItemSchema, { description });

/** Only these nine, whatever else was stored with an item. */
export const showItems = (items: readonly OrderItem[]): Type.Static<typeof OrderItemSchema>[] =>
  items.map((item) => ({
    grossTotalAmount: item.grossTotalAmount,
    name: item.name,
    netTotalAmount: item.netTotalAmount,
    quantity: item.quantity,
    reference: item.reference,
    taxRate: item.taxRate,
    taxAmount: item.taxAmount,
    unit: item.unit,
    unitPrice: item.unitPrice,
  }));

export const OrderSchema = Type.Object(
  {
    amount: AmountSchema,
    reference: Known('Your reference of the order.'),
    orderItems: OrderItemsSchema('All of them.'),
  },
  { title: 'EventOrder', description: 'What is bought.' },
);

export const orderOf = (payment: Payment): Type.Static<typeof OrderSchema> => {
  const { amount, reference, items } = payment.order;
  return { amount: amountOf(payment, amount), ...known({ reference }), orderItems: showItems(items) };
};

const AddressSchema = Type.Object(
  {
    addressLine1: Known('Street and number.'),
    addressLine2: Known('More of it.'),
    city: Known('Without the postal code.'),
    country: Known('Three letters of ISO 3166.'),
    postcode: Known('The postal code.'),
    receiverLine: Known('Who receives it, when not the consumer.'),
  },
  { title: 'EventAddress', description: 'An address; what nobody gave is left out.' },
);

const showAddress = (address: Address | undefined): Type.Static<typeof AddressSchema> | undefined => {
  if (address === undefined) return undefined;
  const { addressLine1, addressLine2, city, country, postalCode: postcode, receiverLine } = address;
  return known({ addressLine1, addressLine2, city, country, postcode, receiverLine });
};

export const ConsumerSchema = Type.Object(
  {
    firstName: Known("The person's; of a company, its contact's."),
    lastName: Known('As firstName.'),
    company: Type.Optional(
      Type.Object(
        { name: Known('Its name.'), organisationNumber: Known('Its number.') },
        { title: 'EventCompany', description: 'When a company pays.' },
      ),
    ),
    billingAddress: Type.Optional(AddressSchema),
    country: Text('Of the billing address, or of the only one there is; "" when it is not known.'),
    email: Text('"" when it is not known.'),
    ip: Text('From where they paid; "" when it is not known.'),
    merchantReference: Known('Your own name for this consumer.'),
    phoneNumber: Type.Optional(
      Type.Object(
        { prefix: Text('With its plus sign: +47.'), number: Text('The rest of it.') },
        { title: 'EventPhoneNumber', description: 'When it is known.' },
      ),
    ),
    shippingAddress: Type.Optional(AddressSchema),
  },
  {
    title: 'EventConsumer',
    description: 'Who pays, as known when the event is sent: email, ip and country are always there.',
  },
);

export function showConsumer(consumer: Consumer): Type.Static<typeof ConsumerSchema> {
  const { person, company, email = '', ip = '', phone, reference } = consumer;
  const { firstName, lastName } = company ?? person ?? {};
  return {
    ...known({ firstName, lastName }),
    ...known({ company: company && known({ name: company.name, organisationNumber: company.organisationNumber }) }),
    ...known({ billingAddress: showAddress(consumer.billingAddress) }),
    country: billedCountryOf(consumer) ?? '',
    email,
    ip,
    ...known({ merchantReference: reference }),
    ...known({ phoneNumber: phone && { prefix: phone.prefix, number: phone.number } }),
    ...known({ shippingAddress: showAddress(consumer.shippingAddress) }),
  };
}

export const CardDetailsSchema = Type.Object(
  {
    creditDebitIndicator: Known('D for a debit card, C for a credit card; when it is known.'),
    expiryMonth: Type.Integer({ description: '1 to 12.' }),
    expiryYear: Type.Integer({ description: 'Its last two digits.' }),
    issuerCountry: Known("Two letters: the country of the card's bank; when it is known."),
    truncatedPan: Text('First six and last four digits of the number.'),
    threeDSecure: Type.Object(
      {
        acsUrl: Text('Where the bank asked them; empty without a check.'),
        authenticationEnrollmentStatus: Type.String({
          enum: ['Y', 'N'],
          description: 'Y: the bank wanted to see them.',
        }),
        authenticationStatus: Type.String({ enum: ['Y', 'N'], description: 'Y: the consumer passed the check.' }),
        eci: Type.String({ description: 'How sure the scheme is: 05 and 02 after a check, 07 and 00 without one.' }),
      },
      { title: 'EventThreeDSecure', description: "The check of the consumer by the card's bank." },
    ),
  },
  { title: 'EventCardDetails', description: 'The card; not there for an invoice.' },
);

// Mastercard has its own numbering of the electronic commerce indicator.
const ECI = {
  passed: { MasterCard: '02', others: '05' },
  none: { MasterCard: '00', others: '07' },
} as const;

export function cardDetailsOf(payment: Payment): Type.Static<typeof CardDetailsSchema> | undefined {
  const { method, challenge } = payment;
  if (method?.maskedPan === undefined) return undefined;
  const { maskedPan, expiryDate = '', creditDebitIndicator, issuerCountry, paymentMethod } = method;
  const isPassed = challenge?.state === 'passed' && challenge.method.maskedPan === maskedPan;
  const answer = isPassed ? 'Y' : 'N';
  const eci = ECI[isPassed ? 'passed' : 'none'];
  return {
    ...known({ creditDebitIndicator }),
    expiryMonth: Number(expiryDate.slice(0, 2)),
    expiryYear: Number(expiryDate.slice(2)),
    ...known({ issuerCountry }),
    truncatedPan: maskedPan,
    threeDSecure: {
      acsUrl: isPassed ? challenge.acsUrl : '',
      authenticationEnrollmentStatus: answer,
      authenticationStatus: answer,
      eci: paymentMethod === 'MasterCard' ? eci.MasterCard : eci.others,
    },
  };
}

export const AccountFields = {
  paymentAccountReference: Known('Of a card: the same whenever it pays you, and different for every merchant.'),
};

export const cardAccountOf = ({ method }: Payment): Type.Static<Type.TObject<typeof AccountFields>> =>
  known({ paymentAccountReference: method?.accountReference });

export const MethodFields = {
  paymentMethod: Text('For example Visa, MasterCard or EasyInvoice.'),
  paymentType: Type.String({ enum: [...PAYMENT_TYPES], description: 'What kind of method that is.' }),
};

export function showMethod({ id, method }: Payment): Pick<PaymentMethod, 'paymentMethod' | 'paymentType'> {
  if (method === undefined) throw new Error(`payment ${id} was reserved with nothing`);
  return { paymentMethod: method.paymentMethod, paymentType: method.paymentType };
}

export const InvoiceDetailsSchema = Type.Object(
  {
    distributionType: Type.Optional(
      Type.String({ enum: ['Email'], description: 'How it is sent; when that is known.' }),
    ),
    invoiceDueDate: Type.String({ format: 'date', description: 'The day on which it is due: 2026-05-31.' }),
    invoiceNumber: Text('Unique for you, not gapless.'),
    ocrOrkid: Text('The reference with which it is paid.'),
    number: Type.Optional(Type.Integer({ description: 'Its number in your series: from 1, without gaps.' })),
    link: Known('Its PDF; where the process that sends it knows the address of the service.'),
    accountNumber: Known('Where it is paid to: bankgiro, plusgiro, account or IBAN of the seller.'),
    ourReference: Known('Your reference of the order.'),
    yourReference: Known('Your own name for the consumer.'),
  },
  {
    title: 'EventInvoiceDetails',
    description: 'The invoice of the charge; only when the payment is an invoice payment.',
  },
);

/** The account to pay to, preferring the type that most people in the seller's country use. */
const accountOf = ({ bankgiro, plusgiro, account, iban }: Seller): string | undefined =>
  bankgiro ?? plusgiro ?? account ?? iban;

const ISO_DATE_LENGTH = '2026-05-31'.length;

/** The PDF of a charge's invoice or a refund's credit note. */
export function invoiceLinkOf(payment: Payment, { id }: Movement, publicUrl: string | undefined): string | undefined {
  const path = invoicePathOf(payment, id);
  return path === undefined || publicUrl === undefined ? undefined : publicUrl + path;
}

/** The invoice of a charge, if the payment is paid by invoice. */
export function invoiceDetailsOf(
  payment: Payment,
  charge: Movement | undefined,
  publicUrl: string | undefined,
): Type.Static<typeof InvoiceDetailsSchema> | undefined {
  const { method, order, consumer } = payment;
  if (method?.paymentType !== 'INVOICE' || charge?.invoiceNumber === undefined) return undefined;
  const { invoiceNumber } = charge;
  return {
    ...(consumer.email !== undefined && { distributionType: 'Email' }),
    invoiceDueDate: isoTime(dueDateOf(timeOf(charge.id))).slice(0, ISO_DATE_LENGTH),
    invoiceNumber,
    ocrOrkid: referenceOf(charge),
    ...known({
      number: charge.issued?.number,
      link: invoiceLinkOf(payment, charge, publicUrl),
      accountNumber: charge.issued && accountOf(charge.issued.seller),
    }),
    ...known({ ourReference: order.reference, yourReference: consumer.reference }),
  };
}

export const ErrorSchema = Type.Object(
  {
    code: Text(
      "The issuer's code of two digits, where it gave one; otherwise that of the API: 1022, 1020, 1014, 1012 or 1000.",
    ),
    message: Text('For people, with the reason that the acquirer gave.'),
    source: Text('`Issuer` with a code of its own; otherwise the name of the acquirer who declined.'),
  },
  { title: 'EventError', description: 'Why it failed.' },
);

export const errorOf = ({
  kind,
  acquirer,
  reason = 'no reason was given',
  details: { issuerCode, isCancelled } = {},
}: Movement): Type.Static<typeof ErrorSchema> => {
  if (isCancelled) return { code: REFUND_CANCELLED_CODE, message: 'The refund was cancelled.', source: 'internal' };
  return {
    code: issuerCode ?? DECLINE_CODES[kind],
    message: declineText(kind, reason),
    source: issuerCode === undefined ? acquirer : 'Issuer',
  };
};

const RECONCILIATION_LETTERS = 25;
const BASE = 36;

/** 25 letters and digits that identify a movement in other systems' books: its id in fewer characters. */
export const reconciliationReferenceOf = (movementId: string): string =>
  BigInt(`0x${movementId}`).toString(BASE).toUpperCase().padStart(RECONCILIATION_LETTERS, '0');

const REFERENCE_DIGITS = 6;

/** Six digits by which people find a reservation, made from the random tail of its id. */
export const reservationReferenceOf = (reservationId: string): string =>
  String(BigInt(`0x${reservationId.slice(17)}`) % 10n ** BigInt(REFERENCE_DIGITS)).padStart(REFERENCE_DIGITS, '0');
