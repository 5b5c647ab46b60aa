// The document around every page of the console. There is no inline style or script anywhere, since the policy forbids
// both.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import { assetUrl } from '../assets.ts';

const SVG = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b6e4f"/>',
  '<path d="M11 7v18M22 7 12 16l10 9" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round"/></svg>',
].join('');
export const ICON = `data:image/svg+xml,${encodeURIComponent(SVG)}`;

export type Document = {
  readonly language: Language;
  readonly title: string;
  /** The path of the service below its host, without a slash at the end. */
  readonly root: string;
  /** Which page it is, for the script. */
  readonly page: string;
  readonly body: Html;
};

export function renderDocument({ language, title, root, page, body }: Document): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <title>${title} · Kassa</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="${ICON}" />
        <link rel="stylesheet" href="${assetUrl(root, 'console.css')}" />
        <script type="module" src="${assetUrl(root, 'console.js')}"></script>
      </head>
      <body data-root="${root}" data-page="${page}">
        ${body}
      </body>
    </html>`.html;
}
