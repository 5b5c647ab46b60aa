// The dialect `spec`: the complete shapes of the specification. All four summary numbers are present, charges and
// refunds are always arrays, and empty objects are kept; texts that were not given are left out.
import { isCancelledRefund } from '../../domain/cancel-refund.ts';
import type { Address, Consumer, Phone } from '../../domain/consumer.ts';
import { timeOf } from '../../domain/id.ts';
import { dueDateOf } from '../../domain/invoice.ts';
import type { OrderItem } from '../../domain/item.ts';
import type { Movement } from '../../domain/movement.ts';
import { reservationOf } from '../../domain/payment.ts';
import type { Payment, PaymentMethod } from '../../domain/payment.ts';
import { isReferenceKnown, referenceOf } from '../../domain/payment-reference.ts';
import { chargesOf, itemsOfCharge, itemsOfRefund } from '../../domain/refund.ts';
import { agreementOf } from '../../domain/subscription.ts';
import { isoTime } from '../../domain/time.ts';
import { hostedPageUrl, invoiceLinkOf, invoicePdfUrl } from './dialect.ts';
import { answerWith, errorsOf } from '../../server/answer.ts';
import type { Dialect, PresentationContext } from './dialect.ts';
import { presentRefusal } from './refusal.ts';
import { ownFieldsOf, presentSubscription } from './subscription.ts';

const REFUND_STATES = { pending: 'Pending', approved: 'Completed', declined: 'Failed' } as const;

const stateOfRefund = (refund: Movement): string =>
  isCancelledRefund(refund) ? 'Cancelled' : REFUND_STATES[refund.state];

export const refundsOf = (payment: Payment): Movement[] => payment.movements.filter(({ kind }) => kind === 'refund');

export const summaryOf = ({ totals }: Payment) => ({
  reservedAmount: totals.reserved,
  chargedAmount: totals.charged,
  refundedAmount: totals.refunded,
  cancelledAmount: totals.cancelled,
});

export const presentCharge = (payment: Payment, charge: Movement) => ({
  chargeId: charge.id,
  amount: charge.amount,
  created: isoTime(timeOf(charge.id)),
  orderItems: itemsOfCharge(payment, charge),
});

export const presentRefund = (payment: Payment, refund: Movement) => ({
  refundId: refund.id,
  amount: refund.amount,
  state: stateOfRefund(refund),
  lastUpdated: isoTime(refund.updatedAt),
  orderItems: itemsOfRefund(payment, refund),
});

/** What is pending at the acquirer. Pending refunds are listed among the refunds, as the specification requires. */
function pendingOf({ movements }: Payment): object[] {
  const pending = movements.filter(({ kind, state }) => state === 'pending' && kind !== 'refund');
  return pending.map(({ id, kind, amount }) => ({ kind, id, amount, created: isoTime(timeOf(id)) }));
}

type Itemized = { readonly orderItems: readonly OrderItem[] };

/** The nine fields of the specification. Few orders have pictures; items without one are shown as stored. */
function withoutPictures<Record extends Itemized>(record: Record): Record {
  if (record.orderItems.every(({ imageUrl }) => imageUrl === undefined)) return record;
  return { ...record, orderItems: record.orderItems.map(({ imageUrl: _picture, ...item }) => item) };
}

/** How the payment was paid; a declined card does not count. */
export const methodOf = (payment: Payment): PaymentMethod | undefined =>
  reservationOf(payment) === undefined ? undefined : payment.method;

/** Invoice number of the latest charge; for an invoice also how and until when it is paid. */
export function invoiceDetailsOf(payment: Payment, presentation: PresentationContext): object {
  const latest = chargesOf(payment).at(-1);
  if (latest?.invoiceNumber === undefined) return {};
  const { invoiceNumber } = latest;
  if (payment.method?.paymentType !== 'INVOICE') return { invoiceNumber };
  return {
    invoiceNumber,
    ...(isReferenceKnown(latest, presentation.merchant) && { ocr: referenceOf(latest) }),
    pdfLink: invoicePdfUrl(payment, latest.id, presentation),
    dueDate: isoTime(dueDateOf(timeOf(latest.id))),
  };
}

/** The PDF, and its invoice number once it has one. */
function invoiceDetailsOfMovement(payment: Payment, movement: Movement, presentation: PresentationContext): object {
  const link = invoiceLinkOf(payment, movement, presentation);
  if (link === undefined) return {};
  return { invoiceDetails: { link, ...(movement.issued && { number: movement.issued.number }) } };
}

export function cardDetailsOf(payment: Payment): object {
  const method = methodOf(payment);
  return method?.maskedPan === undefined ? {} : { maskedPan: method.maskedPan, expiryDate: method.expiryDate };
}

export const presentPhone = (phone: Phone | undefined): object => phone ?? {};
/** A delivery needs a phone number: the consumer's own is repeated with each address. */
export const presentAddress = (address: Address | undefined, phone: Phone | undefined): object => ({
  ...address,
  ...(address && phone && { phoneNumber: presentPhone(phone) }),
});

/** What is known of the person, even if only the e-mail address is. */
export function personOf(consumer: Consumer): object | undefined {
  const { person, company, email, phone, reference } = consumer;
  if (company !== undefined || (person ?? email ?? phone ?? reference) === undefined) return undefined;
  return {
    ...(person?.dateOfBirth !== undefined && { dateOfBirth: isoTime(person.dateOfBirth) }),
    firstName: person?.firstName,
    lastName: person?.lastName,
    email,
    phoneNumber: presentPhone(phone),
    merchantReference: reference,
  };
}

function companyOf({ company, email, phone, reference }: Consumer): object | undefined {
  if (company === undefined) return undefined;
  const { name, organisationNumber } = company;
  return { name, organisationNumber, email, phoneNumber: presentPhone(phone), merchantReference: reference };
}

const presentConsumer = (consumer: Consumer) => ({
  billingAddress: presentAddress(consumer.billingAddress, consumer.phone),
  shippingAddress: presentAddress(consumer.shippingAddress, consumer.phone),
  company: companyOf(consumer) ?? {},
  privatePerson: personOf(consumer) ?? {},
});

export function checkoutUrlOf(payment: Payment, presentation: PresentationContext): string {
  if (payment.checkout.integrationType === 'HostedPaymentPage') return hostedPageUrl(payment.id, presentation);
  return payment.checkoutUrl ?? '';
}

export const orderDetailsOf = ({ order }: Payment) => ({
  amount: order.amount,
  currency: order.currency,
  reference: order.reference,
});

/** The subscription, once the checkout is finished: clients that see it take the payment for paid. */
export function subscriptionOf(payment: Payment): object {
  const agreement = agreementOf(payment);
  if (agreement === undefined) return {};
  if (agreement.role !== 'renewal' && reservationOf(payment)?.state !== 'approved') return {};
  const { kind, id } = agreement;
  return kind === 'scheduled'
    ? { subscription: { id } }
    : { unscheduledSubscription: { unscheduledSubscriptionId: id } };
}

export const spec: Dialect = {
  readsGenerously: false,
  listsUnfiltered: true,
  payment: (payment, presentation) => {
    const pending = pendingOf(payment);
    return {
      paymentId: payment.id,
      summary: summaryOf(payment),
      consumer: presentConsumer(payment.consumer),
      paymentDetails: {
        paymentType: methodOf(payment)?.paymentType,
        paymentMethod: methodOf(payment)?.paymentMethod,
        invoiceDetails: invoiceDetailsOf(payment, presentation),
        cardDetails: cardDetailsOf(payment),
        paymentAccountReference: methodOf(payment)?.accountReference,
      },
      orderDetails: orderDetailsOf(payment),
      checkout: { url: checkoutUrlOf(payment, presentation) },
      created: isoTime(timeOf(payment.id)),
      charges: chargesOf(payment).map((charge) => withoutPictures(presentCharge(payment, charge))),
      refunds: refundsOf(payment).map((refund) => withoutPictures(presentRefund(payment, refund))),
      ...(pending.length > 0 && { pending }),
      ...(payment.terminatedAt !== undefined && { terminated: isoTime(payment.terminatedAt) }),
      ...subscriptionOf(payment),
      ...(payment.myReference !== undefined && { myReference: payment.myReference }),
    };
  },
  charge: (payment, charge, presentation) => ({
    ...withoutPictures(presentCharge(payment, charge)),
    ...invoiceDetailsOfMovement(payment, charge, presentation),
  }),
  refund: (payment, refund, presentation) => ({
    ...withoutPictures(presentRefund(payment, refund)),
    ...invoiceDetailsOfMovement(payment, refund, presentation),
  }),
  subscription: (idName, subscription, presentation) => ({
    ...presentSubscription(idName, subscription),
    ...ownFieldsOf(subscription, presentation),
  }),
  created: (payment, presentation) =>
    answerWith(201, {
      paymentId: payment.id,
      ...(payment.checkout.integrationType === 'HostedPaymentPage' && {
        hostedPaymentPageUrl: hostedPageUrl(payment.id, presentation),
      }),
    }),
  charged: (_payment, charge) =>
    answerWith(201, { chargeId: charge.id, invoice: { invoiceNumber: charge.invoiceNumber } }),
  problems: errorsOf,
  refusal: presentRefusal,
};
