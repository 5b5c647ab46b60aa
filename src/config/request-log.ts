// How long API requests are kept, in days.
import { BadConfig } from './bad-config.ts';

const LONGEST_DAYS = 365;
const DAY_MS = 86_400_000;

/** In milliseconds; 0 keeps none. */
export function readRequestLogDays(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= LONGEST_DAYS) return Number(text) * DAY_MS;
  const expected = `a number of days from 1 to ${LONGEST_DAYS}, or 0 to keep none`;
  throw new BadConfig(`KASSA_REQUEST_LOG_DAYS is ${JSON.stringify(text)}; it must be ${expected}.`);
}

export const daysOf = (keptMs: number): number => keptMs / DAY_MS;
