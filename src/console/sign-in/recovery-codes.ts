// Recovery codes, for people who have lost their authenticator app. Each works once; ten are shown, once. They are long
// enough for a plain hash.
import { randomInt } from 'node:crypto';

const COUNT = 10;
const GROUPS = 4;
const GROUP = 4;
// Without those that are taken for one another.
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

const newGroup = (): string => Array.from({ length: GROUP }, () => LETTERS[randomInt(LETTERS.length)]).join('');

export const newRecoveryCodes = (): string[] =>
  Array.from({ length: COUNT }, () => Array.from({ length: GROUPS }, newGroup).join('-'));

/** As it was shown, however it was typed; undefined where it cannot be one. */
export function readRecoveryCode(text: string): string | undefined {
  const letters = text.toLowerCase().replaceAll(/[\s-]/g, '');
  if (letters.length !== GROUPS * GROUP || !/^[a-z2-9]+$/.test(letters)) return undefined;
  return letters.match(/.{4}/g)?.join('-');
}
