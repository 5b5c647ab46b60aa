// The page of one webhook: what it is set to, what was sent to it and what came back, and sending again.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Delivery } from '../../store/deliveries.ts';
import type { Attempt } from '../../store/lanes.ts';
import type { Redelivery } from '../../store/redeliveries.ts';
import type { Webhook } from '../../store/webhooks.ts';
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

export const DELIVERY_STATES: Readonly<Record<Delivery['state'], readonly [tone: string, text: string]>> = {
  delivered: ['good', 'Delivered'],
  pending: ['wait', 'On the way'],
  failed: ['bad', 'Failed'],
  dropped: ['', 'Dropped'],
};

/** What was answered is text, whatever it looks like. */
const attemptRow = ({ at, ms, status, error, answer }: Attempt): Html =>
  html`<li>
    ${renderTime(Date.parse(at))}
    <strong>${status ?? error ?? 'no answer'}</strong>
    <span class="quiet">${ms} ms${status !== undefined && error !== undefined && `, ${error}`}</span>
    ${answer !== undefined && answer !== '' && html`<pre class="answer"><code>${answer}</code></pre>`}
  </li>`;

function deliveryRow(at: string, delivery: Delivery): Html {
  const { eventId, name, state, attempts, attemptCount, nextTryAt } = delivery;
  const [tone, text] = DELIVERY_STATES[state];
  const tries = attemptCount === 1 ? '1 try' : `${attemptCount} tries`;
  return html`<tr>
    <td class="person">
      <code>${name}</code>
      <span class="hint"><code>${eventId}</code></span>
    </td>
    <td data-label="State">
      <span class="badge ${tone}">${text}</span>
      ${nextTryAt !== undefined && state === 'pending' && html`<span class="hint">next ${renderTime(nextTryAt)}</span>`}
    </td>
    <td>
      ${
        attemptCount === 0
          ? html`<span class="quiet">Not tried yet</span>`
          : html`<details>
              <summary class="button quiet">${tries}</summary>
              <ol class="attempts">
                ${attempts.map(attemptRow)}
              </ol>
            </details>`
      }
    </td>
    <td class="acts">
      <form method="post" action="${at}/events/${eventId}/resend">
        <button class="quiet" aria-label="Send again: ${name}">Send again</button>
      </form>
    </td>
  </tr>`;
}

function deliveriesPanel(at: string, { deliveries, state, next }: WebhookView): Html {
  const tab = (value: string, text: string): Html =>
    html`<a href="${at}${value && `?state=${value}`}" ${(state ?? '') === value && html`aria-current="true"`}
      >${text}</a
    >`;
  const filter = state === undefined ? '' : `state=${state}&`;
  return html`<section class="panel flush" aria-label="Deliveries">
    <nav class="tabs" aria-label="Deliveries">
      ${tab('', 'All deliveries')} ${Object.entries(DELIVERY_STATES).map(([value, [, text]]) => tab(value, text))}
    </nav>
    ${
      deliveries.length === 0
        ? html`<p class="empty">Nothing here. What happens from now on is sent; the past can be sent again below.</p>`
        : html`<table class="list cards">
            <thead>
              <tr>
                <th scope="col">Event</th>
                <th scope="col">State</th>
                <th scope="col">Tries</th>
                <th scope="col"><span class="visually-hidden">Acts</span></th>
              </tr>
            </thead>
            <tbody>
              ${deliveries.map((delivery) => deliveryRow(at, delivery))}
            </tbody>
          </table>`
    }
    ${next !== undefined && html`<p class="toolbar more"><a class="button" href="${at}?${filter}before=${next}">Older</a></p>`}
  </section>`;
}

function redeliveryRow(at: string, redelivery: Redelivery): Html {
  const { id, state, sinceMs, untilMs, events, ofEvents, deliveries } = redelivery;
  return html`<li>
    <p>
      Since ${renderTime(sinceMs)}${untilMs !== undefined && html` until ${renderTime(untilMs)}`}:
      <strong>${state.replaceAll('_', ' ')}</strong>
    </p>
    <progress max="${Math.max(1, ofEvents)}" value="${state === 'running' ? events : Math.max(1, ofEvents)}"></progress>
    <p class="hint">${events} of ${ofEvents} events looked at, ${deliveries} on the way</p>
    ${
      state === 'running' &&
      html`<form method="post" action="${at}/redeliveries/${id}/end"><button class="danger">Stop</button></form>`
    }
  </li>`;
}

function resendPanel(at: string, { redeliveries, webhook }: WebhookView): Html {
  const isOff = webhook.disabled !== undefined;
  const isRunning = redeliveries.some(({ state }) => state === 'running');
  return html`<section class="panel" aria-labelledby="resend" ${isRunning && html`data-reload="2000"`}>
    <h2 id="resend">Send a period again</h2>
    ${
      isOff
        ? html`<p class="quiet">Switch it on first.</p>`
        : html`<form class="stack" method="post" action="${at}/redeliver">
            <div class="field">
              <label for="since">From (UTC)</label>
              <input id="since" name="since" type="datetime-local" required />
            </div>
            <div class="field">
              <label for="until">Until (UTC)</label>
              <input id="until" name="until" type="datetime-local" />
              <p class="hint">Empty: until now.</p>
            </div>
            <label
              ><input type="checkbox" name="onlyFailed" value="on" checked />
              <span>Only what it has not taken</span></label
            >
            <button>Send again</button>
          </form>`
    }
    ${
      redeliveries.length > 0 &&
      html`<ul class="redeliveries">
        ${redeliveries.map((each) => redeliveryRow(at, each))}
      </ul>`
    }
  </section>`;
}

function settingsPanel(at: string, { webhook }: WebhookView): Html {
  const { url, events, disabled, oldSecretUntil } = webhook;
  return html`<section class="panel" aria-labelledby="settings">
    <h2 id="settings">Settings</h2>
    <form class="stack" method="post" action="${at}/change">
      ${renderUrlField(url)} ${renderEventChoice(events)}
      <button>Save</button>
    </form>
    <div class="toolbar acts-row">
      <form method="post" action="${at}/${disabled ? 'enable' : 'disable'}">
        <button>${disabled ? 'Switch on' : 'Switch off'}</button>
      </form>
      <form method="post" action="${at}/rotate"><button>New secret</button></form>
      ${renderConfirm(
        'Delete',
        'What is on its way to it is dropped. This cannot be undone.',
        `${at}/delete`,
        'Delete this webhook',
      )}
    </div>
    ${oldSecretUntil !== undefined && html`<p class="hint">The secret before signs as well until ${renderTime(oldSecretUntil)}.</p>`}
  </section>`;
}

export function renderWebhook(place: Place, view: WebhookView): string {
  const { webhook, notice } = view;
  const at = `${homeOf(place)}/webhooks/${webhook.id}`;
  const main = html`<p class="crumb"><a href="${homeOf(place)}/webhooks">Webhooks</a></p>
    <div class="toolbar">
      <h1>${webhook.url}</h1>
      <form method="post" action="${at}/ping"><button class="primary">Send a test event</button></form>
    </div>
    <p>${renderState(webhook)}</p>
    ${renderNotice(notice, place.member.language)}
    <div class="columns">
      <div>${deliveriesPanel(at, view)}</div>
      <div>${settingsPanel(at, view)} ${resendPanel(at, view)}</div>
    </div>`;
  return renderFrame(place, { title: 'Webhook', name: 'webhooks', main });
}
