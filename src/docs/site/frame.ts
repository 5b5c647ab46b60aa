// The frame of every documentation page: links to the other pages, the demo shop and the console, the search, and the
// page's menu.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';

/** URLs relative to one page. */
export type Links = {
  /** A page of the site: '' is the first page, api the reference, integrate/payments a guide; or images/….png. */
  readonly page: (path: string) => string;
  /** The site's first page; URLs in the search index are relative to it. */
  readonly root: string;
  /** Styles, script, search index: each with its version. */
  readonly css: string;
  readonly js: string;
  readonly index: string;
  readonly openapi: string;
  /** Undefined if they do not exist. */
  readonly demo?: string;
  readonly console?: string;
};

export type Framed = {
  readonly title: string;
  readonly version: string;
  readonly links: Links;
  /** The entry at the top that this page belongs to, if any. */
  readonly part: 'guides' | 'api' | undefined;
  readonly menu: Html;
  readonly main: Html;
};

const SVG = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b6e4f"/>',
  '<path d="M11 7v18M22 7 12 16l10 9" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round"/></svg>',
].join('');
const ICON = `data:image/svg+xml,${encodeURIComponent(SVG)}`;

function placesOf({ links, part }: Framed): Html[] {
  const places = [
    { href: links.page(''), name: 'Guides', isHere: part === 'guides' },
    { href: links.page('api'), name: 'API reference', isHere: part === 'api' },
    { href: links.demo, name: 'Demo shop' },
    { href: links.console, name: 'Console' },
    { href: links.openapi, name: 'OpenAPI 3.1' },
  ];
  return places.flatMap(({ href, name, isHere = false }) =>
    href === undefined ? [] : [html`<li><a href="${href}" ${isHere && html`aria-current="true"`}>${name}</a></li>`],
  );
}

// Search needs a script, so the script shows it.
const search = ({ root, index }: Links): Html =>
  html`<div class="search" data-root="${root}" data-index="${index}" hidden>
    <input
      type="search"
      aria-label="Search the documentation"
      placeholder="Search"
      autocomplete="off"
      maxlength="100"
    />
    <div class="found" hidden>
      <p role="status"></p>
      <ul></ul>
    </div>
  </div>`;

export function framed(page: Framed): string {
  const { title, version, links, menu, main } = page;
  const places = placesOf(page);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="${ICON}" />
        <link rel="stylesheet" href="${links.css}" />
        <script src="${links.js}" defer></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header class="top">
          <a class="brand" href="${links.page('')}"><img src="${ICON}" alt="" width="28" height="28" />Kassa</a>
          <span class="version">${version}</span>
          <nav class="places" aria-label="Places">
            <ul>
              ${places}
            </ul>
          </nav>
          ${search(links)}
        </header>
        <details class="contents">
          <summary>Menu</summary>
          <nav aria-label="All pages">
            <ul>
              ${places}
            </ul>
            ${menu}
          </nav>
        </details>
        <div class="frame">
          <nav class="side" aria-label="Menu">${menu}</nav>
          ${main}
        </div>
      </body>
    </html> `.html;
}
