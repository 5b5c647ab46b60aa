// The redelivery panel of a webhook: the form, and the progress of redeliveries.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Redelivery } from '../../store/events/redeliveries.ts';
import { renderExactTime, renderTimeInput, writeMoment } from '../page/time.ts';
import { fill, fillHtml, showCount } from '../texts.ts';
import type { At, WebhookView } from './view.ts';

function redeliveryRow({ at, language, texts }: At, redelivery: Redelivery): Html {
  const { id, state, sinceMs, untilMs, events, ofEvents, deliveries } = redelivery;
  const values = {
    since: renderExactTime(sinceMs, language),
    state: html`<strong>${texts.redeliveryStates[state]}</strong>`,
  };
  const period =
    untilMs === undefined
      ? fillHtml(texts.redeliverySince, values)
      : fillHtml(texts.redeliveryUntil, { ...values, until: renderExactTime(untilMs, language) });
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

export function renderResendPanel(page: At, { redeliveries, webhook, typed }: WebhookView): Html {
  const { at, texts } = page;
  const { sinceMs, untilMs, onlyFailed = true } = typed ?? {};
  const written = (atMs: number | undefined): string | undefined =>
    atMs === undefined ? undefined : writeMoment(atMs);
  const since = { id: 'since', name: 'since', label: texts.from, utc: written(sinceMs) };
  const until = { id: 'until', name: 'until', label: texts.until, utc: written(untilMs) };
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
            <div class="field">${renderTimeInput(since, html`required`)}</div>
            <div class="field">
              ${renderTimeInput(until)}
              <p class="hint">${texts.untilHint}</p>
            </div>
            <label
              ><input type="checkbox" name="onlyFailed" value="on" ${onlyFailed && html`checked`} />
              <span>${texts.onlyFailed}</span></label
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
