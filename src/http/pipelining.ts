// Bounds what one connection has under way: a client may send requests before the last is answered, and Node takes as many
// as it is sent, all in one turn, while every other connection waits. One that goes too far is told so and closed after
// what came before is answered, as the protocol allows.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { failure } from './dialects/dialect.ts';
import { NO_CODE, sendAnswer } from './errors.ts';

// Load balancers and libraries send one at a time, and the few clients that pipeline a handful.
const MOST_UNANSWERED = 32;

const TEXT = `More than ${MOST_UNANSWERED} requests on one connection wait for their answers; nothing was done.`;

export function boundPipelining(app: FastifyInstance): void {
  const unanswered = new WeakMap<Socket, number>();
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    if (count <= MOST_UNANSWERED) return done();
    return void sendAnswer(reply.headers({ connection: 'close', 'retry-after': '1' }), failure(503, NO_CODE, TEXT));
  });
  app.addHook('onResponse', (request, _reply, done) => {
    const { socket } = request.raw;
    unanswered.set(socket, Math.max(0, (unanswered.get(socket) ?? 0) - 1));
    done();
  });
}
