// A rendered guide: its HTML, in which links to other pages are still names, and what the menu, the contents and the
// search need.
import { html } from '../../pages/html.ts';

export type Heading = { readonly level: number; readonly id: string; readonly text: string };

/** A search result: the text below one heading. */
export type Part = { readonly id: string; readonly heading: string; readonly text: string };

export type Guide = {
  /** The path below the docs folder, without its extension: integrate/payments. */
  readonly path: string;
  /** The name in the menu. */
  readonly name: string;
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly parts: readonly Part[];
  /** The file names of its pictures. */
  readonly pictures: readonly string[];
};

export type Section = { readonly title: string; readonly forWhom: string; readonly guides: readonly Guide[] };

const LINK = /\b(?<attribute>href|src)="docs:(?<path>[^"#]*)(?<anchor>#[^"]*)?"/g;

/** Replaces page names by URLs. Text cannot be mistaken for an attribute, since its quotes are escaped. */
export const linkPages = (page: string, linkTo: (path: string) => string): string =>
  page.replaceAll(LINK, (_whole, attribute: string, path: string, anchor = '') => {
    return html`${attribute}="${linkTo(path)}${anchor}"`.html;
  });

const USUAL_FILE = '.kassa/sandbox.json';

/** A shell line that reads the sandbox's key from its file: a page with it describes the running Kassa. */
const KEY_LINE = html`${String.raw`KEY=$(sed -n 's/.*"secretKey": "\(.*\)".*/\1/p' .kassa/sandbox.json)`}`.html;
const DEFAULT_URL = 'http://localhost:8080';

/** The values of the running Kassa that are shown in code. */
export type Own = {
  /** Undefined on pages that no service shows. */
  readonly url?: string;
  /** The sandbox's key, only for readers who may see it in the start output as well. */
  readonly secretKey?: string;
  /** The file with the sandbox's keys, if the data folder is not the default: shown only on this machine. */
  readonly keysFile?: string;
};

/** A guide's HTML with these values. */
export function fillIn(page: string, { url, secretKey, keysFile = USUAL_FILE }: Own): string {
  const isOurs = page.includes(KEY_LINE) || page.includes(`${DEFAULT_URL}/demo`);
  const at = !isOurs || url === undefined ? page : page.replaceAll(DEFAULT_URL, () => html`${url}`.html);
  const keyed = secretKey === undefined ? at : at.replaceAll(KEY_LINE, () => html`KEY='${secretKey}'`.html);
  return keyed.replaceAll(USUAL_FILE, () => html`${keysFile}`.html);
}
