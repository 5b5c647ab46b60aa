// What else can be done with a payment: end one that nobody has paid, call back a refund that is under way, and erase the
// consumer. Each shows what it does first.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isUnknownConsumer } from '../../domain/consumer.ts';
import { showAmount } from '../../domain/currency.ts';
import { refundNamed } from '../../domain/cancel-refund.ts';
import type { Payment } from '../../domain/payment.ts';
import { terminate } from '../../domain/terminate.ts';
import { cancelRefund } from '../../payments/cancel-refund.ts';
import { operate } from '../../payments/operate.ts';
import type { OperationOutcome } from '../../payments/outcome.ts';
import { eraseConsumer } from '../../merchants/erase.ts';
import type { ConsoleContext } from '../context.ts';
import { HIDDEN, showPage } from '../page-reply.ts';
import type { Place } from '../page/frame.ts';
import { renderNotHere } from '../page/sign-in.ts';
import { leadToProof } from '../proof.ts';
import { actorOf } from '../visitor.ts';
import { actFor } from './act-reply.ts';
import { actBy, noteActs } from './attribution.ts';
import { renderConfirm } from './confirm.ts';
import type { Question } from './confirm.ts';
import { idIn } from './find.ts';
import { paymentPath } from './page.ts';
import { wordsOf } from './refusal-words.ts';

export const PATH = '/console/:merchantId/payments/:paymentId';

export const notHere = (place: Place, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  showPage(request, reply, renderNotHere(place.member.language, place.root), 404);

/** Back to the payment, which shows what came of it; a refusal is told where it was asked for. */
export function answerAct(
  place: Place,
  payment: Payment,
  request: FastifyRequest,
  reply: FastifyReply,
  outcome: OperationOutcome<unknown>,
  question: Question,
): FastifyReply {
  if (outcome.kind === 'not_found') return notHere(place, request, reply);
  if (outcome.kind !== 'refused') return reply.redirect(paymentPath(place, payment.id), 303);
  const words = wordsOf(outcome.refusal, payment.order.currency);
  return showPage(request, reply, renderConfirm(place, payment, { ...question, words }), 422);
}

const TERMINATE: Question = {
  title: 'Terminate',
  text: 'The consumer can no longer pay this payment. It cannot be undone.',
  button: 'Terminate the payment',
  action: 'terminate',
};

function routeTerminate(app: FastifyInstance, context: ConsoleContext): void {
  app.get(
    `${PATH}/terminate`,
    HIDDEN,
    actFor(context, 'move money', async (place, payment) => renderConfirm(place, payment, TERMINATE)),
  );
  app.post(
    `${PATH}/terminate`,
    HIDDEN,
    actFor(context, 'move money', async (place, payment, request, reply) => {
      const { member } = place;
      const outcome = await operate(context.payments, {
        merchant: member.merchant,
        target: payment.id,
        decide: (found, at) => ({ decision: terminate(found, at), result: undefined }),
        tell: () => actBy(member, 'terminate'),
      });
      await noteActs(context, request, payment.id);
      return answerAct(place, payment, request, reply, outcome, TERMINATE);
    }),
  );
}

function routeCancelRefund(app: FastifyInstance, context: ConsoleContext): void {
  const path = `${PATH}/refunds/:refundId/cancel`;
  const ask = (payment: Payment, request: FastifyRequest): (Question & { readonly refundId: string }) | undefined => {
    const refund = refundNamed(payment, idIn(request, 'refundId') ?? '');
    const amount = refund && showAmount(refund.amount, payment.order.currency);
    return (
      refund && {
        refundId: refund.id,
        title: 'Cancel the refund',
        text: `The refund of ${amount} is under way. If its acquirer has not carried it out yet, it never will.`,
        button: 'Cancel the refund',
        action: `refunds/${refund.id}/cancel`,
      }
    );
  };
  app.get(
    path,
    HIDDEN,
    actFor(context, 'move money', async (place, payment, request, reply) => {
      const question = ask(payment, request);
      return question ? renderConfirm(place, payment, question) : notHere(place, request, reply);
    }),
  );
  app.post(
    path,
    HIDDEN,
    actFor(context, 'move money', async (place, payment, request, reply) => {
      const question = ask(payment, request);
      if (question === undefined) return notHere(place, request, reply);
      const { member } = place;
      const { refundId } = question;
      const tell = () => actBy(member, 'cancel-refund', { refundId });
      const outcome = await cancelRefund(context.payments, { merchant: member.merchant, refundId, tell });
      await noteActs(context, request, payment.id);
      return answerAct(place, payment, request, reply, outcome, question);
    }),
  );
}

const ERASE: Question = {
  title: 'Erase the consumer',
  text:
    'Name, company, e-mail, phone, addresses and the network address are erased for good, and the reference by which ' +
    'you know the card again. Order, amounts, invoices and the mask of the card stay.',
  button: 'Erase the consumer',
  action: 'erase',
};

function routeErase(app: FastifyInstance, context: ConsoleContext): void {
  app.get(
    `${PATH}/erase`,
    HIDDEN,
    actFor(context, 'administer', async (place, payment) => renderConfirm(place, payment, ERASE)),
  );
  app.post(
    `${PATH}/erase`,
    HIDDEN,
    actFor(context, 'administer', async (place, payment, request, reply) => {
      const led = leadToProof(place.member, place.root, `${paymentPath(place, payment.id)}/erase`, reply);
      if (led) return led;
      // Whoever presses twice changes nothing the second time.
      if (!isUnknownConsumer(payment.consumer))
        await eraseConsumer(context.payments.store.pool, actorOf(place.member), payment.id);
      return reply.redirect(paymentPath(place, payment.id), 303);
    }),
  );
}

export function routeOtherActs(app: FastifyInstance, context: ConsoleContext): void {
  routeTerminate(app, context);
  routeCancelRefund(app, context);
  routeErase(app, context);
}
