// The story behind all examples: one order of sneakers, paid, charged in two parts and refunded in part. The domain
// itself produces it and the dialects spell it, so no example can differ from what the service answers.
import { simulator } from '../../acquirers/simulator.ts';
import { DEFAULT_CARD, exchangeTestCard } from '../../acquirers/test-cards.ts';
import type { Instrument } from '../../acquirers/test-cards.ts';
import { charge } from '../../domain/charge.ts';
import type { Rules } from '../../domain/charge.ts';
import type { Consumer } from '../../domain/consumer.ts';
import { create } from '../../domain/create.ts';
import { makeId } from '../../domain/id.ts';
import type { OrderItem } from '../../domain/item.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { Payment } from '../../domain/payment.ts';
import { findCharge, refund } from '../../domain/refund.ts';
import { reserve } from '../../domain/reserve.ts';
import { settle } from '../../domain/settle.ts';
import { exampleOf } from '../../events/examples.ts';
import type { PresentationContext } from '../dialects/dialect.ts';

const HOUR_MS = 3_600_000;
const CREATED_AT = Date.UTC(2026, 2, 17, 8, 30, 12, 345);
const RESERVED_AT = CREATED_AT + 94_000;
const CHARGED_AT = CREATED_AT + 26 * HOUR_MS;
const REFUNDED_AT = CREATED_AT + 50 * HOUR_MS;
const PART = 0xa1c;

const paymentId = makeId(CREATED_AT, PART, '9d2e4f5061728394');
export const reservationId = makeId(RESERVED_AT, PART, '53b8c07e91fa26d4');
const chargeId = makeId(CHARGED_AT, PART, 'c1740ae96d2b853f');
const refundId = makeId(REFUNDED_AT, PART, '7e05d9438ac1f26b');

// Events have a story of their own, in which everything fails once.
export const event = exampleOf('payment.charge.created') as { readonly id: string };
const webhookId = makeId(CREATED_AT, PART, '2f81c6a90b7d345e');
const subscriptionId = makeId(RESERVED_AT, PART, '61d9a07c3be5f842');
const bulkId = makeId(CHARGED_AT, PART, '4ac0582e96f17db3');
const payoutId = makeId(Date.UTC(2026, 2, 18), PART, '3d7a91e05c84b26f');
const redeliveryId = makeId(CREATED_AT, PART, '8b06e35fd17c92a4');

export const IDS = {
  paymentId,
  chargeId,
  refundId,
  eventId: event.id,
  webhookId,
  redeliveryId,
  subscriptionId,
  unscheduledSubscriptionId: subscriptionId,
  bulkId,
  payoutId,
} as const;

const merchant: Merchant = {
  id: 100_001,
  name: 'Example shop',
  live: false,
  dialect: 'spec',
  strictItems: false,
  reserveOnDemand: false,
  secondFactor: false,
  acquirer: 'simulator',
  checkoutKey: 'test-checkout-key-7f3b1c9e5d2a486fb0e1d4c3a2958607',
  parts: [7],
  accountSecret: '',
  createdAt: CREATED_AT,
};

// A fixed URL, so that the examples are the same wherever the service runs.
export const presentation: PresentationContext = { publicUrl: 'http://localhost:8080', merchant };

export const sneakers: OrderItem = {
  reference: 'sneaky-1',
  name: 'Sneakers',
  quantity: 2,
  unit: 'pair',
  unitPrice: 40_000,
  taxRate: 2_500,
  taxAmount: 20_000,
  grossTotalAmount: 100_000,
  netTotalAmount: 80_000,
};

export const onePair: OrderItem = {
  ...sneakers,
  quantity: 1,
  taxAmount: 10_000,
  grossTotalAmount: 50_000,
  netTotalAmount: 40_000,
};

const address = { addressLine1: 'Drottninggatan 1', postalCode: '111 51', city: 'Stockholm', country: 'SWE' };

const consumer: Consumer = {
  email: 'astrid@example.com',
  phone: { prefix: '+46', number: '701234567' },
  billingAddress: address,
  shippingAddress: address,
  person: { firstName: 'Astrid', lastName: 'Lind' },
};

const rules: Rules = { lifetimes: { paymentMs: 48 * HOUR_MS, reservationMs: 168 * HOUR_MS }, strictItems: false };

function settled(decision: { change?: { payment: Payment } | undefined }, movementId: string, at: number): Payment {
  if (!decision.change) throw new Error('the story of the examples was refused');
  const { change } = settle(decision.change.payment, movementId, { result: 'approved' }, at);
  return (change as { payment: Payment }).payment;
}

export const created: Payment = create(paymentId, merchant.id, {
  order: { amount: 100_000, currency: 'SEK', reference: 'order-1', items: [sneakers] },
  checkoutUrl: 'https://shop.example/checkout',
  checkout: { integrationType: 'EmbeddedCheckout' },
  consumer: {},
}).payment;

export const hosted: Payment = { ...created, checkout: { integrationType: 'HostedPaymentPage' } };

const { source, method } = exchangeTestCard(DEFAULT_CARD) as Instrument;
const paying = { movementId: reservationId, acquirer: simulator.name, source, method, consumer };

export const reserved = settled(
  reserve(created, paying, RESERVED_AT, rules.lifetimes),
  reservationId,
  RESERVED_AT + 420,
);

const charging = { movementId: chargeId, amount: 50_000, items: [onePair] };

const asked = charge(reserved, charging, CHARGED_AT, rules);
/** Before the acquirer has answered. */
export const beingCharged = found(asked.change).payment;
export const charged = settled(asked, chargeId, CHARGED_AT);

export const chargeMade = found(findCharge(charged, chargeId));

const refunding = { movementId: refundId, amount: 20_000, items: [] };

export const refunded = settled(
  refund(charged, chargeMade, refunding, REFUNDED_AT, rules),
  refundId,
  REFUNDED_AT + 310,
);

export const refundMade = found(refunded.movements.find(({ id }) => id === refundId));

/** The day on which the sneakers were charged. */
export const paidOut = {
  id: payoutId,
  day: '2026-03-18',
  currency: charged.order.currency,
  charged: chargeMade.amount,
  refunded: 0,
  chargeCount: 1,
  actionCount: 1,
};

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('the story of the examples has a hole');
  return value;
}
