// A shop's endpoint for events: a real server that keeps what it is sent and answers as it is told.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// oxlint-disable-next-line typescript/no-explicit-any -- bodies are looked into field by field
type Json = any;

export type Received = {
  readonly at: number;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Json;
};

/** A status, or what is done with the answer itself. */
export type Reaction = number | ((response: ServerResponse, received: Received) => void);

export type Receiver = {
  readonly url: string;
  readonly received: readonly Received[];
  /** How it answers from now on; a list is used up from the front, its last stays. */
  react(...reactions: [Reaction, ...Reaction[]]): void;
  /** Waits until it holds so many, and gives them. */
  until(count: number): Promise<readonly Received[]>;
  close(): Promise<void>;
};

const TIMEOUT_MS = 120_000;

export async function openReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = [];
  let reactions: readonly Reaction[] = [200];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const got = { at: Date.now(), path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) };
      received.push(got);
      const [reaction = 200, ...rest] = reactions;
      if (rest.length > 0) reactions = rest;
      if (typeof reaction === 'number') response.writeHead(reaction).end();
      else reaction(response, got);
      for (const check of waiting) check();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    received,
    react: (...given) => {
      reactions = given;
    },
    until: (count) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (received.length < count) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve([...received]);
        };
        const names = (): string => received.map(({ body }) => String(body.event)).join(', ');
        const timer = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`waited for ${count} events, got ${received.length}: ${names()}`));
        }, TIMEOUT_MS);
        waiting.add(check);
        check();
      }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
