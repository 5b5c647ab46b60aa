// The audit of a merchant, newest first: who did what, and what it was before and after.
import { ACTIONS } from '../../domain/audit.ts';
import type { Action, Actor, Facts } from '../../domain/audit.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { AuditRecord } from '../../store/audit.ts';
import { homeOf, renderFrame } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { renderTime } from '../page/time.ts';

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

const KINDS: Readonly<Record<Actor['kind'], string>> = {
  person: 'Person',
  cli: 'Command line',
  key: 'API key',
  system: 'By itself',
};

const addressOf = (place: Place, filter: AuditFilter, before?: number): string => {
  const query = new URLSearchParams({ ...filter, ...(before !== undefined && { before: String(before) }) });
  return `${homeOf(place)}/audit${query.size === 0 ? '' : `?${query.toString()}`}`;
};

function show(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (Array.isArray(value)) return value.map(show).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `seller.city` as "seller city", `strictItems` as "strict items". */
const wordsOf = (name: string): string =>
  name
    .replaceAll('.', ' ')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim();

function factsOf(before: Facts | undefined, after: Facts | undefined): Html | undefined {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (names.length === 0) return undefined;
  const change = (name: string): Html => {
    const [was, is] = [show(before?.[name]), show(after?.[name])];
    if (before === undefined || was === is) return html`${is}`;
    if (after === undefined || !(name in after)) return html`${was}`;
    return html`<del>${was}</del> <span aria-label="became">→</span> <ins>${is}</ins>`;
  };
  return html`<dl class="facts changes">
    ${names.map(
      (name) =>
        html`<dt>${wordsOf(name)}</dt>
          <dd>${change(name)}</dd>`,
    )}
  </dl>`;
}

function recordRow(place: Place, { number, at, actor, action, subject, before, after }: AuditRecord): Html {
  const title = action in ACTIONS ? ACTIONS[action as Action] : action;
  return html`<tr>
    <td>${renderTime(at)}<span class="hint">No. ${number}</span></td>
    <td>
      <a href="${addressOf(place, { actor: actor.id })}">${actor.name}</a>
      <span class="hint">${KINDS[actor.kind]}${actor.address !== undefined && ` from ${actor.address}`}</span>
    </td>
    <td>
      <strong>${title}</strong>
      <span class="hint"><code>${subject}</code></span>
      ${factsOf(before, after)}
    </td>
  </tr>`;
}

function filterForm(place: Place, { filter, people }: AuditView): Html {
  const option = (value: string, text: string, chosen: string | undefined): Html =>
    html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`;
  const isListed = filter.actor === undefined || people.some(({ id }) => id === filter.actor);
  return html`<form class="toolbar filters" method="get" action="${homeOf(place)}/audit">
    <div class="field">
      <label for="audit-action">What</label>
      <select id="audit-action" name="action">
        ${option('', 'Everything', filter.action ?? '')}
        ${Object.entries(ACTIONS).map(([action, title]) => option(action, title, filter.action))}
      </select>
    </div>
    <div class="field">
      <label for="audit-actor">Who</label>
      <select id="audit-actor" name="actor">
        ${option('', 'Anybody', filter.actor ?? '')} ${people.map(({ id, name }) => option(id, name, filter.actor))}
        ${!isListed && option(filter.actor ?? '', filter.actor ?? '', filter.actor)}
      </select>
    </div>
    <button>Show</button>
  </form>`;
}

export function renderAudit(place: Place, view: AuditView): string {
  const { records, filter, next, isFirst } = view;
  const table = html`<section class="panel flush">
    <div class="scroll" tabindex="0" role="region" aria-label="Records">
      <table class="list audit">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
          </tr>
        </thead>
        <tbody>
          ${records.map((record) => recordRow(place, record))}
        </tbody>
      </table>
    </div>
  </section>`;
  const none = html`<div class="panel empty">
    <h2>Nothing here</h2>
    <p>Nobody has done anything that fits. <a href="${homeOf(place)}/audit">Show everything</a></p>
  </div>`;
  const main = html`<h1>Audit</h1>
    <p class="quiet">
      Who changed what, whichever way: in the console, by a command or through the API. Nobody can change or delete a
      record; <code>kassa verify</code> checks that none is missing.
    </p>
    ${filterForm(place, view)} ${records.length === 0 ? none : table}
    <nav class="toolbar" aria-label="Pages">
      ${!isFirst && html`<a class="button" href="${addressOf(place, filter)}">Newest</a>`}
      ${next !== undefined && html`<a class="button" href="${addressOf(place, filter, next)}">Older</a>`}
    </nav>`;
  return renderFrame(place, { title: 'Audit', name: 'audit', main });
}
