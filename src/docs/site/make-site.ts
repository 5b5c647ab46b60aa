// The whole site as a service sends it: the pages with its own URL, the search index, and the API description from
// openapi.json. It takes a second of work, so it runs in a separate thread (site-worker.ts).
import { readFile } from 'node:fs/promises';
import { assetOf } from '../../pages/asset.ts';
import type { Asset } from '../../pages/asset.ts';
import type { Document } from '../../api/openapi/document.ts';
import { CSS, JS } from './assets.ts';
import type { Links } from './frame.ts';
import type { Own } from './guide.ts';
import { loadGuides } from './guides.ts';
import { searchIndex } from './search-index.ts';
import { renderSite } from './site.ts';

/** Settings of the service that shows it. */
export type SiteOf = {
  readonly url: string;
  readonly hasDemo: boolean;
  readonly consoleUrl?: string;
  /** The sandbox's keys, for the pages that show them. */
  readonly secretKey?: string;
  readonly keysFile?: string;
};

type Pages = ReadonlyMap<string, Asset>;
type Made = { readonly pages: Pages; readonly missing: string };

export type Site = {
  readonly description: Asset;
  readonly index: Asset;
  /** Without a key, and with it if there is one to show. */
  readonly plain: Pages;
  readonly withKey: Pages;
  /** The 404 page. */
  readonly missing: string;
  /** The pictures in guides, by file name. */
  readonly pictures: ReadonlySet<string>;
};

const DESCRIPTION = new URL('../../../openapi.json', import.meta.url);

function linksOf({ url, hasDemo, consoleUrl }: SiteOf, index: Asset): Links {
  // The service may be below a path of its host.
  const root = new URL(url).pathname.replace(/\/$/, '');
  return {
    page: (path) => (path === '' ? `${root}/docs` : `${root}/docs/${path}`),
    root: `${root}/docs/`,
    css: `${root}/docs/page.css?v=${CSS.version}`,
    js: `${root}/docs/page.js?v=${JS.version}`,
    index: `${root}/docs/search.js?v=${index.version}`,
    openapi: `${root}/openapi.json`,
    ...(hasDemo && { demo: `${root}/demo` }),
    ...(consoleUrl !== undefined && { console: `${consoleUrl}/console` }),
  };
}

export async function makeSite(of: SiteOf): Promise<Site> {
  const { url, secretKey, keysFile } = of;
  const document = { ...(JSON.parse(await readFile(DESCRIPTION, 'utf8')) as Document), servers: [{ url }] };
  const sections = await loadGuides();
  const index = assetOf(
    'js',
    searchIndex(sections, document, (path) => path),
  );
  const links = linksOf(of, index);
  const render = async (own: Own): Promise<Made> => {
    const { pages, missing } = await renderSite({ document, sections, own, linksFrom: () => links });
    return { pages: new Map(Array.from(pages, ([path, text]) => [path, assetOf('html', text)])), missing };
  };
  const { pages: plain, missing } = await render({ url });
  const key = { ...(secretKey !== undefined && { secretKey }), ...(keysFile !== undefined && { keysFile }) };
  return {
    description: assetOf('json', JSON.stringify(document)),
    index,
    plain,
    withKey: secretKey === undefined && keysFile === undefined ? plain : (await render({ url, ...key })).pages,
    missing,
    pictures: new Set(sections.flatMap(({ guides }) => guides).flatMap((guide) => guide.pictures)),
  };
}
