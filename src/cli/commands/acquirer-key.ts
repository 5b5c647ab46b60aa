// The key between Kassa and an acquirer: one rule for who shows it and for the bank that wants to see it.
import { UserError } from '../../ops/user-error.ts';

const [SHORTEST, LONGEST] = [8, 256];

export function readAcquirerKey(key: string): string {
  // Not repeated: it is a key.
  if (key.length < SHORTEST || key.length > LONGEST || !/^[\x21-\x7e]+$/.test(key))
    throw new UserError(`--key must have ${SHORTEST} to ${LONGEST} visible ASCII characters, without spaces.`);
  return key;
}
