// The keys that sign audit heads, and those that only verify them. The first private key signs; the others verify older
// heads, so a key is rotated by putting the new one first.
import { BadConfig } from './bad-config.ts';

const KEY = /^(?:public-)?[0-9a-f]{64}$/;

export function readAuditKeys(text: string): readonly string[] {
  const keys = text.split(/[\s,]+/).filter((key) => key !== '');
  // The message does not repeat the keys.
  if (!keys.every((key) => KEY.test(key)))
    throw new BadConfig(
      'KASSA_AUDIT_KEY must be 64 hexadecimal digits, as printed by openssl rand -hex 32, or public- and 64 digits; separate several with commas.',
    );
  return keys;
}
