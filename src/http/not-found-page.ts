// What a person sees at an address where nothing is: a page that says so and leads on. Programs, which do not ask for
// HTML, get an empty 404.
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { html } from '../pages/html.ts';

const STYLE = [
  ':root{color-scheme:light dark}',
  'body{margin:12vh auto;max-width:34rem;padding:0 1.5rem;font:1rem/1.6 system-ui,sans-serif}',
  'h1{font-size:1.4rem}',
].join('');

/** The one style of the page is in it: whatever else stands there is not run, and nobody may frame it. */
export const NOT_FOUND_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
} as const;

/** A browser names text/html itself; what takes anything is a program. */
export const isForPerson = ({ method, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && /\btext\/html\b/i.test(headers.accept ?? '');

/** `publicUrl`: the service may stand below a path of its host. */
export function renderNotFound(publicUrl: string): string {
  const root = URL.canParse(publicUrl) ? new URL(publicUrl).pathname.replace(/\/$/, '') : '';
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Nothing is here</title>
        ${{ html: `<style>${STYLE}</style>` }}
      </head>
      <body>
        <main>
          <h1>Nothing is here</h1>
          <p>
            This is Kassa, a payment service, and it has no page at this address. If a shop sent you here to pay, go
            back to the shop and start the payment again.
          </p>
          <p>If you integrate with it, its <a href="${root}/docs">API is described here</a>.</p>
        </main>
      </body>
    </html> `.html;
}
