// What the list of requests, the page of one and the page of a payment show in the same way.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import { numberFormat } from '../../pages/number-format.ts';
import type { SecretKey } from '../../store/merchants/keys.ts';
import type { ListedRequest, RequestPage } from '../../store/request-log/read.ts';
import { consoleTexts } from '../texts.ts';
import { homeOf } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { renderSeconds } from '../page/time.ts';

export function renderStatus({ status }: Pick<ListedRequest, 'status'>): Html {
  const tone = status < 400 ? 'good' : status < 500 ? 'wait' : 'bad';
  return html`<span class="badge ${tone}">${status}</span>`;
}

/** Short for what is quick, whole for what is not. */
export function showDuration(ms: number, language: Language): string {
  const format = (value: number, unit: 'millisecond' | 'second', digits: number): string =>
    numberFormat(language, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    }).format(value);
  return ms < 1_000 ? format(ms, 'millisecond', ms < 10 ? 1 : 0) : format(ms / 1_000, 'second', 1);
}

/** By its name, with the last digits that tell it from others. */
export function keyNameOf(keyId: string, keys: readonly SecretKey[], language: Language): string {
  const key = keys.find(({ id }) => id === keyId);
  if (key === undefined) return consoleTexts(language).requests.goneKey;
  return key.name === undefined ? `…${key.hint}` : `${key.name} (…${key.hint})`;
}

export const renderCall = ({ method, path }: Pick<ListedRequest, 'method' | 'path'>): Html =>
  html`<span class="method-name">${method}</span> <span class="call-path">${path}</span>`;

const ID = /^[0-9a-f]{32}$/;

/** In a list, where an id may be cut short for what stands behind it. */
export function renderListedCall({ method, path }: Pick<ListedRequest, 'method' | 'path'>): Html {
  const pieces = path
    .split(/([0-9a-f]{32})/)
    .map((piece) => (ID.test(piece) ? html`<span class="call-id">${piece}</span>` : html`${piece}`));
  return html`<span class="method-name">${method}</span> <span class="call-path" title="${path}">${pieces}</span>`;
}

// The newest that touched a payment, on its page, with the way to all of them.
export const MOST_TOUCHED = 10;

export function renderTouched(
  place: Place,
  paymentId: string,
  { requests, next }: RequestPage,
  keys: readonly SecretKey[],
): Html {
  const { language } = place.member;
  const texts = consoleTexts(language).requests;
  const list = `${homeOf(place)}/requests`;
  const rows = requests.map(
    (request) =>
      html`<li>
        ${renderStatus(request)}
        <a class="call" href="${list}/${request.id}">${renderCall(request)}</a>
        <span class="hint">${keyNameOf(request.keyId, keys, language)} · ${renderSeconds(request.at, language)}</span>
      </li>`,
  );
  return html`<section class="panel touched" aria-labelledby="touched-title">
    <h2 id="touched-title">${texts.touched}</h2>
    ${
      requests.length === 0
        ? html`<p class="hint">${texts.touchedNone}</p>`
        : html`<ul>
            ${rows}
          </ul>`
    }
    ${
      (next !== undefined || requests.length > 0) &&
      html`<p><a href="${list}?q=${paymentId}">${texts.touchedAll}</a></p>`
    }
  </section>`;
}
