// All that happened to a payment, newest first: its movements with what their acquirer said, and what was told of each, to
// whom and with what success.
import { isCancelledRefund } from '../../domain/cancel-refund.ts';
import { showAmount } from '../../domain/currency.ts';
import { timeOf } from '../../domain/id.ts';
import type { Movement } from '../../domain/movement.ts';
import type { Payment } from '../../domain/payment.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { invoiceLinkOf } from '../../http/dialects/dialect.ts';
import type { PresentationContext } from '../../http/dialects/dialect.ts';
import type { StoredEvent } from '../../store/events.ts';
import type { PaymentDelivery } from '../../store/payment-deliveries.ts';
import { renderTime } from '../page/time.ts';
import { renderBadge } from './badge.ts';
import type { Badge } from './badge.ts';

export type Told = StoredEvent & { readonly deliveries: readonly PaymentDelivery[] };

export type History = {
  readonly payment: Payment;
  readonly told: readonly Told[];
  /** More was told than is shown. */
  readonly isCut: boolean;
  readonly presentation: PresentationContext;
  /** What can be done about a movement, from here. */
  readonly actOn: (movement: Movement) => Html | false;
  /** Who did it, where that is known. */
  readonly doerOf: (movementId: string) => string | undefined;
};

type Entry = { readonly at: number; readonly tone: Badge['tone']; readonly title: string; readonly body: Html };

const NAMES = { reservation: 'Reservation', charge: 'Charge', refund: 'Refund', cancel: 'Cancel' } as const;
const DONE = { reservation: 'Reserved', charge: 'Charged', refund: 'Refunded', cancel: 'Cancelled' } as const;

const DELIVERY_TONES = { delivered: 'good', failed: 'bad', pending: 'wait', dropped: 'neutral' } as const;

/** Pending after a try that failed is what people look for. */
function standingOf({ state, attemptCount }: PaymentDelivery): Badge {
  if (state === 'pending' && attemptCount > 0) return { text: 'failing', tone: 'bad' };
  return { text: state, tone: DELIVERY_TONES[state] };
}

const triesOf = (count: number): string => (count === 1 ? '1 try' : `${count} tries`);

function renderDelivery({ checkout }: Payment, delivery: PaymentDelivery): Html {
  const { url, hook, attemptCount, status, error } = delivery;
  const where = url ?? (hook === undefined ? 'a webhook that is gone' : (checkout.webHooks?.[hook]?.url ?? 'a hook'));
  const said = error ?? (status === undefined ? undefined : String(status));
  return html`<li>
    ${renderBadge(standingOf(delivery))} <span class="where">${where}</span>
    <span class="hint">${triesOf(attemptCount)}${said !== undefined && ` · ${said}`}</span>
  </li>`;
}

function renderTold(payment: Payment, told: readonly Told[]): Html | false {
  if (told.length === 0) return false;
  const deliveries = told.flatMap((event) => event.deliveries);
  const failing = deliveries.filter((delivery) => standingOf(delivery).tone === 'bad').length;
  const waiting = deliveries.filter((delivery) => standingOf(delivery).tone === 'wait').length;
  const events = told.map(
    ({ name, deliveries: ways }) =>
      html`<li>
        <code>${name}</code>
        ${
          ways.length > 0 &&
          html`<ul>
            ${ways.map((way) => renderDelivery(payment, way))}
          </ul>`
        }
      </li>`,
  );
  const sum = deliveries.length === 0 ? 'sent to nobody' : `${deliveries.length - failing - waiting} delivered`;
  return html`<details class="told">
    <summary>
      ${told.length === 1 ? '1 event' : `${told.length} events`} · ${sum}
      ${waiting > 0 && renderBadge({ text: `${waiting} pending`, tone: 'wait' })}
      ${failing > 0 && renderBadge({ text: `${failing} failing`, tone: 'bad' })}
    </summary>
    <ul>
      ${events}
    </ul>
  </details>`;
}

function titleOf({ kind, state }: Movement, isGivenUp: boolean): string {
  if (isGivenUp) return 'Refund cancelled';
  return state === 'approved' ? DONE[kind] : `${NAMES[kind]} ${state}`;
}

const tonesOf = { approved: 'good', declined: 'bad', pending: 'wait' } as const;

function entryOf({ payment, told, presentation, actOn, doerOf }: History, movement: Movement): Entry {
  const { id, kind, state, amount, acquirer, reason, invoiceNumber, chargeId, details, issued, items } = movement;
  const isGivenUp = isCancelledRefund(movement);
  const invoice = kind === 'charge' || kind === 'refund' ? invoiceLinkOf(payment, movement, presentation) : undefined;
  const number = issued ? ` ${issued.number}` : '';
  const named = items?.map((item) => `${item.quantity} × ${item.name}`).join(', ');
  const facts = [
    named && html`<p>${named}</p>`,
    reason !== undefined &&
      !isGivenUp &&
      html`<p class="reason">${reason}${details?.issuerCode && ` (${details.issuerCode})`}</p>`,
    state === 'pending' && html`<p>The acquirer has not said yet what came of it.</p>`,
    invoice !== undefined &&
      html`<p><a href="${invoice}">${kind === 'refund' ? 'Credit note' : 'Invoice'}${number} (PDF)</a></p>`,
  ];
  const small = [
    doerOf(id),
    `by ${acquirer}`,
    invoiceNumber !== undefined && `invoice number ${invoiceNumber}`,
    chargeId !== undefined && `of charge ${chargeId}`,
    details?.myReference,
    details?.finalCharge && 'final charge',
    details?.shipping?.trackingNumber && `tracking ${details.shipping.trackingNumber}`,
    state === 'approved' || state === 'declined' ? undefined : details?.cancelAsked && 'its cancel is asked for',
  ].filter(Boolean);
  return {
    at: timeOf(id),
    tone: isGivenUp ? 'neutral' : tonesOf[state],
    title: `${titleOf(movement, isGivenUp)} ${showAmount(amount, payment.order.currency)}`,
    body: html`${facts}
      <p class="hint">${small.join(' · ')}</p>
      <p class="hint"><code>${id}</code></p>
      ${actOn(movement)}
      ${renderTold(
        payment,
        told.filter(({ movementId }) => movementId === id),
      )}`,
  };
}

function renderEntry({ at, tone, title, body }: Entry): Html {
  return html`<li class="${tone}">
    <div class="entry-head">
      <h3>${title}</h3>
      ${renderTime(at)}
    </div>
    ${body}
  </li>`;
}

const CHALLENGES = {
  open: 'The consumer is asked by their bank',
  passed: 'The consumer’s bank has approved them',
  failed: 'The consumer’s bank has not approved them',
  left: 'The consumer left the page of their bank',
} as const;

export function renderTimeline(history: History): Html {
  const { payment, told, isCut } = history;
  const { challenge, terminatedAt } = payment;
  const ofNoMovement = told.filter(({ movementId }) => movementId === undefined);
  const entries: Entry[] = [
    { at: timeOf(payment.id), tone: 'neutral', title: 'Created', body: html`` },
    ...ofNoMovement.map((event): Entry => ({
      at: event.at,
      tone: 'neutral',
      title: event.name === 'payment.created' ? 'The consumer pressed Pay' : event.name,
      body: html`${renderTold(payment, [event])}`,
    })),
    ...payment.movements.map((movement) => entryOf(history, movement)),
  ];
  if (challenge)
    entries.push({ at: challenge.openedAt, tone: 'neutral', title: CHALLENGES[challenge.state], body: html`` });
  if (terminatedAt !== undefined)
    entries.push({ at: terminatedAt, tone: 'neutral', title: 'Terminated', body: html`` });
  // What happened in the same moment stays in its order.
  const newestFirst = entries.toSorted((one, other) => one.at - other.at).toReversed();
  return html`<section class="panel" aria-labelledby="timeline-title">
    <h2 id="timeline-title">Timeline</h2>
    ${isCut && html`<p class="hint">Not all events are shown: there are very many.</p>`}
    <ol class="timeline">
      ${newestFirst.map(renderEntry)}
    </ol>
  </section>`;
}
