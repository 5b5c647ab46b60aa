// Turns the little Markdown that our descriptions use into HTML: paragraphs, headings, lists, code,
// links within the page.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';

/** 'Amounts and times' → 'amounts-and-times'. */
export const anchorOf = (heading: string): string => heading.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** Text with [links](#anchor): of every three pieces, the second is the link's text and the third its target. */
const linked = (text: string): Html[] =>
  text.split(/\[([^\]]+)\]\((#[a-z0-9-]+)\)/).map((piece, index, pieces) => {
    if (index % 3 === 0) return html`${piece}`;
    return index % 3 === 1 ? html`<a href="${pieces[index + 1]}">${piece}</a>` : html``;
  });

/** Text with `code` and links. Every second piece is between backticks. */
export const inline = (text: string): Html =>
  html`${text.split('`').map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : linked(piece)))}`;

function block(text: string): Html {
  if (text.startsWith('## ')) return html`<h3 id="${anchorOf(text.slice(3))}">${text.slice(3)}</h3>`;
  if (!text.startsWith('- ')) return html`<p>${inline(text)}</p>`;
  const items = text.split(/\n(?=- )/).map((item) => html`<li>${inline(item.slice(2))}</li>`);
  return html`<ul>
    ${items}
  </ul>`;
}

export const prose = (markdown: string): Html => html`${markdown.split('\n\n').map(block)}`;

export const headingsOf = (markdown: string): string[] =>
  Array.from(markdown.matchAll(/^## (.+)$/gm), ([, heading]) => heading as string);
