// The audit page of a merchant, newest first: who did what, and the values before and after.
import { ACTIONS } from '../../domain/audit.ts';
import type { Action } from '../../domain/audit.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { AuditRecord } from '../../store/audit/audit.ts';
import { homeOf, renderFrame, paymentPath } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { renderTime } from '../page/time.ts';
import { consoleTexts, fill, fillHtml } from '../texts.ts';
import { renderChanges } from './facts.ts';

export type AuditFilter = { readonly action?: Action; readonly actor?: string };

export type AuditView = {
  readonly records: readonly AuditRecord[];
  readonly filter: AuditFilter;
  /** Who can be chosen. */
  readonly people: readonly { readonly id: string; readonly name: string }[];
  /** Where the next page begins; undefined on the last one. */
  readonly next?: number;
  readonly isFirst: boolean;
};

const addressOf = (place: Place, filter: AuditFilter, before?: number): string => {
  const query = new URLSearchParams({ ...filter, ...(before !== undefined && { before: String(before) }) });
  return `${homeOf(place)}/audit${query.size === 0 ? '' : `?${query.toString()}`}`;
};

// An export is of many payments.
const isOfPayment = (action: string): boolean => action.startsWith('payment.') && action !== 'payment.export';

function renderSubject(place: Place, { action, subject }: AuditRecord): Html {
  const id = html`<code>${subject}</code>`;
  return isOfPayment(action) ? html`<a href="${paymentPath(place, subject)}">${id}</a>` : id;
}

function recordRow(place: Place, record: AuditRecord): Html {
  const { number, at, actor, action } = record;
  const { language } = place.member;
  const texts = consoleTexts(language).audit;
  // Actions of later versions have no text here.
  const title = action in texts.actions ? texts.actions[action as Action] : action;
  const kind = texts.kinds[actor.kind];
  return html`<tr>
    <td>${renderTime(at, language)}<span class="hint">${fill(texts.number, { number })}</span></td>
    <td>
      <a href="${addressOf(place, { actor: actor.id })}">${actor.name}</a>
      <span class="hint"
        >${actor.address === undefined ? kind : fill(texts.kindFrom, { kind, address: actor.address })}</span
      >
    </td>
    <td>
      <strong>${title}</strong>
      <span class="hint">${renderSubject(place, record)}</span>
      ${renderChanges(record, language)}
    </td>
  </tr>`;
}

function filterForm(place: Place, { filter, people }: AuditView): Html {
  const texts = consoleTexts(place.member.language).audit;
  const option = (value: string, text: string, chosen: string | undefined): Html =>
    html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`;
  const isListed = filter.actor === undefined || people.some(({ id }) => id === filter.actor);
  return html`<form class="toolbar filters" method="get" action="${homeOf(place)}/audit">
    <div class="field">
      <label for="audit-action">${texts.what}</label>
      <select id="audit-action" name="action">
        ${option('', texts.everything, filter.action ?? '')}
        ${ACTIONS.map((action) => option(action, texts.actions[action], filter.action))}
      </select>
    </div>
    <div class="field">
      <label for="audit-actor">${texts.who}</label>
      <select id="audit-actor" name="actor">
        ${option('', texts.anybody, filter.actor ?? '')} ${people.map(({ id, name }) => option(id, name, filter.actor))}
        ${!isListed && option(filter.actor ?? '', filter.actor ?? '', filter.actor)}
      </select>
    </div>
    <button>${texts.show}</button>
  </form>`;
}

export function renderAudit(place: Place, view: AuditView): string {
  const { records, filter, next, isFirst } = view;
  const texts = consoleTexts(place.member.language).audit;
  const { pages, pagesOfList, newest, older } = consoleTexts(place.member.language).frame;
  const table = html`<section class="panel flush">
    <div class="scroll" tabindex="0" role="region" aria-label="${texts.records}">
      <table class="list audit">
        <thead>
          <tr>
            <th scope="col">${texts.when}</th>
            <th scope="col">${texts.who}</th>
            <th scope="col">${texts.what}</th>
          </tr>
        </thead>
        <tbody>
          ${records.map((record) => recordRow(place, record))}
        </tbody>
      </table>
    </div>
  </section>`;
  const none = html`<div class="panel empty">
    <h2>${texts.none}</h2>
    <p>${fillHtml(texts.noneText, { link: html`<a href="${homeOf(place)}/audit">${texts.showAll}</a>` })}</p>
  </div>`;
  const main = html`<h1>${pages.audit}</h1>
    <p class="quiet">${fillHtml(texts.intro, { command: html`<code>kassa verify</code>` })}</p>
    ${filterForm(place, view)} ${records.length === 0 ? none : table}
    <nav class="toolbar" aria-label="${pagesOfList}">
      ${!isFirst && html`<a class="button" href="${addressOf(place, filter)}">${newest}</a>`}
      ${next !== undefined && html`<a class="button" href="${addressOf(place, filter, next)}">${older}</a>`}
    </nav>`;
  return renderFrame(place, { title: pages.audit, name: 'audit', main });
}
