// The shortest scenario for every event, with the test card that leads to it. It also serves the command line as the list
// of event names, without loading their schemas.
import { DEFAULT_CARD, testCards } from '../../acquirers/test-cards.ts';
import type { CardSource } from '../../acquirers/test-cards.ts';
import type { EventName, PaymentEventName } from '../../domain/decision.ts';
import type { Scenario } from './payment-scenario.ts';

const cardOf = (source: CardSource): string => testCards.find((card) => card.source === source)?.number ?? DEFAULT_CARD;

const reserved: Scenario = { card: DEFAULT_CARD, moves: [] };
const charged: Scenario = { card: DEFAULT_CARD, moves: ['charge'] };
const refunded: Scenario = { card: DEFAULT_CARD, moves: ['charge', 'refund'] };
const chargeDeclined: Scenario = { card: cardOf('sim_charge_declined'), moves: ['charge'], declined: 'charge' };

export const SCENARIOS: Readonly<Record<PaymentEventName, Scenario>> = {
  'payment.created': reserved,
  'payment.reservation.created': reserved,
  'payment.reservation.created.v2': reserved,
  'payment.reservation.failed': { card: cardOf('sim_reservation_declined'), moves: [], declined: 'reserve' },
  'payment.checkout.completed': reserved,
  'payment.charge.created': charged,
  'payment.charge.created.v2': charged,
  'payment.charge.failed': chargeDeclined,
  'payment.charge.failed.v2': chargeDeclined,
  'payment.refund.initiated': refunded,
  'payment.refund.initiated.v2': refunded,
  'payment.refund.completed': refunded,
  'payment.refund.failed': { card: cardOf('sim_refund_declined'), moves: ['charge', 'refund'], declined: 'refund' },
  'payment.cancel.created': { card: DEFAULT_CARD, moves: ['cancel'] },
  'payment.cancel.failed': { card: cardOf('sim_cancel_declined'), moves: ['cancel'], declined: 'cancel' },
  'subscription.created': { ...reserved, asked: { subscription: { interval: 30 } } },
  'subscription.card.replaced': reserved,
};

/** In the order in which they happen. */
export const EVENT_NAMES: readonly EventName[] = [
  ...(Object.keys(SCENARIOS) as PaymentEventName[]),
  'subscription.ended',
  'webhook.disabled',
];
