// The search field and filters of a list, as a GET form that works without a script; the script shows times in the viewer's
// zone. Active filters are listed below, each with a link to remove it.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import { consoleTexts, fill } from '../texts.ts';
import { CLOSE_ICON, FILTER_ICON, SEARCH_ICON } from './icons.ts';
import { renderTimeInput, showMoment } from './time.ts';

/** A filter by its name in the address and its word on the page, with what it is set to. */
export type Filter = { readonly name: string; readonly label: string; readonly value: string | undefined };
export type Option = readonly [value: string, text: string];

export function renderChoice({ name, label, value }: Filter, options: readonly Option[], language: Language): Html {
  return html`<div class="field">
    <label for="filter-${name}">${label}</label>
    <select id="filter-${name}" name="${name}">
      <option value="">${consoleTexts(language).list.any}</option>
      ${options.map(
        ([known, text]) => html`<option value="${known}" ${known === value && html`selected`}>${text}</option>`,
      )}
    </select>
  </div>`;
}

export const renderTimeField = ({ name, label, value }: Filter): Html =>
  html`<div class="field time">${renderTimeInput({ id: `filter-${name}`, name, label, utc: value })}</div>`;

export function renderWords({ name, label, value = '' }: Filter, more: Html): Html {
  return html`<div class="field">
    <label for="filter-${name}">${label}</label>
    <input id="filter-${name}" name="${name}" value="${value}" autocomplete="off" ${more} />
  </div>`;
}

/** A filter that is set: how its value is said, and the address of the list without it. */
export type Chip = Filter & { readonly shown?: string; readonly without: string };

const isTime = (name: string): boolean => name === 'from' || name === 'to';

function renderChip({ name, label, value = '', shown = value, without }: Chip, language: Language): Html {
  const said = isTime(name)
    ? html`<time datetime="${value}">${showMoment(Date.parse(value), language)}</time>`
    : html`${shown}`;
  return html`<li class="chip">
    <span class="quiet">${label}</span> ${said}
    <a href="${without}"
      ><span class="visually-hidden">${fill(consoleTexts(language).list.without, { field: label })}</span
      >${CLOSE_ICON}</a
    >
  </li>`;
}

export type FilterForm = {
  /** The address of the list. */
  readonly list: string;
  readonly search: { readonly label: string; readonly hint: string; readonly value: string | undefined };
  readonly fields: Html;
  /** Of those that are set. */
  readonly chips: readonly Chip[];
};

export function renderFilterForm({ list, search, fields, chips }: FilterForm, language: Language): Html {
  const texts = consoleTexts(language).list;
  return html`<form class="filters" method="get" action="${list}" role="search">
      <div class="search">
        <label class="visually-hidden" for="search">${search.label}</label>
        ${SEARCH_ICON}
        <input
          id="search"
          type="search"
          name="q"
          value="${search.value ?? ''}"
          placeholder="${search.hint}"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
        />
        <button>${texts.search}</button>
      </div>
      <details class="more-filters">
        <summary class="button">${FILTER_ICON} ${texts.filter}</summary>
        <div class="panel">
          <div class="filter-fields">${fields}</div>
          <div class="toolbar"><button class="primary">${texts.show}</button></div>
        </div>
      </details>
    </form>
    ${
      chips.length > 0 &&
      html`<ul class="chips">
        ${chips.map((chip) => renderChip(chip, language))}
        <li><a href="${list}">${texts.clear}</a></li>
      </ul>`
    }`;
}
