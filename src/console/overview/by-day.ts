// What was charged and refunded on each day, as bars and as a table; and where there is nothing, what to do about that.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { homeOf } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { showFigure, showMoney, showRound } from '../page/money.ts';
import { showDay } from '../page/time.ts';
import { consoleTexts, fill } from '../texts.ts';
import { renderChart } from './chart.ts';
import type { Day } from './summary.ts';
import type { Overview } from './view.ts';
import { addressOf, LONGEST_PERIOD } from './view.ts';

const textsOf = ({ member }: Place) => consoleTexts(member.language).overview;

function renderBars(place: Place, { currency, summary, period }: Overview): Html {
  const { language } = place.member;
  const texts = textsOf(place);
  const show = (amount: number): string => showMoney(amount, currency, language);
  const figure = (amount: number): string => showFigure(amount, currency, language);
  const sayBar = ({ day, charged, refunded }: Day): string =>
    fill(texts.bar, { day: showDay(day, language), charged: show(charged), refunded: show(refunded) });
  const [first, last] = [summary.days[0], summary.days.at(-1)];
  const rows = summary.days
    .filter(({ charged, refunded }) => charged > 0 || refunded > 0)
    .toReversed()
    .map(
      ({ day, charged, refunded }) =>
        html`<tr>
          <th scope="row">${showDay(day, language)}</th>
          <td class="amount">${figure(charged)}</td>
          <td class="amount">${figure(refunded)}</td>
          <td class="amount">${figure(charged - refunded)}</td>
        </tr>`,
    );
  return html`${renderChart(summary.days, {
      label: fill(texts.chart, { currency, days: period }),
      sayBar,
      sayTick: (amount) => showRound(amount, currency, language),
    })}
    <p class="legend hint">
      <span>${first && showDay(first.day, language)}</span>
      <span
        ><span class="key charged"></span> ${texts.chargedKey}
        <span class="key refunded"></span> ${texts.refundedKey}</span
      >
      <span>${last && showDay(last.day, language)}</span>
    </p>
    <details>
      <summary class="opens">${texts.showFigures}</summary>
      <table class="list" aria-label="${texts.byDay}, ${currency}">
        <thead>
          <tr>
            <th scope="col">${texts.day}</th>
            <th scope="col" class="amount">${texts.charged}</th>
            <th scope="col" class="amount">${texts.refunded}</th>
            <th scope="col" class="amount">${texts.net}</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </details>`;
}

/** Something may be reserved, or longer ago; else the first charge is still to come. */
function renderNothing(place: Place, { currency, summary, period, demoUrl }: Overview): Html {
  const texts = textsOf(place);
  const ways = [
    summary.accepted > 0 &&
      html`<a class="button primary" href="${homeOf(place)}/payments?state=reserved">${texts.showReserved}</a>`,
    demoUrl !== undefined &&
      html`<a class="button" href="${demoUrl}">${consoleTexts(place.member.language).list.demo}</a>`,
    period < LONGEST_PERIOD &&
      html`<a class="button" href="${addressOf(place, LONGEST_PERIOD, currency)}"
        >${fill(texts.longer, { days: LONGEST_PERIOD })}</a
      >`,
  ].filter((way) => way !== false);
  return html`<div class="empty">
    <p><strong>${fill(texts.none, { currency, days: period })}</strong></p>
    <p>${summary.accepted > 0 ? texts.noneReserved : texts.noneYet}</p>
    ${ways.length > 0 && html`<p class="toolbar">${ways}</p>`}
  </div>`;
}

export function renderByDay(place: Place, overview: Overview): Html {
  const { charges, refunds } = overview.summary;
  return html`<section class="panel" aria-labelledby="by-day">
    <h2 id="by-day">${textsOf(place).byDay}</h2>
    ${charges + refunds === 0 ? renderNothing(place, overview) : renderBars(place, overview)}
  </section>`;
}
