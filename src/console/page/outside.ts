// The frame of pages without a merchant, such as sign-in and errors.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import { ICON, renderDocument } from './document.ts';

export function renderOutside(language: Language, root: string, title: string, page: string, content: Html): string {
  const body = html`<main class="outside">
    <img src="${ICON}" alt="Kassa" width="40" height="40" />
    <h1>${title}</h1>
    ${content}
  </main>`;
  return renderDocument({ language, title, root, page, body });
}
