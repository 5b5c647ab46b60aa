// The --limit option of commands that print a list.
import { UserError } from '../../ops/user-error.ts';
import type { Option, Options } from './command.ts';

const DEFAULT_LIMIT = 20;
const MOST_LISTED = 1_000;

export const LIMIT_OPTION: Option = {
  type: 'string',
  value: 'N',
  what: `Maximum number of entries; default ${DEFAULT_LIMIT}, at most ${MOST_LISTED}.`,
};

export function readLimit({ limit = String(DEFAULT_LIMIT) }: Options): number {
  const count = Number(limit);
  if (!/^\d{1,4}$/.test(String(limit)) || count < 1 || count > MOST_LISTED)
    throw new UserError(`--limit is ${String(limit)}; it must be a number from 1 to ${MOST_LISTED}.`);
  return count;
}
