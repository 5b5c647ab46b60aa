// A defect that is planted on purpose: which text of which lines becomes which other. It is found again by its lines and
// not by their numbers, so that the same defect can be planted in another commit whose file has grown or shrunk above it.
import { createHash } from 'node:crypto';

export const KINDS = ['operator', 'bound', 'await', 'field', 'merchant', 'removed', 'negated'] as const;
export type Kind = (typeof KINDS)[number];

/** A change of one file that would be a defect of this kind: its text from `start` up to `end` becomes `after`. */
export type Change = { readonly kind: Kind; readonly start: number; readonly end: number; readonly after: string };

export type Mutant = {
  /** The same for the same defect, whatever list it is in. */
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly kind: Kind;
  readonly before: string;
  readonly after: string;
  /** The whole lines in which it stands, and where in them. */
  readonly lines: string;
  readonly column: number;
  /** The file has these lines so many times, and this is which of them, counted from 0. */
  readonly alike: number;
  readonly nth: number;
};

/** Where these whole lines begin in the text. */
function placesOf(text: string, lines: string): number[] {
  const [within, wanted] = [`\n${text}\n`, `\n${lines}\n`];
  const places: number[] = [];
  for (let at = within.indexOf(wanted); at !== -1; at = within.indexOf(wanted, at + 1)) places.push(at);
  return places;
}

export function mutantOf(file: string, text: string, { kind, start, end, after }: Change): Mutant {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const to = text.indexOf('\n', end);
  const lines = text.slice(from, to === -1 ? text.length : to);
  const places = placesOf(text, lines);
  const line = text.slice(0, start).split('\n').length;
  const place = { column: start - from, alike: places.length, nth: places.indexOf(from) };
  const mutant = { file, line, kind, before: text.slice(start, end), after, lines, ...place };
  return { id: createHash('sha256').update(JSON.stringify(mutant)).digest('hex').slice(0, 10), ...mutant };
}

/** The text with the defect; undefined where its lines are not there, or cannot be told from others like them. */
export function plant(text: string, { lines, column, before, after, nth, alike }: Mutant): string | undefined {
  const places = placesOf(text, lines);
  const place = places[nth];
  if (place === undefined || places.length !== alike) return undefined;
  const at = place + column;
  return text.slice(0, at) + after + text.slice(at + before.length);
}

const SHOWN = 70;

const short = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
};

/** A line for people: `src/domain/fee.ts:12 operator: < → <=`, with the line that has it. */
export function describeMutant({ file, line, kind, before, after, lines }: Mutant): string {
  const change = `${file}:${line} ${kind}: ${short(before)} → ${short(after) || 'nothing'}`;
  return short(lines) === short(before) ? change : `${change}   in: ${short(lines)}`;
}
