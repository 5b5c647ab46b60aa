// The webhooks page of a merchant: endpoints, their state, and creating one.
import type { AddressFault } from '../../events/address-faults.ts';
import { definitions } from '../../events/definitions.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import { MOST_WEBHOOKS } from '../../store/events/webhooks.ts';
import type { Webhook } from '../../store/events/webhooks.ts';
import { homeOf, renderFrame } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { renderNotice } from '../page/pieces.ts';
import type { Notice } from '../page/pieces.ts';
import { renderTime } from '../page/time.ts';
import { consoleTexts, fill, fillHtml, showCount } from '../texts.ts';

export function renderState({ disabled, failingSince }: Webhook, language: Language): Html {
  const texts = consoleTexts(language).webhooks;
  if (disabled) {
    const reason = texts.reasons[disabled.reason];
    return html`<span class="badge">${texts.off}</span>
      <span class="hint">${fillHtml(texts.offSince, { reason, time: renderTime(disabled.at, language) })}</span>`;
  }
  if (failingSince !== undefined) {
    const since = fillHtml(texts.since, { time: renderTime(failingSince, language) });
    return html`<span class="badge bad">${texts.failing}</span> <span class="hint">${since}</span>`;
  }
  return html`<span class="badge good">${texts.on}</span>`;
}

/** Why an address was not taken. */
export function sayAddressFault({ name, reach }: AddressFault, language: Language): string {
  const { badAddress, addressFaults, addressReaches } = consoleTexts(language).webhooks;
  const fault = addressFaults[name];
  return fill(badAddress, { why: reach === undefined ? fault : fill(addressReaches[reach], { fault }) });
}

/** All events, or some: none chosen means all. */
export function renderEventChoice(events: Webhook['events'], language: Language): Html {
  const texts = consoleTexts(language).webhooks;
  const chosen: ReadonlySet<string> = new Set(events);
  return html`<fieldset class="field">
    <legend>${texts.events}</legend>
    <p class="hint">${texts.eventsHint}</p>
    <details ${events !== undefined && html`open`}>
      <summary class="button">${texts.chooseSome}</summary>
      <div class="choices">
        ${definitions.map(
          ({ name }) =>
            html`<label
              ><input type="checkbox" name="event:${name}" value="on" ${chosen.has(name) && html`checked`} />
              <code>${name}</code></label
            >`,
        )}
      </div>
    </details>
  </fieldset>`;
}

export const renderUrlField = (url: string, language: Language, isWrong = false): Html =>
  html`<div class="field">
    <label for="webhook-url">${consoleTexts(language).webhooks.address}</label>
    <input
      id="webhook-url"
      name="url"
      type="url"
      required
      maxlength="2048"
      autocomplete="off"
      value="${url}"
      ${isWrong && html`aria-invalid="true"`}
    />
  </div>`;

function webhookRow(place: Place, webhook: Webhook): Html {
  const { id, url, events, createdAt } = webhook;
  const { language } = place.member;
  const texts = consoleTexts(language).webhooks;
  return html`<tr>
    <td class="person"><a href="${homeOf(place)}/webhooks/${id}">${url}</a></td>
    <td data-label="${texts.state}">${renderState(webhook, language)}</td>
    <td data-label="${texts.events}">${events === undefined ? texts.all : showCount(events.length, language)}</td>
    <td data-label="${texts.created}">${renderTime(createdAt, language)}</td>
  </tr>`;
}

export type WebhooksView = {
  readonly webhooks: readonly Webhook[];
  readonly notice?: Notice;
  /** Of a new one that was not taken. */
  readonly typed?: { readonly url: string; readonly events: Webhook['events'] };
};

export function renderWebhooks(place: Place, { webhooks, notice, typed }: WebhooksView): string {
  const { language } = place.member;
  const texts = consoleTexts(language).webhooks;
  const { webhooks: title } = consoleTexts(language).frame.pages;
  // What is refused where there is room for another one is its address.
  const isWrong = notice?.tone === 'bad' && webhooks.length < MOST_WEBHOOKS;
  const table = html`<section class="panel flush" aria-label="${title}">
    <table class="list cards">
      <thead>
        <tr>
          <th scope="col">${texts.address}</th>
          <th scope="col">${texts.state}</th>
          <th scope="col">${texts.events}</th>
          <th scope="col">${texts.created}</th>
        </tr>
      </thead>
      <tbody>
        ${webhooks.map((webhook) => webhookRow(place, webhook))}
      </tbody>
    </table>
  </section>`;
  const none = html`<div class="panel empty">
    <h2>${texts.none}</h2>
    <p>${texts.noneText}</p>
  </div>`;
  const main = html`<h1>${title}</h1>
    ${renderNotice(notice, language)}
    <div class="columns">
      <div>${webhooks.length === 0 ? none : table}</div>
      <div>
        <section class="panel" aria-labelledby="create">
          <h2 id="create">${texts.newWebhook}</h2>
          <form class="stack" method="post" action="${homeOf(place)}/webhooks/create">
            ${renderUrlField(typed?.url ?? '', language, isWrong)} ${renderEventChoice(typed?.events, language)}
            <button class="primary">${texts.create}</button>
          </form>
        </section>
      </div>
    </div>`;
  return renderFrame(place, { title, name: 'webhooks', main });
}
