// The description of the API: GET /openapi.json for programs, GET /docs for people. Neither needs a key; both are made
// and compressed once, and sent from there.
import type { FastifyInstance } from 'fastify';
import { assetOf, readAsset, sendAsset } from '../../pages/asset.ts';
import type { Asset } from '../../pages/asset.ts';
import { READING_PAGE_HEADERS } from '../../pages/headers.ts';
import { renderPage } from '../docs-page/page.ts';
import { documentOf } from '../openapi.ts';
import type { PageLimit } from '../page-limit.ts';

// Once it serves: a process that has just started has better things to do, and one that ends soon needs no page.
const WARM_UP_AFTER_MS = 10_000;

// It may be kept, and is asked for again each time: the next version of the service says other things.
const ASK_AGAIN = 'no-cache';

const CSS = readAsset(
  new URL('../docs-page/text.css', import.meta.url),
  new URL('../docs-page/frame.css', import.meta.url),
  new URL('../docs-page/reference.css', import.meta.url),
);
const JS = readAsset(new URL('../docs-page/page.js', import.meta.url));

export function routeDocs(app: FastifyInstance, publicUrl: () => string, limit: PageLimit): void {
  // Made soon after the start: the public address is known once the service listens, and does not change after.
  let [description, page]: (Asset | undefined)[] = [];
  const makeDescription = (): Asset => assetOf('json', JSON.stringify(documentOf(app, publicUrl())));
  const warmUp = (): void => {
    description ??= makeDescription();
    page ??= makePage();
  };
  app.addHook('onListen', async () => void setTimeout(warmUp, WARM_UP_AFTER_MS).unref());

  app.get('/openapi.json', { ...limit, schema: { operationId: 'getOpenapi' } }, async (request, reply) => {
    description ??= makeDescription();
    return sendAsset(request, reply, description, ASK_AGAIN);
  });

  const makePage = (): Asset => {
    // The service may stand below a path of its host.
    const root = new URL(publicUrl()).pathname.replace(/\/$/, '');
    const assets = { css: `${root}/docs/page.css?v=${CSS.version}`, js: `${root}/docs/page.js?v=${JS.version}` };
    return assetOf('html', renderPage(documentOf(app, publicUrl()), assets, `${root}/openapi.json`));
  };
  app.get('/docs', { ...limit, schema: { operationId: 'getDocs' } }, async (request, reply) => {
    page ??= makePage();
    return sendAsset(request, reply.headers(READING_PAGE_HEADERS), page, ASK_AGAIN);
  });

  // What one opens first.
  app.get('/', { ...limit, schema: { hide: true } }, async (_request, reply) => reply.redirect('docs'));

  const assets = { '/docs/page.css': CSS, '/docs/page.js': JS };
  for (const [path, asset] of Object.entries(assets))
    app.get(path, { ...limit, schema: { hide: true } }, async (request, reply) => sendAsset(request, reply, asset));
}
