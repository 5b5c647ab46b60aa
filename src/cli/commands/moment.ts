// A moment that is given as an option.
import { readMoment } from '../../server/formats.ts';
import { UserError } from '../../ops/user-error.ts';

/** Undefined when the text is none. Between the date and the time people put a space as well. */
export const momentIn = (text: string): number | undefined =>
  readMoment(text.trim().replace(/^(\d{4}-\d\d-\d\d) +/, '$1T'));

export function readTime(text: string, name: string): number {
  const ms = momentIn(text);
  if (ms === undefined)
    throw new UserError(
      `--${name} is ${text}; it must be a date such as 2026-11-15 or a timestamp such as 2026-11-15T08:00:00Z.`,
    );
  return ms;
}
