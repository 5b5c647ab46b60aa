// How long an acquirer on another machine is waited for. Everything follows from the time that one call of it may take,
// so that whoever sets that one need not think of the others.

export type AcquirerTimeouts = {
  /** One call. */
  readonly callMs: number;
  /** Until whoever asked for a movement has an answer, be it that the outcome is not known. */
  readonly answerMs: number;
  /** For so long whoever made a movement asks about it alone: as long as it waits. */
  readonly ownTryMs: number;
};

// A client waits for 30 s; an answer that says "being determined" has to reach it before.
const LONGEST_ANSWER_MS = 25_000;

export const timeoutsOf = (callMs: number): AcquirerTimeouts => ({
  callMs,
  answerMs: Math.min(4 * callMs, LONGEST_ANSWER_MS),
  ownTryMs: 4 * callMs,
});
