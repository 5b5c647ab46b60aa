// The page of a merchant's webhooks: where events are sent, whether they arrive, and making another.
import { definitions } from '../../events/definitions.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Webhook } from '../../store/webhooks.ts';
import { homeOf, renderFrame } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { renderNotice } from '../page/pieces.ts';
import type { Notice } from '../page/pieces.ts';
import { renderTime } from '../page/time.ts';

const REASONS: Readonly<Record<NonNullable<Webhook['disabled']>['reason'], string>> = {
  asked: 'Switched off',
  gone: 'Switched off: the endpoint said that it is gone',
  failing: 'Switched off: it failed for days',
};

export function renderState({ disabled, failingSince }: Webhook): Html {
  if (disabled)
    return html`<span class="badge">Off</span>
      <span class="hint">${REASONS[disabled.reason]}, ${renderTime(disabled.at)}</span>`;
  if (failingSince !== undefined)
    return html`<span class="badge bad">Failing</span> <span class="hint">since ${renderTime(failingSince)}</span>`;
  return html`<span class="badge good">On</span>`;
}

/** All events, or some: none chosen means all. */
export function renderEventChoice(events: Webhook['events']): Html {
  const chosen: ReadonlySet<string> = new Set(events);
  return html`<fieldset class="field">
    <legend>Events</legend>
    <p class="hint">All of them, also those to come, where none is chosen.</p>
    <details ${events !== undefined && html`open`}>
      <summary class="button">Choose some</summary>
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

export const renderUrlField = (url: string): Html =>
  html`<div class="field">
    <label for="webhook-url">Address</label>
    <input id="webhook-url" name="url" type="url" required maxlength="2048" autocomplete="off" value="${url}" />
  </div>`;

function webhookRow(place: Place, webhook: Webhook): Html {
  const { id, url, events, createdAt } = webhook;
  return html`<tr>
    <td class="person"><a href="${homeOf(place)}/webhooks/${id}">${url}</a></td>
    <td data-label="State">${renderState(webhook)}</td>
    <td data-label="Events">${events === undefined ? 'All' : events.length}</td>
    <td data-label="Created">${renderTime(createdAt)}</td>
  </tr>`;
}

export type WebhooksView = { readonly webhooks: readonly Webhook[]; readonly notice?: Notice; readonly typed?: string };

export function renderWebhooks(place: Place, { webhooks, notice, typed = '' }: WebhooksView): string {
  const table = html`<section class="panel flush" aria-label="Webhooks">
    <table class="list cards">
      <thead>
        <tr>
          <th scope="col">Address</th>
          <th scope="col">State</th>
          <th scope="col">Events</th>
          <th scope="col">Created</th>
        </tr>
      </thead>
      <tbody>
        ${webhooks.map((webhook) => webhookRow(place, webhook))}
      </tbody>
    </table>
  </section>`;
  const none = html`<div class="panel empty">
    <h2>No webhooks yet</h2>
    <p>Your shop hears of charges, refunds and cancels as soon as it has an address to be told at.</p>
  </div>`;
  const main = html`<h1>Webhooks</h1>
    ${renderNotice(notice, place.member.language)}
    <div class="columns">
      <div>${webhooks.length === 0 ? none : table}</div>
      <div>
        <section class="panel" aria-labelledby="create">
          <h2 id="create">New webhook</h2>
          <form class="stack" method="post" action="${homeOf(place)}/webhooks/create">
            ${renderUrlField(typed)} ${renderEventChoice(undefined)}
            <button class="primary">Create webhook</button>
          </form>
        </section>
      </div>
    </div>`;
  return renderFrame(place, { title: 'Webhooks', name: 'webhooks', main });
}
