// Renders one document as a guide. The documents are our own, but everything is escaped nonetheless: HTML in a document
// is not passed through.
import { posix } from 'node:path';
import { Marked } from 'marked';
import type { Token, Tokens } from 'marked';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { markJson } from '../reference/code.ts';
import type { Guide, Heading, Part } from './guide.ts';

type Found = { readonly headings: Heading[]; readonly pictures: Set<string> };
type Place = { readonly path: string; readonly pages: ReadonlySet<string> };
type Size = { readonly width: number; readonly height: number };
/** The size of a picture, so that nothing moves when it loads. */
export type SizeOf = (picture: string) => Size;

/** A column heading has text; an empty corner cell is no heading. */
const cell = (tag: 'th' | 'td', inner: string): string => (inner === '' ? '<td></td>' : `<${tag}>${inner}</${tag}>`);

const raw = (text: string): Html => ({ html: text });

/** Heading anchors, generated as on other sites. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\d\s-]/gu, '')
    .replaceAll(' ', '-');

/** Any token of Markdown. */
type Pieces = {
  readonly type?: string;
  readonly text?: string;
  readonly tokens?: readonly Pieces[];
  readonly items?: readonly Pieces[];
  readonly header?: readonly Pieces[] | boolean;
  readonly rows?: readonly (readonly Pieces[])[];
};

/** The plain text of a token. */
function textOf({ type, text, tokens, items, header, rows }: Pieces): string {
  if (type === 'code' || type === 'html') return '';
  if (items) return items.map(textOf).join(' ');
  if (Array.isArray(header) && rows) return [header, ...rows].flat().map(textOf).join(' ');
  return tokens ? tokens.map(textOf).join(type === 'list_item' ? ' ' : '') : (text ?? '');
}

/** The document split at its headings, for the search. */
function partsOf(tokens: readonly Token[], headings: readonly Heading[]): Part[] {
  const parts: { id: string; heading: string; text: string }[] = [];
  const left = [...headings];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { id = '', text = '' } = parts.length === 0 ? { text: textOf(token) } : (left.shift() ?? {});
      parts.push({ id, heading: text, text: '' });
      continue;
    }
    const part = parts.at(-1);
    if (part) part.text = `${part.text} ${textOf(token)}`.replaceAll(/\s+/g, ' ').trim();
  }
  return parts;
}

/** The target of a document's link: a page of the site, an external site, or a file in the repository. */
function targetOf(href: string, { path, pages }: Place): string | undefined {
  if (/^(?:https?:|#)/.test(href)) return href;
  const [file = '', anchor] = posix.join(posix.dirname(path), href).split('#');
  const page = file.replace(/\.md$/, '');
  return pages.has(page) ? `docs:${page}${anchor === undefined ? '' : `#${anchor}`}` : undefined;
}

function rendererOf(place: Place, sizeOf: SizeOf, { headings, pictures }: Found): Marked {
  const ids = new Map<string, number>();
  return new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const text = tokens.map(textOf).join('');
        // The page shows the title itself.
        if (depth === 1) return '';
        const plain = anchorOf(text);
        const seen = ids.get(plain) ?? 0;
        ids.set(plain, seen + 1);
        const id = seen === 0 ? plain : `${plain}-${seen}`;
        headings.push({ level: depth, id, text });
        const inner = raw(this.parser.parseInline(tokens));
        const link = html`<a class="anchor" href="#${id}" aria-label="Link to ${text}">#</a>`;
        return raw(`<h${depth} id="${id}">${inner.html} ${link.html}</h${depth}>\n`).html;
      },
      code({ text, lang = '' }) {
        const code = lang === 'json' ? markJson(text) : text;
        return html`<figure class="code bare">
          <figcaption>${lang === '' ? 'Example' : lang}</figcaption>
          <pre tabindex="0"><code>${code}</code></pre>
        </figure>`.html;
      },
      link({ href, tokens }) {
        const inner = raw(this.parser.parseInline(tokens));
        const target = targetOf(href, place);
        if (target === undefined) return html`<span class="elsewhere">${inner}</span>`.html;
        return html`<a href="${target}">${inner}</a>`.html;
      },
      image({ href, text }) {
        const name = posix.basename(href);
        pictures.add(name);
        const { width, height } = sizeOf(name);
        return html`<img src="docs:images/${name}" alt="${text}" width="${width}" height="${height}" loading="lazy" />`
          .html;
      },
      table({ header, rows }) {
        const cells = (row: readonly Tokens.TableCell[], tag: 'th' | 'td'): string =>
          row.map(({ tokens }) => cell(tag, this.parser.parseInline(tokens))).join('');
        const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        const head = `<thead><tr>${cells(header, 'th')}</tr></thead>`;
        return `<div class="table" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>\n`;
      },
      html: ({ text }) => (text.startsWith('<!--') ? '' : html`${text}`.html),
    },
  });
}

export function renderGuide(text: string, name: string, place: Place, sizeOf: SizeOf): Guide {
  const found: Found = { headings: [], pictures: new Set() };
  const marked = rendererOf(place, sizeOf, found);
  const tokens = marked.lexer(text);
  const body = marked.parser(tokens);
  const parts = partsOf(tokens, found.headings);
  return {
    path: place.path,
    name,
    title: parts[0]?.heading ?? name,
    html: body,
    headings: found.headings,
    parts,
    pictures: [...found.pictures],
  };
}
