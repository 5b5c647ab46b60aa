// What narrows the list of requests: ids in one field, and filters behind it. A form that asks for an address, so it works
// without a script; the script shows times in the viewer's zone.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { STATUSES } from '../../store/request-log/read.ts';
import { requestsTexts } from '../languages/requests.ts';
import { fill } from '../languages/texts.ts';
import { homeOf } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { CLOSE_ICON, FILTER_ICON, SEARCH_ICON } from '../page/icons.ts';
import type { RequestsView } from './page.ts';
import { keyNameOf } from './pieces.ts';
import { FIELDS, nameOfRoute, writeAddress } from './query.ts';
import type { Address, Field } from './query.ts';

type Texts = ReturnType<typeof requestsTexts>;
type Option = readonly [value: string, text: string];

function choice(name: Field, texts: Texts, options: readonly Option[], address: Address): Html {
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

const time = (name: 'from' | 'to', texts: Texts, address: Address): Html =>
  html`<div class="field time">
    <label for="filter-${name}">${texts.fields[name]} <span class="hint zone">UTC</span></label>
    <input
      id="filter-${name}"
      name="${name}"
      type="datetime-local"
      value="${address[name]?.replace(/Z$/, '') ?? ''}"
      data-utc="${address[name] ?? ''}"
    />
  </div>`;

/** What the list is narrowed by, each with a way to take it away. */
function chips(place: Place, { address, keys }: RequestsView, texts: Texts): Html {
  const fields = FIELDS.filter((field) => address[field] !== undefined);
  if (fields.length === 0) return html``;
  const list = `${homeOf(place)}/requests`;
  const shown = (field: Field): Html => {
    const value = address[field] ?? '';
    if (field === 'from' || field === 'to')
      return html`<time datetime="${value}">${value.replace('T', ' ').replace('Z', ' UTC')}</time>`;
    if (field === 'key') return html`${keyNameOf(value, keys, place.member.language)}`;
    return html`${field === 'status' ? texts.statuses[value as (typeof STATUSES)[number]] : value}`;
  };
  return html`<ul class="chips">
    ${fields.map(
      (field) =>
        html`<li class="chip">
          <span class="quiet">${texts.fields[field]}</span> ${shown(field)}
          <a href="${list}${writeAddress(address, { [field]: '' })}"
            ><span class="visually-hidden">${fill(texts.without, { filter: texts.fields[field] })}</span
            >${CLOSE_ICON}</a
          >
        </li>`,
    )}
    <li><a href="${list}">${texts.clear}</a></li>
  </ul>`;
}

export function renderFilters(place: Place, view: RequestsView): Html {
  const { address, keys, routes } = view;
  const texts = requestsTexts(place.member.language);
  const statuses = STATUSES.map((status): Option => [status, texts.statuses[status]]);
  const operations = routes.map((route): Option => [nameOfRoute(route), nameOfRoute(route)]);
  const names = keys.map(({ id }): Option => [id, keyNameOf(id, keys, place.member.language)]);
  return html`<form class="filters" method="get" action="${homeOf(place)}/requests" role="search">
      <div class="search">
        <label class="visually-hidden" for="search">${texts.search}</label>
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
        <button>${texts.searchButton}</button>
      </div>
      <details class="more-filters">
        <summary class="button">${FILTER_ICON} ${texts.filter}</summary>
        <div class="panel">
          <div class="filter-fields">
            ${choice('status', texts, statuses, address)} ${choice('route', texts, operations, address)}
            ${choice('key', texts, names, address)} ${time('from', texts, address)} ${time('to', texts, address)}
          </div>
          <div class="toolbar"><button class="primary">${texts.show}</button></div>
        </div>
      </details>
    </form>
    ${chips(place, view, texts)}`;
}
