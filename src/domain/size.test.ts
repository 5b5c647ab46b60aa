// Goal: a payment has an end in movements, lines, tax rates and bytes, and always room for what must follow. Method: the
// functions alone, right at each bound.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anOrderItem, AT, charged, nextId, refusalOf, reserved, RULES } from '../../test/support/domain-payment.ts';
import { charge } from './charge.ts';
import type { MoveCommand } from './charge.ts';
import type { OrderItem } from './item.ts';
import type { Movement } from './movement.ts';
import type { Payment } from './payment.ts';
import { refuseIfFull, refuseIfManyRates, refuseIfOrderTooLarge, refuseMoreTries } from './size.ts';

const small = charged(reserved(1_000), 100, []);
const CHARGE = { ...small.movements.at(-1), items: [] } as unknown as Movement;

const withMovements = (count: number, changes: Partial<Movement> = {}): Payment => ({
  ...small,
  movements: Array.from({ length: count }, () => ({ ...CHARGE, ...changes })),
});
const itemsOf = (count: number, changes: (n: number) => Partial<OrderItem> = () => ({})): OrderItem[] =>
  Array.from({ length: count }, (_none, n) => anOrderItem(1, changes(n)));

test('a payment has a thousand movements at most, and one that ends a final charge keeps its place', () => {
  const full = 'payment_has_too_many_movements';
  assert.equal(refusalOf(refuseIfFull(withMovements(999), [])), undefined);
  assert.equal(refusalOf(refuseIfFull(withMovements(1_000), [])), full);
  assert.equal(refusalOf(refuseIfFull(withMovements(998), [], { movements: 2 })), undefined);
  assert.deepEqual(refuseIfFull(withMovements(999), [], { movements: 2 })?.refusal, {
    name: full,
    movements: 999,
    most: 1_000,
    isOneKept: true,
  });
  const pending = { state: 'pending', details: { finalCharge: true } } as const;
  assert.equal(refusalOf(refuseIfFull(withMovements(998, pending), [])), undefined);
  assert.equal(refusalOf(refuseIfFull(withMovements(999, pending), [])), full);
  assert.equal(refusalOf(refuseMoreTries(withMovements(499))), undefined);
  assert.equal(refusalOf(refuseMoreTries(withMovements(500))), full);
});

test('a final charge that leaves a rest needs a place for its cancel as well', () => {
  const almostFull = { ...small, movements: [...small.movements, ...withMovements(997).movements] };
  assert.equal(almostFull.movements.length, 999);
  const decide = (amount: number, finalCharge: boolean) =>
    charge(
      almostFull,
      { movementId: nextId(almostFull), amount, items: [], details: { finalCharge } } as MoveCommand,
      AT,
      RULES,
    );
  assert.equal(refusalOf(decide(100, false)), undefined);
  assert.equal(refusalOf(decide(900, true)), undefined);
  assert.equal(refusalOf(decide(100, true)), 'payment_has_too_many_movements');
});

test('its movements and their items are 5,000 lines at most', () => {
  // Ten movements, each a line of its own, and their items.
  const payment = withMovements(10, { items: itemsOf(400) });
  const full = (count: number): unknown => refusalOf(refuseIfFull(payment, itemsOf(count)));
  assert.deepEqual([full(989), full(990)], [undefined, 'payment_holds_too_many_lines']);
});

test('an order has 50 tax rates at most, and what is there already counts', () => {
  const rates = (count: number, from = 0): OrderItem[] => itemsOf(count, (n) => ({ taxRate: from + n }));
  assert.equal(refusalOf(refuseIfManyRates(rates(50))), undefined);
  assert.equal(refusalOf(refuseIfManyRates(rates(51))), 'too_many_tax_rates');
  const many = { ...small, order: { ...small.order, items: rates(50) } };
  assert.equal(refusalOf(refuseIfFull(many, rates(50))), undefined);
  assert.equal(refusalOf(refuseIfFull(many, rates(1, 50))), 'too_many_tax_rates');
});

test('an order has 512 KiB at most, counted as JSON, whatever its characters come to there', () => {
  const sizeOf = (name: string): unknown =>
    refusalOf(refuseIfOrderTooLarge({ ...small, order: { ...small.order, items: [anOrderItem(1, { name })] } }));
  assert.equal(sizeOf('x'.repeat(520_000)), undefined);
  assert.equal(sizeOf('x'.repeat(524_288)), 'order_is_too_large');
  assert.equal(sizeOf('\u0001'.repeat(86_000)), undefined);
  assert.equal(sizeOf('\u0001'.repeat(87_381)), 'order_is_too_large');
});
