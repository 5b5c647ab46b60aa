// Goal: the demo shop's sums are exact, since the API refuses an order that is off by one. Method: every product, number
// and currency, and the shipping to every country.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderItem } from '../domain/item.ts';
import {
  coffeeLineOf,
  CURRENCIES,
  linesOf,
  MOST_OF_ONE,
  PRODUCT_IDS,
  shippingLineOf,
  showMoney,
  SHIPS_TO,
} from './catalogue.ts';

function assertExact(item: OrderItem): void {
  const { quantity, unitPrice, taxRate, taxAmount, netTotalAmount, grossTotalAmount } = item;
  for (const amount of [unitPrice, taxAmount, netTotalAmount, grossTotalAmount])
    assert.ok(Number.isSafeInteger(amount));
  assert.equal(unitPrice * quantity, netTotalAmount);
  assert.equal(netTotalAmount + taxAmount, grossTotalAmount);
  assert.equal((netTotalAmount * taxRate) / 10_000, taxAmount);
}

for (const currency of CURRENCIES)
  test(`lines and shipping in ${currency} have whole amounts that sum up`, () => {
    for (const id of PRODUCT_IDS)
      for (let quantity = 1; quantity <= MOST_OF_ONE; quantity += 1) {
        const lines = linesOf({ [id]: quantity }, currency);
        assert.equal(lines.length, 1);
        lines.forEach(assertExact);
      }
    for (const country of [...SHIPS_TO, 'ISL']) assertExact(shippingLineOf(currency, country));
    assertExact(coffeeLineOf(currency));
    assert.deepEqual(linesOf({ mug: 0 }, currency), []);
  });

test('amounts are written in one manner, as the English checkout writes them', () => {
  assert.equal(showMoney(124_950, 'SEK').replaceAll(/\s/g, ' '), 'SEK 1,249.50');
  assert.equal(showMoney(2_200, 'EUR').replaceAll(/\s/g, ' '), '€22.00');
});
