// How many requests with one key are under way at once in this process. Whatever more comes would only wait; it is told
// 503 instead. To refuse has to cost a fraction of serving, since under twice the load there is as much of the
// one as of the other: so it is done ahead of Fastify, with an answer that is ready and a line of the log a second. Where
// HOST has two addresses (localhost), Fastify serves the second one by itself, and the store's bounds are the only ones.
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

// What a process answers in about a third of a second: whoever would wait longer had better come back.
const MOST_UNDER_WAY = 1_000;
// Told in one turn of the loop, so that what is served gets its share of the time; the others are told in the next turns.
const MOST_IN_TURN = 128;
// Beyond that they are told at once: a connection that has many of them is not read on before they are gone.
const MOST_LATE = 4_096;
const TELL_EVERY_MS = 1_000;
// As much of a key as people are shown to know it by.
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
  // By its digits, however it is spelled; whose it is, or whether it is anybody's, is not known before Fastify. What a
  // merchant has waiting in all is bounded by the store, however many keys it uses.
  const underWay = new Room();
  const unanswered = new WeakMap<Socket, Set<() => void>>();
  const refused = new Map<string, number>();
  const late: Refused[] = [];
  let inTurn = 0;

  const tell = (): void => {
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
    if (refused.size === 0) setTimeout(tell, TELL_EVERY_MS).unref();
    refused.set(digits, (refused.get(digits) ?? 0) + 1);
    onRefused?.(one.request.method ?? '');
    if (inTurn === 0) setImmediate(endTurn);
    inTurn += 1;
    if (inTurn <= MOST_IN_TURN || late.length >= MOST_LATE) answer(one);
    else late.push(one);
  };

  /** What is to be done when a connection is lost: not every Node tells the answers that wait behind another. */
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

  // In Fastify's place, which is the only one ahead of its router and hooks.
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
