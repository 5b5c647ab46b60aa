// The idempotency key of a command that can be repeated safely: given, or random.
import { randomUUID } from 'node:crypto';
import { UserError } from '../../ops/user-error.ts';
import type { Option, Options } from './command.ts';

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,64}$/;

export const KEY_OPTION: Option = {
  type: 'string',
  value: 'KEY',
  what: 'Makes a retry safe: a request with a known key is not carried out again. Default: a new key.',
};

export function readIdempotencyKey(options: Options): string {
  const { 'idempotency-key': key = randomUUID() } = options;
  if (!IDEMPOTENCY_KEY.test(String(key)))
    throw new UserError('--idempotency-key must have 1 to 64 visible ASCII characters.');
  return String(key);
}

export const DONE_BEFORE =
  'This idempotency key was used before: here is the earlier result, and nothing was done again.';

/** The end of an error message where the outcome is unknown. */
export const showRepeatable = (key: string): string =>
  `The outcome is unknown. It is safe to retry with --idempotency-key ${key}.`;
