// What is thrown, as an answer: bad requests, missing keys, what Fastify itself refuses, a database that is away, and
// defects. A defect tells the client the request's id and nothing else; the log holds the rest.
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
// A standby that is away comes back when somebody has started it, or is given up by whoever watches over it.
const RETRY_AFTER_STANDBY_S = 5;

/** A code of its own: a program must not repeat such a request blindly, as it may after any other 503. */
const OUTCOME_UNKNOWN = '1099';

/** How to learn whether something was done: by its key where one can be brought, or else by looking. */
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

// The path is not repeated: what a stranger put there belongs into nobody's log.
export const NO_SUCH_PATH: Answer = failure(404, NO_CODE, 'Nothing is at this address. /docs describes the API.');

export const OVERLOADED: Answer = failure(
  503,
  NO_CODE,
  'Too many requests are waiting; nothing was done. Try again in a moment.',
);

/** Sends an answer as it stands: its text is JSON already. */
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

/** A commit finds out what became of it. What writes beside the payments does not: it broke off, and may have been done. */
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
 * Nothing was asked of the database. Thousands may hear so in an outage, of which a place in the program says nothing;
 * whatever broke off in the middle is something else.
 */
const isTurnedAway = (error: Error): boolean =>
  error instanceof Overloaded ||
  error instanceof StandbyAway ||
  error instanceof NotConnected ||
  (error instanceof DatabaseAway && !(error instanceof OutcomeUnknown) && error.cause instanceof NotConnected);

/** One line for a request that has failed. */
export function logFailure(request: FastifyRequest, error: Error): void {
  // That an acquirer is left alone is logged once, with the reason, and not for each who is turned away.
  if (error instanceof AcquirerAway) return;
  if (isTurnedAway(error)) request.log.error({ why: whyOf(error) }, 'request refused');
  else request.log.error({ err: error }, 'request failed');
}

/** How what is wrong with a request is spelled to whoever sent it. */
export type PresentProblems = (problems: readonly Problem[], request: FastifyRequest) => Answer;

export function handleError(present: PresentProblems = errorsOf) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const answer = answerError(error, request, present);
    if (answer.status === 503 || answer.status === 429) reply.header('retry-after', secondsToWait(error));
    // Fastify closes the connection after a body that it did not take. Closed while the client still writes, it would
    // lose the answer as well; what is left of the body is read and dropped instead.
    reply.removeHeader('connection');
    if (answer.status >= 500) logFailure(request, error);
    return sendAnswer(reply, answer);
  };
}
