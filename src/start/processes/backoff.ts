// When a process that died is started again: the first time at once, then ever later; who lived for a while begins anew.
// Where none of the others serves either, there is an end to it.

// Who has served for so long did not die of its start.
const STEADY_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** In a row and each within a minute: about two minutes of tries. */
const MOST_DEATHS = 10;

/** How often it has died in a row, after one more life. */
export const countDeaths = (before: number, servedMs: number): number => (servedMs >= STEADY_MS ? 1 : before + 1);

export const pauseAfter = (deaths: number): number =>
  deaths <= 1 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (deaths - 2), LONGEST_PAUSE_MS);

export const isHopeless = (deaths: number, others: number): boolean => deaths >= MOST_DEATHS && others === 0;
