// The page with the requests to the API, newest first: ids in one field, filters behind it, rows.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { SecretKey } from '../../store/merchants/keys.ts';
import type { ListedRequest } from '../../store/request-log/read.ts';
import { STATUSES } from '../../store/request-log/read.ts';
import { homeOf, renderFrame } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { renderSeconds } from '../page/time.ts';
import { consoleTexts, fill, sayCount } from '../texts.ts';
import { renderChoice, renderFilterForm, renderTimeField } from '../page/filters.ts';
import type { Filter, Option } from '../page/filters.ts';
import { keyNameOf, renderListedCall, renderStatus, showDuration } from './pieces.ts';
import { API_ROUTES } from '../../api/request-log/api-routes.ts';
import { isNarrowed, writeAddress, FIELDS } from './query.ts';
import type { Field } from './query.ts';
import type { RequestsView } from './view.ts';

type Status = (typeof STATUSES)[number];

function renderFilters(place: Place, { address, keys }: RequestsView): Html {
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

const requestPath = (place: Place, { id }: Pick<ListedRequest, 'id'>): string => `${homeOf(place)}/requests/${id}`;

function row(place: Place, keys: readonly SecretKey[], request: ListedRequest): Html {
  const { language } = place.member;
  const { repeated } = consoleTexts(language).requests;
  return html`<tr>
    <td class="call">
      <a href="${requestPath(place, request)}">${renderListedCall(request)}</a>
    </td>
    <td class="status">
      <span>${request.isReplayed && html`<span class="badge">${repeated}</span>`} ${renderStatus(request)}</span>
    </td>
    <td class="amount duration">${showDuration(request.durationMs, language)}</td>
    <td class="key-name">${keyNameOf(request.keyId, keys, language)}</td>
    <td class="when">${renderSeconds(request.at, language)}</td>
  </tr>`;
}

function table(place: Place, { page, keys }: RequestsView): Html {
  const { columns } = consoleTexts(place.member.language).requests;
  return html`<div class="panel flush">
    <table class="list cards requests">
      <thead>
        <tr>
          <th scope="col">${columns.request}</th>
          <th scope="col">${columns.status}</th>
          <th scope="col" class="amount">${columns.duration}</th>
          <th scope="col">${columns.key}</th>
          <th scope="col">${columns.time}</th>
        </tr>
      </thead>
      <tbody>
        ${page.requests.map((request) => row(place, keys, request))}
      </tbody>
    </table>
  </div>`;
}

const panel = (title: string, text: string, act: Html): Html =>
  html`<div class="panel empty">
    <h2>${title}</h2>
    <p>${text}</p>
    <p>${act}</p>
  </div>`;

function nothing(place: Place, { address, page, days }: RequestsView): Html {
  const texts = consoleTexts(place.member.language).requests;
  if (page.next !== undefined) return html``;
  if (isNarrowed(address) || address.before !== undefined)
    return panel(
      texts.nothingTitle,
      texts.nothingText,
      html`<a class="button" href="${homeOf(place)}/requests">${texts.showAll}</a>`,
    );
  if (days === 0) return panel(texts.offTitle, texts.offText, html``);
  const keys = html`<a class="button primary" href="${homeOf(place)}/keys">${texts.emptyKeys}</a>`;
  return panel(texts.emptyTitle, texts.emptyText, keys);
}

/** Where the page ends, and why. */
function foot(place: Place, { address, page }: RequestsView): Html {
  const texts = consoleTexts(place.member.language).requests;
  const { pagesOfList, newest, older } = consoleTexts(place.member.language).frame;
  const list = `${homeOf(place)}/requests`;
  const next = page.next === undefined ? undefined : `${list}${writeAddress(address, { before: page.next })}`;
  // A page that is not full and has a next one stopped at what it looks at.
  const isCut = next !== undefined && page.requests.at(-1)?.id !== page.next;
  return html`${isCut && html`<p class="notice wait">${texts.cut} <a href="${next}">${texts.goOn}</a></p>`}
    <nav class="toolbar pages" aria-label="${pagesOfList}">
      ${address.before !== undefined && html`<a class="button" href="${list}${writeAddress(address)}">${newest}</a>`}
      ${!isCut && next !== undefined && html`<a class="button" href="${next}" rel="next">${older}</a>`}
    </nav>`;
}

export function renderRequests(place: Place, view: RequestsView): string {
  const { language } = place.member;
  const texts = consoleTexts(language).requests;
  const { faults, page, omitted, days } = view;
  const left = faults.map((field) => texts.fields[field]).join(', ');
  const main = html`<h1>${texts.title}</h1>
    ${days > 0 && html`<p class="hint">${sayCount(texts.kept, days, language)}</p>`} ${renderFilters(place, view)}
    ${faults.length > 0 && html`<p class="notice bad">${fill(texts.leftOut, { fields: left })}</p>`}
    ${omitted > 0 && html`<p class="notice wait">${sayCount(texts.omitted, omitted, language)}</p>`}
    ${page.requests.length === 0 ? nothing(place, view) : table(place, view)} ${foot(place, view)}`;
  return renderFrame(place, { title: texts.title, name: 'requests', main });
}
