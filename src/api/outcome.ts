// Turns the outcome of an operation into a response. Lower layers know nothing of statuses and bodies; the text of an
// idempotency record is made here too, and passed down to be committed with the change.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DecidedOutcome, Made, OperationOutcome, RecordAnswer, Unchanged } from '../payments/outcome.ts';
import type { RecordedAnswer } from '../store/statements/recorded-answer.ts';
import type { Answer } from '../server/answer.ts';
import { failure, NO_CODE, NOT_FOUND } from '../server/answer.ts';
import type { OperationName } from './dialects/dialect.ts';
import { dialectOf, presentationContextOf } from './request.ts';
import type { RouteContext } from './request.ts';

/** The response to an outcome. */
export type Present<Result> = (outcome: DecidedOutcome<Result>) => Answer;

/** The responses of an operation: its own for success, and its merchant's dialect for everything else. */
export function presenterOf<Result>(
  request: FastifyRequest,
  context: RouteContext,
  operation: OperationName,
  presentSuccess: (outcome: Made<Result> | Unchanged<Result>) => Answer,
): Present<Result> {
  return (outcome) => {
    if (outcome.kind === 'made' || outcome.kind === 'unchanged') return presentSuccess(outcome);
    const { payment } = outcome;
    const refusal =
      outcome.kind === 'refused'
        ? outcome.refusal
        : ({ name: 'outcome_is_unknown', kind: outcome.movement.kind, hasKey: outcome.hasKey } as const);
    return dialectOf(request).refusal(refusal, operation, payment, presentationContextOf(request, context));
  };
}

const toRecord = ({ status, body }: Answer): RecordedAnswer => ({ status, text: body });
const fromRecord = ({ status, text }: RecordedAnswer): Answer => ({ status, body: text });

/** What an idempotency record keeps: the response as sent. */
export const recorderOf =
  <Result>(present: Present<Result>): RecordAnswer<Result> =>
  (outcome) =>
    toRecord(present(outcome));

const CODES_OF_OTHER_BODY: Partial<Record<OperationName, string>> = { charge: '1026', refund: '1027' };

export function answerOutcome<Result>(
  request: FastifyRequest,
  reply: FastifyReply,
  outcome: OperationOutcome<Result>,
  present: Present<Result>,
): Answer {
  switch (outcome.kind) {
    case 'not_found':
      return NOT_FOUND;
    case 'other_request_had_key': {
      const code = CODES_OF_OTHER_BODY[request.routeOptions.config.operation ?? 'create'] ?? NO_CODE;
      const text = 'This Idempotency-Key was used with another body; a new request needs a new key.';
      return failure(422, code, text);
    }
    case 'outcome_of_key_is_open': {
      const text =
        'The outcome of the first request with this Idempotency-Key is not known yet; ask again in a moment.';
      return failure(409, NO_CODE, text);
    }
    case 'replayed':
      reply.header('idempotent-replayed', 'true');
      return fromRecord(outcome.recorded);
    case 'made':
    case 'refused':
      // The recorded text is the one that is sent.
      return outcome.recorded ? fromRecord(outcome.recorded) : present(outcome);
    case 'unchanged':
    case 'pending':
      return present(outcome);
  }
}
