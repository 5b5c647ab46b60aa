// Graceful shutdown: while the service stops, every response closes its connection, so that no client sends a request
// into a connection that is about to go. A connection is closed without a response only if it is idle, and only after
// all data that has arrived was read. A client that has just connected can still send its request, and one that is still
// reading gets the whole response.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

// From connecting to the first request, and from a response to its last byte: 3 s, checked 20 times a second. Checks are
// counted instead of time: when the whole machine stalls, the client had no time either.
const MOST_LOOKS = 60;

/** Runs it without letting it close these sockets; returns those that it wanted to close. */
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
  // How often each was checked while its client had yet to send or to read.
  const looks = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => {
    looks.set(socket, 0);
    socket.once('close', () => looks.delete(socket));
  });
  const closeIdle = server.closeIdleConnections.bind(server);
  const close = (): void => {
    const sockets = [...looks.keys()];
    const sending = sockets.filter(({ writableLength }) => writableLength > 0);
    // Node calls a connection idle as soon as its response is written, even while most of it is still buffered.
    const unread = keepOpen(sending, closeIdle);
    // Node treats a new connection as waiting for a request, for up to 30 s.
    const silent = sockets.filter(({ bytesRead }) => bytesRead === 0);
    for (const socket of [...silent, ...unread]) {
      const count = (looks.get(socket) ?? 0) + 1;
      looks.set(socket, count);
      if (count > MOST_LOOKS) socket.destroy();
    }
  };
  // Node and Fastify call it when the service closes, at any time. Directly after the sockets were read, no request that
  // has arrived counts as idle.
  server.closeIdleConnections = () => void setImmediate(close);
}
