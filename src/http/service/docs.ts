// The description of the API: GET /openapi.json for programs, GET /docs for people. Neither needs a key; both are made
// and compressed once, and sent from there.
import type { FastifyInstance } from 'fastify';
import { assetOf, readAsset, sendAsset } from '../../pages/asset.ts';
import type { Asset } from '../../pages/asset.ts';
import { READING_PAGE_HEADERS } from '../../pages/headers.ts';
import type { Document } from '../openapi/document.ts';
import type { PageLimit } from '../page-limit.ts';

// Once it has served for a while: a process that has just started has better things to do, and one that ends soon needs
// no page.
const WARM_UP_AFTER_MS = 60_000;

// It may be kept, and is asked for again each time: the next version of the service says other things.
const ASK_AGAIN = 'no-cache';

const CSS = readAsset(
  new URL('../docs-page/text.css', import.meta.url),
  new URL('../docs-page/frame.css', import.meta.url),
  new URL('../docs-page/reference.css', import.meta.url),
);
const JS = readAsset(new URL('../docs-page/page.js', import.meta.url));

export function routeDocs(app: FastifyInstance, publicUrl: () => string, limit: PageLimit): void {
  // The public address is known once the service listens, and does not change after.
  let document: Promise<Document> | undefined;
  let [description, page]: (Promise<Asset> | undefined)[] = [];
  // What they are made of is loaded when they are: it is much text, which nothing else needs.
  const makeDocument = async (): Promise<Document> => {
    const { documentOf } = await import('../openapi/complete.ts');
    return documentOf(app, publicUrl());
  };
  const makeDescription = async (): Promise<Asset> =>
    assetOf('json', JSON.stringify(await (document ??= makeDocument())));
  const makePage = async (): Promise<Asset> => {
    const { renderPage } = await import('../docs-page/page.ts');
    // The service may stand below a path of its host.
    const root = new URL(publicUrl()).pathname.replace(/\/$/, '');
    const assets = { css: `${root}/docs/page.css?v=${CSS.version}`, js: `${root}/docs/page.js?v=${JS.version}` };
    return assetOf('html', renderPage(await (document ??= makeDocument()), assets, `${root}/openapi.json`));
  };
  const warmUp = (): void => {
    // Whoever asks for it is told what is wrong.
    (description ??= makeDescription()).catch(() => {});
    (page ??= makePage()).catch(() => {});
  };
  app.addHook('onListen', async () => void setTimeout(warmUp, WARM_UP_AFTER_MS).unref());

  app.get('/openapi.json', { ...limit, schema: { operationId: 'getOpenapi' } }, async (request, reply) => {
    description ??= makeDescription();
    return sendAsset(request, reply, await description, ASK_AGAIN);
  });

  app.get('/docs', { ...limit, schema: { operationId: 'getDocs' } }, async (request, reply) => {
    page ??= makePage();
    return sendAsset(request, reply.headers(READING_PAGE_HEADERS), await page, ASK_AGAIN);
  });

  // What one opens first.
  app.get('/', { ...limit, schema: { hide: true } }, async (_request, reply) => reply.redirect('docs'));

  const assets = { '/docs/page.css': CSS, '/docs/page.js': JS };
  for (const [path, asset] of Object.entries(assets))
    app.get(path, { ...limit, schema: { hide: true } }, async (request, reply) => sendAsset(request, reply, asset));
}
