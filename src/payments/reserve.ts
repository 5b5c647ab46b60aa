// Reserves a payment like a completed checkout: consumer, reservation, and the immediate charge if the shop requested
// it. Also the reservation on demand, so that a test merchant's charge or cancel needs no checkout.
import { DEFAULT_CARD, exchangeApp, exchangeInvoice, exchangeTestCard } from '../acquirers/test-cards.ts';
import type { Instrument } from '../acquirers/test-cards.ts';
import type { Consumer } from '../domain/consumer.ts';
import { isUnknownConsumer, typedOver } from '../domain/consumer.ts';
import { joinChanges } from '../domain/decision.ts';
import type { Decision } from '../domain/decision.ts';
import { partOf } from '../domain/id.ts';
import type { Merchant } from '../domain/merchant.ts';
import { METHODS, offeredApps, offeredMethods, refuseUnlessOffered } from '../domain/offered-methods.ts';
import { reservationOf } from '../domain/payment.ts';
import type { Payment, PaymentMethod } from '../domain/payment.ts';
import { reserve } from '../domain/reserve.ts';
import { accountReferenceOf } from './account-reference.ts';
import { isLocal } from './acquirers.ts';
import { withChargeAtOnce } from './charge-at-once.ts';
import { newId, newSecret } from './ids.ts';
import { settleIfLocal } from './service.ts';
import type { Payments } from './service.ts';

/** The default consumer in the sandbox: example.test is reserved, so the address cannot be real. */
export const SANDBOX_CONSUMER: Consumer = {
  email: 'consumer@example.test',
  phone: { prefix: '+47', number: '40000000' },
  person: { firstName: 'Kari', lastName: 'Nordmann' },
  billingAddress: { addressLine1: 'Testveien 1', postalCode: '0150', city: 'Oslo', country: 'NOR' },
  shippingAddress: { addressLine1: 'Testveien 1', postalCode: '0150', city: 'Oslo', country: 'NOR' },
};

const APPROVED = exchangeTestCard(DEFAULT_CARD) as Instrument;
const APPROVED_MASTERCARD = exchangeTestCard('5413000000000000') as Instrument;

/** The approved reservation, by a method that the payment offers. */
function approvedFor(payment: Payment): Instrument {
  const usual = [APPROVED, APPROVED_MASTERCARD, exchangeInvoice()];
  const offered = usual.find(({ method }) => refuseUnlessOffered(payment, method) === undefined);
  const [app] = offered ? [] : offeredApps(payment);
  return offered ?? (app === undefined ? exchangeInvoice() : exchangeApp(app));
}

/** An app of this kind that the payment offers; otherwise one that it does not offer, so that the refusal names it. */
export function appOfType(payment: Payment, paymentType: PaymentMethod['paymentType']): Instrument {
  const apps = METHODS.filter((method) => method.paymentType === paymentType).map(({ name }) => name);
  const offered = offeredMethods(payment);
  return exchangeApp(apps.find((name) => offered.includes(name)) ?? apps[0] ?? '');
}

export type Reserving = {
  readonly instrument: Instrument;
  readonly consumer: Consumer;
  /** The checkout's language, for an invoice and for what the consumer agrees to. */
  readonly language?: string;
};

export type SandboxReserving = Partial<Pick<Reserving, 'instrument'>> & {
  readonly consumer?: Consumer;
  /** The address of the caller, in place of the consumer's. */
  readonly ip: string;
};

export type Reserved = { readonly decision: Decision; readonly reservationId: string };

function methodOf(merchant: Merchant, { instrument, language }: Reserving): PaymentMethod {
  const { method } = instrument;
  const accountReference = accountReferenceOf(merchant, instrument);
  if (method.paymentType !== 'INVOICE') return { ...method, ...(accountReference && { accountReference }) };
  return { ...method, invoice: { secret: newSecret(), ...(language !== undefined && { language }) } };
}

function reserveWhole(
  payments: Payments,
  merchant: Merchant,
  payment: Payment,
  reserving: Reserving,
  at: number,
): Reserved {
  if (merchant.live) throw new Error('a live merchant never gets the simulator');
  const reservationId = newId(at, partOf(payment.id));
  const command = {
    movementId: reservationId,
    acquirer: merchant.acquirer,
    source: reserving.instrument.source,
    method: methodOf(merchant, reserving),
    consumer: reserving.consumer,
    ...(reserving.language !== undefined && { language: reserving.language }),
  };
  const reserved = reserve(payment, command, at, payments.lifetimes);
  if (reserved.change === undefined) return { decision: reserved, reservationId };
  return { decision: settleIfLocal(reserved.change, reservationId, at), reservationId };
}

/** Everything that a completed checkout does: the reservation, and the immediate charge if the shop requested it. */
export function finishCheckout(
  payments: Payments,
  merchant: Merchant,
  payment: Payment,
  reserving: Reserving,
  at: number,
): Reserved {
  const { decision, reservationId } = reserveWhole(payments, merchant, payment, reserving, at);
  return { decision: withChargeAtOnce(payments, decision, at), reservationId };
}

/** Consumer data in the call has precedence; the rest stays as the shop gave it. */
function sandboxConsumer(payment: Payment, consumer: Consumer = {}): Consumer {
  if (!isUnknownConsumer(consumer)) return { ...payment.consumer, ...consumer };
  return isUnknownConsumer(payment.consumer) ? SANDBOX_CONSUMER : payment.consumer;
}

export function reserveInSandbox(
  payments: Payments,
  merchant: Merchant,
  payment: Payment,
  { instrument = approvedFor(payment), consumer, ip }: SandboxReserving,
  at: number,
): Reserved {
  const payer = typedOver(payment.consumer, sandboxConsumer(payment, consumer), ip);
  return finishCheckout(payments, merchant, payment, { instrument, consumer: payer }, at);
}

/**
 * Decides on the payment as it is or, for a merchant who enabled it, on a payment that was reserved just before. A
 * refusal leaves nothing behind, not even that reservation.
 */
export function decideOnReserved(
  payments: Payments,
  merchant: Merchant,
  payment: Payment,
  at: number,
  decide: (payment: Payment) => Decision,
): Decision {
  const onDemand =
    merchant.reserveOnDemand && !merchant.live && isLocal(merchant.acquirer) && reservationOf(payment) === undefined;
  if (!onDemand) return decide(payment);
  const reserving = { instrument: approvedFor(payment), consumer: sandboxConsumer(payment) };
  const { decision } = reserveWhole(payments, merchant, payment, reserving, at);
  if (decision.change === undefined || decision.refusal) return decision;
  const reserved = decision.change;
  const next = decide(reserved.payment);
  return next.change === undefined ? next : { ...next, change: joinChanges(reserved, next.change) };
}
