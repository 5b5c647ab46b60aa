// The page of one webhook: what it is set to, what was sent to it and what came back, and sending again.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import type { Delivery } from '../../store/deliveries.ts';
import type { Attempt } from '../../store/lanes.ts';
import type { Redelivery } from '../../store/redeliveries.ts';
import type { Webhook } from '../../store/webhooks.ts';
import { frameTexts } from '../languages/frame.ts';
import { fill, fillHtml, sayCount, showCount } from '../languages/texts.ts';
import { webhooksTexts } from '../languages/webhooks.ts';
import { homeOf, renderFrame } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { renderConfirm, renderNotice } from '../page/pieces.ts';
import type { Notice } from '../page/pieces.ts';
import { renderTime } from '../page/time.ts';
import { renderEventChoice, renderState, renderUrlField } from './list-page.ts';

export type WebhookView = {
  readonly webhook: Webhook;
  readonly deliveries: readonly Delivery[];
  readonly state: Delivery['state'] | undefined;
  /** Where the next page begins; undefined on the last one. */
  readonly next?: number;
  readonly redeliveries: readonly Redelivery[];
  readonly notice?: Notice;
};

export const DELIVERY_TONES: Readonly<Record<Delivery['state'], string>> = {
  delivered: 'good',
  pending: 'wait',
  failed: 'bad',
  dropped: '',
};

/** A webhook's page, and in whose language it is. */
type At = { readonly at: string; readonly language: Language; readonly texts: ReturnType<typeof webhooksTexts> };

/** What was answered is text, whatever it looks like. */
const attemptRow = ({ language, texts }: At, { at, ms, status, error, answer }: Attempt): Html =>
  html`<li>
    ${renderTime(Date.parse(at), language)}
    <strong>${status ?? error ?? texts.noAnswer}</strong>
    <span class="quiet">${ms} ms${status !== undefined && error !== undefined && `, ${error}`}</span>
    ${answer !== undefined && answer !== '' && html`<pre class="answer"><code>${answer}</code></pre>`}
  </li>`;

function deliveryRow(page: At, delivery: Delivery): Html {
  const { at, language, texts } = page;
  const { eventId, name, state, attempts, attemptCount, nextTryAt } = delivery;
  return html`<tr>
    <td class="person">
      <code>${name}</code>
      <span class="hint"><code>${eventId}</code></span>
    </td>
    <td data-label="${texts.state}">
      <span class="badge ${DELIVERY_TONES[state]}">${texts.deliveryStates[state]}</span>
      ${nextTryAt !== undefined && state === 'pending' && html`<span class="hint">${fillHtml(texts.next, { time: renderTime(nextTryAt, language) })}</span>`}
    </td>
    <td>
      ${
        attemptCount === 0
          ? html`<span class="quiet">${texts.notTried}</span>`
          : html`<details>
              <summary class="button quiet">${sayCount(texts.tries, attemptCount, language)}</summary>
              <ol class="attempts">
                ${attempts.map((attempt) => attemptRow(page, attempt))}
              </ol>
            </details>`
      }
    </td>
    <td class="acts">
      <form method="post" action="${at}/events/${eventId}/resend">
        <button class="quiet" aria-label="${fill(texts.sendNamedAgain, { name })}">${texts.sendAgain}</button>
      </form>
    </td>
  </tr>`;
}

function deliveriesPanel(page: At, { deliveries, state, next }: WebhookView): Html {
  const { at, language, texts } = page;
  const { acts, older } = frameTexts(language);
  const states = Object.keys(DELIVERY_TONES) as Delivery['state'][];
  const tab = (value: string, text: string): Html =>
    html`<a href="${at}${value && `?state=${value}`}" ${(state ?? '') === value && html`aria-current="true"`}
      >${text}</a
    >`;
  const filter = state === undefined ? '' : `state=${state}&`;
  return html`<section class="panel flush" aria-label="${texts.deliveries}">
    <nav class="tabs" aria-label="${texts.deliveries}">
      ${tab('', texts.allDeliveries)} ${states.map((value) => tab(value, texts.deliveryStates[value]))}
    </nav>
    ${
      deliveries.length === 0
        ? html`<p class="empty">${texts.nothing}</p>`
        : html`<table class="list cards">
            <thead>
              <tr>
                <th scope="col">${texts.event}</th>
                <th scope="col">${texts.state}</th>
                <th scope="col">${texts.triesLabel}</th>
                <th scope="col"><span class="visually-hidden">${acts}</span></th>
              </tr>
            </thead>
            <tbody>
              ${deliveries.map((delivery) => deliveryRow(page, delivery))}
            </tbody>
          </table>`
    }
    ${next !== undefined && html`<p class="toolbar more"><a class="button" href="${at}?${filter}before=${next}">${older}</a></p>`}
  </section>`;
}

function redeliveryRow({ at, language, texts }: At, redelivery: Redelivery): Html {
  const { id, state, sinceMs, untilMs, events, ofEvents, deliveries } = redelivery;
  const values = {
    since: renderTime(sinceMs, language),
    state: html`<strong>${texts.redeliveryStates[state]}</strong>`,
  };
  const period =
    untilMs === undefined
      ? fillHtml(texts.redeliverySince, values)
      : fillHtml(texts.redeliveryUntil, { ...values, until: renderTime(untilMs, language) });
  const [seen, all, sent] = [events, ofEvents, deliveries].map((number) => showCount(number, language)) as [
    string,
    string,
    string,
  ];
  return html`<li>
    <p>${period}</p>
    <progress max="${Math.max(1, ofEvents)}" value="${state === 'running' ? events : Math.max(1, ofEvents)}"></progress>
    <p class="hint">${fill(texts.progress, { events: seen, all, deliveries: sent })}</p>
    ${
      state === 'running' &&
      html`<form method="post" action="${at}/redeliveries/${id}/end">
        <button class="danger">${texts.stop}</button>
      </form>`
    }
  </li>`;
}

function resendPanel(page: At, { redeliveries, webhook }: WebhookView): Html {
  const { at, texts } = page;
  const isOff = webhook.disabled !== undefined;
  const isRunning = redeliveries.some(({ state }) => state === 'running');
  return html`<section
    class="panel"
    aria-labelledby="resend"
    ${isRunning && html`data-reload="2000" data-reload-at="${at}"`}
  >
    <h2 id="resend">${texts.sendPeriod}</h2>
    ${
      isOff
        ? html`<p class="quiet">${texts.onFirst}</p>`
        : html`<form class="stack" method="post" action="${at}/redeliver">
            <div class="field">
              <label for="since">${texts.from}</label>
              <input id="since" name="since" type="datetime-local" required />
            </div>
            <div class="field">
              <label for="until">${texts.until}</label>
              <input id="until" name="until" type="datetime-local" />
              <p class="hint">${texts.untilHint}</p>
            </div>
            <label
              ><input type="checkbox" name="onlyFailed" value="on" checked /> <span>${texts.onlyFailed}</span></label
            >
            <button>${texts.sendAgain}</button>
          </form>`
    }
    ${
      redeliveries.length > 0 &&
      html`<ul class="redeliveries">
        ${redeliveries.map((each) => redeliveryRow(page, each))}
      </ul>`
    }
  </section>`;
}

function settingsPanel({ at, language, texts }: At, { webhook }: WebhookView): Html {
  const { url, events, disabled, oldSecretUntil } = webhook;
  return html`<section class="panel" aria-labelledby="settings">
    <h2 id="settings">${texts.settings}</h2>
    <form class="stack" method="post" action="${at}/change">
      ${renderUrlField(url, language)} ${renderEventChoice(events, language)}
      <button>${frameTexts(language).save}</button>
    </form>
    <div class="toolbar acts-row">
      <form method="post" action="${at}/${disabled ? 'enable' : 'disable'}">
        <button>${disabled ? texts.switchOn : texts.switchOff}</button>
      </form>
      <form method="post" action="${at}/rotate"><button>${texts.newSecret}</button></form>
      ${renderConfirm(texts.delete, texts.deletion, `${at}/delete`, texts.deleteIt)}
    </div>
    ${oldSecretUntil !== undefined && html`<p class="hint">${fillHtml(texts.oldSecret, { time: renderTime(oldSecretUntil, language) })}</p>`}
  </section>`;
}

export function renderWebhook(place: Place, view: WebhookView): string {
  const { webhook, notice } = view;
  const { language } = place.member;
  const texts = webhooksTexts(language);
  const at = `${homeOf(place)}/webhooks/${webhook.id}`;
  const page = { at, language, texts };
  const main = html`<p class="crumb"><a href="${homeOf(place)}/webhooks">${frameTexts(language).pages.webhooks}</a></p>
    <div class="toolbar">
      <h1>${webhook.url}</h1>
      <form method="post" action="${at}/ping"><button class="primary">${texts.test}</button></form>
    </div>
    <p>${renderState(webhook, language)}</p>
    ${renderNotice(notice, language)}
    <div class="columns">
      <div>${deliveriesPanel(page, view)}</div>
      <div>${settingsPanel(page, view)} ${resendPanel(page, view)}</div>
    </div>`;
  return renderFrame(place, { title: texts.webhook, name: 'webhooks', main });
}
