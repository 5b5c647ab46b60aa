// The page of one request to the API: what is known of it, and both bodies as text, masked.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import { numberFormat } from '../../pages/number-format.ts';
import type { SecretKey } from '../../store/merchants/keys.ts';
import type { LoggedBody } from '../../store/request-log/entry.ts';
import type { WholeRequest } from '../../store/request-log/read.ts';
import { homeOf, renderFrame } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { renderCopy } from '../page/pieces.ts';
import { renderSeconds } from '../page/time.ts';
import { consoleTexts, fill } from '../texts.ts';
import { keyNameOf, renderCall, renderStatus, showDuration } from './pieces.ts';
import { layOut } from './pretty.ts';
import { writeAddress } from './query.ts';

const showBytes = (bytes: number, language: Language): string =>
  numberFormat(language, {
    style: 'unit',
    unit: bytes < 10_000 ? 'byte' : 'kilobyte',
    unitDisplay: bytes < 10_000 ? 'long' : 'short',
    maximumFractionDigits: 0,
  }).format(bytes < 10_000 ? bytes : bytes / 1_000);

const fact = (name: string, value: string | Html | undefined): Html | false =>
  value !== undefined &&
  html`<dt>${name}</dt>
    <dd>${value}</dd>`;

function renderFacts(place: Place, request: WholeRequest, keys: readonly SecretKey[]): Html {
  const { language } = place.member;
  const texts = consoleTexts(language).requests;
  const { requestId, idempotencyKey, paymentId, method, route, isReplayed } = request;
  const others = `${homeOf(place)}/requests${writeAddress({ route: `${method} ${route}` })}`;
  const repeated = isReplayed && html`<span class="line hint">${texts.repeatedText}</span>`;
  return html`<section class="panel" aria-labelledby="facts-title">
    <h2 id="facts-title">${texts.facts}</h2>
    <dl class="facts">
      ${fact(
        texts.columns.time,
        html`${renderSeconds(request.at, language)}
          <span class="line hint">${new Date(request.at).toISOString()}</span>`,
      )}
      ${fact(texts.columns.duration, showDuration(request.durationMs, language))}
      ${fact(texts.requestId, html`<code>${requestId}</code> ${renderCopy(requestId, language, 'quiet ')}`)}
      ${fact(texts.fields.route, html`<a href="${others}">${method} ${route}</a>`)}
      ${fact(texts.columns.key, keyNameOf(request.keyId, keys, language))} ${fact(texts.address, request.address)}
      ${fact(
        texts.payment,
        paymentId === undefined
          ? undefined
          : html`<a href="${homeOf(place)}/payments/${paymentId}"><code>${paymentId}</code></a>`,
      )}
      ${fact(
        texts.idempotencyKey,
        idempotencyKey === undefined ? undefined : html`<code>${idempotencyKey}</code> ${repeated}`,
      )}
      ${fact(texts.program, request.userAgent)} ${fact(texts.contentType, request.contentType)}
    </dl>
  </section>`;
}

/** A body as text, and how much of it there is. */
export function renderBody(id: string, title: string, body: LoggedBody, language: Language): Html {
  const texts = consoleTexts(language).requests;
  const { text, bytes, isCut } = body;
  const size = showBytes(bytes, language);
  const note =
    text === undefined
      ? bytes === 0
        ? texts.noBody
        : fill(texts.notKept, { size })
      : isCut
        ? fill(texts.cutBody, { size })
        : size;
  return html`<section class="panel logged-body" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    <p class="hint">${note}</p>
    ${text !== undefined && html`<pre tabindex="0" aria-labelledby="${id}-title"><code>${layOut(text)}</code></pre>`}
  </section>`;
}

export function renderRequest(place: Place, request: WholeRequest, keys: readonly SecretKey[]): string {
  const { language } = place.member;
  const texts = consoleTexts(language).requests;
  const main = html`<header class="payment-head">
      <p class="crumb"><a href="${homeOf(place)}/requests">${texts.title}</a></p>
      <div class="payment-title">
        <h1 class="call">${renderCall(request)}</h1>
        ${renderStatus(request)} ${request.isReplayed && html`<span class="badge">${texts.repeated}</span>`}
      </div>
    </header>
    <div class="columns">
      <div>
        ${renderBody('sent', texts.sent, request.request, language)}
        ${renderBody('answered', texts.answered, request.answer, language)}
        <p class="hint">${texts.masked}</p>
      </div>
      <aside aria-label="${texts.facts}">${renderFacts(place, request, keys)}</aside>
    </div>`;
  return renderFrame(place, { title: `${request.method} ${request.path}`, name: 'requests', main });
}
