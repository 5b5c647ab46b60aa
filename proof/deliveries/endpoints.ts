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
  /** Milliseconds from the moment of the event to the first time it was taken. */
  readonly delaysMs: readonly number[];
  readonly attempts: () => number;
  readonly firstAt: () => number;
  readonly lastAt: () => number;
  forget(): void;
  close(): Promise<void>;
};

const MOST_FAILURES = 10;

type Fault = { readonly takes?: boolean; readonly answer: (response: ServerResponse) => unknown };

/** Ways to fail: three say so, one cuts the line, and two take the event and lose their answer, or half of it. */
const FAULTS: readonly Fault[] = [
  { answer: (response) => response.writeHead(500).end('something broke') },
  { answer: (response) => response.writeHead(503, { 'retry-after': '1' }).end() },
  { answer: (response) => response.writeHead(302, { location: '/elsewhere' }).end() },
  { answer: (response) => response.socket?.destroy() },
  { takes: true, answer: (response) => response.socket?.destroy() },
  { takes: true, answer: (response) => response.writeHead(200, { 'content-length': '10' }).socket?.destroy() },
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

export async function openEndpoint(
  manner: Manner,
  random: Random,
  onTaken: (text: string) => void = () => {},
): Promise<Endpoint> {
  const taken = new Map<string, number>();
  const failures = new Map<string, number>();
  const delaysMs: number[] = [];
  let [attempts, firstAt, lastAt] = [0, 0, 0];

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    attempts += 1;
    const text = await readText(request);
    if (manner === 'hangs') return;
    const fault = manner === 'fails half' ? faultFor(text) : undefined;
    if (fault === undefined || fault.takes) take(text);
    if (fault) fault.answer(response);
    else response.writeHead(200).end();
  };

  /** Half of the answers fail; one event not so often that it would be given up. */
  const faultFor = (text: string): Fault | undefined => {
    const { id } = JSON.parse(text) as { id: string };
    const before = failures.get(id) ?? 0;
    if (!random.chance(0.5) || before === MOST_FAILURES) return undefined;
    failures.set(id, before + 1);
    return random.choose(FAULTS);
  };

  const take = (text: string): void => {
    const { id, timestamp } = JSON.parse(text) as { id: string; timestamp: string };
    lastAt = performance.now();
    firstAt ||= lastAt;
    const before = taken.get(id) ?? 0;
    taken.set(id, before + 1);
    onTaken(text);
    if (before === 0) delaysMs.push(Date.now() - Date.parse(timestamp));
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
