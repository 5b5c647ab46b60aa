// What the overview shows.
import type { Attention } from '../../store/lists/attention.ts';
import type { Period } from './period.ts';
import type { Summary } from './summary.ts';

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
