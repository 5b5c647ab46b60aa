// The page of the sandbox: what time it is for a test merchant's payments, and moving it. What a move does is said before
// it is made.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { showSpan } from '../page/clock-banner.ts';
import { homeOf, renderFrame } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { renderNotice } from '../page/pieces.ts';
import type { Notice } from '../page/pieces.ts';
import { renderExactTime, renderTime, renderTimeInput } from '../page/time.ts';
import type { ConsoleTexts } from '../texts.ts';
import { consoleTexts, fill, fillHtml } from '../texts.ts';

type Texts = ConsoleTexts['sandbox'];

/** Where a move would lead, as the form says it again. */
export type Proposal = {
  readonly field: 'by' | 'to';
  readonly value: string;
  readonly toMs: number;
  readonly key: string;
};

export type SandboxView = {
  readonly nowMs: number;
  readonly aheadMs: number;
  readonly latestMs: number;
  readonly mayMove: boolean;
  readonly proposal?: Proposal;
  readonly notice?: Notice;
};

const STEPS = [
  ['3600', 'hour'],
  ['86400', 'day'],
  ['691200', 'week'],
] as const;

function renderTimes({ member: { language } }: Place, { nowMs, aheadMs, latestMs }: SandboxView, texts: Texts): Html {
  const ahead = aheadMs === 0 ? texts.real : fill(texts.ahead, { span: showSpan(aheadMs, language) });
  return html`<p>${texts.intro}</p>
    <p class="clock-time">${fillHtml(texts.itIs, { time: renderTime(nowMs, language) })}</p>
    <p class="hint">${ahead} ${fillHtml(texts.latest, { time: renderTime(latestMs, language) })}</p>`;
}

function renderMoves(place: Place, texts: Texts): Html {
  const path = `${homeOf(place)}/sandbox`;
  return html`<section class="panel" aria-labelledby="forward">
    <h2 id="forward">${texts.forward}</h2>
    <div class="toolbar">
      ${STEPS.map(([by, name]) => html`<a class="button" href="${path}?by=${by}">${texts[name]}</a>`)}
    </div>
    <form class="clock-form" method="get" action="${path}">
      <div class="field">${renderTimeInput({ id: 'clock-to', name: 'to', label: texts.toTime }, html`required`)}</div>
      <button>${texts.look}</button>
    </form>
  </section>`;
}

function renderProposal(place: Place, nowMs: number, proposal: Proposal, texts: Texts): Html {
  const { language } = place.member;
  const path = `${homeOf(place)}/sandbox`;
  const times = { from: renderTime(nowMs, language), to: renderExactTime(proposal.toMs, language) };
  return html`<section class="panel" aria-labelledby="sure">
    <h2 id="sure">${fillHtml(texts.sure, times)}</h2>
    <ul class="clock-effects">
      ${[texts.expire, texts.retry, texts.dated, texts.never].map((text) => html`<li>${text}</li>`)}
    </ul>
    <form class="toolbar" method="post" action="${path}/clock">
      <input type="hidden" name="${proposal.field}" value="${proposal.value}" />
      <input type="hidden" name="key" value="${proposal.key}" />
      <button class="primary">${texts.moveIt}</button>
      <a class="button quiet" href="${path}">${consoleTexts(language).frame.back}</a>
    </form>
  </section>`;
}

export function renderSandbox(place: Place, view: SandboxView): string {
  const { language } = place.member;
  const texts = consoleTexts(language).sandbox;
  const title = consoleTexts(language).frame.pages.sandbox;
  const { proposal, nowMs, mayMove, notice } = view;
  const moves = proposal ? renderProposal(place, nowMs, proposal, texts) : renderMoves(place, texts);
  const main = html`<h1>${title}</h1>
    ${renderNotice(notice, language)}
    <section class="panel" aria-labelledby="clock">
      <h2 id="clock">${texts.clock}</h2>
      ${renderTimes(place, view, texts)} ${!mayMove && html`<p class="hint">${texts.notYours}</p>`}
    </section>
    ${mayMove && moves}`;
  return renderFrame(place, { title, name: 'sandbox', main });
}
