// The overview: how a merchant's days went, and what needs attention.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { MOST_COUNTED, SOON_DAYS } from '../../store/lists/attention.ts';
import type { Attention } from '../../store/lists/attention.ts';
import { homeOf, renderFrame } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { methodNameOf } from '../list/payment-text.ts';
import { showMoney, showPercent } from '../page/money.ts';
import { renderTime } from '../page/time.ts';
import { consoleTexts, fill, fillHtml, formOf, sayCount, showCount, wordOf } from '../texts.ts';
import { renderByDay } from './by-day.ts';
import { renderShare } from './chart.ts';
import type { Share } from './summary.ts';
import type { Overview, Period } from './view.ts';
import { addressOf, PERIODS } from './view.ts';

const MOST_SHARES = 8;
const MOST_LINKS = 5;

const textsOf = ({ member }: Place) => consoleTexts(member.language).overview;

/** What the books and an acquirer's do not agree on, with the payments to look at. */
function differencesOf(place: Place, { acquirer, count, at, paymentIds }: Attention['differences'][number]): Html {
  const { language } = place.member;
  const home = homeOf(place);
  const links = paymentIds.slice(0, MOST_LINKS).map(
    (id) =>
      html`<li>
        <a href="${home}/payments/${id}"><code>${id}</code></a>
      </li>`,
  );
  return html`<li class="notice bad">
    ${fillHtml(formOf(textsOf(place).differences, count, language), {
      number: showCount(count, language),
      acquirer,
      time: renderTime(at.getTime(), language),
      command: html`<code>kassa reconcile</code>`,
    })}
    <ul class="differing">
      ${links}
    </ul>
  </li>`;
}

function attentionList(place: Place, attention: Attention): Html {
  const { longPending, expiring, failingWebhooks, disabledWebhooks, differences } = attention;
  const home = homeOf(place);
  const { language } = place.member;
  const texts = textsOf(place);
  const showNumber = (count: number): string =>
    count >= MOST_COUNTED
      ? fill(texts.orMore, { count: showCount(MOST_COUNTED, language) })
      : showCount(count, language);
  const link = html`<a href="${home}/payments?state=reserved">${texts.expiringLink}</a>`;
  const lines = [
    longPending > 0 &&
      html`<li class="notice wait">
        ${fill(formOf(texts.longPending, longPending, language), { number: showNumber(longPending) })}
      </li>`,
    expiring > 0 &&
      html`<li class="notice wait">
        ${fillHtml(formOf(texts.expiring, expiring, language), { number: showNumber(expiring), days: SOON_DAYS, link })}
      </li>`,
    failingWebhooks > 0 &&
      html`<li class="notice bad">
        ${fill(formOf(texts.failing, failingWebhooks, language), { number: showNumber(failingWebhooks) })}
      </li>`,
    disabledWebhooks > 0 &&
      html`<li class="notice bad">
        ${fill(formOf(texts.disabled, disabledWebhooks, language), { number: showNumber(disabledWebhooks) })}
      </li>`,
    ...differences.map((outcome) => differencesOf(place, outcome)),
  ].filter((line) => line !== false);
  if (lines.length === 0) return html`<p class="quiet">${texts.nothing}</p>`;
  return html`<ul class="attention">
    ${lines}
  </ul>`;
}

// A card is 10.5 rem wide at least: so many signs fit by their size.
const LONG = 14;
const LONGEST = 17;

/** The number alone decides: what follows a space may take the next line. */
function sizeOf(value: string): string {
  const { length } = value.replace(/ [A-Z]{3}$/, '');
  if (length < LONG) return 'value';
  return length < LONGEST ? 'value long' : 'value longest';
}

function figure(name: string, value: string, more: string): Html {
  return html`<div class="sum-card">
    <dt>${name}</dt>
    <dd class="${sizeOf(value)}">${value}</dd>
    <dd class="hint">${more}</dd>
  </div>`;
}

function headFigures(place: Place, { currency, summary }: Overview): Html {
  const { language } = place.member;
  const texts = textsOf(place);
  const show = (amount: number): string => showMoney(amount, currency, language);
  const { charged, charges, refunded, refunds, accepted, declined, averageOrder } = summary;
  const tried = accepted + declined;
  const rate = tried === 0 ? '–' : showPercent(accepted / tried, language);
  const average = averageOrder === undefined ? '–' : show(averageOrder);
  return html`<dl class="sum-cards">
    ${figure(texts.charged, show(charged), sayCount(texts.charges, charges, language))}
    ${figure(texts.refunded, show(refunded), sayCount(texts.refunds, refunds, language))}
    ${figure(texts.net, show(charged - refunded), texts.netHint)}
    ${figure(
      texts.accepted,
      rate,
      fill(texts.tries, { accepted: showCount(accepted, language), tried: showCount(tried, language) }),
    )}
    ${figure(texts.averageOrder, average, texts.averageHint)}
  </dl>`;
}

type Shares = {
  readonly id: 'methods' | 'declines';
  readonly title: string;
  readonly of: readonly Share[];
  readonly value: (share: Share) => string;
  readonly empty: string;
};

function shares(place: Place, { id, title, of, value, empty }: Shares): Html {
  const texts = textsOf(place);
  const { language } = place.member;
  const nameOf = (name: string): string => {
    if (name === '') return texts.other;
    return id === 'methods' ? methodNameOf(name, language) : wordOf(consoleTexts(language).payment.declines, name);
  };
  const by = id === 'declines' ? 'count' : 'amount';
  const whole = of.reduce((sum, share) => sum + share[by], 0);
  const rows = of.slice(0, MOST_SHARES).map(
    (share) =>
      html`<tr>
        <th scope="row">${nameOf(share.name)}</th>
        <td>${renderShare(share[by] / whole)}</td>
        <td class="amount">${value(share)}</td>
      </tr>`,
  );
  const more =
    of.length > MOST_SHARES &&
    html`<p class="hint">${sayCount(texts.more, of.length - MOST_SHARES, place.member.language)}</p>`;
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
  const texts = textsOf(place);
  const link = (days: Period, of: string, text: string, isCurrent: boolean): Html =>
    html`<a href="${addressOf(place, days, of)}" ${isCurrent && html`aria-current="true"`}>${text}</a>`;
  return html`<div class="toolbar">
    <h1>${consoleTexts(place.member.language).frame.pages.overview}</h1>
    ${
      currencies.length > 1 &&
      html`<nav class="tabs" aria-label="${texts.currency}">
        ${currencies.map((each) => link(period, each, each, each === currency))}
      </nav>`
    }
    <nav class="tabs" aria-label="${texts.period}">
      ${PERIODS.map((days) => link(days, currency, sayCount(texts.days, days, place.member.language), days === period))}
    </nav>
  </div>`;
}

export function renderOverview(place: Place, overview: Overview): string {
  const { summary, currency, attention, isBehind } = overview;
  const { language } = place.member;
  const texts = textsOf(place);
  const main = html`${choices(place, overview)}
    <section aria-label="${texts.attention}">${attentionList(place, attention)}</section>
    ${isBehind && html`<p class="notice wait">${texts.behind}</p>`} ${headFigures(place, overview)}
    ${renderByDay(place, overview)}
    <div class="halves">
      ${shares(place, {
        id: 'methods',
        title: texts.methods,
        of: summary.methods,
        value: ({ amount }) => showMoney(amount, currency, language),
        empty: texts.noMethods,
      })}
      ${shares(place, {
        id: 'declines',
        title: texts.declines,
        of: summary.declines,
        value: ({ count }) => showCount(count, language),
        empty: texts.noDeclines,
      })}
    </div>
    <p class="hint">${texts.foot}</p>`;
  return renderFrame(place, { title: consoleTexts(language).frame.pages.overview, name: 'overview', main });
}
