// Goal: a fee may bring no order out of the range that every order has. Method: the function alone, at both ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anOrderItem, aPayment, refusalOf } from '../../test/support/domain-payment.ts';
import { amountBy, feeOf, refuseFeeOutOfRange, withFee } from './fee.ts';
import type { Payment } from './payment.ts';

const INVOICE = { paymentType: 'INVOICE', paymentMethod: 'EasyInvoice' } as const;
const CARD = { paymentType: 'CARD', paymentMethod: 'Visa' } as const;

const withInvoiceFee = (amount: number, fee: number): Payment => {
  const payment = aPayment(amount);
  const fees = [{ method: INVOICE.paymentMethod, item: anOrderItem(fee) }];
  return { ...payment, checkout: { ...payment.checkout, fees } };
};

test('an order with a fee comes to 1 at least and 1,000,000,000,000 at most', () => {
  const refused = (amount: number, fee: number): unknown => refusalOf(refuseFeeOutOfRange(withInvoiceFee(amount, fee)));
  assert.equal(refused(100, -99), undefined);
  assert.equal(refused(100, -100), 'amount_with_fee_is_out_of_range');
  assert.equal(refused(999_999_999_990, 10), undefined);
  assert.equal(refused(999_999_999_990, 11), 'amount_with_fee_is_out_of_range');
});

test('a fee is paid by its own method, and is in the order once that has paid', () => {
  const payment = withInvoiceFee(1_000, 50);
  assert.deepEqual([amountBy(payment, INVOICE), amountBy(payment, CARD)], [1_050, 1_000]);
  assert.equal(feeOf(payment, CARD), undefined);
  assert.equal(withFee(payment), payment);
  assert.equal(withFee({ ...payment, method: CARD }).order.amount, 1_000);
  const { order } = withFee({ ...payment, method: INVOICE });
  assert.deepEqual([order.amount, order.items.length], [1_050, payment.order.items.length + 1]);
});
