// Limits the requests per key that are under way at once in this process; more would only wait, so they get 503. Under
// twice the load there are as many refusals as served requests, so a refusal must cost a fraction of one: it is sent
// ahead of Fastify, with a prepared response and one log line a second. If HOST has two addresses (localhost), Fastify
// serves the second one by itself, and only the store's limits apply there.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Room } from '../ops/room.ts';
import { ANSWER_HEADERS } from './answer-headers.ts';
import { readKey } from './auth.ts';
import { OVERLOADED, RETRY_AFTER_S } from './errors.ts';
import { newRequestId } from './request-id.ts';

export type OverloadOptions = {
  readonly isStopping?: () => boolean;
  readonly onRefused?: (method: string) => void;
  readonly mostUnderWay?: number;
};

// What a process serves in about a third of a second: a client that would wait longer had better retry.
const MOST_UNDER_WAY = 1_000;
// Refusals per turn of the event loop, so that served requests get their share of the time; the rest follow in the next
// turns.
const MOST_IN_TURN = 128;
// Beyond this they are sent immediately, and a connection with many of them is not read further until they are gone.
const MOST_LATE = 4_096;
const LOG_EVERY_MS = 1_000;
// The part of a key that people are shown to recognize it.
const HINT_LENGTH = 4;

const HEADERS = Object.entries({
  ...ANSWER_HEADERS,
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(OVERLOADED.body)),
  'retry-after': String(RETRY_AFTER_S),
}).flat();

type Refused = { readonly request: IncomingMessage; readonly response: ServerResponse };
type Serve = (request: IncomingMessage, response: ServerResponse) => void;

export function refuseOverload(app: FastifyInstance, options: OverloadOptions = {}): void {
  const { mostUnderWay = MOST_UNDER_WAY, isStopping = () => false, onRefused } = options;
  // By the key's digits, however it is spelled; whether it is valid is only known in Fastify. The store bounds what a
  // merchant has waiting in all, however many keys it uses.
  const underWay = new Room();
  const unanswered = new WeakMap<Socket, Set<() => void>>();
  const refused = new Map<string, number>();
  const late: Refused[] = [];
  let inTurn = 0;

  const logRefused = (): void => {
    const text = `more than ${mostUnderWay} requests with one key are under way`;
    for (const [digits, count] of refused) app.log.warn({ key: digits.slice(-HINT_LENGTH), refused: count }, text);
    refused.clear();
  };

  const answer = ({ request, response }: Refused): void => {
    const headers = [...HEADERS, 'x-request-id', newRequestId(request)];
    if (isStopping()) headers.push('connection', 'close');
    response.writeHead(OVERLOADED.status, headers).end(OVERLOADED.body);
  };

  const endTurn = (): void => {
    const now = late.splice(0, MOST_IN_TURN);
    inTurn = now.length;
    if (inTurn > 0) setImmediate(endTurn);
    now.forEach(answer);
  };

  const refuse = (digits: string, one: Refused): void => {
    if (refused.size === 0) setTimeout(logRefused, LOG_EVERY_MS).unref();
    refused.set(digits, (refused.get(digits) ?? 0) + 1);
    onRefused?.(one.request.method ?? '');
    if (inTurn === 0) setImmediate(endTurn);
    inTurn += 1;
    if (inTurn <= MOST_IN_TURN || late.length >= MOST_LATE) answer(one);
    else late.push(one);
  };

  /** Cleans up when a connection is lost: not every version of Node emits that for responses queued behind another. */
  const endsOf = (socket: Socket): Set<() => void> => {
    const known = unanswered.get(socket);
    if (known) return known;
    const ends = new Set<() => void>();
    unanswered.set(socket, ends);
    socket.once('close', () => {
      for (const end of ends) end();
    });
    return ends;
  };

  // Replaces Fastify's handler, the only place ahead of its router and hooks.
  const [serve] = app.server.listeners('request') as [Serve];
  app.server.removeAllListeners('request');
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const digits = readKey(request.headers.authorization)?.digits;
    if (digits !== undefined) {
      const leave = underWay.take([[digits, mostUnderWay]]);
      if (leave === undefined) return refuse(digits, { request, response });
      const ends = endsOf(request.socket).add(leave);
      response.once('close', () => {
        ends.delete(leave);
        leave();
      });
    }
    serve(request, response);
  });
}
