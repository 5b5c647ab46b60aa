// Answers a wrong method on a known path: 405 with the allowed methods, before the key or the body is checked. An
// unknown path is a 404: our form of an error for programs, a page for people.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { failure, NO_CODE } from './answer.ts';
import { NO_SUCH_PATH, sendAnswer } from './errors.ts';
import { isForPerson, NOT_FOUND_HEADERS, renderNotFound } from './not-found-page.ts';

type KnownPath = { readonly pattern: RegExp; readonly methods: Set<string> };

function patternOf(url: string): RegExp {
  const source = url.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/:[A-Za-z]+/g, '[^/]+');
  return new RegExp(`^${source}/?$`, 'i');
}

export function refuseWrongMethods(app: FastifyInstance, publicUrl: () => string): void {
  const paths = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = paths.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const name of [method].flat()) known.methods.add(name);
    paths.set(url, known);
  });
  const refuse = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    // A request line may hold an absolute URL.
    const path = request.url.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)[0] as string;
    const allowed = [...paths.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap(({ methods }) => [...methods]);
    if (allowed.length === 0 && isForPerson(request))
      return reply.code(404).headers(NOT_FOUND_HEADERS).send(renderNotFound(publicUrl()));
    if (allowed.length === 0) return sendAnswer(reply, NO_SUCH_PATH);
    const methods = [...new Set(allowed)].toSorted().join(', ');
    reply.header('allow', methods);
    return sendAnswer(reply, failure(405, NO_CODE, `${request.method} is not allowed here; allowed: ${methods}.`));
  };
  // Fastify would read the body of such a request first and complain about it.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) refuse(request, reply);
    else done();
  });
  app.setNotFoundHandler(refuse);
}
