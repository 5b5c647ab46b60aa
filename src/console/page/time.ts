// A moment on a page: in UTC as the server sends it, in the viewer's zone once the script has seen it; the exact one is
// shown on hover.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';

export function renderTime(atMs: number): Html {
  const exact = new Date(atMs).toISOString();
  return html`<time datetime="${exact}" title="${exact}">${exact.slice(0, 16).replace('T', ' ')}</time>`;
}
