// The test clock: what moves it, and what it shows.
import { Timestamp } from '../../../events/body-parts.ts';
import * as Type from '../../../schema/type.ts';

const MOST_AHEAD_SECONDS = 63_072_000;

export const MoveClockSchema = Type.Object(
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

export type MoveClockBody = Type.Static<typeof MoveClockSchema>;

export const TestClock = Type.Object(
  {
    time: Timestamp('What time it is for your payments.'),
    aheadSeconds: Type.Integer({ minimum: 0, description: 'How far that is ahead of the real time.' }),
    latest: Timestamp('To where the clock can be moved at most: two years ahead of the real time.'),
  },
  { title: 'TestClock' },
);
