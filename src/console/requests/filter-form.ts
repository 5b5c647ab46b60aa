// What narrows the list of requests: ids in one field, and filters behind it.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { STATUSES } from '../../store/request-log/read.ts';
import { renderChoice, renderFilterForm, renderTimeField } from '../page/filters.ts';
import type { Filter, Option } from '../page/filters.ts';
import { homeOf } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { consoleTexts } from '../texts.ts';
import { keyNameOf } from './pieces.ts';
import { API_ROUTES } from '../../api/request-log/api-routes.ts';
import { FIELDS, writeAddress } from './query.ts';
import type { Field } from './query.ts';
import type { RequestsView } from './view.ts';

type Status = (typeof STATUSES)[number];

export function renderFilters(place: Place, { address, keys }: RequestsView): Html {
  const { language } = place.member;
  const texts = consoleTexts(language).requests;
  const list = `${homeOf(place)}/requests`;
  const options = {
    status: STATUSES.map((status): Option => [status, texts.statuses[status]]),
    route: API_ROUTES.map((route): Option => [route, route]),
    key: keys.map(({ id }): Option => [id, keyNameOf(id, keys, language)]),
  };
  const filter = (name: Field): Filter => ({ name, label: texts.fields[name], value: address[name] });
  const choice = (name: keyof typeof options): Html => renderChoice(filter(name), options[name], language);
  /** A key that is gone has no option, and a name all the same. */
  const shownOf = (name: Field, value: string): string =>
    name === 'key' ? keyNameOf(value, keys, language) : name === 'status' ? texts.statuses[value as Status] : value;
  const chips = FIELDS.flatMap((name) => {
    const value = address[name];
    if (value === undefined) return [];
    const without = `${list}${writeAddress(address, { [name]: '' })}`;
    return [{ ...filter(name), shown: shownOf(name, value), without }];
  });
  const fields = html`${choice('status')} ${choice('route')} ${choice('key')} ${renderTimeField(filter('from'))}
  ${renderTimeField(filter('to'))}`;
  return renderFilterForm(
    { list, search: { label: texts.search, hint: texts.searchHint, value: address.q }, fields, chips },
    language,
  );
}
