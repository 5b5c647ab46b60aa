// Finds card numbers in texts, however they are written: in one run, in groups, with separators between the digits. One
// pass over the text keeps running sums that decide each run of digits, so the time is linear in the length.

const SHORTEST_CARD = 12;
const LONGEST_CARD = 19;
// At most this many characters that are neither letters nor digits between two digits of one number.
const LONGEST_GAP = 12;
// At most this many characters of any kind, such as " x " or "&nbsp;", between groups as long as a card's.
const LONGEST_GROUP_GAP = 8;
// The groups that are printed on cards: 16 digits and up to three more, American Express, Diners.
const GROUPS: readonly (readonly number[])[] = [
  [4, 4, 4, 4],
  [4, 4, 4, 4, 1],
  [4, 4, 4, 4, 2],
  [4, 4, 4, 4, 3],
  [4, 6, 5],
  [4, 6, 4],
];
const MOST_GROUPS = 5;

const ALPHANUMERIC = /[\p{L}\p{N}]/u;
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

function breaksRow(code: number): boolean {
  if (code < 0x80) return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
  return ALPHANUMERIC.test(String.fromCharCode(code));
}

/** Prefix sums of the Luhn check from the right, for runs that end at an even and at an odd place. */
function sumsOf(digits: string): readonly [number[], number[]] {
  const sums: [number[], number[]] = [[0], [0]];
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits.charCodeAt(at) - 0x30;
    const doubled = digit > 4 ? digit * 2 - 9 : digit * 2;
    for (const parity of [0, 1] as const) {
      const sum = sums[parity];
      sum.push((sum[at] as number) + (at % 2 === parity ? doubled : digit));
    }
  }
  return sums;
}

/** Whether some run of the digits can be a card number, by its first digit and its check digit. */
function holdsCard(digits: string): boolean {
  if (digits.length < SHORTEST_CARD) return false;
  const sums = sumsOf(digits);
  for (let start = 0; start + SHORTEST_CARD <= digits.length; start += 1) {
    const first = digits.charAt(start);
    if (first < '2' || first > '6') continue;
    const last = Math.min(start + LONGEST_CARD, digits.length);
    for (let end = start + SHORTEST_CARD; end <= last; end += 1) {
      const sum = sums[end % 2 === 0 ? 0 : 1];
      if (((sum[end] as number) - (sum[start] as number)) % 10 === 0) return true;
    }
  }
  return false;
}

/** Whether all of the digits are one: 2 begins 22 to 27, as no year does. */
function isCard(digits: string): boolean {
  if (digits.length < SHORTEST_CARD || digits.length > LONGEST_CARD || !/^(?:2[2-7]|[3-6])/.test(digits)) return false;
  return (sumsOf(digits)[digits.length % 2 === 0 ? 0 : 1].at(-1) as number) % 10 === 0;
}

/** Whether the last groups are those of a card. */
const endsInCard = (groups: readonly string[]): boolean =>
  GROUPS.some((shape) => {
    const last = groups.slice(-shape.length);
    return (
      last.length === shape.length && last.every((group, at) => group.length === shape[at]) && isCard(last.join(''))
    );
  });

/** Whether a text holds digits that can be a card number, also within a longer run. */
export function holdsCardNumber(text: string): boolean {
  if (text.length < SHORTEST_CARD) return false;
  let row = '';
  let groups: string[] = [];
  let group = '';
  let gap = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : -1;
    if (isDigit(code)) {
      const digit = text.charAt(at);
      if (gap > LONGEST_GROUP_GAP) groups = [];
      row += digit;
      group += digit;
      gap = 0;
      continue;
    }
    if (group !== '') {
      groups = [...groups.slice(1 - MOST_GROUPS), group];
      group = '';
      if (endsInCard(groups)) return true;
    }
    gap += 1;
    if (row === '' || (code !== -1 && gap <= LONGEST_GAP && !breaksRow(code))) continue;
    if (holdsCard(row)) return true;
    row = '';
  }
  return false;
}

// A whole run of digits, or groups as printed on cards.
const WHOLE_ROW =
  /(?<!\d[._-]*)(?:\d{12,19}|\d{4}(?:[._-]+\d{4}){2,3}(?:[._-]+\d{1,3})?|\d{4}[._-]+\d{6}[._-]+\d{4,5})(?![._-]*\d)/g;

/** Whether it holds a card number where none is expected; a count or a timestamp with more digits is none. */
export const holdsWholeCardNumber = (text: string): boolean =>
  Array.from(text.matchAll(WHOLE_ROW), ([row]) => row.replaceAll(/\D/g, '')).some(isCard);
