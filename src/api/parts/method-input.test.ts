// Goal: a merchant that cannot issue invoices offers none, and is refused when it asks for one by name; unused data is
// bounded. Method: the functions alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USUAL_METHODS } from '../../domain/offered-methods.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { Checkout } from '../../domain/payment.ts';
import type { BadRequest } from '../../server/problem.ts';
import { offerOnlyIssued, requireAdditionalData } from './method-input.ts';

const INVOICE = 'EasyInvoice';

const offer = (checkout: object, live = true): unknown =>
  offerOnlyIssued(checkout as Checkout, { live } as Merchant).methods;

const refuses = (run: () => unknown, field: string): void =>
  assert.throws(run, ({ problems }: BadRequest) => problems[0]?.field === field);

test('without a seller everything is offered but the invoice', () => {
  const rest = USUAL_METHODS.filter((name) => name !== INVOICE);
  assert.ok(rest.length > 0 && rest.length < USUAL_METHODS.length);
  assert.deepEqual(offer({}), rest);
  assert.deepEqual(offer({ methods: ['Visa'], fees: [] }), ['Visa']);
  refuses(() => offer({ methods: ['Visa', INVOICE] }), 'paymentMethodsConfiguration');
  refuses(() => offer({ fees: [{ method: INVOICE }] }), 'paymentMethods');
  assert.deepEqual(offer({ methods: ['Visa', INVOICE] }, false), ['Visa', INVOICE], 'a test merchant needs no seller');
});

test('additional data may have 8,192 characters as JSON', () => {
  const dataOf = (length: number) => ({
    payPal: { orderReference: 'x'.repeat(length - '{"payPal":{"orderReference":""}}'.length) },
  });
  requireAdditionalData(dataOf(8_192));
  refuses(() => requireAdditionalData(dataOf(8_193)), 'additionalPaymentMethodData');
});
