// The --key option for the key between Kassa and an acquirer: checked in the same way for Kassa and for the bank.
import { ACQUIRER_KEY_LENGTHS, isAcquirerKey } from '../../merchants/acquirers.ts';
import { UserError } from '../../ops/user-error.ts';

export function readAcquirerKey(key: string): string {
  const { shortest, longest } = ACQUIRER_KEY_LENGTHS;
  // The message does not repeat the key.
  if (!isAcquirerKey(key))
    throw new UserError(`--key must have ${shortest} to ${longest} visible ASCII characters, without spaces.`);
  return key;
}
