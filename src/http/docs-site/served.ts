// The site as a service sends it: made when it is first asked for or soon after a start, and kept. Of the pages there are
// two kinds where a sandbox's key may be shown: with it, and without it for everybody else.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { assetOf } from '../../pages/asset.ts';
import type { Asset } from '../../pages/asset.ts';
import type { Document } from '../openapi/document.ts';
import { CSS, JS } from './assets.ts';
import type { Links } from './frame.ts';
import type { Section } from './guide.ts';

/** What else the service has, and the pages lead to. */
export type DocsOptions = {
  readonly demo?: boolean;
  readonly consoleUrl?: () => string;
  /** The sandbox's, where the start shows it: then pages show it, too, to this machine alone. */
  readonly secretKey?: string;
};

export type Picture = { readonly bytes: Buffer; readonly tag: string };
type Pages = ReadonlyMap<string, Asset>;

/** What is asked for again is the same; what failed is tried again. */
function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}

export type ServedSite = {
  readonly page: (path: string, showsKey: boolean) => Promise<Asset | undefined>;
  readonly index: () => Promise<Asset>;
  readonly picture: (name: string) => Promise<Picture | undefined>;
  readonly warmUp: () => Promise<unknown>;
};

/** The address is known once the service listens, and does not change after. */
export function openSite(document: () => Promise<Document>, url: () => string, options: DocsOptions): ServedSite {
  // What pages are made of is loaded when they are: it is much text, which nothing else needs.
  const sections = once(async (): Promise<readonly Section[]> => (await import('./guides.ts')).loadGuides());
  const index = once(async () => {
    const { searchIndex } = await import('./search-index.ts');
    return assetOf(
      'js',
      searchIndex(await sections(), await document(), (path) => path),
    );
  });
  const links = async (): Promise<Links> => {
    // The service may stand below a path of its host.
    const root = new URL(url()).pathname.replace(/\/$/, '');
    const consoleUrl = options.consoleUrl?.();
    return {
      page: (path) => (path === '' ? `${root}/docs` : `${root}/docs/${path}`),
      root: `${root}/docs/`,
      css: `${root}/docs/page.css?v=${CSS.version}`,
      js: `${root}/docs/page.js?v=${JS.version}`,
      index: `${root}/docs/search.js?v=${(await index()).version}`,
      openapi: `${root}/openapi.json`,
      ...(options.demo && { demo: `${root}/demo` }),
      ...(consoleUrl !== undefined && { console: `${consoleUrl}/console` }),
    };
  };
  const pagesWith = (secretKey: string | undefined) => async (): Promise<Pages> => {
    const { renderSite } = await import('./site.ts');
    const found = await links();
    const own = { url: url(), ...(secretKey !== undefined && { secretKey }) };
    const asked = { document: await document(), sections: await sections(), own, linksFrom: () => found };
    return new Map(Array.from(await renderSite(asked), ([path, text]) => [path, assetOf('html', text)]));
  };
  const plain = once(pagesWith(undefined));
  const withKey = options.secretKey === undefined ? plain : once(pagesWith(options.secretKey));

  const pictures = new Map<string, Promise<Picture>>();
  const readPicture = async (name: string): Promise<Picture> => {
    const { DOCS } = await import('./guides.ts');
    const bytes = await readFile(new URL(`images/${name}`, DOCS));
    return { bytes, tag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}"` };
  };
  return {
    page: async (path, showsKey) => (await (showsKey ? withKey : plain)()).get(path),
    index,
    picture: async (name) => {
      // Only what a guide shows: whatever else the name is never reaches the disk.
      const isShown = (await sections()).some(({ guides }) => guides.some((guide) => guide.pictures.includes(name)));
      if (!isShown) return undefined;
      const picture = pictures.get(name) ?? readPicture(name);
      pictures.set(name, picture);
      return picture;
    },
    warmUp: plain,
  };
}
