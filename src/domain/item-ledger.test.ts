// Goal: of each line of an order it is known how much was moved and what is left, also where several lines have one
// reference, and the parts always add up to the line. Method: payments made by the domain's own decisions.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  anOrderItem,
  cancelled,
  changeOf,
  charged,
  chargeIdOf,
  decideCharge,
  DECLINED,
  refunded,
  reserved,
  settled,
} from '../../test/support/domain-payment.ts';
import { findCharge } from './refund.ts';
import { linesLeftOfCharge, linesLeftOfOrder, linesOf, showQuantity } from './item-ledger.ts';
import type { Extent } from './item-ledger.ts';
import type { Movement } from './movement.ts';

const shortly = ({ quantity, gross }: Extent): string => `${showQuantity(quantity)}:${gross}`;

describe('the ledger of items', () => {
  const mugs = anOrderItem(3_000, { reference: 'mug', quantity: 3 });
  const tea = anOrderItem(500, { reference: 'tea', quantity: 0.25 });
  const oneMug = { ...mugs, quantity: 1, grossTotalAmount: 1_000, netTotalAmount: 1_000 };

  test('charged, refunded, cancelled and left, line by line', () => {
    let payment = charged(reserved(3_500, [mugs, tea]), 1_500, [oneMug, tea]);
    payment = refunded(payment, chargeIdOf(payment), 500, [tea]);
    payment = cancelled(payment, 1_000, [oneMug]);
    const shown = linesOf(payment).map(({ charged: c, refunded: r, cancelled: x, left }) =>
      [c, r, x, left].map(shortly),
    );
    assert.deepEqual(shown, [
      ['1:1000', '0:0', '1:1000', '1:1000'],
      ['0.25:500', '0.25:500', '0:0', '0:0'],
    ]);
    const charge = findCharge(payment, chargeIdOf(payment)) as Movement;
    assert.deepEqual(
      linesLeftOfCharge(payment, charge).map(({ left }) => shortly(left)),
      ['1:1000', '0:0'],
    );
  });

  test('a charge of the whole names all lines; one that names none takes from no line', () => {
    const whole = charged(reserved(3_500, [mugs, tea]), 3_500);
    assert.deepEqual(
      linesLeftOfOrder(whole).map(({ left }) => shortly(left)),
      ['0:0', '0:0'],
    );
    const unnamed = charged(reserved(3_500, [mugs, tea]), 100);
    assert.deepEqual(
      linesLeftOfOrder(unnamed).map(({ left }) => shortly(left)),
      ['3:3000', '0.25:500'],
    );
  });

  test('lines of one reference: the one with the same price first, then the others, and all adds up', () => {
    const dear = { ...mugs, quantity: 2, unitPrice: 9_000, grossTotalAmount: 18_000, netTotalAmount: 18_000 };
    const payment = reserved(21_000, [mugs, dear]);
    const one = { ...dear, quantity: 1, grossTotalAmount: 9_000, netTotalAmount: 9_000 };
    const left = (items: readonly (typeof one)[], amount: number): string[] =>
      linesLeftOfOrder(charged(payment, amount, items)).map((line) => shortly(line.left));
    assert.deepEqual(left([one], 9_000), ['3:3000', '1:9000']);
    const all = { ...mugs, quantity: 5, grossTotalAmount: 21_000, netTotalAmount: 21_000 };
    assert.deepEqual(left([all], 21_000), ['0:0', '0:0']);
  });

  test('what is pending is no longer left, what was declined is', () => {
    const pending = changeOf(decideCharge(reserved(3_500, [mugs, tea]), 500, [tea])).payment;
    assert.deepEqual(
      linesLeftOfOrder(pending).map(({ left }) => shortly(left)),
      ['3:3000', '0:0'],
    );
    assert.deepEqual(
      linesOf(pending).map(({ charged: taken }) => shortly(taken)),
      ['0:0', '0:0'],
    );
    const declined = settled(pending, DECLINED);
    assert.deepEqual(
      linesLeftOfOrder(declined).map(({ left }) => shortly(left)),
      ['3:3000', '0.25:500'],
    );
  });
});
