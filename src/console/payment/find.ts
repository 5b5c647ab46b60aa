// The payment that an address of the console names: the merchant's own, its id with dashes or without.
import type { FastifyRequest } from 'fastify';
import { readId } from '../../domain/id.ts';
import type { Payment } from '../../domain/payment.ts';
import { spendWhenLarge } from '../../server/rate-limit.ts';
import { readNumbered } from '../../payments/invoice-numbers.ts';
import type { ConsoleContext } from '../context.ts';
import type { Member } from '../visitor.ts';

export const idIn = (request: FastifyRequest, name: 'paymentId' | 'refundId'): string | undefined =>
  readId(((request.params as Record<string, string>)[name] ?? '').replaceAll('-', ''));

export async function findPayment(
  { payments }: ConsoleContext,
  { merchant }: Pick<Member, 'merchant'>,
  request: FastifyRequest,
): Promise<Payment | undefined> {
  const target = idIn(request, 'paymentId');
  if (target === undefined) return undefined;
  const { payment } = await payments.store.read({ merchantId: merchant.id, target, onLarge: spendWhenLarge(request) });
  return payment && readNumbered(payments.store, merchant, payment);
}
