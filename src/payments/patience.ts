// How long an acquirer on another machine is waited for. Everything follows from the time that one call of it may take,
// so that whoever sets that one need not think of the others.

export type Patience = {
  /** One call. */
  readonly callMs: number;
  /** Until whoever asked for a movement has an answer, be it that the outcome is not known. */
  readonly answerMs: number;
  /**
   * A request that is under way for longer is not acted on any more: only so can one that the acquirer does not know be
   * given up for good.
   */
  readonly validMs: number;
  /** What the clocks of two machines differ by, at the worst. */
  readonly clocksDifferMs: number;
  /** For so long whoever made a movement asks about it alone: as long as it waits. */
  readonly ownTryMs: number;
};

// A client waits for 30 s; an answer that says "being determined" has to reach it before.
const LONGEST_ANSWER_MS = 25_000;

export const patienceOf = (callMs: number): Patience => ({
  callMs,
  answerMs: Math.min(4 * callMs, LONGEST_ANSWER_MS),
  validMs: 2 * callMs,
  clocksDifferMs: 4 * callMs,
  ownTryMs: 4 * callMs,
});
