// The document around every page of the checkout: its head, its body's data for the script, and the header with the
// shop's name and the choice of language. There is no inline style or script anywhere, since the policy forbids both.
import { html } from '../../pages/html.ts';
import { LANGUAGES, nameOf } from '../../pages/language.ts';
import type { Html } from '../../pages/html.ts';
import { checkoutTexts } from '../texts.ts';
import type { Frame } from '../view.ts';
import { GLOBE_ICON } from './icons.ts';

const SVG = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b6e4f"/>',
  '<path d="M11 7v18M22 7 12 16l10 9" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round"/></svg>',
].join('');
const ICON = `data:image/svg+xml,${encodeURIComponent(SVG)}`;

export type Page = {
  readonly title: string;
  /** Attributes of the body: data-state and what else the script wants to know. */
  readonly data: Readonly<Record<string, string | undefined>>;
  /** Content before <main>, beside the language selector. */
  readonly header?: Html;
  /** A notice above everything else. */
  readonly ribbon?: string;
  readonly main: Html;
  /** Texts and more for the script, by the id of their element. */
  readonly json?: Readonly<Record<string, unknown>>;
  readonly script?: string;
  /** Whether the consumer can change the language here; the page's script does it. */
  readonly hasLanguages?: boolean;
};

/** JSON that cannot end the element it stands in. */
const jsonOf = (value: unknown): Html => ({ html: JSON.stringify(value).replaceAll('<', String.raw`\u003c`) });

function languageChoice(frame: Frame): Html {
  const texts = checkoutTexts(frame.language);
  const options = LANGUAGES.map(
    (language) =>
      html`<option value="${language}" lang="${language}" ${language === frame.language && html`selected`}>
        ${nameOf(language)}
      </option>`,
  );
  return html`<div class="language">
    ${GLOBE_ICON}<label class="visually-hidden" for="language">${texts.page.language}</label>
    <select id="language" data-self="${frame.self}" autocomplete="off">
      ${options}
    </select>
  </div>`;
}

/** The shop by its logo, or by its name. */
export function shopHeader({ logo, shopName }: { readonly logo?: string; readonly shopName: string }): Html {
  const name = logo === undefined ? shopName : html`<img class="logo" src="${logo}" alt="${shopName}" />`;
  return html`<p class="shop">${name}</p>`;
}

export function renderDocument(frame: Frame, page: Page): string {
  const { language, mode, root, assets } = frame;
  const data = { mode, root, language, ...page.data };
  const attributes = Object.entries(data).map(
    ([name, value]) => value !== undefined && html` data-${{ html: name }}="${value}"`,
  );
  const json = Object.entries(page.json ?? {}).map(
    ([id, value]) =>
      html`<script type="application/json" id="${id}">
        ${jsonOf(value)}
      </script>`,
  );
  const head = html`<head>
    <meta charset="utf-8" />
    <title>${page.title}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <link rel="icon" href="${ICON}" />
    <link rel="stylesheet" href="${assets.css}" />
    ${frame.colour !== undefined && html`<link rel="stylesheet" href="${frame.colour}" />`}
    ${page.script !== undefined && html`<script type="module" src="${page.script}"></script>`}
  </head>`;
  const bar =
    (page.header !== undefined || page.hasLanguages === true) &&
    html`<div class="bar">${page.header}${page.hasLanguages === true && languageChoice(frame)}</div>`;
  const ribbon = page.ribbon !== undefined && html`<p class="ribbon">${page.ribbon}</p>`;
  const header = (bar !== false || ribbon !== false) && html`<header>${ribbon}${bar}</header>`;
  const whole = html`<html lang="${language}"${frame.mode === 'embedded' && html` data-theme="light"`}>
    ${head}
    <body${attributes}>
      ${header}
      ${page.main}
      ${json}
    </body>
  </html> `;
  return `<!doctype html>\n${whole.html}`;
}
