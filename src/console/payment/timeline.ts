// The timeline of a payment, newest first and paginated: movements with the acquirer's responses, and events with their
// deliveries.
import { isCancelledRefund } from '../../domain/cancel-refund.ts';
import { timeOf } from '../../domain/id.ts';
import type { Movement } from '../../domain/movement.ts';
import { isInApp } from '../../domain/offered-methods.ts';
import type { Payment } from '../../domain/payment.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import { invoiceLinkOf } from '../../api/dialects/dialect.ts';
import type { PresentationContext } from '../../api/dialects/dialect.ts';
import type { StoredEvent } from '../../store/events/events.ts';
import type { PaymentChange } from '../../store/payments/payment-changes.ts';
import type { PaymentDelivery } from '../../store/events/payment-deliveries.ts';
import { showMoney, showQuantity } from '../page/money.ts';
import { renderCopy } from '../page/pieces.ts';
import { renderSeconds } from '../page/time.ts';
import type { ConsoleTexts } from '../texts.ts';
import { consoleTexts, fill, fillHtml, sayCount, wordOf } from '../texts.ts';
import type { Happening } from './happenings.ts';
import type { Part } from './parts.ts';
import { renderBadge } from './state-badges.ts';
import type { Badge } from './state-badges.ts';
import type { Doers } from './attribution.ts';

export type Told = StoredEvent & { readonly deliveries: readonly PaymentDelivery[] };

export type History = {
  readonly payment: Payment;
  /** The entries of this page, newest first, with their events. */
  readonly shown: readonly Happening[];
  readonly part: Part;
  readonly told: readonly Told[];
  /** There are more events than are shown. */
  readonly isCut: boolean;
  readonly presentation: PresentationContext;
  /** What can be done about a movement, from here. */
  readonly actOn: (movement: Movement) => Html | false;
  /** Of a webhook, as this person may see it. */
  readonly addressOf: (url: string) => string;
  /** The way to send an event again to one who got it. */
  readonly sendAgain: (told: Told, delivery: PaymentDelivery) => Html | false;
  /** The event that was just sent again. */
  readonly resentId: unknown;
  /** Who did it, where that is known. */
  readonly doers: Doers;
  readonly createdBy: string | undefined;
  readonly terminatedBy: string | undefined;
};

type Entry = { readonly at: number; readonly tone: Badge['tone']; readonly title: string; readonly body: Html };

type Texts = ConsoleTexts['payment'];

const DELIVERY_TONES = { delivered: 'good', failed: 'bad', pending: 'wait', dropped: 'neutral' } as const;

/** Pending after a try that failed is what people look for. What is sent again was taken before. */
function standingOf({ deliveryStates }: Texts, { state, attemptCount, status = 0, error }: PaymentDelivery): Badge {
  const wasTaken = error === undefined && status >= 200 && status < 300;
  if (state === 'pending' && attemptCount > 0 && !wasTaken) return { text: deliveryStates.failing, tone: 'bad' };
  return { text: deliveryStates[state], tone: DELIVERY_TONES[state] };
}

function renderDelivery(history: History, told: Told, delivery: PaymentDelivery, language: Language): Html {
  const { payment, addressOf, sendAgain } = history;
  const texts = consoleTexts(language).payment;
  const { url, hook, attemptCount, status, error } = delivery;
  const own = hook === undefined ? undefined : payment.checkout.webHooks?.[hook]?.url;
  const address = url ?? own;
  const where = address === undefined ? (hook === undefined ? texts.goneWebhook : texts.hook) : addressOf(address);
  const said = error ?? (status === undefined ? undefined : String(status));
  return html`<li>
    ${renderBadge(standingOf(texts, delivery))} <span class="where">${where}</span>
    <span class="hint">${sayCount(texts.tries, attemptCount, language)}${said !== undefined && ` · ${said}`}</span>
    ${sendAgain(told, delivery)}
  </li>`;
}

function renderTold(history: History, told: readonly Told[], language: Language): Html | false {
  const texts = consoleTexts(language).payment;
  if (told.length === 0) return false;
  const deliveries = told.flatMap((event) => event.deliveries);
  const failing = deliveries.filter((delivery) => standingOf(texts, delivery).tone === 'bad').length;
  const waiting = deliveries.filter((delivery) => standingOf(texts, delivery).tone === 'wait').length;
  const events = told.map(
    (event) =>
      html`<li>
        <code>${event.name}</code>
        ${
          event.deliveries.length > 0 &&
          html`<ul>
            ${event.deliveries.map((delivery) => renderDelivery(history, event, delivery, language))}
          </ul>`
        }
      </li>`,
  );
  const sum =
    deliveries.length === 0
      ? texts.sentToNobody
      : sayCount(texts.delivered, deliveries.length - failing - waiting, language);
  return html`<details class="told" ${told.some(({ id }) => id === history.resentId) && html`open`}>
    <summary>
      ${sayCount(texts.events, told.length, language)} · ${sum}
      ${waiting > 0 && renderBadge({ text: sayCount(texts.pendingCount, waiting, language), tone: 'wait' })}
      ${failing > 0 && renderBadge({ text: sayCount(texts.failingCount, failing, language), tone: 'bad' })}
    </summary>
    <ul>
      ${events}
    </ul>
  </details>`;
}

/** Of a long one the beginning is seen. */
const renderId = (id: string, language: Language): Html =>
  html`<code class="id">${id}</code> ${renderCopy(id, language, 'quiet ')}`;

function titleOf({ kind, state }: Movement, isGivenUp: boolean, amount: string, texts: Texts): string {
  if (isGivenUp) return fill(texts.refundCancelled, { amount });
  const words = { approved: texts.done, pending: texts.pendingMovement, declined: texts.declinedMovement }[state];
  return fill(words[kind], { amount });
}

const tonesOf = { approved: 'good', declined: 'bad', pending: 'wait' } as const;

function entryOf(history: History, movement: Movement, language: Language): Entry {
  const { payment, told, presentation, actOn, doers } = history;
  const texts = consoleTexts(language).payment;
  const { id, kind, state, amount, acquirer, reason, invoiceNumber, chargeId, details, issued, items } = movement;
  const isGivenUp = isCancelledRefund(movement);
  const canceller = doers.ofCancel(movement);
  const invoice = kind === 'charge' || kind === 'refund' ? invoiceLinkOf(payment, movement, presentation) : undefined;
  const pdf = kind === 'refund' ? texts.creditNotePdf : texts.invoicePdf;
  const named = items?.map((item) => `${showQuantity(item.quantity, language)} × ${item.name}`).join(', ');
  const facts = [
    named && html`<p>${named}</p>`,
    reason !== undefined &&
      !isGivenUp &&
      html`<p class="reason">${wordOf(texts.declines, reason)}${details?.issuerCode && ` (${details.issuerCode})`}</p>`,
    state === 'pending' && html`<p>${texts.outcomeUnknown}</p>`,
    invoice !== undefined &&
      html`<p><a href="${invoice}">${fill(pdf, { number: issued?.number ?? '' }).replace('  ', ' ')}</a></p>`,
  ];
  const small = [
    doers.ofMovement(movement),
    fill(texts.at, { who: acquirer }),
    invoiceNumber !== undefined && fillHtml(texts.invoiceNumber, { number: renderId(invoiceNumber, language) }),
    chargeId !== undefined && fillHtml(texts.ofCharge, { id: renderId(chargeId, language) }),
    details?.myReference,
    details?.finalCharge && texts.finalCharge,
    details?.shipping?.trackingNumber && fill(texts.tracking, { number: details.shipping.trackingNumber }),
    state === 'pending' && details?.cancelAsked && [texts.cancelAsked, canceller].filter(Boolean).join(', '),
    isGivenUp && canceller !== undefined && fill(consoleTexts(language).history.cancelled, { doer: canceller }),
  ].filter(Boolean);
  return {
    at: timeOf(id),
    tone: isGivenUp ? 'neutral' : tonesOf[state],
    title: titleOf(movement, isGivenUp, showMoney(amount, payment.order.currency, language), texts),
    body: html`${facts}
      <p class="hint">${small.map((each, at) => html`${at > 0 && ' · '}${each}`)}</p>
      <p class="hint">${renderId(id, language)}</p>
      ${actOn(movement)}
      ${renderTold(
        history,
        told.filter(({ movementId }) => movementId === id),
        language,
      )}`,
  };
}

function renderEntry({ at, tone, title, body }: Entry, language: Language): Html {
  return html`<li class="${tone}">
    <div class="entry-head">
      <h3>${title}</h3>
      ${renderSeconds(at, language)}
    </div>
    ${body}
  </li>`;
}

const renderDoer = (doer: string | undefined): Html => html`${doer !== undefined && html`<p class="hint">${doer}</p>`}`;

function entryOfEvent(history: History, event: StoredEvent, language: Language): Entry {
  const told = history.told.filter(({ id }) => id === event.id);
  return {
    at: event.at,
    tone: 'neutral',
    title: event.name === 'payment.created' ? consoleTexts(language).payment.pressedPay : event.name,
    body: html`${renderTold(history, told, language)}`,
  };
}

function entryOfHappening(history: History, happening: Happening, language: Language): Entry {
  const { payment, createdBy, terminatedBy } = history;
  const { paymentCreated, challenges, appChallenges, standings } = consoleTexts(language).payment;
  const { at } = happening;
  switch (happening.kind) {
    case 'created':
      return { at, tone: 'neutral', title: paymentCreated, body: renderDoer(createdBy) };
    case 'change':
      return entryOfChange(history, happening.change, language);
    case 'event':
      return entryOfEvent(history, happening.event, language);
    case 'movement':
      return entryOf(history, happening.movement, language);
    case 'challenge': {
      const { method, state = 'open' } = payment.challenge ?? {};
      const title = (method && isInApp(method) ? appChallenges : challenges)[state];
      return { at, tone: 'neutral', title, body: html`` };
    }
    case 'terminated':
      return { at, tone: 'neutral', title: standings.terminated, body: renderDoer(terminatedBy) };
  }
}

export function renderTimeline(history: History, language: Language): Html {
  const texts = consoleTexts(language).payment;
  const { isCut, shown, part } = history;
  const entries = shown.map((happening) => entryOfHappening(history, happening, language));
  return html`<section class="panel" aria-labelledby="story-title">
    <h2 id="story-title">${texts.timeline}</h2>
    ${isCut && html`<p class="hint">${texts.cut}</p>`}
    <ol class="timeline">
      ${entries.map((entry) => renderEntry(entry, language))}
    </ol>
    ${part.links}
  </section>`;
}

// Changes that moved no money: what it was, what it is, and who did it.
const arrow = (before: string, after: string): Html =>
  html`${before} <span aria-hidden="true">→</span> <strong>${after}</strong>`;

function renderCart({ before, after }: PaymentChange, { order }: Payment, language: Language): Html {
  const { items } = consoleTexts(language).history;
  const show = (values: PaymentChange['before']): string =>
    `${showMoney(Number(values['amount']), order.currency, language)}, ${sayCount(items, Number(values['items']), language)}`;
  return html`<p>${arrow(show(before), show(after))}</p>`;
}

function renderReferences({ before, after }: PaymentChange, language: Language): Html {
  const { names, none } = consoleTexts(language).history;
  const show = (value: unknown): string => (typeof value === 'string' ? value : none);
  const shown = (Object.keys(names) as (keyof typeof names)[]).filter((name) => Object.hasOwn(after, name));
  return html`${shown.map((name) => html`<p>${names[name]}: ${arrow(show(before[name]), show(after[name]))}</p>`)}`;
}

/** Of what is no termination: of those the timeline tells by itself. */
function entryOfChange({ payment, doers }: History, change: PaymentChange, language: Language): Entry {
  const texts = consoleTexts(language).history;
  const isCart = change.kind === 'cart';
  const body = isCart ? renderCart(change, payment, language) : renderReferences(change, language);
  return {
    at: change.at,
    tone: 'neutral',
    title: isCart ? texts.cart : texts.reference,
    body: html`${body}
      <p class="hint">${doers.ofChange(change)}</p>`,
  };
}
