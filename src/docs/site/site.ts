// The whole site as strings: every page once, for the service that sends them and for the script that writes them to a
// folder.
import { setImmediate } from 'node:timers/promises';
import { renderPage } from '../reference/page.ts';
import type { Document } from '../../api/openapi/document.ts';
import type { Links } from './frame.ts';
import type { Own, Section } from './guide.ts';
import { renderGuidePage, renderHome, renderMissing } from './guide-page.ts';

const API = 'api';
const HOME = '';

export type Asked = {
  readonly document: Document;
  readonly sections: readonly Section[];
  readonly own: Own;
  /** Relative to a page. */
  readonly linksFrom: (path: string) => Links;
};

export type Texts = {
  readonly pages: ReadonlyMap<string, string>;
  /** The 404 page. */
  readonly missing: string;
};

/** Every page by its path. Other requests run between two of them. */
export async function renderSite({ document, sections, own, linksFrom }: Asked): Promise<Texts> {
  const site = { version: document.info.version, sections, own };
  const pages = new Map([
    [HOME, renderHome(site, linksFrom(HOME))],
    [API, renderPage(document, linksFrom(API), own)],
  ]);
  for (const guide of sections.flatMap(({ guides }) => guides)) {
    await setImmediate();
    pages.set(guide.path, renderGuidePage(site, linksFrom(guide.path), guide));
  }
  return { pages, missing: renderMissing(site, linksFrom(HOME)) };
}
