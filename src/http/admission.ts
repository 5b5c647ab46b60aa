// Which requests are begun, ahead of Fastify. Node would begin all that its sockets hold in one turn of the loop: with
// hundreds of busy connections that is tens of milliseconds, in which no answer of the database is read, no connection
// is taken (one in a turn) and nobody else is served. Here a turn begins what fits into a few milliseconds; the rest
// waits, a line for each key, and is begun in turns. Who has as many under way as may be is told 503 at once. To refuse
// has to cost a fraction of serving, since under twice the load there is as much of the one as of the other: such a
// request is not read, its answer is ready, and all of a second are told in one line of the log.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ANSWER_HEADERS } from './answer-headers.ts';
import { readKey } from './auth.ts';
import { OVERLOADED, RETRY_AFTER_S } from './errors.ts';
import { newRequestId } from './request-id.ts';

export type AdmissionOptions = {
  readonly isStopping?: () => boolean;
  readonly onRefused?: (method: string) => void;
  /** With one key, waiting or begun. */
  readonly mostUnderWay?: number;
  /** What a turn of the loop begins at once before others get theirs. */
  readonly turnMs?: number;
};

// What a process answers in about a third of a second: whoever would wait longer had better come back.
const MOST_UNDER_WAY = 1_000;
// Long enough for what some dozens of connections send at once, which then goes to the database together.
const TURN_MS = 10;
// Where more waits, it gets as long as all else took since: reading, refusing, sending what the database has answered. A
// refusal waits for such a turn.
const LONGEST_TURN_MS = 30;
const MOST_IN_TURN = 128;
const TELL_EVERY_MS = 1_000;
// As much of a key as people are shown to know it by.
const HINT_LENGTH = 4;

const HEADERS = Object.entries({
  ...ANSWER_HEADERS,
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(OVERLOADED.body)),
  'retry-after': String(RETRY_AFTER_S),
}).flat();

type Waiting = { readonly request: IncomingMessage; readonly response: ServerResponse };
type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** Whoever sends no key is nobody in particular: consumers, probes. They wait in one line, and none is refused. */
const NOBODY = '';

export function admitInTurns(app: FastifyInstance, options: AdmissionOptions = {}): void {
  const { mostUnderWay = MOST_UNDER_WAY, turnMs = TURN_MS, isStopping = () => false, onRefused } = options;
  // By the header as it was sent: no more is known before Fastify. What a merchant has waiting in all is bounded by the
  // store, however many keys it uses and however it spells them.
  const underWay = new Map<string, number>();
  const lines = new Map<string, Waiting[]>();
  const refused = new Map<string, number>();
  let [waiting, turnEndsAt, servedAt] = [0, 0, 0];
  let [isScheduled, isTurnKnown] = [false, false];

  // In its place, which is the only one ahead of its router and hooks.
  const [serve] = app.server.listeners('request') as [Serve];
  app.server.removeAllListeners('request');

  const tell = (): void => {
    for (const [who, count] of refused) {
      const key = readKey(who)?.digits.slice(-HINT_LENGTH);
      app.log.warn({ key, refused: count }, `more than ${mostUnderWay} requests with one key are under way`);
    }
    refused.clear();
  };

  const refuse = (who: string, { request, response }: Waiting): void => {
    if (refused.size === 0) setTimeout(tell, TELL_EVERY_MS).unref();
    refused.set(who, (refused.get(who) ?? 0) + 1);
    onRefused?.(request.method ?? '');
    const headers = [...HEADERS, 'x-request-id', newRequestId(request)];
    if (isStopping()) headers.push('connection', 'close');
    response.writeHead(OVERLOADED.status, headers).end(OVERLOADED.body);
  };

  const leave = (who: string): void => {
    const left = (underWay.get(who) ?? 1) - 1;
    if (left > 0) underWay.set(who, left);
    else underWay.delete(who);
  };

  /** In this turn of the loop, which its first request begins. */
  const isTimeLeft = (): boolean => {
    const now = performance.now();
    if (isTurnKnown) return now < turnEndsAt;
    isTurnKnown = true;
    turnEndsAt = now + turnMs;
    setImmediate(() => (isTurnKnown = false));
    return true;
  };

  const beginWaiting = (): void => {
    const now = performance.now();
    turnEndsAt = now + Math.min(Math.max(turnMs, now - servedAt), LONGEST_TURN_MS);
  };

  /** One of the line whose turn it is, if there is time left. */
  const beginNext = (): void => {
    if (waiting === 0 || performance.now() >= turnEndsAt) return;
    const [who, line] = lines.entries().next().value as [string, Waiting[]];
    const { request, response } = line.shift() as Waiting;
    lines.delete(who);
    if (line.length > 0) lines.set(who, line);
    waiting -= 1;
    // Whoever has left gets nothing done.
    if (!request.socket.destroyed) serve(request, response);
  };

  /** After the sockets were read. Each in an immediate of its own, so that all it does at once counts as its time. */
  const schedule = (): void => {
    setImmediate(beginWaiting);
    for (let left = MOST_IN_TURN; left > 0; left -= 1) setImmediate(beginNext);
    setImmediate(() => {
      servedAt = performance.now();
      isScheduled = waiting > 0;
      if (isScheduled) schedule();
    });
  };

  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const who = request.headers.authorization ?? NOBODY;
    if (who !== NOBODY) {
      const count = underWay.get(who) ?? 0;
      if (count >= mostUnderWay) return refuse(who, { request, response });
      underWay.set(who, count + 1);
      // When it is answered, or its connection is lost; also of one that waits behind another.
      response.once('close', () => leave(who));
    }
    if (waiting === 0 && isTimeLeft()) return serve(request, response);
    const line = lines.get(who);
    if (line) line.push({ request, response });
    else lines.set(who, [{ request, response }]);
    waiting += 1;
    if (!isScheduled) {
      isScheduled = true;
      servedAt = performance.now();
      schedule();
    }
  });
}
