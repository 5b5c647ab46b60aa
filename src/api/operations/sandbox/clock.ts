// GET and POST /v1/sandbox/clock: what time it is for a test merchant's payments, and moving that forward.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { moveClock, tellClock } from '../../../merchants/clock.ts';
import type { ClockStep, ClockTimes } from '../../../merchants/clock.ts';
import { answerWith, failure } from '../../../server/answer.ts';
import { NO_CODE, sendAnswer } from '../../../server/errors.ts';
import { readMoment } from '../../../server/formats.ts';
import { sendOutcome } from '../../outcome.ts';
import { badField } from '../../../server/problem.ts';
import { idempotencyOf } from '../../request.ts';
import { actorOf, merchantOf } from '../../../server/asker.ts';
import type { RouteContext } from '../../request.ts';
import { MoveClockSchema } from './schema.ts';
import type { MoveClockBody } from './schema.ts';

export const NO_CLOCK = 'A live merchant has no test clock: its time is the real one. Use the key of a test merchant.';
export const NEITHER = 'is required, or to';
export const BOTH = 'must be left out where advanceSeconds is given';
export const showNotForward = (time: string): string => `must be after ${time}, which it is by this clock already`;
export const showTooFar = (latest: string): string => `must leave the clock at ${latest} at most, two years ahead`;

// It is written down, told to all processes, and leads to whatever was waiting.
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

export function routeClock(app: FastifyInstance, { payments: { store } }: RouteContext): void {
  // Before the body is looked at: for a live merchant there is nothing to be right or wrong about it.
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) =>
    merchantOf(request).live ? sendAnswer(reply, failure(404, NO_CODE, NO_CLOCK)) : undefined;

  app.get('/v1/sandbox/clock', { schema: { operationId: 'getClock' }, onRequest }, async (request, reply) =>
    sendAnswer(reply, answerWith(200, await tellClock(store.pool, merchantOf(request)))),
  );

  app.post(
    '/v1/sandbox/clock',
    {
      schema: { operationId: 'moveClock', body: MoveClockSchema },
      config: { keyed: true, cost: COST },
      onRequest,
    },
    async (request, reply) => {
      const body = request.body as MoveClockBody;
      const step = readStep(body);
      const key = idempotencyOf(request);
      const keyed = key && { ...key, answerOf };
      const moved = await moveClock(store.pool, actorOf(request), merchantOf(request), step, keyed);
      const field = body.to === undefined ? 'advanceSeconds' : 'to';
      switch (moved.kind) {
        case 'moved':
          return sendAnswer(reply, { status: 200, body: answerOf(moved.clock) });
        case 'not_forward':
          throw badField(field, showNotForward(moved.clock.time));
        case 'too_far':
          throw badField(field, showTooFar(moved.clock.latest));
        case 'live':
          return sendAnswer(reply, failure(404, NO_CODE, NO_CLOCK));
        case 'replayed':
        case 'other_request_had_key':
          return sendOutcome(request, reply, moved, () => ({ status: 200, body: '' }));
      }
    },
  );
}
