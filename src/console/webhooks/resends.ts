// Redelivery from the console: of one event, for people with the right to resend (operators use the payment's page,
// payment/resend.ts), or of a period to a webhook, for developers. Roles are in src/domain/role.ts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { grants } from '../../domain/role.ts';
import { readId } from '../../domain/id.ts';
import { readMoment } from '../../server/formats.ts';
import { endRedelivery, redeliverOne, redeliverSince } from '../../merchants/redeliveries.ts';
import type { RedeliveryOutcome } from '../../merchants/redeliveries.ts';
import type { Language } from '../../pages/language.ts';
import { findEvent } from '../../store/events/events.ts';
import type { Webhook } from '../../store/events/webhooks.ts';
import type { ConsoleContext } from '../context.ts';
import { showPage } from '../page-reply.ts';
import { homeOf } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { fieldsOf } from '../form.ts';
import { showMoment } from '../page/time.ts';
import { consoleTexts, fill } from '../texts.ts';
import { actorOf } from '../visitor.ts';
import type { Period, ShowWebhook, WebhookAct, WebhookPage } from './view.ts';

const textsFor = ({ member }: Place) => consoleTexts(member.language).webhooks;

function explain(outcome: Exclude<RedeliveryOutcome, { kind: 'begun' }>, language: Language): string {
  const texts = consoleTexts(language).webhooks;
  switch (outcome.kind) {
    case 'disabled':
      return texts.isOff;
    case 'events_forgotten':
    case 'deliveries_forgotten':
      return fill(texts.forgotten, { time: showMoment(outcome.before, language) });
    case 'under_way':
      return texts.underWay;
  }
}

export function routeResends(
  app: FastifyInstance,
  context: ConsoleContext,
  webhookPage: WebhookPage,
  show: ShowWebhook,
): void {
  const { pool, publisher } = context.payments.store;
  // Who may send again need not see webhooks.
  const back = (place: Place, { id }: Webhook): string =>
    grants(place.member.role, 'develop') ? `${homeOf(place)}/webhooks/${id}` : homeOf(place);
  /** On the page of the webhook, for who sees it. */
  const refuserOf =
    ({ place, webhook }: Parameters<WebhookAct>[0], request: FastifyRequest, reply: FastifyReply) =>
    async (status: number, text: string, typed?: Period): Promise<FastifyReply> =>
      grants(place.member.role, 'develop')
        ? showPage(
            request,
            reply,
            await show(place, webhook, { notice: { tone: 'bad', text }, ...(typed && { typed }) }),
            status,
          )
        : reply.code(status).header('content-type', 'text/plain; charset=utf-8').send(text);

  app.post(
    '/console/:merchantId/webhooks/:webhookId/events/:eventId/resend',
    webhookPage('resend events', async ({ place, webhook }, request, reply) => {
      const refuse = refuserOf({ place, webhook }, request, reply);
      const { merchant } = place.member;
      const id = readId((request.params as { eventId: string }).eventId);
      const event = id === undefined ? undefined : await findEvent(pool, merchant.id, id);
      if (event === undefined) return refuse(404, textsFor(place).noEvent);
      const sent = await redeliverOne(pool, actorOf(place.member), merchant, event, { webhookId: webhook.id });
      if (sent.kind === 'disabled') return refuse(409, textsFor(place).isOff);
      return reply.redirect(back(place, webhook), 303);
    }),
  );

  app.post(
    '/console/:merchantId/webhooks/:webhookId/redeliver',
    webhookPage('develop', async ({ place, webhook }, request, reply) => {
      const { merchant } = place.member;
      const { since = '', until = '', onlyFailed } = fieldsOf(request);
      const [sinceMs, untilMs] = [readMoment(since), until === '' ? undefined : readMoment(until)];
      const typed = { sinceMs, untilMs, onlyFailed: onlyFailed === 'on' };
      const refuseAny = refuserOf({ place, webhook }, request, reply);
      const refuse = (status: number, text: string): Promise<FastifyReply> => refuseAny(status, text, typed);
      if (sinceMs === undefined || (until !== '' && untilMs === undefined)) return refuse(400, textsFor(place).badTime);
      if (untilMs !== undefined && untilMs < sinceMs) return refuse(400, textsFor(place).badOrder);
      const asked = { sinceMs, onlyFailed: onlyFailed === 'on', ...(untilMs !== undefined && { untilMs }) };
      const outcome = await redeliverSince(pool, actorOf(place.member), merchant, webhook, asked, () =>
        publisher.catchUp(merchant),
      );
      if (outcome.kind !== 'begun') return refuse(409, explain(outcome, place.member.language));
      return reply.redirect(back(place, webhook), 303);
    }),
  );

  app.post(
    '/console/:merchantId/webhooks/:webhookId/redeliveries/:redeliveryId/end',
    webhookPage('develop', async ({ place, webhook }, request, reply) => {
      const refuse = refuserOf({ place, webhook }, request, reply);
      const id = readId((request.params as { redeliveryId: string }).redeliveryId);
      const { member } = place;
      const ended = id && (await endRedelivery(pool, actorOf(member), member.merchant, webhook.id, id));
      if (ended !== 'ended') return refuse(404, textsFor(place).noRedelivery);
      return reply.redirect(back(place, webhook), 303);
    }),
  );
}
