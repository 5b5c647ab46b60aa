// Times as option values.
import { readMoment } from '../../server/formats.ts';
import { UserError } from '../../ops/user-error.ts';

/** Undefined if the text is not a time. A space between date and time is accepted as well. */
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
