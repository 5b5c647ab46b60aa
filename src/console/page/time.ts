// A moment on a page: in UTC as the server sends it, in the viewer's zone once the script has seen it; the exact one is
// shown on hover.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { localeOf } from '../../pages/language.ts';
import type { Language } from '../../pages/language.ts';

// Cached, since creating a format takes longer than using it a thousand times.
const kept = new Map<string, Intl.DateTimeFormat>();

function format(language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${Object.values(options).join()}`;
  const made = kept.get(key) ?? new Intl.DateTimeFormat(localeOf(language), { timeZone: 'UTC', ...options });
  kept.set(key, made);
  return made;
}

/** For texts, where no script shows it in the viewer's zone. */
export const showMoment = (atMs: number, language: Language, timeStyle: 'short' | 'medium' = 'short'): string =>
  `${format(language, { dateStyle: 'medium', timeStyle }).format(atMs)} UTC`;

/** A day of the calendar, such as 2026-11-16. */
export const showDay = (day: string, language: Language): string =>
  format(language, { dateStyle: 'medium' }).format(Date.parse(day));

export function renderTime(atMs: number, language: Language): Html {
  const exact = new Date(atMs).toISOString();
  return html`<time datetime="${exact}" title="${exact}">${showMoment(atMs, language)}</time>`;
}

/** To the second: where several happen within a minute. */
export function renderSeconds(atMs: number, language: Language): Html {
  const exact = new Date(atMs).toISOString();
  return html`<time datetime="${exact}" title="${exact}" data-seconds>${showMoment(atMs, language, 'medium')}</time>`;
}

/** What somebody has chosen: once the script has seen it in the viewer's zone, with its name, and in UTC as well. */
export function renderExactTime(atMs: number, language: Language): Html {
  const exact = new Date(atMs).toISOString();
  return html`<time datetime="${exact}" title="${exact}" data-exact>${showMoment(atMs, language)}</time>`;
}

/** As the address and the fields of forms write a moment: to the minute where it is one. */
export const writeMoment = (atMs: number): string => new Date(atMs).toISOString().replace(/(?::00)?\.000Z$/, 'Z');

type TimeField = {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly utc?: string | undefined;
};

/** A field for a time: in UTC, or in the viewer's zone once the script has seen it. `utc`: what it holds. */
export const renderTimeInput = ({ id, name, label, utc = '' }: TimeField, more: Html = html``): Html =>
  html`<label for="${id}">${label} <span class="hint zone">UTC</span></label>
    <input
      id="${id}"
      name="${name}"
      type="datetime-local"
      value="${utc.replace(/Z$/, '')}"
      data-utc="${utc}"
      ${more}
    />`;
