// The dependencies of the checkout, and finding a payment for the consumer: by the shop's public checkout key and the
// payment's id, which only allow viewing the page and paying.
import type { FastifyRequest } from 'fastify';
import { readId } from '../domain/id.ts';
import { checkoutKeyText, modeOf, readCheckoutKey } from '../domain/key.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Payment } from '../domain/payment.ts';
import { spendWhenLarge } from '../server/rate-limit.ts';
import type { CostlyWork } from '../server/costly-work.ts';
import type { PagePace } from '../server/page-pace.ts';
import type { Payments } from '../payments/service.ts';
import type { AddressAttempts } from './attempts.ts';

export type CheckoutContext = {
  readonly payments: Payments;
  readonly publicUrl: () => string;
  readonly pace: PagePace;
  readonly costly: CostlyWork;
  /** Failed attempts per payment within ten minutes. */
  readonly mostPaymentAttempts: number;
  readonly attempts: AddressAttempts;
};

/** A shop of dialect nexi may leave the prefix out, as it may with its secret key. */
export async function findShop(context: CheckoutContext, checkoutKey: string): Promise<Merchant | undefined> {
  // Malformed keys are not looked up.
  const key = readCheckoutKey(checkoutKey);
  if (key === undefined) return undefined;
  const { merchants } = context.payments.store;
  const found = await merchants.findByCheckoutKey(checkoutKeyText(key));
  if (found !== undefined || key.mode !== undefined) return found;
  for (const live of [false, true]) {
    const prefixed = await merchants.findByCheckoutKey(checkoutKeyText({ ...key, mode: modeOf(live) }));
    if (prefixed?.dialect === 'nexi') return prefixed;
  }
  return undefined;
}

export async function findPayment(
  context: CheckoutContext,
  request: FastifyRequest,
  merchant: Merchant,
  paymentId: string,
): Promise<Payment | undefined> {
  const target = readId(paymentId.replaceAll('-', ''));
  if (target === undefined) return undefined;
  return (await context.payments.store.read({ merchantId: merchant.id, target, onLarge: spendWhenLarge(request) }))
    .payment;
}

/** A query parameter that occurs once. */
export function queryText(request: FastifyRequest, name: string): string {
  const value = (request.query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
}

/** The base path of the service. */
export const rootOf = (context: CheckoutContext): string => new URL(context.publicUrl()).pathname.replace(/\/$/, '');
