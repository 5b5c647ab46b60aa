// What every page of the demo shop has around it: the head, the shop's name, and the honest line that nothing here is
// real but the API.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { assetUrl } from '../assets.ts';
import type { Script } from '../assets.ts';

export type Place = {
  /** The path of the service below its host, without a slash at the end. */
  readonly root: string;
  /** The public address of the service. */
  readonly publicUrl: string;
  /** Where the shop's people look after its payments, if there is such a place. */
  readonly consoleUrl?: string;
};

export function placeOf(publicUrl: string, consoleUrl?: string): Place {
  const root = new URL(publicUrl).pathname.replace(/\/$/, '');
  return { publicUrl, root, ...(consoleUrl !== undefined && { consoleUrl }) };
}

export const docsUrl = ({ root }: Place, operationId: string): string => `${root}/docs/api#${operationId}`;

const MARK = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#0b6e4f"/>',
  '<path d="M8 24V14l8-6 8 6v10z" fill="none" stroke="#fff" stroke-width="2.6" stroke-linejoin="round"/>',
  '<path d="M16 24v-6" stroke="#f2c66d" stroke-width="2.6" stroke-linecap="round"/></svg>',
].join('');
export const ICON = `data:image/svg+xml,${encodeURIComponent(MARK)}`;

export const SHOP_NAME = 'Kvarter';

export type Page = {
  readonly title: string;
  readonly main: Html;
  /** Wide pages have two columns on a desk. */
  readonly kind: 'shop' | 'checkout' | 'order' | 'text';
  readonly scripts?: readonly Html[];
  /** The address at the configured host, for visitors who used another name of this machine. */
  readonly path?: string;
  /** What the page's script needs to know. */
  readonly data?: Readonly<Record<string, string>>;
};

export const moduleScript = ({ root }: Place, name: Script): Html =>
  html`<script type="module" src="${assetUrl(`${root}/demo`, name)}"></script>`;

const attributes = (data: Readonly<Record<string, string>>): Html[] =>
  Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`);

/** Hidden unless the page is seen under another address than the public one, under which alone the shop works. */
const elsewhere = ({ publicUrl }: Place, path: string): Html =>
  html`<div class="notice" id="elsewhere" hidden>
    <p>
      This Kassa calls itself <a href="${publicUrl}/demo${path}">${publicUrl}</a>, and its checkout works there alone.
      To use it here, start Kassa with <code>KASSA_PUBLIC_URL</code> set to the address that you see above.
    </p>
  </div>`;

export function renderFrame(place: Place, page: Page): string {
  const { root, publicUrl } = place;
  const { title, main, kind, scripts = [], path = '', data = {} } = page;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="${ICON}" />
        <link rel="stylesheet" href="${assetUrl(`${root}/demo`, 'demo.css')}" />
        ${scripts}
      </head>
      <body class="${kind}" data-home="${publicUrl}/demo${path}" data-demo="${root}/demo" ${attributes(data)}>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <div class="strip">
            <p><strong>Demo shop.</strong> No real money, nothing is shipped.</p>
            <a href="${root}/docs">Documentation</a>
          </div>
          <div class="top">
            <a class="brand" href="${root}/demo"><img src="${ICON}" alt="" width="32" height="32" />${SHOP_NAME}</a>
            <p>Good things for quiet rooms</p>
          </div>
        </header>
        <main id="main">${elsewhere(place, path)} ${main}</main>
        <footer class="foot">
          <p>
            ${SHOP_NAME} is not a real shop. It shows how one works with Kassa, through the same API that yours will
            use.
          </p>
        </footer>
      </body>
    </html> `.html;
}
