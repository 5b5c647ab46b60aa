// What narrows the list: one field that understands most of what people know of a payment, and filters behind it. A form
// that asks for an address, so it works without a script; the script shows times in the viewer's zone.
import { currencies } from '../../domain/currency.ts';
import { METHODS } from '../../domain/offered-methods.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { STANDINGS } from '../../store/listing/row.ts';
import { homeOf } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { CLOSE_ICON, FILTER_ICON, SEARCH_ICON } from '../page/icons.ts';
import { capital, methodNameOf } from './payment-text.ts';
import { writeAddress } from './query.ts';
import type { Address, Field } from './query.ts';

type Option = readonly [value: string, text: string];

function choice(name: Field, label: string, options: readonly Option[], address: Address): Html {
  return html`<div class="field">
    <label for="filter-${name}">${label}</label>
    <select id="filter-${name}" name="${name}">
      <option value="">Any</option>
      ${options.map(
        ([value, text]) => html`<option value="${value}" ${address[name] === value && html`selected`}>${text}</option>`,
      )}
    </select>
  </div>`;
}

function time(name: 'from' | 'to', label: string, address: Address): Html {
  return html`<div class="field time">
    <label for="filter-${name}">${label} <span class="hint zone">UTC</span></label>
    <input
      id="filter-${name}"
      name="${name}"
      type="datetime-local"
      value="${address[name]?.replace(/Z$/, '') ?? ''}"
      data-utc="${address[name] ?? ''}"
    />
  </div>`;
}

function words(name: Field, label: string, address: Address, more: Html = html``): Html {
  return html`<div class="field">
    <label for="filter-${name}">${label}</label>
    <input id="filter-${name}" name="${name}" value="${address[name] ?? ''}" autocomplete="off" ${more} />
  </div>`;
}

const STATES: readonly Option[] = STANDINGS.map((standing) => [standing, capital(standing)]);
const METHOD_OPTIONS: readonly Option[] = [
  ['CARD', 'Any card'],
  ...METHODS.map(({ name }): Option => [name, methodNameOf(name)]),
];
const CURRENCIES: readonly Option[] = currencies.map((code) => [code, code]);

const WORDS: Readonly<Record<Exclude<Field, 'sort'>, string>> = {
  q: 'Search',
  state: 'State',
  method: 'Method',
  currency: 'Currency',
  from: 'From',
  to: 'Before',
  least: 'At least',
  most: 'At most',
  myReference: 'Own reference',
};

export const wordFor = (field: string): string => (WORDS as Record<string, string>)[field] ?? field;

function shown(field: string, value: string): Html {
  if (field === 'from' || field === 'to')
    return html`<time datetime="${value}">${value.replace('T', ' ').replace('Z', ' UTC')}</time>`;
  if (field === 'method') return html`${METHOD_OPTIONS.find(([known]) => known === value)?.[1] ?? value}`;
  return html`${field === 'state' ? capital(value) : value}`;
}

/** What the list is narrowed by, each with a way to take it away. */
function chips(place: Place, address: Address): Html {
  const fields = (Object.keys(WORDS) as Field[]).filter((field) => address[field] !== undefined);
  if (fields.length === 0) return html``;
  const list = `${homeOf(place)}/payments`;
  return html`<ul class="chips">
    ${fields.map(
      (field) =>
        html`<li class="chip">
          <span class="quiet">${wordFor(field)}</span> ${shown(field, address[field] ?? '')}
          <a href="${list}${writeAddress(address, { [field]: '' })}"
            ><span class="visually-hidden">Without ${wordFor(field)}</span>${CLOSE_ICON}</a
          >
        </li>`,
    )}
    <li><a href="${list}">Clear</a></li>
  </ul>`;
}

export function renderFilters(place: Place, address: Address): Html {
  return html`<form class="filters" method="get" action="${homeOf(place)}/payments" role="search">
      <div class="search">
        <label class="visually-hidden" for="search">Search payments</label>
        ${SEARCH_ICON}
        <input
          id="search"
          type="search"
          name="q"
          value="${address.q ?? ''}"
          placeholder="Reference, name, e-mail, phone, last four, amount, id"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
        />
        <button>Search</button>
      </div>
      <details class="more-filters">
        <summary class="button">${FILTER_ICON} Filter</summary>
        <div class="panel">
          <div class="filter-fields">
            ${choice('state', 'State', STATES, address)} ${choice('method', 'Method', METHOD_OPTIONS, address)}
            ${choice('currency', 'Currency', CURRENCIES, address)}
            ${words('myReference', 'Own reference', address, html`maxlength="36"`)} ${time('from', 'From', address)}
            ${time('to', 'Before', address)} ${words('least', 'At least', address, html`inputmode="decimal"`)}
            ${words('most', 'At most', address, html`inputmode="decimal"`)}
          </div>
          ${address.sort !== undefined && html`<input type="hidden" name="sort" value="${address.sort}" />`}
          <div class="toolbar"><button class="primary">Show</button></div>
        </div>
      </details>
    </form>
    ${chips(place, address)}`;
}
