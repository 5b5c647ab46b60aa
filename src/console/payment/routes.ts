// The page of one payment, with all that it is read from.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readId } from '../../domain/id.ts';
import type { Payment } from '../../domain/payment.ts';
import { agreementOf } from '../../domain/subscription.ts';
import type { Subscription } from '../../domain/subscription.ts';
import { nowOf } from '../../payments/clock.ts';
import { pageInTurn } from '../../server/costly-work.ts';
import { spendTime } from '../../server/rate-limit.ts';
import type { Html } from '../../pages/html.ts';
import { findEvent, listEventsOfMovements } from '../../store/events/events.ts';
import type { StoredEvent } from '../../store/events/events.ts';
import { listKeys } from '../../store/merchants/keys.ts';
import type { SecretKey } from '../../store/merchants/keys.ts';
import { findCreator, listPaymentChanges } from '../../store/payments/payment-changes.ts';
import { listPeople } from '../../store/people/people.ts';
import { listRequests } from '../../store/request-log/read.ts';
import { listDeliveriesOfPayment } from '../../store/events/payment-deliveries.ts';
import type { Pool } from '../../store/connections/pool.ts';
import { findAnySubscription } from '../../store/payments/subscriptions.ts';
import type { ConsoleContext } from '../context.ts';
import { may } from '../visitor.ts';
import { pageFor, showPage } from '../page-reply.ts';
import type { Place } from '../page/frame.ts';
import { renderNotHere } from '../page/not-here.ts';
import { MOST_TOUCHED, renderTouched } from '../requests/pieces.ts';
import { rawPayment } from './api.ts';
import { doersOf } from './attribution.ts';
import { findPayment } from './find.ts';
import { happeningsOf, placeOf } from './happenings.ts';
import { renderActs, renderConsumerActs, renderDone, renderMovementAct } from './offers.ts';
import { renderPayment } from './page.ts';
import type { PaymentView } from './page.ts';
import { partOf, partWith, wantedOf } from './parts.ts';
import type { Wanted } from './parts.ts';
import { renderResend, renderResent, routePaymentResend } from './resend.ts';
import type { History } from './timeline.ts';

// A payment has a dozen happenings. One that is changed in a loop is shown with the last of it, and with the first of what
// was told of no movement.
const MOST_EVENTS = 500;
const MOST_CHANGES = 500;
// Of what is shown in a part.
const MOST_TOLD = 500;
const MOST_DELIVERIES = 1_000;

type Read = { readonly keys: readonly SecretKey[]; readonly resent: StoredEvent | undefined; readonly wanted: Wanted };

async function historyOf(
  context: ConsoleContext,
  place: Place,
  payment: Payment,
  { keys, resent, wanted }: Read,
): Promise<History> {
  const { pool } = context.payments.store;
  const { merchant, language } = place.member;
  const ids = { merchantId: merchant.id, paymentId: payment.id };
  const [people, changes, creator, loose] = await Promise.all([
    listPeople(pool, merchant.id),
    listPaymentChanges(pool, payment.id, MOST_CHANGES),
    findCreator(pool, payment.id),
    listEventsOfMovements(pool, ids, 'none', MOST_EVENTS),
  ]);
  const happenings = happeningsOf(payment, changes, loose);
  const story = wanted.story ?? partWith('story', resent === undefined ? 0 : placeOf(happenings, resent));
  const part = partOf(place, payment.id, { ...wanted, story }, 'story', happenings.length);
  const shown = happenings.slice(part.from, part.to);
  const movementIds = shown.flatMap((each) => (each.kind === 'movement' ? [each.movement.id] : []));
  const ofMovements = await listEventsOfMovements(pool, ids, movementIds, MOST_TOLD);
  const events = [...shown.flatMap((each) => (each.kind === 'event' ? [each.event] : [])), ...ofMovements];
  const versions = [...new Set(events.map(({ version }) => version))];
  const deliveries = await listDeliveriesOfPayment(pool, payment.id, versions, MOST_DELIVERIES);
  const doers = doersOf(payment, { people, keys }, language);
  const ended = changes.find(({ kind }) => kind === 'termination');
  const isFull = [
    loose.length === MOST_EVENTS,
    ofMovements.length === MOST_TOLD,
    deliveries.length === MOST_DELIVERIES,
    changes.length === MOST_CHANGES,
  ];
  return {
    payment,
    shown,
    part,
    told: events.map((event) => ({
      ...event,
      deliveries: deliveries.filter(({ version, ordinal }) => version === event.version && ordinal === event.ordinal),
    })),
    isCut: isFull.includes(true),
    presentation: { publicUrl: context.shopUrl(), merchant },
    actOn: (movement) => renderMovementAct(place, payment, movement),
    // A query may hold a token of the shop's.
    addressOf: (url) => (may(place.member, 'develop') ? url : url.replace(/\?.*$/s, '?…')),
    sendAgain: (event, delivery) => renderResend(place, payment, event, delivery),
    resentId: resent?.id,
    doers,
    createdBy: doers.ofKey(creator),
    terminatedBy: ended && doers.ofChange(ended),
  };
}

/** The event that was just sent again, as the address of the page names it. */
async function resentOf(pool: Pool, payment: Payment, { query }: FastifyRequest): Promise<StoredEvent | undefined> {
  const { resent } = query as { resent?: unknown };
  const id = typeof resent === 'string' ? readId(resent) : undefined;
  const event = id === undefined ? undefined : await findEvent(pool, payment.merchantId, id);
  return event?.subjectId === payment.id ? event : undefined;
}

/** The subscription that a payment has to do with, once there is one. */
async function subscriptionOf(pool: Pool, payment: Payment): Promise<Subscription | undefined> {
  const agreement = agreementOf(payment);
  const found = agreement && (await findAnySubscription(pool, agreement.id));
  return found?.merchantId === payment.merchantId ? found : undefined;
}

/** For those who may look at requests. */
async function touchedBy(
  { payments }: ConsoleContext,
  place: Place,
  paymentId: string,
  keys: readonly SecretKey[],
): Promise<Html | false> {
  const { member } = place;
  if (!may(member, 'develop')) return false;
  const page = await listRequests(payments.store.pool, member.merchant, { paymentId, limit: MOST_TOUCHED });
  return renderTouched(place, paymentId, page, keys);
}

async function viewOf(
  context: ConsoleContext,
  place: Place,
  payment: Payment,
  request: FastifyRequest,
  notice?: Html,
): Promise<PaymentView> {
  const at = nowOf(place.member.merchant);
  const { did } = request.query as { did?: unknown };
  const { lifetimes, store } = context.payments;
  const { pool } = store;
  const wanted = wantedOf(request);
  const [subscription, keys, resent] = await Promise.all([
    subscriptionOf(pool, payment),
    listKeys(pool, place.member.merchant.id),
    resentOf(pool, payment, request),
  ]);
  const history = await historyOf(context, place, payment, { keys, resent, wanted });
  return {
    history,
    ...(subscription && { subscription }),
    raw: () => rawPayment(context, place.member, payment),
    items: partOf(place, payment.id, wanted, 'items', payment.order.items.length),
    at,
    lifetimes,
    notice: notice ?? renderResent(resent, place) ?? renderDone(payment, did, place.member.language),
    acts: renderActs(place, payment, at, lifetimes),
    consumerActs: renderConsumerActs(place, payment),
    touched: await touchedBy(context, place, payment.id, keys),
  };
}

export function routePayment(app: FastifyInstance, context: ConsoleContext): void {
  const draw = (place: Place, payment: Payment, request: FastifyRequest, notice?: Html): Promise<string> =>
    pageInTurn(context.costly, payment, async () => {
      const view = await viewOf(context, place, payment, request, notice);
      return spendTime(request, () => renderPayment(place, view));
    });
  routePaymentResend(app, context, draw);
  app.get(
    '/console/:merchantId/payments/:paymentId',
    pageFor(context, 'read', async (place, request, reply) => {
      const payment = await findPayment(context, place.member, request);
      if (payment === undefined) return showPage(request, reply, renderNotHere(place), 404);
      return draw(place, payment, request);
    }),
  );
}
