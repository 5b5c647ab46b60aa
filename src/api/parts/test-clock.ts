// What reading and moving the test clock share: the response, and the refusal for live merchants.
import { Timestamp } from '../../events/body-parts.ts';
import { showClock } from '../../merchants/clock.ts';
import * as Type from '../../schema/type.ts';
import { failure, NO_CODE } from '../../server/answer.ts';
import { refusal } from '../operation.ts';
import type { Refused } from '../operation.ts';

export const TestClock = Type.Object(
  {
    time: Timestamp('What time it is for your payments.'),
    aheadSeconds: Type.Integer({ minimum: 0, description: 'How far that is ahead of the real time.' }),
    latest: Timestamp('To where the clock can be moved at most: two years ahead of the real time.'),
  },
  { title: 'TestClock' },
);

const TEXT = 'A live merchant has no test clock: its time is the real one. Use the key of a test merchant.';
export const NO_CLOCK = failure(404, NO_CODE, TEXT);

const DAY_MS = 86_400_000;
export const realMs = Date.UTC(2026, 2, 17, 8, 32, 0);

export const moved = showClock({ realMs, aheadMs: 8 * DAY_MS });
export const LIVE: Refused = refusal('A live merchant', NO_CLOCK);
