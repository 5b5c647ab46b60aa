// Finds the payment of a console URL, by id with or without dashes, for the merchant, and checks the role. A person whose
// role does not allow the action gets a 403, since they know that the payment is there.
import type { FastifyRequest, FastifyReply } from 'fastify';
import { readId } from '../../domain/id.ts';
import type { Payment } from '../../domain/payment.ts';
import { spendWhenLarge } from '../../server/rate-limit.ts';
import { readNumbered } from '../../payments/invoice-numbers.ts';
import type { Right } from '../../domain/role.ts';
import type { ConsoleContext } from '../context.ts';
import type { Member } from '../visitor.ts';
import { may } from '../visitor.ts';
import { pageFor, showPage } from '../page-reply.ts';
import type { Place } from '../page/frame.ts';
import { renderNotHere } from '../page/not-here.ts';

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

type PaymentPage = (
  place: Place,
  payment: Payment,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<string | FastifyReply>;

export const actFor = (context: ConsoleContext, right: Right, render: PaymentPage) =>
  pageFor(context, 'read', async (place, request, reply) => {
    const payment = await findPayment(context, place.member, request);
    const status = payment === undefined ? 404 : 403;
    if (payment === undefined || !may(place.member, right))
      return showPage(request, reply, renderNotHere(place), status);
    return render(place, payment, request, reply);
  });
