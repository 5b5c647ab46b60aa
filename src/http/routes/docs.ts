// The description of the API: GET /openapi.json for programs, GET /docs for people. Neither needs a key; both are made
// and compressed once, and sent from there.
import type { FastifyInstance } from 'fastify';
import { assetOf, readAsset, sendAsset } from '../../pages/asset.ts';
import type { Asset } from '../../pages/asset.ts';
import { renderPage } from '../docs-page/page.ts';
import { documentOf } from '../openapi.ts';

// The page runs our own script and style and nothing else, and nobody may frame it.
const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
};

// It may be kept, and is asked for again each time: the next version of the service says other things.
const ASK_AGAIN = 'no-cache';

const CSS = readAsset(
  new URL('../docs-page/text.css', import.meta.url),
  new URL('../docs-page/frame.css', import.meta.url),
  new URL('../docs-page/reference.css', import.meta.url),
);
const JS = readAsset(new URL('../docs-page/page.js', import.meta.url));

export function routeDocs(app: FastifyInstance, publicUrl: () => string): void {
  // Made at the first request: the public address is known once the service listens, and does not change after.
  let [description, page]: (Asset | undefined)[] = [];

  app.get('/openapi.json', { schema: { operationId: 'getOpenapi' } }, async (request, reply) => {
    description ??= assetOf('json', JSON.stringify(documentOf(app, publicUrl())));
    return sendAsset(request, reply, description, ASK_AGAIN);
  });

  const makePage = (): Asset => {
    // The service may stand below a path of its host.
    const root = new URL(publicUrl()).pathname.replace(/\/$/, '');
    const assets = { css: `${root}/docs/page.css?v=${CSS.version}`, js: `${root}/docs/page.js?v=${JS.version}` };
    return assetOf('html', renderPage(documentOf(app, publicUrl()), assets, `${root}/openapi.json`));
  };
  app.get('/docs', { schema: { operationId: 'getDocs' } }, async (request, reply) => {
    page ??= makePage();
    return sendAsset(request, reply.headers(PAGE_HEADERS), page, ASK_AGAIN);
  });

  // What one opens first.
  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('docs'));

  app.get('/docs/page.css', { schema: { hide: true } }, async (request, reply) => sendAsset(request, reply, CSS));
  app.get('/docs/page.js', { schema: { hide: true } }, async (request, reply) => sendAsset(request, reply, JS));
}
