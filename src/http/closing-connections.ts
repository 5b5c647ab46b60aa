// The end of a service as its clients see it: while it stops, every answer says that the connection closes with it, so
// that no client sends its next request into a connection that is about to go. What is closed without an answer is
// idle, and looked at only after everything that has arrived was read.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

export function announceClosing(app: FastifyInstance, isStopping: () => boolean): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping()) reply.header('connection', 'close');
    done();
  });

  const { server } = app;
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const closeIdle = server.closeIdleConnections.bind(server);
  const close = (): void => {
    closeIdle();
    // To Node, a connection on which nothing came yet is waiting for a request, for up to 30 s.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
  // Node and Fastify call it when the service closes, at any time; right after the sockets were read, no request that
  // has arrived counts as idle.
  server.closeIdleConnections = () => void setImmediate(close);
}
