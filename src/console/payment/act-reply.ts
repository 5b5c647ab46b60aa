// Who may act on a payment: as for every page, but those whose role does not allow it are told so with a 403, since they
// know that the payment is there.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Payment } from '../../domain/payment.ts';
import type { Right } from '../../domain/role.ts';
import type { ConsoleContext } from '../context.ts';
import { pageFor, showPage } from '../page-reply.ts';
import type { Place } from '../page/frame.ts';
import { renderNotHere } from '../page/not-here.ts';
import { may } from '../visitor.ts';
import { findPayment } from './find.ts';

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
