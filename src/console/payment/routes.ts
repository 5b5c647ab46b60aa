// The page of one payment, with all that it is read from.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Payment } from '../../domain/payment.ts';
import { agreementOf } from '../../domain/subscription.ts';
import type { Subscription } from '../../domain/subscription.ts';
import { nowOf } from '../../payments/clock.ts';
import type { Html } from '../../pages/html.ts';
import { listEvents } from '../../store/events.ts';
import { listKeys } from '../../store/keys.ts';
import { findCreator, listPaymentChanges } from '../../store/payment-changes.ts';
import { listPeople } from '../../store/people.ts';
import { listRequests } from '../../store/request-log/read.ts';
import { listDeliveriesOfPayment } from '../../store/payment-deliveries.ts';
import type { Pool } from '../../store/pool.ts';
import { findAnySubscription } from '../../store/subscriptions.ts';
import type { ConsoleContext } from '../context.ts';
import { may } from '../visitor.ts';
import { HIDDEN, pageFor, showPage } from '../page-reply.ts';
import type { Place } from '../page/frame.ts';
import { renderNotHere } from '../page/not-here.ts';
import { rawPayment } from './api.ts';
import { doersOf } from './attribution.ts';
import { entriesOfChanges } from './changes.ts';
import { findPayment } from './find.ts';
import { MOST_TOUCHED, renderTouched } from './touched.ts';
import { renderActs, renderConsumerActs, renderDone, renderMovementAct } from './offers.ts';
import { renderPayment } from './page.ts';
import type { PaymentView } from './page.ts';
import { renderResend, renderResent, routePaymentResend } from './resend.ts';
import type { History } from './timeline.ts';

// A payment has a dozen. One with hundreds of movements is shown with the first of its events.
const MOST_EVENTS = 500;
const MOST_DELIVERIES = 2_000;
// A cart is changed a few times; one that is changed in a loop is shown with the last of it.
const MOST_CHANGES = 100;

async function historyOf(context: ConsoleContext, place: Place, payment: Payment, resentId: unknown): Promise<History> {
  const { pool } = context.payments.store;
  const { merchant } = place.member;
  const { language } = place.member;
  const [people, keys, changes, creator, { events }, deliveries] = await Promise.all([
    listPeople(pool, merchant.id),
    listKeys(pool, merchant.id),
    listPaymentChanges(pool, payment.id, MOST_CHANGES),
    findCreator(pool, payment.id),
    listEvents(pool, { merchantId: merchant.id, paymentId: payment.id, limit: MOST_EVENTS }),
    listDeliveriesOfPayment(pool, payment.id, MOST_DELIVERIES),
  ]);
  const told = events.map((event) => ({
    ...event,
    deliveries: deliveries.filter(({ version, ordinal }) => version === event.version && ordinal === event.ordinal),
  }));
  const doers = doersOf(payment, { people, keys }, language);
  const ended = changes.find(({ kind }) => kind === 'termination');
  const isFull = [
    events.length === MOST_EVENTS,
    deliveries.length === MOST_DELIVERIES,
    changes.length === MOST_CHANGES,
  ];
  return {
    payment,
    told,
    isCut: isFull.includes(true),
    presentation: { publicUrl: context.shopUrl(), merchant },
    actOn: (movement) => renderMovementAct(place, payment, movement),
    sendAgain: (event, delivery) => renderResend(place, payment, event, delivery),
    resentId,
    doerOf: doers.ofMovement,
    createdBy: doers.ofKey(creator),
    terminatedBy: ended && doers.ofChange(ended),
    changes: entriesOfChanges(payment, changes, doers, language),
  };
}

/** The subscription that a payment has to do with, once there is one. */
async function subscriptionOf(pool: Pool, payment: Payment): Promise<Subscription | undefined> {
  const agreement = agreementOf(payment);
  const found = agreement && (await findAnySubscription(pool, agreement.id));
  return found?.merchantId === payment.merchantId ? found : undefined;
}

/** For those who may look at requests. */
async function touchedBy({ payments }: ConsoleContext, place: Place, paymentId: string): Promise<Html | false> {
  const { member } = place;
  if (!may(member, 'develop')) return false;
  const { pool } = payments.store;
  const [page, keys] = await Promise.all([
    listRequests(pool, member.merchant, { paymentId, limit: MOST_TOUCHED }),
    listKeys(pool, member.merchant.id),
  ]);
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
  const { did, resent } = request.query as { did?: unknown; resent?: unknown };
  const { lifetimes } = context.payments;
  const subscription = await subscriptionOf(context.payments.store.pool, payment);
  const history = await historyOf(context, place, payment, resent);
  return {
    history,
    ...(subscription && { subscription }),
    raw: rawPayment(context, place.member, payment),
    at,
    lifetimes,
    notice: notice ?? renderResent(history.told, resent, place) ?? renderDone(payment, did, place.member.language),
    acts: renderActs(place, payment, at, lifetimes),
    consumerActs: renderConsumerActs(place, payment),
    touched: await touchedBy(context, place, payment.id),
  };
}

export function routePayment(app: FastifyInstance, context: ConsoleContext): void {
  routePaymentResend(app, context, async (place, payment, request, notice) =>
    renderPayment(place, await viewOf(context, place, payment, request, notice)),
  );
  app.get(
    '/console/:merchantId/payments/:paymentId',
    HIDDEN,
    pageFor(context, 'read', async (place, request, reply) => {
      const payment = await findPayment(context, place.member, request);
      if (payment === undefined) return showPage(request, reply, renderNotHere(place), 404);
      return renderPayment(place, await viewOf(context, place, payment, request));
    }),
  );
}
