// The HTTP server of the bank: operations under the client's ids, the book, and faults. An operation is on disk in the book
// before it is answered. Faults only affect operations: the book, the faults and the health check always work.
import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BadField, readObject, readWhole } from './bad-field.ts';
import type { Book, Handled, PageQuery } from './book.ts';
import { createRateLimit, drawFate, readFaults } from './faults.ts';
import type { Fate, Faults, Mishap } from './faults.ts';
import { groupOperations } from './group.ts';
import { readId, readOperation } from './operation.ts';
import type { Answer, Operation } from './operation.ts';

/** A handled request, for the log: an operation, or a refused or forbidding request. */
export type HandledRequest =
  | (Operation & { readonly result: Answer['state'] | 'refused' | 'not done'; readonly note?: string })
  | { readonly result: 'refused' | 'forbidden'; readonly request: string; readonly note?: string };

export type BankOptions = {
  readonly book: Book;
  readonly key: string;
  readonly faults: Faults;
  readonly onHandled: (handled: HandledRequest) => void;
  readonly onDefect: (error: Error) => void;
};

export type Bank = {
  readonly app: FastifyInstance;
  /** Finishes requests in progress for a short while, and aborts the rest. */
  close(): Promise<void>;
};

const LARGEST_BODY_BYTES = 16_384;
// The path of an operation, and no more than fits into a line.
const LONGEST_TOLD_URL = 100;
// Longer than the keep-alive of common clients, so that they close connections first.
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
const DEFAULT_LIMIT = 500;
const HIGHEST_LIMIT = 5_000;
// Requests take milliseconds, unless a fault delays them.
const CLOSE_AFTER_MS = 500;
const CLOSE_IDLE_EVERY_MS = 20;

const NOTES: Readonly<Record<'before' | 'after', Readonly<Record<Mishap, string>>>> = {
  before: { hang: 'hangs', lose: 'connection cut', error: 'answered 500', die: 'dies' },
  after: { hang: 'never answered', lose: 'answer lost', error: 'answered 500', die: 'dies' },
};

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares digests in constant time. */
function requireKey(
  key: string,
  onRefused: (request: FastifyRequest, note: string) => void,
): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  const expected = digestOf(key);
  return async (request, reply) => {
    const given = (request.headers.authorization ?? '').replace(/^bearer +/i, '');
    if (timingSafeEqual(digestOf(given), expected)) return undefined;
    onRefused(request, given === '' ? '401, no key' : '401, wrong key');
    return reply.code(401).send({ message: 'The header Authorization must hold the key of this bank.' });
  };
}

/** Any body is read as JSON, so that a line of curl needs no more headers. */
function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, text: string, done) => {
    void parse(request, text, (error, body) => {
      if (error) done(new BadField('body', 'must be JSON'));
      else done(null, body);
    });
  });
}

function answerErrors(app: FastifyInstance, onDefect: (error: Error) => void): void {
  app.setErrorHandler((error: FastifyError | BadField, _request, reply) => {
    if (error instanceof BadField) return reply.code(400).send({ message: error.message, field: error.field });
    const { statusCode = 500 } = error;
    if (statusCode < 500) return reply.code(statusCode).send({ message: error.message });
    onDefect(error);
    return reply.code(500).send({ message: 'The bank failed.' });
  });
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({
      message: 'There is /operations, /operations/{id}, /operations/{id}/forbid, /book, /faults and /healthz.',
    }),
  );
}

function readPageQuery(query: unknown): PageQuery {
  const fields = readObject(query, 'query', ['after', 'limit', 'from', 'to']);
  const whole = (name: string, fallback: number, least = 0, most?: number): number => {
    const text = fields[name] ?? String(fallback);
    const value = typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return readWhole(value, name, least, most);
  };
  return {
    after: whole('after', 0),
    limit: whole('limit', DEFAULT_LIMIT, 1, HIGHEST_LIMIT),
    from: whole('from', 0),
    to: whole('to', Number.MAX_SAFE_INTEGER),
  };
}

/** Sends no response, and keeps or cuts the connection. */
function leave(reply: FastifyReply, how: 'hang' | 'lose'): FastifyReply {
  const { socket } = reply.raw;
  reply.hijack();
  if (how === 'lose') socket?.destroy();
  return reply;
}

function befall(reply: FastifyReply, mishap: Mishap): FastifyReply {
  // The same message before and after acting, so that clients cannot tell the difference.
  if (mishap === 'error') return reply.code(500).send({ message: 'The bank failed.' });
  return leave(reply, mishap === 'lose' ? 'lose' : 'hang');
}

function answer(reply: FastifyReply, id: string, handled: Handled): FastifyReply {
  switch (handled.result) {
    case 'acted':
      return reply.send(handled.answer);
    case 'repeated':
      return reply.header('repeated', 'true').send(handled.answer);
    case 'other_content':
      return reply.code(409).send({ id, message: 'Another operation has this id.' });
    case 'forbidden':
      return reply.code(410).send({ id, state: 'forbidden', message: 'It was forbidden; nothing was done.' });
  }
}

const REMARKS: Readonly<Record<Handled['result'], string | undefined>> = {
  acted: undefined,
  repeated: 'asked again',
  other_content: 'another operation has this id',
  forbidden: 'it was forbidden',
};

function handledRequestOf(operation: Operation, handled: Handled, mishap: Mishap | undefined): HandledRequest {
  const notes = [REMARKS[handled.result], mishap && NOTES.after[mishap]].filter((note) => note !== undefined);
  const result = 'answer' in handled ? handled.answer.state : 'refused';
  return { ...operation, result, ...(notes.length > 0 && { note: notes.join(', ') }) };
}

export function buildBank({ book, key, onHandled, onDefect, ...options }: BankOptions): Bank {
  let { faults } = options;
  const closing = new AbortController();
  const app = Fastify({
    logger: false,
    bodyLimit: LARGEST_BODY_BYTES,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true },
  });
  acceptJson(app);
  answerErrors(app, onDefect);

  const now = (): number => Date.now() + faults.clockOffsetMs;
  const act = groupOperations(book, now);
  const wait = async (ms: number): Promise<void> => {
    if (ms > 0) await sleep(ms, undefined, { signal: closing.signal });
  };

  /** Faults before acting. False: do not act; the request is answered, or never will be. */
  async function undergo(
    reply: FastifyReply,
    fate: Fate,
    onMishap: (mishap: Mishap) => void = () => {},
    moreMs = 0,
  ): Promise<boolean> {
    try {
      await wait(fate.waitBeforeMs + moreMs);
    } catch {
      leave(reply, 'lose');
      return false;
    }
    if (fate.before === undefined) return true;
    onMishap(fate.before);
    befall(reply, fate.before);
    return false;
  }

  async function operate(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const operation = readOperation(request.body);
    const fate = drawFate(faults);
    const onMishap = (mishap: Mishap): void =>
      onHandled({ ...operation, result: 'not done', note: NOTES.before[mishap] });
    if (!(await undergo(reply, fate, onMishap, faults.actsLateMs))) return reply;

    const handled = await act(operation);
    onHandled(handledRequestOf(operation, handled, fate.after));
    if (fate.after === 'die') process.kill(process.pid, 'SIGKILL');
    if (fate.twice)
      reply.raw.once('close', () => {
        if (closing.signal.aborted) return;
        void act(operation).then((again) => onHandled(handledRequestOf(operation, again, undefined)), onDefect);
      });
    try {
      await wait(fate.waitAfterMs);
    } catch {
      return leave(reply, 'lose');
    }
    return fate.after === undefined ? answer(reply, operation.id, handled) : befall(reply, fate.after);
  }

  type Named = FastifyRequest<{ Params: { id: string } }>;

  async function look(request: Named, reply: FastifyReply): Promise<FastifyReply> {
    const { id } = request.params;
    if (!(await undergo(reply, drawFate(faults)))) return reply;
    const found = book.find(id);
    // The id is repeated, so that a 404 of a proxy is not mistaken for the bank's.
    if (found === undefined)
      return reply.code(404).send({ id, state: 'not_found', message: 'There is no such operation.' });
    return reply.send(found);
  }

  async function forbid(request: Named, reply: FastifyReply): Promise<FastifyReply> {
    const id = readId(request.params.id, 'id');
    if (!(await undergo(reply, drawFate(faults)))) return reply;
    const done = book.forbid(id);
    if (done !== undefined) return reply.send(done);
    onHandled({ result: 'forbidden', request: `POST ${request.url}` });
    return reply.send({ id, state: 'forbidden' });
  }

  const onRefused = ({ method, url }: FastifyRequest, note: string): void =>
    onHandled({ result: 'refused', request: `${method} ${url.slice(0, LONGEST_TOLD_URL)}`, note });

  app.get('/healthz', async () => ({ status: 'ok' }));
  void app.register(async (guarded) => {
    guarded.addHook('onRequest', requireKey(key, onRefused));
    guarded.get('/book', async (request) => book.page(readPageQuery(request.query)));
    guarded.get('/faults', async () => faults);
    guarded.put('/faults', async (request) => {
      faults = readFaults(request.body);
      return faults;
    });
    await guarded.register(async (operations) => {
      const takeTurn = createRateLimit();
      operations.addHook('onRequest', async (request, reply) => {
        const seconds = takeTurn(faults.ratePerSecond);
        if (seconds === 0) return undefined;
        onRefused(request, '429, too many requests a second');
        return reply.code(429).header('retry-after', seconds).send({ message: 'Too many requests a second.' });
      });
      operations.post('/operations', operate);
      operations.get('/operations/:id', look);
      operations.post('/operations/:id/forbid', forbid);
    });
  });

  async function close(): Promise<void> {
    const idle = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
    const rest = setTimeout(() => {
      closing.abort();
      app.server.closeAllConnections();
    }, CLOSE_AFTER_MS);
    await app.close();
    clearInterval(idle);
    clearTimeout(rest);
    closing.abort();
    // An operation whose connection was cut may still be written to the book.
    await new Promise((resolve) => setImmediate(resolve));
    book.close();
  }

  return { app, close };
}
