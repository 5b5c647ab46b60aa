// The webhook routes of a merchant, for developers: creating, changing, deleting, secrets, test events and deliveries.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EventName } from '../../domain/decision.ts';
import { readId } from '../../domain/id.ts';
import { definitions } from '../../events/definitions.ts';
import { openPings } from '../../merchants/pings.ts';
import { changeWebhook, createWebhook, deleteWebhook, rotateSecret } from '../../merchants/webhooks.ts';
import { listDeliveriesOfEvent, listDeliveriesOfWebhook } from '../../store/events/deliveries.ts';
import type { Delivery } from '../../store/events/deliveries.ts';
import { findEvent } from '../../store/events/events.ts';
import { listRedeliveries } from '../../store/events/redeliveries.ts';
import { findWebhook, listWebhooks, MOST_WEBHOOKS } from '../../store/events/webhooks.ts';
import type { Webhook, WebhookChange } from '../../store/events/webhooks.ts';
import type { ConsoleContext } from '../context.ts';
import { pageFor, showPage } from '../page-reply.ts';
import { homeOf } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { fieldsOf } from '../form.ts';
import { provedActFor } from '../page/pieces.ts';
import type { Notice } from '../page/pieces.ts';
import { renderNotHere } from '../page/not-here.ts';
import { consoleTexts, fill } from '../texts.ts';
import { takeFlash, flashAt } from '../flash.ts';
import { actorOf } from '../visitor.ts';
import { renderWebhooks, sayAddressFault } from './list-page.ts';
import type { WebhooksView } from './list-page.ts';
import { DELIVERY_TONES, renderWebhook } from './page.ts';
import { renderSent } from './request-page.ts';
import { routeResends } from './resends.ts';
import type { ShowWebhook, WebhookAct, WebhookPage } from './view.ts';

const PAGE_ROWS = 25;
const MOST_REDELIVERIES = 5;
const PROVED = { page: 'webhooks', onlyLive: true };

const textsFor = ({ member }: Place) => consoleTexts(member.language).webhooks;

type Fields = Readonly<Record<string, string>>;

/** Undefined: all. */
function chosenEvents(fields: Fields): readonly EventName[] | undefined {
  const names = definitions.map(({ name }) => name).filter((name) => fields[`event:${name}`] === 'on');
  return names.length === 0 ? undefined : names;
}

const isState = (text: string | undefined): text is Delivery['state'] =>
  text !== undefined && Object.hasOwn(DELIVERY_TONES, text);

/** What a page of one webhook is asked with. */
function readQuery(query: unknown): { readonly state?: Delivery['state']; readonly before?: number } {
  const { state, before } = query as Readonly<Record<string, string | undefined>>;
  return {
    ...(isState(state) && { state }),
    ...(before !== undefined && /^[1-9]\d{0,14}$/.test(before) && { before: Number(before) }),
  };
}

export function routeWebhooks(app: FastifyInstance, context: ConsoleContext): void {
  const { pool, publisher } = context.payments.store;
  const reach = { privateHooks: context.privateHooks };
  const pings = openPings(pool, reach);
  app.addHook('preClose', async () => pings.close());

  const showAll = async (place: Place, notice?: Notice, typed?: WebhooksView['typed']): Promise<string> =>
    renderWebhooks(place, {
      webhooks: await listWebhooks(pool, place.member.merchant.id),
      ...(notice && { notice }),
      ...(typed && { typed }),
    });
  const showOne: ShowWebhook = async (place, webhook, { query = {}, ...shown } = {}) => {
    const { merchant } = place.member;
    const { state, before } = readQuery(query);
    await publisher.catchUp(merchant);
    const asked = { merchantId: merchant.id, limit: PAGE_ROWS, ...(state && { state }), ...(before && { before }) };
    const [page, redeliveries] = await Promise.all([
      listDeliveriesOfWebhook(pool, webhook.id, asked),
      listRedeliveries(pool, webhook.id, MOST_REDELIVERIES),
    ]);
    return renderWebhook(place, { webhook, state, redeliveries, ...page, ...shown });
  };
  /** With the webhook of the address, of this merchant alone. */
  const withWebhook =
    (act: WebhookAct) =>
    async (place: Place, request: FastifyRequest, reply: FastifyReply): Promise<string | FastifyReply> => {
      const id = readId((request.params as { webhookId: string }).webhookId);
      const webhook = id === undefined ? undefined : await findWebhook(pool, id, place.member.merchant.id);
      if (webhook === undefined) return showPage(request, reply, renderNotHere(place), 404);
      return act({ place, webhook }, request, reply);
    };
  const webhookPage: WebhookPage = (right, act) => pageFor(context, right, withWebhook(act));
  const provedAct = (act: WebhookAct) => provedActFor(context, 'develop', PROVED, withWebhook(act));
  const addressOf = (place: Place, { id }: Webhook): string => `${homeOf(place)}/webhooks/${id}`;
  const tell = (place: Place, webhook: Webhook, reply: FastifyReply, notice: Notice): Promise<FastifyReply> =>
    flashAt(context, place.member, reply, addressOf(place, webhook), notice);

  app.get(
    '/console/:merchantId/webhooks',
    pageFor(context, 'develop', (place) => showAll(place)),
  );

  // Would be read as the address of a webhook.
  app.get(
    '/console/:merchantId/webhooks/create',
    pageFor(context, 'develop', async (place, _request, reply) => reply.redirect(`${homeOf(place)}/webhooks`, 303)),
  );

  app.get(
    '/console/:merchantId/webhooks/:webhookId',
    webhookPage('develop', async ({ place, webhook }, request, reply) => {
      const notice = await takeFlash<Notice>(context, place.member, request, reply);
      return showOne(place, webhook, { query: request.query, ...(notice && { notice }) });
    }),
  );

  app.get(
    '/console/:merchantId/webhooks/:webhookId/events/:eventId',
    webhookPage('develop', async ({ place, webhook }, request, reply) => {
      const { merchant } = place.member;
      const id = readId((request.params as { eventId: string }).eventId);
      const event = id === undefined ? undefined : await findEvent(pool, merchant.id, id);
      const deliveries = event === undefined ? [] : await listDeliveriesOfEvent(pool, event);
      const delivery = deliveries.find(({ webhookId }) => webhookId === webhook.id);
      if (event === undefined || delivery === undefined) return showPage(request, reply, renderNotHere(place), 404);
      const isOfPayment = event.data === undefined;
      const target = { merchantId: merchant.id, target: event.subjectId };
      const { payment } = isOfPayment ? await context.payments.store.load(target) : {};
      return renderSent(place, { webhook, event, delivery, payment, shopUrl: context.shopUrl() });
    }),
  );

  app.post(
    '/console/:merchantId/webhooks/create',
    provedActFor(context, 'develop', PROVED, async (place, request, reply) => {
      const fields = fieldsOf(request);
      const { url = '' } = fields;
      const wanted = { url: url.trim(), events: chosenEvents(fields) };
      const made = await createWebhook(pool, actorOf(place.member), place.member.merchant, wanted, reach);
      if (made.kind === 'created') {
        const once = { label: textsFor(place).secret, secret: made.webhook.secret };
        return tell(place, made.webhook, reply, { tone: 'good', text: textsFor(place).made, once });
      }
      const [status, text] =
        made.kind === 'bad_url'
          ? [400, sayAddressFault(made.fault, place.member.language)]
          : [409, fill(textsFor(place).tooMany, { most: MOST_WEBHOOKS })];
      return showPage(request, reply, await showAll(place, { tone: 'bad', text }, { ...wanted, url }), status);
    }),
  );

  const routeChange = (name: string, read: (fields: Fields) => WebhookChange): void => {
    app.post(
      `/console/:merchantId/webhooks/:webhookId/${name}`,
      provedAct(async ({ place, webhook }, request, reply) => {
        const { member } = place;
        const change = read(fieldsOf(request));
        const changed = await changeWebhook(pool, actorOf(member), member.merchant, webhook.id, change, reach);
        if (changed.kind === 'changed') return reply.redirect(addressOf(place, webhook), 303);
        if (changed.kind === 'not_found') return reply.redirect(`${homeOf(place)}/webhooks`, 303);
        const notice = { tone: 'bad', text: sayAddressFault(changed.fault, place.member.language) } as const;
        const typedChange = { url: change.url ?? '', events: change.events ?? undefined };
        return showPage(request, reply, await showOne(place, webhook, { notice, typedChange }), 400);
      }),
    );
  };
  routeChange('change', (fields) => ({ url: (fields['url'] ?? '').trim(), events: chosenEvents(fields) ?? null }));
  routeChange('enable', () => ({ enabled: true }));
  routeChange('disable', () => ({ enabled: false }));

  app.post(
    '/console/:merchantId/webhooks/:webhookId/delete',
    provedAct(async ({ place, webhook }, _request, reply) => {
      await deleteWebhook(pool, actorOf(place.member), place.member.merchant, webhook.id);
      return reply.redirect(`${homeOf(place)}/webhooks`, 303);
    }),
  );

  app.post(
    '/console/:merchantId/webhooks/:webhookId/rotate',
    provedAct(async ({ place, webhook }, _request, reply) => {
      const rotated = await rotateSecret(pool, actorOf(place.member), place.member.merchant, webhook.id);
      if (rotated.kind === 'not_found') return reply.redirect(`${homeOf(place)}/webhooks`, 303);
      const once = { label: textsFor(place).secret, secret: rotated.webhook.secret };
      return tell(place, webhook, reply, { tone: 'good', text: textsFor(place).rotated, once });
    }),
  );

  app.post(
    '/console/:merchantId/webhooks/:webhookId/ping',
    webhookPage('develop', async ({ place, webhook }, request, reply) => {
      const attempt = await pings.send(actorOf(place.member), place.member.merchant, webhook);
      if (attempt === 'under_way') {
        const notice = { tone: 'wait', text: textsFor(place).testUnderWay } as const;
        return showPage(request, reply, await showOne(place, webhook, { notice }), 429);
      }
      const { status, error, ms, answer = '' } = attempt;
      const isTaken = status !== undefined && status >= 200 && status < 300;
      const what = [status, error].filter((each) => each !== undefined).join(', ');
      const { tested, testedAnswer } = textsFor(place);
      const text = `${fill(tested, { what, ms })} ${answer === '' ? '' : fill(testedAnswer, { answer })}`.trim();
      return tell(place, webhook, reply, { tone: isTaken ? 'good' : 'bad', text });
    }),
  );

  routeResends(app, context, webhookPage, showOne);
}
