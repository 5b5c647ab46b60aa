// The periods of the overview, and their URLs.
import { homeOf } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';

export const PERIODS = [7, 30, 90] as const;
export type Period = (typeof PERIODS)[number];
export const LONGEST_PERIOD = PERIODS[2];

export const addressOf = (place: Place, days: Period, currency: string): string =>
  `${homeOf(place)}/overview?days=${days}&currency=${currency}`;
