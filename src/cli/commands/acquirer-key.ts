// The key between Kassa and an acquirer on the command line: one refusal for who shows it and for the bank that wants to
// see it.
import { ACQUIRER_KEY_LENGTHS, isAcquirerKey } from '../../merchants/acquirers.ts';
import { UserError } from '../../ops/user-error.ts';

export function readAcquirerKey(key: string): string {
  const { shortest, longest } = ACQUIRER_KEY_LENGTHS;
  // Not repeated: it is a key.
  if (!isAcquirerKey(key))
    throw new UserError(`--key must have ${shortest} to ${longest} visible ASCII characters, without spaces.`);
  return key;
}
