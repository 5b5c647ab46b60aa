// The dialect `nexi`: what the existing clients of this API need. Fields that are 0 or empty lists are left out, the
// skeleton of a consumer is always there, and a few texts are spelled as an old plugin compares them.
import type { Consumer } from '../../domain/consumer.ts';
import { DECLINE_CODES, declineText } from '../../domain/decline.ts';
import { timeOf } from '../../domain/id.ts';
import type { Movement } from '../../domain/movement.ts';
import type { Payment } from '../../domain/payment.ts';
import { chargesOf } from '../../domain/refund.ts';
import { isoTime } from '../../domain/time.ts';
import type { Problem } from '../../server/problem.ts';
import { invoiceLinkOf } from './dialect.ts';
import { answerWith, errorsOf, failure } from '../../server/answer.ts';
import type { Dialect, OperationName, PresentationContext } from './dialect.ts';
import { presentSubscription } from './subscription.ts';
import {
  cardDetailsOf,
  checkoutUrlOf,
  invoiceDetailsOf,
  methodOf,
  orderDetailsOf,
  personOf,
  presentAddress,
  presentCharge,
  presentPhone,
  presentRefund,
  refundsOf,
  spec,
  subscriptionOf,
  summaryOf,
} from './spec.ts';

// Spelled as the plugin compares it, mistakes included.
const SUM_DIFFERS_ON_CREATE = 'Amount dosent match sum of orderitems';
const SUM_DIFFERS = "Amount dosen't match sum of orderitems";
const AMOUNT_NOT_POSITIVE = 'Amount must be greater than 0';

function presentConsumer(consumer: Consumer): object {
  const { company, email, phone, reference, billingAddress, shippingAddress } = consumer;
  const phoneNumber = presentPhone(phone);
  const organisation = company && {
    name: company.name,
    organisationNumber: company.organisationNumber,
    registrationNumber: company.organisationNumber,
    email,
    phoneNumber,
    merchantReference: reference,
    contactDetails: { firstName: company.firstName, lastName: company.lastName, email, phoneNumber },
  };
  return {
    shippingAddress: presentAddress(shippingAddress, phone),
    company: organisation ?? { contactDetails: { phoneNumber: {} } },
    privatePerson: personOf(consumer) ?? { phoneNumber: {} },
    billingAddress: presentAddress(billingAddress, phone),
  };
}

const withSurcharge = <Record extends { amount: number }>(record: Record) => ({ ...record, surchargeAmount: 0 });

function withoutZeros(summary: Readonly<Record<string, number>>): object {
  return Object.fromEntries(Object.entries(summary).filter(([, amount]) => amount !== 0));
}

/** The texts that old clients compare come first, then ours; the amount of a create is called `amount`. */
function translate(problem: Problem, operation: OperationName | undefined): Problem[] {
  const literal =
    problem.kind === 'amount_not_positive'
      ? AMOUNT_NOT_POSITIVE
      : problem.kind === 'sum_differs' && (operation === 'create' ? SUM_DIFFERS_ON_CREATE : SUM_DIFFERS);
  if (!literal) return [problem];
  return [
    { field: 'amount', text: literal },
    { field: 'amount', text: problem.text },
  ];
}

/** Only the link, as clients of this API expect. */
function invoiceDetailsOfMovement(payment: Payment, movement: Movement, presentation: PresentationContext): object {
  const link = invoiceLinkOf(payment, movement, presentation);
  return link === undefined ? {} : { invoiceDetails: { link } };
}

const isInvoice = (payment: Payment): boolean => payment.method?.paymentType === 'INVOICE';

export const nexi: Dialect = {
  readsGenerously: true,
  listsUnfiltered: false,
  payment: (payment, presentation) => {
    const charges = chargesOf(payment).map((charge) => withSurcharge(presentCharge(payment, charge)));
    const refunds = refundsOf(payment).map((refund) => withSurcharge(presentRefund(payment, refund)));
    return {
      paymentId: payment.id,
      summary: withoutZeros(summaryOf(payment)),
      consumer: presentConsumer(payment.consumer),
      paymentDetails: {
        paymentType: methodOf(payment)?.paymentType,
        paymentMethod: methodOf(payment)?.paymentMethod,
        invoiceDetails: isInvoice(payment) ? invoiceDetailsOf(payment, presentation) : {},
        cardDetails: cardDetailsOf(payment),
        paymentAccountReference: methodOf(payment)?.accountReference,
      },
      orderDetails: orderDetailsOf(payment),
      checkout: { url: checkoutUrlOf(payment, presentation), cancelUrl: payment.checkout.cancelUrl },
      created: isoTime(timeOf(payment.id)),
      ...(charges.length > 0 && { charges }),
      ...(refunds.length > 0 && { refunds }),
      ...(payment.terminatedAt !== undefined && { terminated: isoTime(payment.terminatedAt) }),
      ...subscriptionOf(payment),
      ...(payment.myReference !== undefined && { myReference: payment.myReference }),
    };
  },
  charge: (payment, charge, presentation) => ({
    ...withSurcharge(presentCharge(payment, charge)),
    ...invoiceDetailsOfMovement(payment, charge, presentation),
  }),
  refund: (payment, refund, presentation) => ({
    ...withSurcharge(presentRefund(payment, refund)),
    ...invoiceDetailsOfMovement(payment, refund, presentation),
  }),
  subscription: (idName, subscription) => presentSubscription(idName, subscription),
  created: (payment, presentation) => spec.created(payment, presentation),
  charged: (payment, charge) =>
    isInvoice(payment) ? spec.charged(payment, charge) : answerWith(201, { chargeId: charge.id }),
  problems: (problems, operation) => errorsOf(problems.flatMap((problem) => translate(problem, operation))),
  refusal: (refusal, operation, payment, presentation) => {
    if (refusal.name === 'refund_exceeds_what_is_left') {
      const text = `The refund of ${refusal.amount} is more than the ${refusal.left} left of the charge.`;
      return failure(402, '1009', text);
    }
    if (refusal.name === 'acquirer_declined' && refusal.kind === 'refund')
      return failure(402, DECLINE_CODES.refund, declineText('refund', refusal.reason), refusal.acquirer);
    return spec.refusal(refusal, operation, payment, presentation);
  },
};
