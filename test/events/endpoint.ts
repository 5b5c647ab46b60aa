// Endpoints for the tests of sending: real servers on ports of their own, which count what reaches them. One speaks
// HTTP, the other is a bare connection on which a test writes what it likes.
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { openSender } from '../../src/events/sender.ts';
import type { Post, Sender } from '../../src/events/sender.ts';

export type Endpoint = {
  readonly port: number;
  readonly url: string;
  /** Of every connection that was made, in order. */
  readonly sockets: readonly Socket[];
  /** Of every request that came whole. Bare endpoints know of none. */
  readonly requests: readonly Received[];
  /** Closes the port and every connection. */
  stop(): Promise<unknown>;
};
export type Received = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

async function start(t: TestContext, server: Server, scheme: string, requests: Received[]): Promise<Endpoint> {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => {});
    sockets.push(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = (): Promise<unknown> => {
    const ended = server.listening ? once(server, 'close') : Promise.resolve();
    server.close();
    for (const socket of sockets) socket.destroy();
    return ended;
  };
  t.after(stop);
  const { port } = server.address() as AddressInfo;
  return { port, url: `${scheme}://127.0.0.1:${port}/hook`, sockets, requests, stop };
}

const keeping =
  (requests: Received[], answer: RequestListener): RequestListener =>
  (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      requests.push({ method, path, headers, body: Buffer.concat(chunks).toString() });
      answer(request, response);
    });
  };

/** Answers as the listener does, once it has the whole request. */
export function anEndpoint(t: TestContext, answer: RequestListener): Promise<Endpoint> {
  const requests: Received[] = [];
  return start(t, createHttpServer(keeping(requests, answer)), 'http', requests);
}

export type Certificate = { readonly key: Buffer; readonly cert: Buffer };

export function aSecureEndpoint(t: TestContext, certificate: Certificate, answer: RequestListener): Promise<Endpoint> {
  const requests: Received[] = [];
  return start(t, createHttpsServer(certificate, keeping(requests, answer)), 'https', requests);
}

/** Hands over every connection, with the number of its place, when its first bytes have come. */
export function aBareEndpoint(t: TestContext, talk: (socket: Socket, index: number) => void): Promise<Endpoint> {
  let count = 0;
  const server = createServer((socket) => {
    const index = count;
    count += 1;
    socket.once('data', () => talk(socket, index));
  });
  return start(t, server, 'http', []);
}

export function aSender(t: TestContext, options: Parameters<typeof openSender>[0] = {}): Sender {
  const sender = openSender({ privateHooks: true, ...options });
  t.after(() => sender.close());
  return sender;
}

export function aPost(url: string, changes: Partial<Post> = {}): Post {
  const headers = { 'content-type': 'application/json', authorization: 'secret-of-the-shop' };
  return { merchantId: 1, url, live: false, headers, body: '{"a":1}', ...changes };
}
