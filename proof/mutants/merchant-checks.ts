// Conditions of SQL that keep one merchant's rows from another: `merchant_id = $1` and its like, in a file or in a string.
// The defect keeps the parameter, for Postgres refuses a statement that leaves one out, and lets every row pass.
import type { Change } from './mutant.ts';

// After what a condition begins; `set merchant_id = $1` is none.
const BEFORE = String.raw`(?<=\b(?:where|and|on|or|when)\s+\(?|['"${'`'}])`;
const COLUMN = String.raw`(?:\w+\.)?merchant_id`;
// A call is none: its end is not found so simply.
const OPERAND = String.raw`(?:any\s*\([^()]*\)|(?:\$\{[^}]*\}|[\w.:$\[\]])+(?![\w.:$\[\](]))`;
const CHECK = new RegExp(`${BEFORE}${COLUMN} = ${OPERAND}`, 'gi');

export function merchantChecksOf(text: string, from = 0, to = text.length): Change[] {
  // A comment of SQL is as long as before, and blank.
  const code = text.slice(from, to).replaceAll(/--[^\n]*/g, (comment) => ' '.repeat(comment.length));
  return Array.from(code.matchAll(CHECK), ({ index, 0: check }) => {
    const start = from + index;
    return { kind: 'merchant', start, end: start + check.length, after: `(${check} or true)` };
  });
}
