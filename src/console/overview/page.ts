// The overview: how a merchant's days went, and what needs attention.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { MOST_COUNTED, SOON_DAYS } from '../../store/attention.ts';
import type { Attention } from '../../store/attention.ts';
import { homeOf, renderFrame } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { showMoney } from '../page/money.ts';
import { renderChart, renderShare } from './chart.ts';
import type { Share, Summary } from './summary.ts';

export const PERIODS = [7, 30, 90] as const;
export type Period = (typeof PERIODS)[number];

export type Overview = {
  readonly period: Period;
  readonly currency: string;
  /** All that there are figures in. */
  readonly currencies: readonly string[];
  readonly summary: Summary;
  readonly attention: Attention;
  /** Something that is very new is missing. */
  readonly isBehind: boolean;
};

const MOST_SHARES = 8;
const MOST_LINKS = 5;

const countText = (count: number): string => (count >= MOST_COUNTED ? `${MOST_COUNTED} or more` : String(count));
const plural = (count: number, one: string, many: string): string => `${countText(count)} ${count === 1 ? one : many}`;
const times = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** What the books and an acquirer's do not agree on, with the payments to look at. */
function differencesOf(home: string, { acquirer, count, at, paymentIds }: Attention['differences'][number]): Html {
  const links = paymentIds.slice(0, MOST_LINKS).map(
    (id) =>
      html`<li>
        <a href="${home}/payments/${id}"><code>${id}</code></a>
      </li>`,
  );
  return html`<li class="notice bad">
    ${plural(count, 'difference', 'differences')} between your books and those of ${acquirer}, found on
    ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC. Look at
    ${paymentIds.length > 1 ? 'these payments' : 'this payment'} and ask the acquirer what it has of
    ${paymentIds.length > 1 ? 'them' : 'it'}; <code>kassa reconcile</code> lists all of it.
    <ul class="differing">
      ${links}
    </ul>
  </li>`;
}

function attentionList(place: Place, attention: Attention): Html {
  const { longPending, expiring, failingWebhooks, disabledWebhooks, differences } = attention;
  const home = homeOf(place);
  const lines = [
    longPending > 0 &&
      html`<li class="notice wait">
        ${plural(longPending, 'outcome has', 'outcomes have')} not been known for more than ten minutes. Kassa goes on
        asking the acquirer; nothing is lost and nothing is done twice.
      </li>`,
    expiring > 0 &&
      html`<li class="notice wait">
        ${plural(expiring, 'reservation ends', 'reservations end')} within ${SOON_DAYS} days:
        <a href="${home}/payments?state=reserved">charge or cancel what is left</a>.
      </li>`,
    failingWebhooks > 0 &&
      html`<li class="notice bad">
        ${plural(failingWebhooks, 'webhook fails', 'webhooks fail')} at the moment; events are tried again for three
        days.
      </li>`,
    disabledWebhooks > 0 &&
      html`<li class="notice bad">
        ${plural(disabledWebhooks, 'webhook is', 'webhooks are')} switched off because of failures.
      </li>`,
    ...differences.map((outcome) => differencesOf(home, outcome)),
  ].filter((line) => line !== false);
  if (lines.length === 0) return html`<p class="quiet">Nothing needs attention.</p>`;
  return html`<ul class="attention">
    ${lines}
  </ul>`;
}

function figure(name: string, value: string, more: string): Html {
  return html`<div class="sum-card">
    <dt>${name}</dt>
    <dd class="value">${value}</dd>
    <dd class="hint">${more}</dd>
  </div>`;
}

function headFigures({ currency, summary }: Overview): Html {
  const { charged, charges, refunded, refunds, accepted, declined, averageOrder } = summary;
  const tried = accepted + declined;
  const rate = tried === 0 ? '–' : `${((100 * accepted) / tried).toFixed(1)} %`;
  const average = averageOrder === undefined ? '–' : showMoney(averageOrder, currency);
  return html`<dl class="sum-cards">
    ${figure('Charged', showMoney(charged, currency), times(charges, 'charge'))}
    ${figure('Refunded', showMoney(refunded, currency), times(refunds, 'refund'))}
    ${figure('Net', showMoney(charged - refunded, currency), 'charged less refunded')}
    ${figure('Accepted', rate, `${accepted} of ${tried} tries to pay`)}
    ${figure('Average order', average, 'of what was reserved')}
  </dl>`;
}

function byDay({ currency, summary, period }: Overview): Html {
  const show = (amount: number): string => showMoney(amount, currency);
  const rows = summary.days
    .filter(({ charged, refunded }) => charged > 0 || refunded > 0)
    .toReversed()
    .map(
      ({ day, charged, refunded }) =>
        html`<tr>
          <th scope="row">${day}</th>
          <td class="amount">${show(charged)}</td>
          <td class="amount">${show(refunded)}</td>
          <td class="amount">${show(charged - refunded)}</td>
        </tr>`,
    );
  return html`<section class="panel" aria-labelledby="by-day">
    <h2 id="by-day">By day</h2>
    ${renderChart(summary.days, `Charged and refunded in ${currency} on each of ${period} days; the table says the same.`, show)}
    <p class="legend hint">
      <span>${summary.days[0]?.day}</span>
      <span><span class="key charged"></span> charged <span class="key refunded"></span> refunded</span>
      <span>${summary.days.at(-1)?.day}</span>
    </p>
    <details>
      <summary class="button quiet">Show the figures</summary>
      <table class="list">
        <thead>
          <tr>
            <th scope="col">Day (UTC)</th>
            <th scope="col" class="amount">Charged</th>
            <th scope="col" class="amount">Refunded</th>
            <th scope="col" class="amount">Net</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </details>
  </section>`;
}

function shares(id: string, title: string, of: readonly Share[], value: (share: Share) => string, empty: string): Html {
  const by = id === 'declines' ? 'count' : 'amount';
  const whole = of.reduce((sum, share) => sum + share[by], 0);
  const rows = of.slice(0, MOST_SHARES).map(
    (share) =>
      html`<tr>
        <th scope="row">${share.name || 'Other'}</th>
        <td>${renderShare(share[by] / whole)}</td>
        <td class="amount">${value(share)}</td>
      </tr>`,
  );
  const more = of.length > MOST_SHARES && html`<p class="hint">and ${of.length - MOST_SHARES} more</p>`;
  const table = html`<table class="shares">
      <tbody>
        ${rows}
      </tbody>
    </table>
    ${more}`;
  return html`<section class="panel" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${of.length === 0 ? html`<p class="quiet">${empty}</p>` : table}
  </section>`;
}

function choices(place: Place, { period, currency, currencies }: Overview): Html {
  const link = (days: number, of: string, text: string, isCurrent: boolean): Html =>
    html`<a href="${homeOf(place)}/overview?days=${days}&currency=${of}" ${isCurrent && html`aria-current="true"`}
      >${text}</a
    >`;
  return html`<div class="toolbar">
    <h1>Overview</h1>
    ${
      currencies.length > 1 &&
      html`<nav class="tabs" aria-label="Currency">
        ${currencies.map((each) => link(period, each, each, each === currency))}
      </nav>`
    }
    <nav class="tabs" aria-label="Period">
      ${PERIODS.map((days) => link(days, currency, `${days} days`, days === period))}
    </nav>
  </div>`;
}

export function renderOverview(place: Place, overview: Overview): string {
  const { summary, currency, attention, isBehind } = overview;
  const main = html`${choices(place, overview)}
    <section aria-label="Needs attention">${attentionList(place, attention)}</section>
    ${isBehind && html`<p class="notice wait">Very much is new: some of the last minutes is not in these figures yet.</p>`}
    ${headFigures(overview)} ${byDay(overview)}
    <div class="halves">
      ${shares(
        'methods',
        'How it was paid',
        summary.methods,
        ({ amount }) => showMoney(amount, currency),
        'Nothing was charged in this time.',
      )}
      ${shares(
        'declines',
        'Why it was declined',
        summary.declines,
        ({ count }) => String(count),
        'Nothing was declined in this time.',
      )}
    </div>
    <p class="hint">Days are those of UTC. A movement counts for the day on which it was asked for.</p>`;
  return renderFrame(place, { title: 'Overview', name: 'overview', main });
}
