// Adds every request with a key to the request log, after its response, so that no client waits for it. Until then only
// references to the bodies are held; they are masked once it is clear that they are kept.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readId } from '../../domain/id.ts';
import { homePartOf, newId } from '../../payments/ids.ts';
import type { LoggedBody, LoggedRequest } from '../../store/request-log/entry.ts';
import type { RequestLog } from '../../store/request-log/writer.ts';
import { merchantOf } from '../../server/asker.ts';
import { cutAt, maskBody } from './mask-body.ts';
import type { Masking } from './mask-body.ts';
import { maskAddress } from './mask-address.ts';
import { maskRequestId, maskText } from './mask-text.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The beginning of the raw body, if it was text. */
    bodyText: string | null;
    /** The response, if it is text. */
    answerText: string | null;
  }
}

const LONGEST = { requestId: 64, path: 1_024, key: 64, address: 64, userAgent: 256, contentType: 128 } as const;
// Responses that create something begin with its ids.
const PAYMENT_ID = /^\{"paymentId":"([0-9a-f-]{32,36})"/;

// The largest value of the column; a client that announces more has sent less.
const MOST_BYTES = 2_147_483_647;

/** The size of the body, or its announced size if it was not read. */
function bytesOf({ bodyBytes, headers }: FastifyRequest): number {
  const said = Number(headers['content-length'] ?? 0);
  return bodyBytes > 0 || !Number.isSafeInteger(said) || said < 0 ? bodyBytes : Math.min(said, MOST_BYTES);
}

const lengthOf = (text: string | null): number => (text === null ? 0 : Buffer.byteLength(text));

function bodyOf(text: string | null, bytes: number, masking: Masking): LoggedBody {
  if (text === null || text.trim() === '') return { bytes, isCut: bytes > 0 };
  const { text: masked, isCut } = maskBody(text, masking);
  return { text: masked, bytes, isCut };
}

/** A header's value as it is kept; undefined if there is none. */
function headerOf({ headers }: FastifyRequest, name: string, most: number, mask = maskText): string | undefined {
  const value = headers[name];
  const text = typeof value === 'string' ? cutAt(mask(value.trim()), most) : '';
  return text === '' ? undefined : text;
}

// Clients generate such idempotency keys for each request: they contain no secrets, and people compare them.
const RANDOM_UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;
const maskIdempotencyKey = (text: string): string => (RANDOM_UUID.test(text) ? text : maskText(text));

const readAnyId = (text: unknown): string | undefined =>
  typeof text === 'string' ? readId(text.replaceAll('-', '')) : undefined;

/** The payment that it was about: from its path, its parameters or its response. */
function paymentIdOf({ params, query, answerText }: FastifyRequest): string | undefined {
  return (
    readAnyId((params as { paymentId?: unknown } | undefined)?.paymentId) ??
    readAnyId((query as { paymentId?: unknown } | undefined)?.paymentId) ??
    readAnyId(PAYMENT_ID.exec(answerText ?? '')?.[1])
  );
}

function movementIdOf({ params }: FastifyRequest): string | undefined {
  const { chargeId, refundId } = (params ?? {}) as { chargeId?: unknown; refundId?: unknown };
  return readAnyId(chargeId) ?? readAnyId(refundId);
}

function entryOf(request: FastifyRequest, reply: FastifyReply, startedAt: number): LoggedRequest {
  const { merchant, key, bodyText, bodyBytes, answerText } = request;
  if (merchant === null || key === null) throw new Error('this request has no key');
  const [paymentId, movementId] = [paymentIdOf(request), movementIdOf(request)];
  const idempotencyKey = headerOf(request, 'idempotency-key', LONGEST.key, maskIdempotencyKey);
  const userAgent = headerOf(request, 'user-agent', LONGEST.userAgent);
  const contentType = headerOf(request, 'content-type', LONGEST.contentType);
  const isWhole = bodyText === null || bodyText.length >= bodyBytes || lengthOf(bodyText) >= bodyBytes;
  return {
    id: newId(startedAt, homePartOf(merchant)),
    merchantId: merchant.id,
    requestId: cutAt(maskRequestId(request.id), LONGEST.requestId),
    method: request.method,
    route: request.routeOptions.url ?? 'unknown',
    path: cutAt(maskAddress(request.url), LONGEST.path),
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
    keyId: key.id,
    // A closed connection has none.
    address: cutAt(request.ip || 'unknown', LONGEST.address),
    isReplayed: reply.getHeader('idempotent-replayed') === 'true',
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(userAgent !== undefined && { userAgent }),
    ...(contentType !== undefined && { contentType }),
    ...(paymentId !== undefined && { paymentId }),
    ...(paymentId === undefined && movementId !== undefined && { movementId }),
    request: bodyOf(bodyText, bytesOf(request), { isWhole }),
    answer: bodyOf(answerText, lengthOf(answerText), { isAnswer: true }),
  };
}

export function logRequests(api: FastifyInstance, log: RequestLog): void {
  api.addHook('onSend', (request, _reply, payload, done) => {
    if (typeof payload === 'string') request.answerText = payload;
    done();
  });
  api.addHook('onResponse', (request, reply, done) => {
    done();
    if (request.merchant === null) return;
    const startedAt = Date.now() - Math.round(reply.elapsedTime);
    const merchant = merchantOf(request);
    const isFailed = reply.statusCode >= 400;
    const of = { merchantId: merchant.id, part: homePartOf(merchant), minuteMs: startedAt, isFailed };
    try {
      log.add(of, () => entryOf(request, reply, startedAt));
    } catch (error) {
      request.log.error({ err: error }, 'a request could not be kept for the request log');
    }
  });
}
