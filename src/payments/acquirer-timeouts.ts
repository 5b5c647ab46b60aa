// Timeouts for remote acquirers. All of them follow from the timeout of one call, so that only that one is configured.

export type AcquirerTimeouts = {
  /** One call. */
  readonly callMs: number;
  /** Until the client of a movement gets an answer, even if the outcome is not known. */
  readonly answerMs: number;
  /** How long only the process that made a movement asks about it: as long as it waits. */
  readonly ownTryMs: number;
};

// A client waits for 30 s; the answer that the outcome is being determined must arrive before that.
const LONGEST_ANSWER_MS = 25_000;

export const timeoutsOf = (callMs: number): AcquirerTimeouts => ({
  callMs,
  answerMs: Math.min(4 * callMs, LONGEST_ANSWER_MS),
  ownTryMs: 4 * callMs,
});
