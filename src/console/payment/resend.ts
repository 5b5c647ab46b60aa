// Sending an event of a payment again to one who got it, from the payment's own page: for those who look after payments and
// see no webhooks.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readId } from '../../domain/id.ts';
import type { Payment } from '../../domain/payment.ts';
import { redeliverOne } from '../../merchants/redeliveries.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Addressee } from '../../store/events/deliveries.ts';
import { findEvent } from '../../store/events/events.ts';
import type { StoredEvent } from '../../store/events/events.ts';
import type { PaymentDelivery } from '../../store/events/payment-deliveries.ts';
import type { ConsoleContext } from '../context.ts';
import { fieldOf } from '../form.ts';
import { pageFor, showPage } from '../page-reply.ts';
import type { Place } from '../page/frame.ts';
import { paymentPath } from '../page/frame.ts';
import { renderNotice } from '../page/pieces.ts';
import { renderNotHere } from '../page/not-here.ts';
import { consoleTexts, fill } from '../texts.ts';
import { actorOf, may } from '../visitor.ts';
import { findPayment } from './find.ts';
import type { Told } from './timeline.ts';

const HOOK = /^hook-(\d{1,3})$/;

/** A webhook by its id, or one of the payment's own hooks by its place. */
const writeAddressee = ({ webhookId, hook }: PaymentDelivery): string | undefined =>
  hook === undefined ? webhookId : `hook-${hook}`;

function readAddressee(text: string): Addressee | undefined {
  const [, hook] = HOOK.exec(text) ?? [];
  const webhookId = readId(text);
  if (hook !== undefined) return { hook: Number(hook) };
  return webhookId === undefined ? undefined : { webhookId };
}

/** Not to a webhook that is gone or switched off, and not while the first try is still to come. */
export function renderResend(
  place: Place,
  payment: Payment,
  { id, name }: Told,
  delivery: PaymentDelivery,
): Html | false {
  const to = writeAddressee(delivery);
  const isFirstToCome = delivery.state === 'pending' && delivery.attemptCount === 0;
  if (!may(place.member, 'resend events') || to === undefined || delivery.isOff || isFirstToCome) return false;
  const texts = consoleTexts(place.member.language).webhooks;
  return html`<form class="resend" method="post" action="${paymentPath(place, payment.id)}/events/${id}/resend">
    <input type="hidden" name="to" value="${to}" />
    <button class="quiet" aria-label="${fill(texts.sendNamedAgain, { name })}">${texts.sendAgain}</button>
  </form>`;
}

/** Of the event that was sent again, as the address of the page names it. */
export function renderResent(event: StoredEvent | undefined, { member: { language } }: Place): Html | undefined {
  return (
    event &&
    renderNotice(
      { tone: 'good', text: fill(consoleTexts(language).webhooks.sentAgain, { name: event.name }) },
      language,
    )
  );
}

type ShowPayment = (
  place: Place,
  payment: Payment,
  request: FastifyRequest,
  notice: Html | undefined,
) => Promise<string>;

export function routePaymentResend(app: FastifyInstance, context: ConsoleContext, show: ShowPayment): void {
  const { pool } = context.payments.store;
  app.post(
    '/console/:merchantId/payments/:paymentId/events/:eventId/resend',
    pageFor(context, 'resend events', async (place, request, reply) => {
      const { merchant, language } = place.member;
      const texts = consoleTexts(language).webhooks;
      const payment = await findPayment(context, place.member, request);
      if (payment === undefined) return showPage(request, reply, renderNotHere(place), 404);
      const refuse = async (status: number, text: string): Promise<FastifyReply> =>
        showPage(
          request,
          reply,
          await show(place, payment, request, renderNotice({ tone: 'bad', text }, language)),
          status,
        );
      const id = readId((request.params as { eventId: string }).eventId);
      const event = id === undefined ? undefined : await findEvent(pool, merchant.id, id);
      const to = readAddressee(fieldOf(request, 'to'));
      if (event?.subjectId !== payment.id || to === undefined) return refuse(404, texts.noEvent);
      const sent = await redeliverOne(pool, actorOf(place.member), merchant, event, to);
      if (sent.kind === 'disabled') return refuse(409, texts.isOff);
      if (sent.kind !== 'sent' || sent.deliveries === 0) return refuse(404, texts.noEvent);
      return reply.redirect(`${paymentPath(place, payment.id)}?resent=${event.id}`, 303);
    }),
  );
}
