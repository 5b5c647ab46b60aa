// What narrows the list: one field that understands most of what people know of a payment, and filters behind it. A form
// that asks for an address, so it works without a script; the script shows times in the viewer's zone.
import { currencies } from '../../domain/currency.ts';
import { METHODS } from '../../domain/offered-methods.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import { STANDINGS } from '../../store/listing/row.ts';
import { listTexts } from '../languages/list.ts';
import { paymentTexts } from '../languages/payment.ts';
import { fill, wordOf } from '../languages/texts.ts';
import { homeOf } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { showMoment } from '../page/time.ts';
import { CLOSE_ICON, FILTER_ICON, SEARCH_ICON } from '../page/icons.ts';
import { methodNameOf } from './payment-text.ts';
import { writeAddress } from './query.ts';
import type { Address, Field } from './query.ts';

type Texts = ReturnType<typeof listTexts>;
type Named = Exclude<Field, 'sort'>;
type Option = readonly [value: string, text: string];

function choice(texts: Texts, name: Named, options: readonly Option[], address: Address): Html {
  return html`<div class="field">
    <label for="filter-${name}">${texts.fields[name]}</label>
    <select id="filter-${name}" name="${name}">
      <option value="">${texts.any}</option>
      ${options.map(
        ([value, text]) => html`<option value="${value}" ${address[name] === value && html`selected`}>${text}</option>`,
      )}
    </select>
  </div>`;
}

function time(texts: Texts, name: 'from' | 'to', address: Address): Html {
  return html`<div class="field time">
    <label for="filter-${name}">${texts.fields[name]} <span class="hint zone">UTC</span></label>
    <input
      id="filter-${name}"
      name="${name}"
      type="datetime-local"
      value="${address[name]?.replace(/Z$/, '') ?? ''}"
      data-utc="${address[name] ?? ''}"
    />
  </div>`;
}

function words(texts: Texts, name: Named, address: Address, more: Html = html``): Html {
  return html`<div class="field">
    <label for="filter-${name}">${texts.fields[name]}</label>
    <input id="filter-${name}" name="${name}" value="${address[name] ?? ''}" autocomplete="off" ${more} />
  </div>`;
}

const statesIn = (language: Language): readonly Option[] =>
  STANDINGS.map((standing) => [standing, paymentTexts(language).standings[standing]]);
const methodsIn = (language: Language): readonly Option[] => [
  ['CARD', listTexts(language).anyCard],
  ...METHODS.map(({ name }): Option => [name, methodNameOf(name, language)]),
];
const CURRENCIES: readonly Option[] = currencies.map((code) => [code, code]);

export const wordFor = (field: string, language: Language): string => wordOf(listTexts(language).fields, field);

function shown(field: string, value: string, language: Language): Html {
  if (field === 'from' || field === 'to')
    return html`<time datetime="${value}">${showMoment(Date.parse(value), language)}</time>`;
  const options = field === 'method' ? methodsIn(language) : field === 'state' ? statesIn(language) : [];
  return html`${options.find(([known]) => known === value)?.[1] ?? value}`;
}

/** What the list is narrowed by, each with a way to take it away. */
function chips(place: Place, address: Address): Html {
  const { language } = place.member;
  const texts = listTexts(language);
  const fields = (Object.keys(texts.fields) as Named[]).filter((field) => address[field] !== undefined);
  if (fields.length === 0) return html``;
  const list = `${homeOf(place)}/payments`;
  return html`<ul class="chips">
    ${fields.map(
      (field) =>
        html`<li class="chip">
          <span class="quiet">${texts.fields[field]}</span> ${shown(field, address[field] ?? '', language)}
          <a href="${list}${writeAddress(address, { [field]: '' })}"
            ><span class="visually-hidden">${fill(texts.without, { field: texts.fields[field] })}</span>${CLOSE_ICON}</a
          >
        </li>`,
    )}
    <li><a href="${list}">${texts.clear}</a></li>
  </ul>`;
}

export function renderFilters(place: Place, address: Address): Html {
  const { language } = place.member;
  const texts = listTexts(language);
  return html`<form class="filters" method="get" action="${homeOf(place)}/payments" role="search">
      <div class="search">
        <label class="visually-hidden" for="search">${texts.searchPayments}</label>
        ${SEARCH_ICON}
        <input
          id="search"
          type="search"
          name="q"
          value="${address.q ?? ''}"
          placeholder="${texts.searchHint}"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
        />
        <button>${texts.search}</button>
      </div>
      <details class="more-filters">
        <summary class="button">${FILTER_ICON} ${texts.filter}</summary>
        <div class="panel">
          <div class="filter-fields">
            ${choice(texts, 'state', statesIn(language), address)}
            ${choice(texts, 'method', methodsIn(language), address)} ${choice(texts, 'currency', CURRENCIES, address)}
            ${words(texts, 'myReference', address, html`maxlength="36"`)} ${time(texts, 'from', address)}
            ${time(texts, 'to', address)} ${words(texts, 'least', address, html`inputmode="decimal"`)}
            ${words(texts, 'most', address, html`inputmode="decimal"`)}
          </div>
          ${address.sort !== undefined && html`<input type="hidden" name="sort" value="${address.sort}" />`}
          <div class="toolbar"><button class="primary">${texts.show}</button></div>
        </div>
      </details>
    </form>
    ${chips(place, address)}`;
}
