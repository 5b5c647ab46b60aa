// The end of a service as its clients see it: while it stops, every answer says that the connection closes with it, so
// that no client sends its next request into a connection that is about to go. What is closed without an answer is
// idle, and looked at only after everything that has arrived was read; a client that has just connected gets to ask.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

// From a connection to its first request, on a machine that is busy.
const FIRST_REQUEST_MS = 3_000;

export function announceClosing(app: FastifyInstance, isStopping: () => boolean): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping()) reply.header('connection', 'close');
    done();
  });

  const { server } = app;
  const open = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => {
    open.set(socket, performance.now());
    socket.once('close', () => open.delete(socket));
  });
  const closeIdle = server.closeIdleConnections.bind(server);
  const close = (): void => {
    closeIdle();
    // To Node, a connection on which nothing came yet is waiting for a request, for up to 30 s.
    const before = performance.now() - FIRST_REQUEST_MS;
    for (const [socket, since] of open) if (socket.bytesRead === 0 && since < before) socket.destroy();
  };
  // Node and Fastify call it when the service closes, at any time; right after the sockets were read, no request that
  // has arrived counts as idle.
  server.closeIdleConnections = () => void setImmediate(close);
}
