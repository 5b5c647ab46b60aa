// What else can be done with a payment: end one that nobody has paid, call back a refund that is under way, and erase the
// consumer. Each shows what it does first.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isUnknownConsumer } from '../../domain/consumer.ts';
import { refundNamed } from '../../domain/cancel-refund.ts';
import type { Payment } from '../../domain/payment.ts';
import type { OperationOutcome } from '../../payments/outcome.ts';
import { eraseConsumer } from '../../merchants/erase.ts';
import { callBackRefund, terminatePayment } from '../../merchants/payment-actions.ts';
import type { ConsoleContext } from '../context.ts';
import { showMoney } from '../page/money.ts';
import { showPage } from '../page-reply.ts';
import type { Place } from '../page/frame.ts';
import { paymentPath } from '../page/frame.ts';
import { renderNotHere } from '../page/not-here.ts';
import { proveAndSend } from '../kept-form.ts';
import { consoleTexts, fill } from '../texts.ts';
import { actorOf } from '../visitor.ts';
import { askerOf } from './act.ts';
import { renderConfirm } from './confirm.ts';
import type { Question } from './confirm.ts';
import { idIn, actFor } from './find.ts';
import { wordsOf } from './refusal-words.ts';

export const PATH = '/console/:merchantId/payments/:paymentId';

export const notHere = (place: Place, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
  showPage(request, reply, renderNotHere(place), 404);

/** Redirects to the payment, which shows the result; a refusal is shown on the form. */
export async function answerAct(
  place: Place,
  payment: Payment,
  request: FastifyRequest,
  reply: FastifyReply,
  outcome: OperationOutcome<unknown>,
  question: Question,
): Promise<FastifyReply> {
  if (outcome.kind === 'not_found') return notHere(place, request, reply);
  if (outcome.kind !== 'refused') return reply.redirect(paymentPath(place, payment.id), 303);
  const words = wordsOf(outcome.refusal, payment.order.currency, place.member.language);
  return showPage(request, reply, renderConfirm(place, payment, { ...question, words }), 422);
}

function askToTerminate({ member }: Place): Question {
  const { terminate: title, terminateText: text, terminateIt: button } = consoleTexts(member.language).acts;
  return { title, text, button, action: 'terminate' };
}

function routeTerminate(app: FastifyInstance, context: ConsoleContext): void {
  app.get(
    `${PATH}/terminate`,
    actFor(context, 'move money', async (place, payment) => renderConfirm(place, payment, askToTerminate(place))),
  );
  app.post(
    `${PATH}/terminate`,
    actFor(context, 'move money', async (place, payment, request, reply) => {
      const outcome = await terminatePayment(context.payments, askerOf(place.member, request), payment.id);
      return answerAct(place, payment, request, reply, outcome, askToTerminate(place));
    }),
  );
}

function routeCancelRefund(app: FastifyInstance, context: ConsoleContext): void {
  const path = `${PATH}/refunds/:refundId/cancel`;
  const ask = (
    { member }: Place,
    payment: Payment,
    request: FastifyRequest,
  ): (Question & { readonly refundId: string }) | undefined => {
    const texts = consoleTexts(member.language).acts;
    const refund = refundNamed(payment, idIn(request, 'refundId') ?? '');
    return (
      refund && {
        refundId: refund.id,
        title: texts.cancelRefund,
        text: fill(texts.cancelRefundText, {
          amount: showMoney(refund.amount, payment.order.currency, member.language),
        }),
        button: texts.cancelRefund,
        action: `refunds/${refund.id}/cancel`,
      }
    );
  };
  app.get(
    path,
    actFor(context, 'move money', async (place, payment, request, reply) => {
      const question = ask(place, payment, request);
      return question ? renderConfirm(place, payment, question) : notHere(place, request, reply);
    }),
  );
  app.post(
    path,
    actFor(context, 'move money', async (place, payment, request, reply) => {
      const question = ask(place, payment, request);
      if (question === undefined) return notHere(place, request, reply);
      const asker = askerOf(place.member, request);
      const outcome = await callBackRefund(context.payments, asker, payment.id, question.refundId);
      return answerAct(place, payment, request, reply, outcome, question);
    }),
  );
}

function askToErase({ member }: Place): Question {
  const { erase, eraseText: text } = consoleTexts(member.language).acts;
  return { title: erase, text, button: erase, action: 'erase' };
}

function routeErase(app: FastifyInstance, context: ConsoleContext): void {
  app.get(
    `${PATH}/erase`,
    actFor(context, 'administer', async (place, payment) => renderConfirm(place, payment, askToErase(place))),
  );
  app.post(
    `${PATH}/erase`,
    actFor(context, 'administer', async (place, payment, request, reply) => {
      const next = `${paymentPath(place, payment.id)}/erase`;
      if (await proveAndSend(context, place.member, request, reply, next)) return reply;
      // Pressing twice changes nothing the second time.
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
