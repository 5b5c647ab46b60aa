// The page of a webhook: settings, deliveries, responses and redelivery.
import { timeOf } from '../../domain/id.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Delivery } from '../../store/events/deliveries.ts';
import type { Attempt } from '../../store/events/lanes.ts';
import { homeOf, renderFrame } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { renderConfirm, renderCopy, renderNotice } from '../page/pieces.ts';
import { renderSeconds, renderTime } from '../page/time.ts';
import { consoleTexts, fill, fillHtml, sayCount } from '../texts.ts';
import { renderEventChoice, renderState, renderUrlField } from './list-page.ts';
import { renderResendPanel } from './resend-panel.ts';
import type { At, WebhookView } from './view.ts';

export const DELIVERY_TONES: Readonly<Record<Delivery['state'], string>> = {
  delivered: 'good',
  pending: 'wait',
  failed: 'bad',
  dropped: '',
};

/** What was answered is text, whatever it looks like. */
const attemptRow = ({ language, texts }: At, { at, ms, status, error, answer }: Attempt): Html =>
  html`<li>
    ${renderSeconds(Date.parse(at), language)}
    <strong>${status ?? error ?? texts.noAnswer}</strong>
    <span class="quiet">${ms} ms${status !== undefined && error !== undefined && `, ${error}`}</span>
    ${answer !== undefined && answer !== '' && html`<pre class="answer"><code>${answer}</code></pre>`}
  </li>`;

/** When it happened, and to which payment. */
function aboutRow({ home, language }: At, { eventId, name, subjectId }: Delivery): Html {
  const { payment } = consoleTexts(language).payment;
  return html`<span class="hint"
    >${renderSeconds(timeOf(eventId), language)}
    ${
      name.startsWith('payment.') &&
      html`<a href="${home}/payments/${subjectId}">${fill(payment, { id: `…${subjectId.slice(-6)}` })}</a>`
    }</span
  >`;
}

function deliveryRow(page: At, delivery: Delivery): Html {
  const { at, language, texts } = page;
  const { eventId, name, state, attempts, attemptCount, nextTryAt } = delivery;
  return html`<tr>
    <td class="person">
      <a href="${at}/events/${eventId}"><code>${name}</code></a>
      ${aboutRow(page, delivery)}
    </td>
    <td class="state">
      <span class="badge ${DELIVERY_TONES[state]}">${texts.deliveryStates[state]}</span>
      ${nextTryAt !== undefined && state === 'pending' && html`<span class="hint">${fillHtml(texts.next, { time: renderTime(nextTryAt, language) })}</span>`}
    </td>
    <td class="tries">
      ${
        attemptCount === 0
          ? html`<span class="quiet">${texts.notTried}</span>`
          : html`<details>
              <summary class="opens">${sayCount(texts.tries, attemptCount, language)}</summary>
              <p class="hint">
                ${texts.event} <code class="id">${eventId}</code> ${renderCopy(eventId, language, 'quiet ')}
              </p>
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
  const { acts, older } = consoleTexts(language).frame;
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
        : html`<table class="list cards deliveries">
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

function settingsPanel({ at, language, texts }: At, { webhook, typedChange }: WebhookView): Html {
  const { disabled, oldSecretUntil } = webhook;
  const { url, events } = typedChange ?? webhook;
  const confirm = (name: string, word: string, sentence: string, sure: string): Html =>
    renderConfirm({ word, sentence, action: `${at}/${name}`, sure, tone: '' });
  return html`<section class="panel" aria-labelledby="settings">
    <h2 id="settings">${texts.settings}</h2>
    <form class="stack" method="post" action="${at}/change">
      ${renderUrlField(url, language, typedChange !== undefined)} ${renderEventChoice(events, language)}
      <button class="primary">${consoleTexts(language).frame.save}</button>
    </form>
    <div class="toolbar acts-row">
      ${
        disabled
          ? html`<form method="post" action="${at}/enable"><button>${texts.switchOn}</button></form>`
          : confirm('disable', texts.switchOff, texts.switchingOff, texts.switchItOff)
      }
      ${confirm('rotate', texts.newSecret, texts.rotation, texts.makeSecret)}
      ${renderConfirm({ word: texts.delete, sentence: texts.deletion, action: `${at}/delete`, sure: texts.deleteIt })}
    </div>
    ${oldSecretUntil !== undefined && html`<p class="hint">${fillHtml(texts.oldSecret, { time: renderTime(oldSecretUntil, language) })}</p>`}
  </section>`;
}

export function renderWebhook(place: Place, view: WebhookView): string {
  const { webhook, notice } = view;
  const { language } = place.member;
  const texts = consoleTexts(language).webhooks;
  const at = `${homeOf(place)}/webhooks/${webhook.id}`;
  const page = { at, home: homeOf(place), language, texts };
  const main = html`<p class="crumb">
      <a href="${homeOf(place)}/webhooks">${consoleTexts(language).frame.pages.webhooks}</a>
    </p>
    <div class="toolbar">
      <h1>${webhook.url}</h1>
      <form method="post" action="${at}/ping"><button class="primary">${texts.test}</button></form>
    </div>
    <p>${renderState(webhook, language)}</p>
    ${renderNotice(notice, language)}
    <div class="columns">
      <div>${deliveriesPanel(page, view)}</div>
      <div>${settingsPanel(page, view)} ${renderResendPanel(page, view)}</div>
    </div>`;
  return renderFrame(place, { title: texts.webhook, name: 'webhooks', main });
}
