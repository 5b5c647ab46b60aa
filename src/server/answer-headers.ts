// The headers that every answer carries, whatever it is: no browser guesses its type, no cache on the way keeps it.
// Who answers something that may be kept says so and thereby replaces them.
import type { FastifyInstance } from 'fastify';

export const ANSWER_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };

export function setAnswerHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(ANSWER_HEADERS);
    done();
  });
}
