// What a guide is once it was rendered: its HTML, in which links to other pages are still names, and what the menu, the
// contents and the search have to know of it.
import { html } from '../../pages/html.ts';

export type Heading = { readonly level: number; readonly id: string; readonly text: string };

/** What is found by a search: the text below one heading. */
export type Part = { readonly id: string; readonly heading: string; readonly text: string };

export type Guide = {
  /** Below the folder of the documents, without its ending: integrate/payments. */
  readonly path: string;
  /** As the menu calls it. */
  readonly name: string;
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly parts: readonly Part[];
  /** The pictures that it shows, by the names of their files. */
  readonly pictures: readonly string[];
};

export type Section = { readonly title: string; readonly forWhom: string; readonly guides: readonly Guide[] };

const LINK = /\b(?<attribute>href|src)="docs:(?<path>[^"#]*)(?<anchor>#[^"]*)?"/g;

/** Puts addresses where pages are only named. Text cannot look like an attribute: its quotes are escaped. */
export const linkPages = (page: string, linkTo: (path: string) => string): string =>
  page.replaceAll(LINK, (_whole, attribute: string, path: string, anchor = '') => {
    return html`${attribute}="${linkTo(path)}${anchor}"`.html;
  });

const USUAL_FILE = '.kassa/sandbox.json';

/** Where a shell reads the sandbox's key out of its file: a page with this line is about the Kassa that shows it. */
const KEY_LINE = html`${String.raw`KEY=$(sed -n 's/.*"secretKey": "\(.*\)".*/\1/p' .kassa/sandbox.json)`}`.html;
const DEFAULT_URL = 'http://localhost:8080';

/** What of the Kassa that shows the pages stands in their code. */
export type Own = {
  /** Undefined on pages that no service shows. */
  readonly url?: string;
  /** The sandbox's, and only for whoever sees it at the start as well. */
  readonly secretKey?: string;
  /** With the sandbox's keys, where the data folder is another one than usual: for this machine alone. */
  readonly keysFile?: string;
};

/** A guide's HTML with that in it. */
export function fillIn(page: string, { url, secretKey, keysFile = USUAL_FILE }: Own): string {
  const isOurs = page.includes(KEY_LINE) || page.includes(`${DEFAULT_URL}/demo`);
  const at = !isOurs || url === undefined ? page : page.replaceAll(DEFAULT_URL, () => html`${url}`.html);
  const keyed = secretKey === undefined ? at : at.replaceAll(KEY_LINE, () => html`KEY='${secretKey}'`.html);
  return keyed.replaceAll(USUAL_FILE, () => html`${keysFile}`.html);
}
