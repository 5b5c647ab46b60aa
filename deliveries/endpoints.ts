// Endpoints that take events: one that takes all, one that fails half the time, one that hangs. Each keeps how often it
// took every event, and how long the event had been on its way.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '../chaos/random.ts';

export type Manner = 'takes' | 'fails half' | 'hangs';

export type Endpoint = {
  readonly url: string;
  /** How often each event was taken, by its id. */
  readonly taken: ReadonlyMap<string, number>;
  /** Milliseconds from the moment of the happening to the first time it was taken. */
  readonly delaysMs: readonly number[];
  readonly attempts: () => number;
  readonly firstAt: () => number;
  readonly lastAt: () => number;
  forget(): void;
  close(): Promise<void>;
};

type Fault = (response: ServerResponse) => void;

/** Ways to fail: three say so, one takes the event and loses its answer, one cuts the line. */
const FAULTS: readonly Fault[] = [
  (response) => response.writeHead(500).end('something broke'),
  (response) => response.writeHead(503, { 'retry-after': '1' }).end(),
  (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  (response) => response.writeHead(200, { 'content-length': '10' }).socket?.destroy(),
  (response) => response.socket?.destroy(),
];

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
}

export async function openEndpoint(manner: Manner, random: Random): Promise<Endpoint> {
  const taken = new Map<string, number>();
  const delaysMs: number[] = [];
  let [attempts, firstAt, lastAt] = [0, 0, 0];

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    attempts += 1;
    const text = await readText(request);
    if (manner === 'hangs') return;
    if (manner === 'fails half' && random.chance(0.5)) {
      random.choose(FAULTS)(response);
      return;
    }
    const { id, timestamp } = JSON.parse(text) as { id: string; timestamp: string };
    lastAt = performance.now();
    firstAt ||= lastAt;
    const before = taken.get(id) ?? 0;
    taken.set(id, before + 1);
    if (before === 0) delaysMs.push(Date.now() - Date.parse(timestamp));
    response.writeHead(200).end();
  };

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  const url = await listen(server);
  return {
    url,
    taken,
    delaysMs,
    attempts: () => attempts,
    firstAt: () => firstAt,
    lastAt: () => lastAt,
    forget: () => {
      taken.clear();
      delaysMs.length = 0;
      [attempts, firstAt, lastAt] = [0, 0, 0];
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
