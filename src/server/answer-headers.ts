// The headers of every response: browsers must not guess its type, and no cache may keep it. A response that may be
// cached overrides them.
import type { FastifyInstance } from 'fastify';

export const ANSWER_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };

export function setAnswerHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(ANSWER_HEADERS);
    done();
  });
}
