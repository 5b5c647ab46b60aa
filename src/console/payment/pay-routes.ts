// Paying a test merchant's payment as its consumer: what the checkout's button does, by the same decisions, and the answer
// to the bank's question. For a live merchant there are no such addresses, whatever is sent to them.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { exchangeApp, exchangeInvoice, exchangeTestCard } from '../../acquirers/test-cards.ts';
import type { Instrument } from '../../acquirers/test-cards.ts';
import { offeredApps } from '../../domain/offered-methods.ts';
import type { Payment } from '../../domain/payment.ts';
import { answerChallenge, payAsConsumer } from '../../merchants/payment-actions.ts';
import type { OperationOutcome } from '../../payments/outcome.ts';
import type { PayOutcome } from '../../payments/pay.ts';
import type { ConsoleContext } from '../context.ts';
import { showPage } from '../page-reply.ts';
import type { Place } from '../page/frame.ts';
import { paymentPath } from '../page/frame.ts';
import { fieldsOf } from '../form.ts';
import { consoleTexts } from '../texts.ts';
import { askerOf } from './act.ts';
import { renderConfirm } from './confirm.ts';
import { answerAct, notHere, PATH } from './other-acts.ts';
import { actFor } from './find.ts';

/** By what the form has: an invoice, an app, or a card. */
function instrumentOf(payment: Payment, chosen: string): Instrument | undefined {
  if (chosen === 'invoice') return exchangeInvoice();
  return offeredApps(payment).includes(chosen) ? exchangeApp(chosen) : exchangeTestCard(chosen);
}

/** To the payment, which says what came of the try and why. */
function leadBack(place: Place, paymentId: string, outcome: OperationOutcome<PayOutcome>, reply: FastifyReply) {
  const change = outcome.kind === 'made' || outcome.kind === 'refused' ? outcome.change : undefined;
  const tried = change?.moved.find(({ kind }) => kind === 'reservation');
  return reply.redirect(paymentPath(place, paymentId) + (tried ? `?did=${tried.id}` : ''), 303);
}

async function finish(
  place: Place,
  payment: Payment,
  outcome: OperationOutcome<PayOutcome>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { member } = place;
  const texts = consoleTexts(member.language).sandbox;
  const question = { title: texts.pay, text: texts.bankText, button: texts.payButton, action: 'pay' };
  if (outcome.kind === 'unchanged' && outcome.result.kind === 'shipping_cost_missing') {
    const words = { message: texts.shipping };
    return showPage(request, reply, renderConfirm(place, payment, { ...question, words }), 422);
  }
  if (outcome.kind === 'not_found' || (outcome.kind === 'refused' && !outcome.change))
    return answerAct(place, payment, request, reply, outcome, question);
  return leadBack(place, payment.id, outcome, reply);
}

export function routePay(app: FastifyInstance, context: ConsoleContext): void {
  app.post(
    `${PATH}/pay`,
    actFor(context, 'move money', async (place, payment, request, reply) => {
      const { card = '' } = fieldsOf(request);
      const instrument = instrumentOf(payment, card);
      if (place.member.merchant.live || instrument === undefined) return notHere(place, request, reply);
      const paying = { instrument, ip: request.ip, acsUrl: `${context.shopUrl()}/challenge` };
      const asker = askerOf(place.member, request);
      const outcome = await payAsConsumer(context.payments, asker, payment.id, paying);
      return finish(place, payment, outcome, request, reply);
    }),
  );

  app.post(
    `${PATH}/pay/bank`,
    actFor(context, 'move money', async (place, payment, request, reply) => {
      const { challenge = '', answer } = fieldsOf(request);
      if (place.member.merchant.live || (answer !== 'passed' && answer !== 'failed'))
        return notHere(place, request, reply);
      const asker = askerOf(place.member, request);
      const outcome = await answerChallenge(context.payments, asker, payment.id, challenge, answer);
      return finish(place, payment, outcome, request, reply);
    }),
  );
}
