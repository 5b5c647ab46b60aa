// The end of a service as its clients see it: while it stops, every answer says that the connection closes with it, so
// that no client sends its next request into a connection that is about to go. What is closed without an answer is
// idle, and looked at only after everything that has arrived was read; a client that has just connected gets to ask, and
// one that still reads its answer gets all of it.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

// From a connection to its first request, and from an answer to its last byte: 3 s, looked at 20 times a second. Looks are
// counted, and not the time: when the whole machine stands still, the client had none of it either.
const MOST_LOOKS = 60;

/** Runs it while these stay open; gives those of them that it would have closed. */
function keepOpen(sockets: readonly Socket[], run: () => void): Socket[] {
  const wanted: Socket[] = [];
  for (const socket of sockets) {
    socket.destroy = () => {
      wanted.push(socket);
      return socket;
    };
  }
  run();
  for (const socket of sockets) Reflect.deleteProperty(socket, 'destroy');
  return wanted;
}

export function announceClosing(app: FastifyInstance, isStopping: () => boolean): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping()) reply.header('connection', 'close');
    done();
  });

  const { server } = app;
  // How often each was looked at while its client had yet to send or to read.
  const looks = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => {
    looks.set(socket, 0);
    socket.once('close', () => looks.delete(socket));
  });
  const closeIdle = server.closeIdleConnections.bind(server);
  const close = (): void => {
    const sockets = [...looks.keys()];
    const sending = sockets.filter(({ writableLength }) => writableLength > 0);
    // To Node, a connection is idle as soon as its answer is written, also while most of that waits to be sent.
    const unread = keepOpen(sending, closeIdle);
    // To Node, a connection on which nothing came yet is waiting for a request, for up to 30 s.
    const silent = sockets.filter(({ bytesRead }) => bytesRead === 0);
    for (const socket of [...silent, ...unread]) {
      const count = (looks.get(socket) ?? 0) + 1;
      looks.set(socket, count);
      if (count > MOST_LOOKS) socket.destroy();
    }
  };
  // Node and Fastify call it when the service closes, at any time; right after the sockets were read, no request that
  // has arrived counts as idle.
  server.closeIdleConnections = () => void setImmediate(close);
}
