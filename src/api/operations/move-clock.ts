// POST /v1/sandbox/clock: moves the time of a test merchant's payments forward.
import { moveClock as move } from '../../merchants/clock.ts';
import type { ClockStep, ClockTimes } from '../../merchants/clock.ts';
import * as Type from '../../schema/type.ts';
import { answerWith, NO_CONTENT } from '../../server/answer.ts';
import { actorOf } from '../../server/asker.ts';
import { readMoment } from '../../server/formats.ts';
import { badField } from '../../server/problem.ts';
import { MOST_AHEAD_MS } from '../../store/merchants/clock.ts';
import { answers, BODY_MISSING, operation, problem } from '../operation.ts';
import { answerOutcome } from '../outcome.ts';
import { LIVE, moved, NO_CLOCK, realMs, TestClock } from '../parts/test-clock.ts';
import { idempotencyOf } from '../request.ts';

const MOST_AHEAD_SECONDS = 63_072_000;

const MoveClockSchema = Type.Object(
  {
    advanceSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_AHEAD_SECONDS,
        description: 'By how many seconds: 86400 is a day. Moves add up, to two years at most.',
      }),
    ),
    to: Type.Optional(
      Type.String({ format: 'moment', description: 'To which moment: later than it is by this clock.' }),
    ),
  },
  { title: 'MoveClockRequest', description: 'One of the two.' },
);

type MoveClockBody = Type.Static<typeof MoveClockSchema>;

const NEITHER = 'is required, or to';

const BOTH = 'must be left out where advanceSeconds is given';

const showNotForward = (time: string): string => `must be after ${time}, which it is by this clock already`;

const showTooFar = (latest: string): string => `must leave the clock at ${latest} at most, two years ahead`;

// The move is stored, announced to all processes, and triggers everything that becomes due.
const COST = 20;

function readStep({ advanceSeconds, to }: MoveClockBody): ClockStep {
  if (to === undefined) {
    if (advanceSeconds === undefined) throw badField('advanceSeconds', NEITHER);
    return { byMs: advanceSeconds * 1_000 };
  }
  if (advanceSeconds !== undefined) throw badField('to', BOTH);
  return { toMs: readMoment(to) as number };
}

const answerOf = (clock: ClockTimes): string => answerWith(200, clock).body;

export const moveClock = operation('moveClock', 'POST /v1/sandbox/clock', 'money', {
  body: MoveClockSchema,
  config: { keyed: true, cost: COST },
  live: NO_CLOCK,
  tag: 'Sandbox',
  summary: 'Move the test clock',
  description:
    'Moves the time of a test merchant forward, by so many seconds or to a moment. From then on everything of its ' +
    'payments goes by it: payments and reservations expire, subscriptions can be charged again, invoices are dated by ' +
    'it, and what waits for another try, deliveries and calls of an acquirer, is tried at once. It cannot be moved back, ' +
    'and not further than two years: make another test merchant instead. A live merchant has no sandbox: 404.',
  requests: {
    'Eight days: a reservation expires': { advanceSeconds: 691_200 },
    'To a moment': { to: '2026-04-01T00:00:00Z' },
  },
  success: answers(200, 'The clock is moved.', TestClock, { 'By eight days': moved }),
  refused: [
    BODY_MISSING,
    problem('Nothing is said', 'advanceSeconds', NEITHER),
    problem('Both are said', 'to', BOTH),
    problem('Not forward', 'to', showNotForward(moved.time)),
    problem('Too far', 'to', showTooFar(new Date(realMs + MOST_AHEAD_MS).toISOString())),
    LIVE,
  ],
  handler: async (request, { store }, reply) => {
    const { body } = request;
    const step = readStep(body);
    const key = idempotencyOf(request);
    const keyed = key && { ...key, answerOf };
    const outcome = await move(store.pool, actorOf(request), request.merchant, step, keyed);
    const field = body.to === undefined ? 'advanceSeconds' : 'to';
    switch (outcome.kind) {
      case 'moved':
        return { status: 200, body: answerOf(outcome.clock) };
      case 'not_forward':
        throw badField(field, showNotForward(outcome.clock.time));
      case 'too_far':
        throw badField(field, showTooFar(outcome.clock.latest));
      case 'live':
        return NO_CLOCK;
      case 'replayed':
      case 'other_request_had_key':
        return answerOutcome(request, reply, outcome, () => NO_CONTENT);
    }
  },
});
