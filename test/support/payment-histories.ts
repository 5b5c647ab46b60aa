// The histories of payments for tests of events: led by the domain's own decisions, with all there is to tell of them, and
// told as it goes over the wire.
import assert from 'node:assert/strict';
import { exchangeTestCard } from '../../src/acquirers/test-cards.ts';
import type { Instrument } from '../../src/acquirers/test-cards.ts';
import type { Consumer } from '../../src/domain/consumer.ts';
import { create } from '../../src/domain/create.ts';
import type { Decision, EventName, PaymentEvent } from '../../src/domain/decision.ts';
import type { OrderItem } from '../../src/domain/item.ts';
import type { Payment } from '../../src/domain/payment.ts';
import { reserve } from '../../src/domain/reserve.ts';
import { settle } from '../../src/domain/settle.ts';
import type { Outcome } from '../../src/domain/settle.ts';
import { bodyOf } from '../../src/events/body.ts';
import type { StoredEvent } from '../../src/store/events/events.ts';
import {
  anOrderItem,
  APPROVED,
  AT,
  changeOf,
  chargeIdOf,
  decideCancel,
  decideCharge,
  decideRefund,
  idOf,
  nextId,
  RULES,
} from './domain-payment.ts';

export type History = { readonly payment: Payment; readonly events: readonly PaymentEvent[] };
// oxlint-disable-next-line typescript/no-explicit-any -- bodies are JSON
export type Json = any;

export const MERCHANT = 123_456;
export const DECLINED: Outcome = { result: 'declined', reason: 'insufficient funds' };

function follow({ payment, events }: History, decide: (payment: Payment) => Decision, outcome?: Outcome): History {
  const change = changeOf(decide(payment));
  const told = { payment: change.payment, events: [...events, ...change.events] };
  const pending = outcome && change.moved.find(({ state }) => state === 'pending');
  return pending && outcome ? follow(told, (next) => settle(next, pending.id, outcome, AT)) : told;
}

export const ITEM = anOrderItem(4_000, {
  name: 'Nuka-Cola',
  reference: 'f32be43c-19f8-4546-bb8b-5fcd273d19a1',
  unit: 'ea',
});
export const CARD = exchangeTestCard('4925000000000004', '1226') as Instrument;

export function created(changes: Partial<Payment> = {}): History {
  const order = { amount: 4_000, currency: 'DKK', reference: '282f89f2-d620', items: [ITEM] };
  const checkout = { integrationType: 'HostedPaymentPage' } as const;
  const { payment } = create(idOf(0), MERCHANT, { order, checkout, consumer: {} });
  return { payment: { ...payment, ...changes }, events: [] };
}

export const reserving = (
  life: History,
  { source, method }: Instrument,
  consumer: Consumer,
  outcome = APPROVED,
): History => {
  const command = { movementId: nextId(life.payment), acquirer: 'simulator', source, method, consumer };
  return follow(life, (payment) => reserve(payment, command, AT, RULES.lifetimes), outcome);
};

export const charging = (life: History, amount: number, items?: readonly OrderItem[], outcome = APPROVED): History =>
  follow(life, (payment) => decideCharge(payment, amount, items), outcome);
export const cancelling = (life: History, amount: number, outcome = APPROVED): History =>
  follow(life, (payment) => decideCancel(payment, amount), outcome);
export const refunding = (life: History, amount: number, outcome = APPROVED): History =>
  follow(life, (payment) => decideRefund(payment, chargeIdOf(payment), amount), outcome);

/** As the consumer of the recordings paid: with a check by their bank, from one address. */
export function reservedLikeRecorded(): History {
  const challenge = {
    nonce: 'n',
    state: 'passed',
    amount: 4_000,
    order: 'digest of the order',
    acsUrl: 'https://bank.example/challenge',
    openedAt: AT,
    tries: 1,
    acquirer: 'simulator',
    source: CARD.source,
    method: CARD.method,
  } as const;
  const life = reserving(created(), CARD, { ip: '192.168.0.1' });
  return { ...life, payment: { ...life.payment, challenge } };
}

/** With a subscription that it begins, or gives another card. */
export function subscribing(role: 'new' | 'update', consumer: Consumer): History {
  const terms = { intervalDays: 30, endsAt: AT + 1, language: 'sv' };
  const subscription = { kind: 'scheduled', id: idOf(9), role, ...terms } as const;
  const checkout = { integrationType: 'HostedPaymentPage', subscription } as const;
  return refunding(charging(reserving(created({ checkout }), CARD, consumer), 4_000), 4_000);
}

function eventOf({ name, at, movementId }: PaymentEvent, index: number): StoredEvent {
  const place = { position: index + 1, subjectId: idOf(0), version: 1, ordinal: index };
  return { id: idOf(100 + index), merchantId: MERCHANT, name, at, ...place, ...(movementId && { movementId }) };
}

/** What goes over the wire for every event, with the payment as it is in the end. */
export const bodiesOf = ({ payment, events }: History): Json[] =>
  events.map((event, index) => JSON.parse(JSON.stringify(bodyOf(eventOf(event, index), payment))));

export const bodyNamed = (life: History, name: EventName): Json =>
  bodiesOf(life).find(({ event }) => event === name) ?? assert.fail(`${name} is not told`);
