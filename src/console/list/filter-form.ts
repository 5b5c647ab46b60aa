// The search and filter form of the payments list.
import { currencies } from '../../domain/currency.ts';
import { METHODS } from '../../domain/offered-methods.ts';
import { STATE_NAMES } from '../../domain/state.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import { renderChoice, renderFilterForm, renderTimeField, renderWords } from '../page/filters.ts';
import type { Filter, Option } from '../page/filters.ts';
import { homeOf } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { stateTexts } from '../payment/state-badges.ts';
import { consoleTexts, wordOf } from '../texts.ts';
import { methodNameOf } from './payment-text.ts';
import { writeAddress } from './query.ts';
import type { Address, Field } from './query.ts';

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

export const wordFor = (field: string, language: Language): string => wordOf(consoleTexts(language).list.fields, field);

export function renderFilters(place: Place, address: Address, used: readonly string[]): Html {
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
