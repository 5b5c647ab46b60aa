// GET /v1/sandbox/clock: the current time of a test merchant's payments.
import { showClock, tellClock } from '../../merchants/clock.ts';
import { answerWith } from '../../server/answer.ts';
import { answers, operation } from '../operation.ts';
import { LIVE, moved, NO_CLOCK, realMs, TestClock } from '../parts/test-clock.ts';

export const getClock = operation('getClock', 'GET /v1/sandbox/clock', 'read', {
  live: NO_CLOCK,
  tag: 'Sandbox',
  summary: 'Read the test clock',
  description: 'What time it is for the payments of a test merchant. A live merchant has no sandbox: 404.',
  success: answers(200, 'The clock.', TestClock, {
    'Moved by eight days': moved,
    'Never moved': showClock({ realMs, aheadMs: 0 }),
  }),
  refused: [LIVE],
  handler: async (request, { store }) => answerWith(200, await tellClock(store.pool, request.merchant)),
});
