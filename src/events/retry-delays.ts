// How long to wait before the next try: quickly at first, since most faults pass, then longer, over about three days. It
// takes longer where the endpoint asks for it by Retry-After, and ends sooner for a webhook that says 410 or that has not
// once succeeded in three days (DAYS_TO_SWITCH_OFF in store/lanes.ts): that is switched off.

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

/** Later events of a payment wait for one that failed fewer times than this, and then overtake it. */
export const TRIES_IN_ORDER = 3;

// Spread by a tenth, so that what failed together does not come back together.
const JITTER = 0.1;
const LONGEST_ASKED_FOR_MS = DAY;

/** After so many failures, the pause before the next try; undefined when there is none. */
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
