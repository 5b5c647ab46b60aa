// When to restart a crashed process: first immediately, then with growing pauses, which reset after a steady run. If no
// other process serves either, restarting ends after a number of crashes.

// A process that has served this long did not crash because of its start.
const STEADY_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** In a row, each within a minute: about two minutes of attempts. */
const MOST_DEATHS = 10;

/** The number of crashes in a row, after one more run. */
export const countDeaths = (before: number, servedMs: number): number => (servedMs >= STEADY_MS ? 1 : before + 1);

export const pauseAfter = (deaths: number): number =>
  deaths <= 1 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (deaths - 2), LONGEST_PAUSE_MS);

export const isHopeless = (deaths: number, others: number): boolean => deaths >= MOST_DEATHS && others === 0;
