// Turns exceptions into responses: bad requests, missing keys, Fastify's own refusals, an unavailable database, and
// defects. For a defect the client gets only the request id; the log has the rest.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from './answer.ts';
import { AcquirerAway } from '../acquirers/circuit-breaker.ts';
import { whyOf } from '../ops/why.ts';
import { Overloaded } from '../store/connections/group.ts';
import {
  DatabaseAway,
  DatabaseBusy,
  NotConnected,
  OutcomeUnknown,
  StandbyAway,
  WaitsForStandby,
} from '../store/connections/pool.ts';
import { Unauthorized } from './auth.ts';
import { NotJson } from './body.ts';
import { errorsOf, failure, NO_CODE } from './answer.ts';
import { BadRequest, problemsOf } from './problem.ts';
import type { Problem } from './problem.ts';
import { OutOfScope } from './scopes.ts';
import { TooManyRequests } from './too-many-requests.ts';

export const RETRY_AFTER_S = 1;
// A lost standby returns when somebody has started it, or is given up by the failover manager.
const RETRY_AFTER_STANDBY_S = 5;

/** Its own code: a program must not blindly repeat such a request, as it may after any other 503. */
const OUTCOME_UNKNOWN = '1099';

/** How to find out whether it was done: by the Idempotency-Key if there is one, otherwise by reading. */
function showUnknown(isAtStandby: boolean, { routeOptions, headers, id }: FastifyRequest): string {
  const [what, when] = isAtStandby
    ? ['A standby that has to confirm it is away', 'once writes are taken again']
    : ['The database went away in the middle', 'first'];
  const { keyed, operation } = routeOptions.config;
  const changed = operation ? 'the payment' : 'what it would change';
  const way =
    keyed && headers['idempotency-key'] !== undefined
      ? `Repeat it only with the same Idempotency-Key, or read ${changed} ${when}.`
      : `Read ${changed} ${when}, to see.`;
  return `${what}, and it is not known whether this was done. ${way} The request is ${id}.`;
}

// The path is not repeated, since an unauthenticated caller chose it and it would be logged.
export const NO_SUCH_PATH: Answer = failure(404, NO_CODE, 'Nothing is at this address. /docs describes the API.');

export const OVERLOADED: Answer = failure(
  503,
  NO_CODE,
  'Too many requests are waiting; nothing was done. Try again in a moment.',
);

/** Sends a response whose text is JSON already. */
export function sendAnswer(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  reply.code(status);
  if (body === '') return reply.send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(body);
}

const KIBIBYTE = 1_024;

const showBytes = (bytes: number): string =>
  bytes % KIBIBYTE ** 2 === 0 ? `${bytes / KIBIBYTE ** 2} MiB` : `${bytes / KIBIBYTE} KiB`;

function answerFastifyError(error: FastifyError, { routeOptions }: FastifyRequest): Answer | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return failure(413, NO_CODE, `The body is larger than ${showBytes(routeOptions.bodyLimit)}.`);
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return errorsOf([{ field: 'Content-Length', text: 'does not match the length of the body' }]);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return failure(415, NO_CODE, 'The content type is malformed; send application/json.');
    case 'FST_ERR_BAD_URL':
      return errorsOf([{ field: 'path', text: 'is badly percent-encoded' }]);
    case 'ECONNRESET':
      // Nobody is left to read this; it is for the log and the metrics.
      return errorsOf([{ field: 'request', text: 'broke off before its body was complete' }]);
    default:
      return undefined;
  }
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A commit finds out what became of it. Writes outside of payments do not: they broke off, and may have been done. */
const mayBeDone = (error: DatabaseAway, { method, merchant, routeOptions }: FastifyRequest): boolean =>
  merchant !== null &&
  routeOptions.config.operation === undefined &&
  !READS.has(method) &&
  !(error instanceof DatabaseBusy || isTurnedAway(error));

function answerError(error: FastifyError, request: FastifyRequest, present: PresentProblems): Answer {
  if (error instanceof BadRequest) return present(error.problems, request);
  if (error.validation) return present(problemsOf(error.validation), request);
  if (error instanceof Unauthorized) return { status: 401, body: '' };
  if (error instanceof OutOfScope) return failure(403, NO_CODE, error.message);
  if (error instanceof NotJson)
    return failure(415, NO_CODE, `The content type is ${error.message}; send JSON, for example application/json.`);
  if (error instanceof TooManyRequests) return failure(429, NO_CODE, error.message);
  if (error instanceof AcquirerAway) {
    const text = `The acquirer ${error.acquirer} does not answer at the moment; nothing was done. Try again in a moment.`;
    return failure(503, NO_CODE, text, error.acquirer);
  }
  if (error instanceof Overloaded) return OVERLOADED;
  if (error instanceof OutcomeUnknown || (error instanceof DatabaseAway && mayBeDone(error, request))) {
    const isAtStandby = error.cause instanceof WaitsForStandby || error.cause instanceof StandbyAway;
    return failure(503, OUTCOME_UNKNOWN, showUnknown(isAtStandby, request));
  }
  if (error instanceof StandbyAway)
    return failure(503, NO_CODE, 'A standby of the database is away; nothing was done. Try again in a moment.');
  if (error instanceof DatabaseAway)
    return failure(503, NO_CODE, `The database is away. Try again in a moment; the request is ${request.id}.`);
  return (
    answerFastifyError(error, request) ??
    failure(500, NO_CODE, `Something is wrong on our side. Tell us this request id: ${request.id}.`)
  );
}

/** How long an acquirer is left alone is known; a standby takes its time; anything else passes in a moment. */
function secondsToWait(error: Error): number {
  if (error instanceof TooManyRequests) return error.retryAfterS;
  if (error instanceof AcquirerAway) return Math.max(RETRY_AFTER_S, Math.ceil(error.againAfterMs / 1_000));
  return error instanceof StandbyAway ? RETRY_AFTER_STANDBY_S : RETRY_AFTER_S;
}

/**
 * The database was never asked. In an outage this happens thousands of times, and a stack trace would say nothing; an
 * error in the middle of something is different.
 */
const isTurnedAway = (error: Error): boolean =>
  error instanceof Overloaded ||
  error instanceof StandbyAway ||
  error instanceof NotConnected ||
  (error instanceof DatabaseAway && !(error instanceof OutcomeUnknown) && error.cause instanceof NotConnected);

/** One log line for a failed request. */
export function logFailure(request: FastifyRequest, error: Error): void {
  // An open circuit breaker is logged once, with the reason, and not for each request it refuses.
  if (error instanceof AcquirerAway) return;
  if (isTurnedAway(error)) request.log.error({ why: whyOf(error) }, 'request refused');
  else request.log.error({ err: error }, 'request failed');
}

/** Spells the problems of a request in the dialect of its merchant. */
export type PresentProblems = (problems: readonly Problem[], request: FastifyRequest) => Answer;

export function handleError(present: PresentProblems = errorsOf) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const answer = answerError(error, request, present);
    if (answer.status === 503 || answer.status === 429) reply.header('retry-after', secondsToWait(error));
    // Fastify closes the connection after a body that it did not accept. If it closed while the client still writes, the
    // response would be lost too, so the rest of the body is read and dropped.
    reply.removeHeader('connection');
    if (answer.status >= 500) logFailure(request, error);
    return sendAnswer(reply, answer);
  };
}
