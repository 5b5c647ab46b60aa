// Requests that arrive on a connection before the last one is answered run one after another. Node would start all of
// them in one turn of its loop, while every other connection waits. A connection with too many is answered so and closed
// after its earlier responses. Once a response has closed the connection, no later request is started, so a client that
// repeats it elsewhere does nothing twice.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { failure, NO_CODE } from './answer.ts';
import { sendAnswer } from './errors.ts';

// Load balancers and libraries send one at a time, and the few clients that pipeline send a handful.
const MOST_UNANSWERED = 32;

const TEXT = `More than ${MOST_UNANSWERED} requests on one connection wait for their answers; nothing was done.`;

type Line = { isBusy: boolean; readonly waiting: (() => void)[] };

export function boundPipelining(app: FastifyInstance): void {
  const lines = new WeakMap<Socket, Line>();
  const lineOf = (socket: Socket): Line => {
    const known = lines.get(socket);
    if (known) return known;
    const line: Line = { isBusy: false, waiting: [] };
    lines.set(socket, line);
    return line;
  };
  app.addHook('onRequest', (request, reply, done) => {
    const line = lineOf(request.raw.socket);
    if (line.isBusy && line.waiting.length + 1 >= MOST_UNANSWERED)
      return void sendAnswer(reply.headers({ connection: 'close', 'retry-after': '1' }), failure(503, NO_CODE, TEXT));
    if (line.isBusy) return void line.waiting.push(done);
    line.isBusy = true;
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    const { socket } = request.raw;
    const line = lineOf(socket);
    const next = socket.writable ? line.waiting.shift() : undefined;
    line.isBusy = next !== undefined;
    // Other connections' data goes first.
    if (next) setImmediate(next);
    done();
  });
}
