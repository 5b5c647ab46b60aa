// The newest requests to the API that touched a payment, for those who develop, with the way to all of them.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { SecretKey } from '../../store/merchants/keys.ts';
import type { RequestPage } from '../../store/request-log/read.ts';
import { homeOf } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { renderSeconds } from '../page/time.ts';
import { keyNameOf, renderCall, renderStatus } from '../requests/pieces.ts';
import { consoleTexts } from '../texts.ts';

/** How many are shown here. */
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
