// Serves the API description, GET /openapi.json, and the documentation, GET /docs and below. Neither needs a key; all of
// it is generated once and served from memory.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendAsset, sendPage as sendText, sendVersion } from '../pages/asset.ts';
import { READING_PAGE_HEADERS } from '../pages/headers.ts';
import { CSS, JS } from './site/assets.ts';
import { openSite } from './site/served.ts';
import type { DocsOptions } from './site/served.ts';
import { NO_SUCH_PATH, sendAnswer } from '../server/errors.ts';
import { isForPerson } from '../server/not-found-page.ts';
import type { PageLimit } from '../server/page-limit.ts';
import { isOfThisMachine } from '../server/this-machine.ts';

// After the service has run for a while: a starting process has more urgent work, and a short-lived one needs no pages.
const WARM_UP_AFTER_MS = 60_000;

// It may be cached, but must be revalidated: the next version of the service has another text.
const ASK_AGAIN = 'no-cache';

export function routeDocs(
  app: FastifyInstance,
  publicUrl: () => string,
  limit: PageLimit,
  options: DocsOptions = {},
): void {
  const site = openSite(publicUrl, options);
  // Errors are reported to the next request for it.
  const warmUp = (): void => void site.warmUp().catch(() => {});
  app.addHook('onListen', async () => void setTimeout(warmUp, WARM_UP_AFTER_MS).unref());

  app.get('/openapi.json', limit, async (request, reply) =>
    sendAsset(request, reply, await site.description(), ASK_AGAIN),
  );

  const sendNothing = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (!isForPerson(request)) return sendAnswer(reply, NO_SUCH_PATH);
    reply.code(404).headers({ ...READING_PAGE_HEADERS, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    return sendText(request, reply, await site.missing());
  };
  const sendPage = async (request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> => {
    const page = await site.page(path, isOfThisMachine(request));
    if (page === undefined) return sendNothing(request, reply);
    return sendAsset(request, reply.headers(READING_PAGE_HEADERS), page, ASK_AGAIN);
  };

  app.get('/docs', limit, async (request, reply) => sendPage(request, reply, ''));
  app.get('/docs/api', limit, async (request, reply) => sendPage(request, reply, 'api'));
  app.get('/docs/:section/:page', limit, async (request, reply) => {
    const { section, page } = request.params as { section: string; page: string };
    return sendPage(request, reply, `${section}/${page}`.toLowerCase());
  });
  app.get('/docs/images/:file', limit, async (request, reply) => {
    const picture = await site.picture((request.params as { file: string }).file);
    if (picture === undefined) return sendNothing(request, reply);
    reply.headers({ etag: picture.tag, 'cache-control': ASK_AGAIN });
    if (request.headers['if-none-match'] === picture.tag) return reply.code(304).send();
    return reply.header('content-type', 'image/png').send(picture.bytes);
  });
  app.get('/docs/*', limit, sendNothing);
  // The page to open first.
  app.get('/', limit, async (_request, reply) => reply.redirect('docs'));

  const assets = { 'page.css': async () => CSS, 'page.js': async () => JS, 'search.js': site.index };
  for (const [name, read] of Object.entries(assets))
    app.get(`/docs/${name}`, limit, async (request, reply) => {
      const { v: version } = request.query as { v?: unknown };
      return sendVersion(request, reply, await read(), String(version));
    });
}
