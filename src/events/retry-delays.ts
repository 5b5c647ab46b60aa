// The pauses between delivery attempts: short at first, since most faults pass, then longer, over about three days.
// Retry-After makes a pause longer. A webhook that answers 410, or had no success in three days (DAYS_TO_SWITCH_OFF in
// store/events/lanes.ts), is disabled.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const PAUSES_MS = [
  SECOND,
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  DAY,
] as const;

/** Later events of a payment wait for one that has failed fewer times than this, and then overtake it. */
export const TRIES_IN_ORDER = 3;

// Jitter of a tenth, so that what failed together is not retried together.
const JITTER = 0.1;
const LONGEST_ASKED_FOR_MS = DAY;

/** The pause after this many failures; undefined after the last attempt. */
export function retryDelayAfter(
  failures: number,
  askedForMs = 0,
  random: () => number = Math.random,
): number | undefined {
  const pauseMs = PAUSES_MS[failures - 1];
  if (pauseMs === undefined) return undefined;
  const asked = Math.min(askedForMs, LONGEST_ASKED_FOR_MS);
  return Math.round(Math.max(pauseMs, asked) * (1 + random() * JITTER));
}
