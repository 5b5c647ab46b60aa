// The key of a command that can be repeated and is carried out once: named, or drawn anew.
import { randomUUID } from 'node:crypto';
import { UserError } from '../../ops/user-error.ts';
import type { Option, Options } from './command.ts';

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,64}$/;

export const KEY_OPTION: Option = {
  type: 'string',
  value: 'KEY',
  what: 'Repeats what was asked with this key, and does it once; by default a new one.',
};

export function readIdempotencyKey(options: Options): string {
  const { 'idempotency-key': key = randomUUID() } = options;
  if (!IDEMPOTENCY_KEY.test(String(key)))
    throw new UserError('--idempotency-key must have 1 to 64 visible ASCII characters.');
  return String(key);
}

export const DONE_BEFORE = 'It had been done before with this idempotency key; nothing was done again.';

/** Ends the text of an error after which it may have been done. */
export const showRepeatable = (key: string): string =>
  `Whether it was done is not known: repeat it with --idempotency-key ${key}, which does it once.`;
