// What the overview shows, and of how many days.
import type { Attention } from '../../store/lists/attention.ts';
import { homeOf } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import type { Summary } from './summary.ts';

export const PERIODS = [7, 30, 90] as const;
export type Period = (typeof PERIODS)[number];
export const LONGEST_PERIOD = PERIODS[2];

export const addressOf = (place: Place, days: Period, currency: string): string =>
  `${homeOf(place)}/overview?days=${days}&currency=${currency}`;

export type Overview = {
  readonly period: Period;
  readonly currency: string;
  /** All that there are figures in. */
  readonly currencies: readonly string[];
  readonly summary: Summary;
  readonly attention: Attention;
  /** Something that is very new is missing. */
  readonly isBehind: boolean;
  /** The demo shop, where it sells for this merchant. */
  readonly demoUrl?: string;
};
