// The keys that sign heads of the audit, and those that only check them. The first that can sign does; heads that an
// earlier one signed are checked by the others, so a key is replaced by putting a new one before it.
import { BadConfig } from './bad-config.ts';

const KEY = /^(?:public-)?[0-9a-f]{64}$/;

export function readAuditKeys(text: string): readonly string[] {
  const keys = text.split(/[\s,]+/).filter((key) => key !== '');
  // Not repeated: they are keys.
  if (!keys.every((key) => KEY.test(key)))
    throw new BadConfig(
      'KASSA_AUDIT_KEY must be 64 hexadecimal digits, as openssl rand -hex 32 prints them, or public- and 64 of them; several have commas between them.',
    );
  return keys;
}
