// Payments for tests of the pure domain: made by its own decisions, with ids and times that are chosen here.
import { cancel } from '../../src/domain/cancel.ts';
import { charge } from '../../src/domain/charge.ts';
import type { Rules } from '../../src/domain/charge.ts';
import { create } from '../../src/domain/create.ts';
import type { Change, Decision, Refused } from '../../src/domain/decision.ts';
import { makeId } from '../../src/domain/id.ts';
import type { OrderItem } from '../../src/domain/item.ts';
import type { Movement } from '../../src/domain/movement.ts';
import type { Payment } from '../../src/domain/payment.ts';
import { findCharge, refund } from '../../src/domain/refund.ts';
import { reserve } from '../../src/domain/reserve.ts';
import { settle } from '../../src/domain/settle.ts';
import type { Outcome } from '../../src/domain/settle.ts';

/** When everything happens, unless a test says otherwise. */
export const AT = Date.UTC(2026, 10, 15, 8);
const PART = 0xabc;
export const RULES: Rules = {
  lifetimes: { paymentMs: 48 * 3_600_000, reservationMs: 168 * 3_600_000 },
  strictItems: false,
};
export const STRICT: Rules = { ...RULES, strictItems: true };

const METHOD = {
  paymentType: 'CARD',
  paymentMethod: 'Visa',
  maskedPan: '492500******0004',
  expiryDate: '1230',
} as const;

export const APPROVED: Outcome = { result: 'approved' };
export const DECLINED: Outcome = { result: 'declined', reason: 'no reason' };

/** The nth id of these tests. */
export const idOf = (n: number, atMs = AT): string => makeId(atMs, PART, `8${n.toString(16).padStart(15, '0')}`);

export const anOrderItem = (grossTotalAmount: number, changes: Partial<OrderItem> = {}): OrderItem => ({
  reference: 'sneaky-1',
  name: 'Sneakers',
  quantity: 1,
  unit: 'pair',
  unitPrice: grossTotalAmount,
  taxRate: 0,
  taxAmount: 0,
  grossTotalAmount,
  netTotalAmount: grossTotalAmount,
  ...changes,
});

export function aPayment(amount = 1_000, items: readonly OrderItem[] = [anOrderItem(amount)]): Payment {
  const order = { amount, currency: 'SEK', items };
  const checkout = { integrationType: 'EmbeddedCheckout' } as const;
  return create(idOf(0), 100_000_001, { order, checkout, consumer: {} }).payment;
}

export const nextId = (payment: Payment, atMs = AT): string => idOf(payment.movements.length + 1, atMs);

export const changeOf = (decision: Decision | Refused): Change => {
  if (decision.change === undefined) throw new Error(`refused: ${decision.refusal.name}`);
  return decision.change;
};

export const refusalOf = (decision: Decision | Refused | undefined) => decision?.refusal?.name;

/** Reserved, with the outcome still open. */
export function reserving(payment: Payment, at = AT): Payment {
  const command = { movementId: nextId(payment, at), acquirer: 'simulator', source: 's', method: METHOD, consumer: {} };
  return changeOf(reserve(payment, command, at, RULES.lifetimes)).payment;
}

/** The newest movement gets its outcome. */
export function settled(payment: Payment, outcome = APPROVED, at = AT): Payment {
  const pending = payment.movements.findLast(({ state }) => state === 'pending') as Movement;
  return changeOf(settle(payment, pending.id, outcome, at)).payment;
}

export const reserved = (amount = 1_000, items?: readonly OrderItem[]): Payment =>
  settled(reserving(aPayment(amount, items)));

export const decideCharge = (
  payment: Payment,
  amount: number,
  items: readonly OrderItem[] = [],
  rules = RULES,
  at = AT,
): Decision => charge(payment, { movementId: nextId(payment, at), amount, items }, at, rules);

export const decideCancel = (
  payment: Payment,
  amount: number,
  items: readonly OrderItem[] = [],
  rules = RULES,
  at = AT,
): Decision => cancel(payment, { movementId: nextId(payment, at), amount, items }, at, rules);

export function decideRefund(
  payment: Payment,
  chargeId: string,
  amount: number,
  items: readonly OrderItem[] = [],
  rules = RULES,
): Decision {
  const found = findCharge(payment, chargeId);
  if (found === undefined) throw new Error('there is no such charge');
  return refund(payment, found, { movementId: nextId(payment), amount, items }, AT, rules);
}

export const charged = (payment: Payment, amount: number, items?: readonly OrderItem[]): Payment =>
  settled(changeOf(decideCharge(payment, amount, items)).payment);

export const cancelled = (payment: Payment, amount: number, items?: readonly OrderItem[]): Payment =>
  settled(changeOf(decideCancel(payment, amount, items)).payment);

export const refunded = (payment: Payment, chargeId: string, amount: number, items?: readonly OrderItem[]): Payment =>
  settled(changeOf(decideRefund(payment, chargeId, amount, items)).payment);

/** The id of the nth charge that was approved. */
export const chargeIdOf = (payment: Payment, n = 0): string =>
  payment.movements.filter(({ kind, state }) => kind === 'charge' && state === 'approved')[n]?.id ?? '';
