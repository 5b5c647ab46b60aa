// The 404 page for people, with links that lead on. Programs, which do not ask for HTML, get an error as JSON.
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { html } from '../pages/html.ts';

// A short copy of the checkout's style, so that nothing is loaded from an address that leads nowhere.
const STYLE = [
  ':root{color-scheme:light dark;--back:#f3f5f4;--text:#17201c;--panel:#fff;--line:#dfe5e2;--link:#0a6548;',
  '--sign:#fdeeec;--mark:#b3261e;--quiet:#55615b}',
  '@media(prefers-color-scheme:dark){:root{--back:#0f1513;--text:#e9f0ec;--panel:#18201d;--line:#2c3732;',
  '--link:#6fd6a9;--sign:#3a1d1a;--mark:#ff9d92;--quiet:#a3b2ab}}',
  '*{box-sizing:border-box}',
  'body{margin:0;padding:4.5rem 1rem 1rem;background:var(--back);color:var(--text);',
  "font:1rem/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','Noto Sans',Arial,sans-serif}",
  'main{display:grid;gap:.75rem;max-width:30rem;margin:0 auto;padding:2rem 1.25rem;border:1px solid var(--line);',
  'border-radius:14px;background:var(--panel);text-align:center;text-wrap:pretty}',
  'svg{justify-self:center;width:4rem;height:4rem;padding:1rem;border-radius:50%;background:var(--sign);',
  'color:var(--mark)}',
  'h1,p{margin:0}h1{font-size:1.5rem;line-height:1.25}.aside{color:var(--quiet);font-size:.875rem}',
  'a{color:var(--link)}',
].join('');

/** Allows the page's one inline style; no scripts, no frames. */
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

/** Browsers name text/html explicitly; a client that accepts anything is a program. */
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
          <svg
            viewBox="0 0 24 24"
            fill="none"
            stroke="currentColor"
            stroke-width="2.2"
            stroke-linecap="round"
            aria-hidden="true"
          >
            <path d="M12 4.5v9.5M12 19v.1" />
          </svg>
          <h1>Nothing is here</h1>
          <p>
            This is Kassa, a payment service, and it has no page at this address. If a shop sent you here to pay, go
            back to the shop and start the payment again.
          </p>
          <p class="aside">If you integrate with it, its <a href="${root}/docs">API is described here</a>.</p>
        </main>
      </body>
    </html> `.html;
}
