// The page with the list of payments: one field that understands most of what people know of one, filters behind it, rows.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { ListingPage } from '../../store/lists/listing/listing.ts';
import type { SavedView } from '../../store/people/saved-views.ts';
import { currencies } from '../../domain/currency.ts';
import { METHODS } from '../../domain/offered-methods.ts';
import { STATE_NAMES } from '../../domain/state.ts';
import type { Language } from '../../pages/language.ts';
import { homeOf, renderFrame } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { EXPORT_ICON } from '../page/icons.ts';
import { consoleTexts, fill, wordOf } from '../texts.ts';
import { renderChoice, renderFilterForm, renderTimeField, renderWords } from '../page/filters.ts';
import type { Filter, Option } from '../page/filters.ts';
import { stateTexts } from '../payment/state-badges.ts';
import { isNarrowed, writeAddress } from './query.ts';
import type { Address, Field } from './query.ts';
import { renderRows } from './rows.ts';
import { renderViews } from './views.ts';
import { methodNameOf } from './payment-text.ts';

type Named = Exclude<Field, 'sort'>;

const statesIn = (language: Language): readonly Option[] =>
  STATE_NAMES.map((state) => [state, stateTexts(language)[state]]);
const methodsIn = (language: Language): readonly Option[] => [
  ['CARD', consoleTexts(language).list.anyCard],
  ...METHODS.map(({ name }): Option => [name, methodNameOf(name, language)]),
];
/** Those of the payments that are shown come first. */
const currenciesFrom = (used: readonly string[]): readonly Option[] =>
  [...new Set([...used.toSorted(), ...currencies])].map((code) => [code, code]);

const wordFor = (field: string, language: Language): string => wordOf(consoleTexts(language).list.fields, field);

function renderFilters(place: Place, address: Address, used: readonly string[]): Html {
  const { language } = place.member;
  const texts = consoleTexts(language).list;
  const list = `${homeOf(place)}/payments`;
  const options = { state: statesIn(language), method: methodsIn(language), currency: currenciesFrom(used) };
  const filter = (name: Named): Filter => ({ name, label: texts.fields[name], value: address[name] });
  const choice = (name: keyof typeof options): Html => renderChoice(filter(name), options[name], language);
  const shownOf = (name: Named): string | undefined =>
    (options as Partial<Record<Named, readonly Option[]>>)[name]?.find(([known]) => known === address[name])?.[1];
  const chips = (Object.keys(texts.fields) as Named[])
    .filter((name) => address[name] !== undefined)
    .map((name) => {
      const shown = shownOf(name);
      const without = `${list}${writeAddress(address, { [name]: '' })}`;
      return { ...filter(name), ...(shown !== undefined && { shown }), without };
    });
  const fields = html`${choice('state')} ${choice('method')} ${choice('currency')}
  ${renderWords(filter('myReference'), html`maxlength="36"`)} ${renderTimeField(filter('from'))}
  ${renderTimeField(filter('to'))} ${renderWords(filter('least'), html`inputmode="decimal"`)}
  ${renderWords(filter('most'), html`inputmode="decimal"`)}
  ${address.sort !== undefined && html`<input type="hidden" name="sort" value="${address.sort}" />`}`;
  const search = { label: texts.searchPayments, hint: texts.searchHint, value: address.q };
  return renderFilterForm({ list, search, fields, chips }, language);
}

export type PaymentsPage = {
  readonly address: Address;
  /** Fields of the address that were not understood. */
  readonly faults: readonly string[];
  readonly page: ListingPage;
  readonly views: readonly SavedView[];
  /** The demo shop, where it sells for this merchant. */
  readonly demoUrl?: string;
};

const textsOf = ({ member }: Place) => consoleTexts(member.language).list;

function nothing(place: Place, { address, page, demoUrl }: PaymentsPage): Html {
  if (page.isCut) return html``;
  const texts = textsOf(place);
  if (!isNarrowed(address) && address.after === undefined)
    return html`<div class="panel empty">
      <h2>${texts.none}</h2>
      <p>${texts.noneText}</p>
      ${demoUrl !== undefined && html`<p><a class="button primary" href="${demoUrl}">${texts.demo}</a></p>`}
    </div>`;
  return html`<div class="panel empty">
    <h2>${texts.notFound}</h2>
    <p>${texts.notFoundText}</p>
    <p><a class="button" href="${homeOf(place)}/payments">${texts.showAll}</a></p>
  </div>`;
}

/** Where the page ends, and why. */
function foot(place: Place, { address, page }: PaymentsPage): Html {
  const texts = textsOf(place);
  const list = `${homeOf(place)}/payments`;
  const next = page.cursor === undefined ? undefined : `${list}${writeAddress(address, { after: page.cursor })}`;
  const cut =
    page.isCut &&
    html`<p class="notice wait">${texts.cut} ${next !== undefined && html`<a href="${next}">${texts.goOn}</a>`}</p>`;
  return html`${cut}
    <nav class="toolbar pages" aria-label="${consoleTexts(place.member.language).frame.pagesOfList}">
      ${address.after !== undefined && html`<a class="button" href="${list}${writeAddress(address)}">${texts.firstPage}</a>`}
      ${!page.isCut && next !== undefined && html`<a class="button" href="${next}" rel="next">${texts.nextPage}</a>`}
    </nav>`;
}

/** All that the list would show, on however many pages. */
function exports(place: Place, address: Address): Html {
  const texts = textsOf(place);
  const query = writeAddress(address);
  const form = (name: string, text: string): Html =>
    html`<li>
      <form method="post" action="${homeOf(place)}/payments.${name}${query}"><button>${text}</button></form>
    </li>`;
  return html`<details class="drop">
    <summary class="button">${EXPORT_ICON} ${texts.export}</summary>
    <ul>
      ${form('csv', texts.csv)} ${form('jsonl', texts.jsonl)}
    </ul>
  </details>`;
}

/** The notice of new payments, on the first page. */
function live(place: Place, address: Address): Html {
  const { root, member } = place;
  if (address.sort !== undefined || address.after !== undefined) return html``;
  const newest = `${root}/console/api/${member.merchant.id}/payments/newest${writeAddress(address)}`;
  const { newPayments: forms, manyNewPayments: many } = textsOf(place);
  return html`<div
    class="newer"
    role="status"
    data-newest="${newest}"
    data-texts="${JSON.stringify({ forms, many })}"
  ></div>`;
}

export function renderPayments(place: Place, shown: PaymentsPage): string {
  const { address, faults, page, views } = shown;
  const { language } = place.member;
  const texts = textsOf(place);
  const { payments: title } = consoleTexts(language).frame.pages;
  const main = html`<div class="toolbar">
      <h1>${title}</h1>
      ${page.payments.length > 0 && exports(place, address)}
    </div>
    ${renderViews(place, address, views)}
    ${renderFilters(
      place,
      address,
      page.payments.map(({ currency }) => currency),
    )}
    ${
      faults.length > 0 &&
      html`<p class="notice bad">
        ${fill(texts.faults, { fields: faults.map((field) => wordFor(field, language)).join(', ') })}
      </p>`
    }
    ${page.hasMoreNames && html`<p class="notice">${texts.moreNames}</p>`} ${live(place, address)}
    ${page.payments.length === 0 ? nothing(place, shown) : renderRows(place, address, page.payments)}
    ${foot(place, shown)}`;
  return renderFrame(place, { title, name: 'payments', main });
}
