// Pages of the demo shop that are words alone: what went wrong and what to do about it, and the terms that a checkout
// links to.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { assetUrl } from '../assets.ts';
import { ICON, renderFrame, SHOP_NAME } from './frame.ts';
import type { Place } from './frame.ts';

export function renderText(place: Place, title: string, paragraphs: readonly (Html | string)[]): string {
  const main = html`<div class="words">
    <h1>${title}</h1>
    ${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
    <p><a href="${place.root}/demo">To the shop</a></p>
  </div>`;
  return renderFrame(place, { title: `${title}, ${SHOP_NAME}`, kind: 'text', main });
}

export const TERMS = [
  'This is the demo shop of a payment checkout. It sells nothing: whatever you order is not made, not shipped and not paid.',
  'Give it no real name, address or card. It takes test cards alone, and refuses every other number.',
  'In your own shop, the address of your terms goes into checkout.termsUrl of a payment.',
] as const;

/** Why there is no demo shop, and what to do about it. */
export const NO_DEMO = {
  switched_off: html`It is switched off: <code>KASSA_DEMO</code> is <code>off</code>. Start Kassa without that setting,
    and it is here.`,
  not_asked: html`It sells in the name of the sandbox, a test merchant, and there is none: with
    <code>DATABASE_URL</code> or <code>KASSA_PUBLIC_URL</code> it is made only when it is asked for. Start Kassa with
    <code>KASSA_SANDBOX=on</code> on an empty database, and it is here.`,
  no_sandbox: html`It sells in the name of the sandbox, the test merchant that Kassa makes on an empty database, and
    this database has none. Start Kassa with another <code>KASSA_DATA_DIR</code> and without
    <code>DATABASE_URL</code> to look at the shop.`,
  key_gone: html`It sells in the name of the sandbox, and needs its secret key. The key is not in
    <code>sandbox.json</code> of the data folder, or is not valid any more. Start Kassa with the data folder that has
    it, or with a new one.`,
} as const satisfies Readonly<Record<string, Html>>;

export type WhyNoDemo = keyof typeof NO_DEMO;

/** A page without a script, whose addresses are relative to `up`: there need be no public address to stand on. */
export const renderNoDemo = (why: WhyNoDemo, up: string): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>No demo shop here</title>
        <link rel="icon" href="${ICON}" />
        <link rel="stylesheet" href="${assetUrl(`${up}demo`, 'demo.css')}" />
      </head>
      <body class="text">
        <main id="main">
          <div class="words">
            <h1>There is no demo shop here</h1>
            <p>${NO_DEMO[why]}</p>
            <p><a href="${up}docs">To the API reference</a></p>
          </div>
        </main>
      </body>
    </html> `.html;
