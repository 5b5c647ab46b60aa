// The documentation of the test clock: the shop of the story waits until the reservation of its sneakers is over.
import { MOST_AHEAD_MS } from '../../../store/merchants/clock.ts';
import { showClock } from '../../../merchants/clock.ts';
import { failure } from '../../../server/answer.ts';
import { NO_CODE } from '../../../server/errors.ts';
import { BODY_MISSING, bodyOf, problem } from '../../openapi/operation.ts';
import type { OperationDoc, Refused } from '../../openapi/operation.ts';
import { BOTH, NEITHER, NO_CLOCK, showNotForward, showTooFar } from './clock.ts';
import { TestClock } from './schema.ts';

const DAY_MS = 86_400_000;
const realMs = Date.UTC(2026, 2, 17, 8, 32, 0);
const moved = showClock({ realMs, aheadMs: 8 * DAY_MS });

const LIVE: Refused = { status: 404, summary: 'A live merchant', value: bodyOf(failure(404, NO_CODE, NO_CLOCK)) };

export const SANDBOX_OPERATIONS: Readonly<Record<string, OperationDoc>> = {
  getClock: {
    tag: 'Sandbox',
    summary: 'Read the test clock',
    description: 'What time it is for the payments of a test merchant. A live merchant has no sandbox: 404.',
    success: {
      status: 200,
      description: 'The clock.',
      schema: TestClock,
      examples: [
        { summary: 'Moved by eight days', value: moved },
        { summary: 'Never moved', value: showClock({ realMs, aheadMs: 0 }) },
      ],
    },
    refused: [LIVE],
  },
  moveClock: {
    tag: 'Sandbox',
    summary: 'Move the test clock',
    description:
      'Moves the time of a test merchant forward, by so many seconds or to a moment. From then on everything of its ' +
      'payments goes by it: payments and reservations expire, subscriptions can be charged again, invoices are dated by ' +
      'it, and what waits for another try, deliveries and calls of an acquirer, is tried at once. It cannot be moved back, ' +
      'and not further than two years: make another test merchant instead. A live merchant has no sandbox: 404.',
    requests: [
      { summary: 'Eight days: a reservation expires', value: { advanceSeconds: 691_200 } },
      { summary: 'To a moment', value: { to: '2026-04-01T00:00:00Z' } },
    ],
    success: {
      status: 200,
      description: 'The clock is moved.',
      schema: TestClock,
      examples: [{ summary: 'By eight days', value: moved }],
    },
    refused: [
      BODY_MISSING,
      problem('Nothing is said', { field: 'advanceSeconds', text: NEITHER }),
      problem('Both are said', { field: 'to', text: BOTH }),
      problem('Not forward', { field: 'to', text: showNotForward(moved.time) }),
      problem('Too far', { field: 'to', text: showTooFar(new Date(realMs + MOST_AHEAD_MS).toISOString()) }),
      LIVE,
    ],
  },
};
