// The site as a service has it: made by a thread of its own when it is first asked for or soon after a start, and kept.
// While nobody waits for it that thread takes what the service leaves of the processors. On a busy machine that may be
// nothing, so for whoever waits another one is begun that takes its share. Of the pages there are two kinds where a
// sandbox's key may be shown: with it, and without it for everybody else.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { Asset } from '../../pages/asset.ts';
import { DOCS } from './guides.ts';
import type { Site, SiteOf } from './make-site.ts';

/** What else the service has, and the pages lead to. */
export type DocsOptions = {
  readonly demo?: boolean;
  readonly consoleUrl?: () => string;
  /** The sandbox's, where the start shows it: then pages show it, too, to this machine alone. */
  readonly secretKey?: string;
  /** The file that has it, where that is not the usual one: to this machine alone as well. */
  readonly keysFile?: string;
};

export type Picture = { readonly bytes: Buffer; readonly tag: string };

// It takes a second or two, and more where others come first.
const LONGEST_MS = 300_000;

async function makeOnThread(of: SiteOf, isAwaited: boolean): Promise<Site> {
  const worker = new Worker(new URL('./site-worker.ts', import.meta.url), { workerData: { of, isAwaited } });
  // Whoever waits for a page keeps the process alive.
  worker.unref();
  // Told to who waits for it; an error that nobody hears would end the service.
  worker.on('error', () => {});
  const lost = once(worker, 'exit').then(([code]) => {
    throw new Error(`the thread that makes the documentation ended with ${code}`);
  });
  const tooLong = setTimeout(() => void worker.terminate(), LONGEST_MS).unref();
  try {
    const [site] = (await Promise.race([once(worker, 'message'), lost])) as [Site];
    return site;
  } finally {
    clearTimeout(tooLong);
  }
}

async function readPicture(name: string): Promise<Picture> {
  const bytes = await readFile(new URL(`images/${name}`, DOCS));
  return { bytes, tag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}"` };
}

export type ServedSite = {
  readonly page: (path: string, showsKey: boolean) => Promise<Asset | undefined>;
  /** For an address that has no page. */
  readonly missing: () => Promise<string>;
  readonly index: () => Promise<Asset>;
  /** Of the API, as JSON. */
  readonly description: () => Promise<Asset>;
  readonly picture: (name: string) => Promise<Picture | undefined>;
  readonly warmUp: () => Promise<unknown>;
};

/** The address is known once the service listens, and does not change after. */
export function openSite(
  url: () => string,
  { demo = false, consoleUrl, secretKey, keysFile }: DocsOptions,
  make = makeOnThread,
): ServedSite {
  let latest: { readonly site: Promise<Site>; isSoon: boolean } | undefined;
  const begin = (isAwaited: boolean): Promise<Site> => {
    const of = {
      url: url(),
      hasDemo: demo,
      ...(consoleUrl && { consoleUrl: consoleUrl() }),
      ...(secretKey !== undefined && { secretKey }),
      ...(keysFile !== undefined && { keysFile }),
    };
    const making = { site: make(of, isAwaited), isSoon: isAwaited };
    latest = making;
    making.site.then(
      () => (making.isSoon = true),
      // What failed is tried again when it is asked for again.
      () => latest === making && (latest = undefined),
    );
    return making.site;
  };
  const site = (): Promise<Site> => (latest?.isSoon ? latest.site : begin(true));
  const pictures = new Map<string, Promise<Picture>>();
  return {
    page: async (path, showsKey) => {
      const { plain, withKey } = await site();
      return (showsKey ? withKey : plain).get(path);
    },
    missing: async () => (await site()).missing,
    index: async () => (await site()).index,
    description: async () => (await site()).description,
    picture: async (name) => {
      // Only what a guide shows: whatever else the name is never reaches the disk.
      if (!(await site()).pictures.has(name)) return undefined;
      const picture = pictures.get(name) ?? readPicture(name);
      pictures.set(name, picture);
      return picture;
    },
    warmUp: () => latest?.site ?? begin(false),
  };
}
