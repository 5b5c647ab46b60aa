// A body in the request log: JSON with everything masked that could be secret or personal, cut at a bound. It is scanned
// and not parsed, so a large body costs no more than the part that is kept. Of invalid JSON, everything before the error
// is kept: up to there, the field of every value is known.
import { LARGEST_READ } from '../../server/body.ts';
import { MASK, maskName, maskOwnText, maskText, maskUrl } from './mask-text.ts';
import { ERRORS, isShownObject, showingOf } from './shown-fields.ts';

export type MaskedBody = {
  readonly text: string;
  /** The rest is left out because of its size. */
  readonly isCut: boolean;
};

export type Masking = {
  /** It is our own response. */
  readonly isAnswer?: boolean;
  /** False if more of the body arrived than is given here. */
  readonly isWhole?: boolean;
};

export const LARGEST_KEPT_BYTES = 8_192;
/** Follows the kept part of a text that is not JSON from there on. */
export const BROKEN = '⟨not JSON from here on, and not kept⟩';

// Without an escape or a character that requires one.
const PLAIN_STRING = /^[ !\x23-\x5b\x5d-\x7e]*$/;
const DEEPEST = 32;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

/** An object or array that is being read. */
type Level = {
  readonly isList: boolean;
  /** The field whose value it is; an array within an array has that of the outer one. */
  readonly field: string;
  /** masked: everything. errors: the texts of our own error responses. */
  readonly kind: 'shown' | 'masked' | 'errors';
  count: number;
};

class Broken extends Error {}
class Full extends Error {}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

function unescaped(inside: string): string {
  try {
    return JSON.parse(`"${inside}"`) as string;
  } catch {
    throw new Broken();
  }
}

class Reader {
  readonly #text: string;
  readonly #isWhole: boolean;
  readonly #isAnswer: boolean;
  readonly #levels: Level[] = [];
  #at = 0;
  #out = '';

  constructor(text: string, { isAnswer = false, isWhole = true }: Masking) {
    this.#text = text.slice(0, LARGEST_READ);
    this.#isWhole = isWhole && text.length <= LARGEST_READ;
    this.#isAnswer = isAnswer;
  }

  read(): MaskedBody {
    try {
      this.#value('');
      this.#skip();
      if (this.#at < this.#text.length) throw new Broken();
    } catch (error) {
      const isBroken = error instanceof Broken;
      if (error instanceof Full || (isBroken && !this.#isWhole)) return { text: this.#out, isCut: true };
      if (!isBroken) throw error;
      this.#out += BROKEN;
    }
    return { text: this.#out, isCut: false };
  }

  #put(piece: string): void {
    this.#out += piece;
    if (this.#out.length > LARGEST_KEPT_BYTES) throw new Full();
  }

  #skip(): void {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at += 1;
  }

  /** The next character after whitespace. */
  #next(): string {
    this.#skip();
    return this.#text.charAt(this.#at);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #string(): string {
    let end = this.#text.indexOf('"', this.#at + 1);
    while (end >= 0 && this.#isEscaped(end)) end = this.#text.indexOf('"', end + 1);
    if (end < 0) throw new Broken();
    const inside = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return PLAIN_STRING.test(inside) ? inside : unescaped(inside);
  }

  #isEscaped(quote: number): boolean {
    let slashes = 0;
    while (this.#text.charCodeAt(quote - 1 - slashes) === 0x5c) slashes += 1;
    return slashes % 2 === 1;
  }

  #value(field: string): void {
    const sign = this.#next();
    if (sign === '{' || sign === '[') return this.#open(sign === '[', field);
    if (sign === '"') return this.#put(JSON.stringify(this.#show(this.#string(), field)));
    const word = this.#match(WORD);
    if (word !== undefined) return this.#put(word);
    const number = this.#match(NUMBER);
    // A number directly followed by something else was not meant as one.
    if (number === undefined || /[\w.+-]/.test(this.#text.charAt(this.#at))) throw new Broken();
    const shown = this.#show(number, field);
    this.#put(shown === number ? number : JSON.stringify(shown));
  }

  #show(text: string, field: string): string {
    const level = this.#levels.at(-1);
    if (level === undefined || level.kind === 'masked') return MASK;
    if (level.kind === 'errors') return maskOwnText(text);
    // Elements of an array have the array's name.
    const showing = showingOf(field, level.field);
    if (showing === 'nothing') return MASK;
    return showing === 'address' ? maskUrl(text) : maskText(text);
  }

  #kindOf(field: string): Level['kind'] {
    const outer = this.#levels.at(-1);
    if (outer === undefined) return 'shown';
    if (outer.kind !== 'shown') return outer.kind;
    if (this.#isAnswer && field === ERRORS && this.#levels.length === 1) return 'errors';
    return isShownObject(field) ? 'shown' : 'masked';
  }

  #open(isList: boolean, field: string): void {
    if (this.#levels.length >= DEEPEST) throw new Broken();
    const level: Level = { isList, field, kind: this.#kindOf(field), count: 0 };
    this.#at += 1;
    this.#put(isList ? '[' : '{');
    this.#levels.push(level);
    const close = isList ? ']' : '}';
    if (this.#next() !== close)
      do {
        if (level.count > 0) this.#put(',');
        level.count += 1;
        this.#value(isList ? field : this.#name());
      } while (this.#follows(close));
    this.#at += 1;
    this.#levels.pop();
    this.#put(close);
  }

  /** Whether another value follows. */
  #follows(close: string): boolean {
    const sign = this.#next();
    if (sign === close) return false;
    if (sign !== ',') throw new Broken();
    this.#at += 1;
    return true;
  }

  #name(): string {
    if (this.#next() !== '"') throw new Broken();
    const name = this.#string();
    if (this.#next() !== ':') throw new Broken();
    this.#at += 1;
    const isErrors = this.#levels.at(-1)?.kind === 'errors';
    this.#put(`${JSON.stringify(isErrors ? maskOwnText(name) : maskName(name))}:`);
    return name;
  }
}

const SIGNS = /[\p{Cc}\p{Cf}]/gu;

/** The part of a text that is kept, in whole characters that Postgres accepts. */
export function cutAt(text: string, most: number): string {
  const whole = text.toWellFormed().replaceAll(SIGNS, ' ');
  if (Buffer.byteLength(whole) <= most) return whole;
  return Buffer.from(whole).subarray(0, most).toString('utf8').replace(/�+$/, '');
}

export function maskBody(text: string, masking: Masking = {}): MaskedBody {
  const masked = new Reader(text, masking).read();
  const kept = cutAt(masked.text, LARGEST_KEPT_BYTES);
  return { text: kept, isCut: masked.isCut || kept.length < masked.text.length };
}
