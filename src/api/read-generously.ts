// Reads a parsed body as existing clients of this API mean it, for dialects that allow it: field names in any case,
// words of a fixed list in any case, strings that spell exactly one number or boolean, numbers that are whole but for a
// rounding error, 0 and 1 for booleans, whole numbers for strings. Anything else stays as it is, and validation reports
// it. One function is compiled for each schema; a body in canonical spelling is walked once and not changed.
import { isDeepStrictEqual } from 'node:util';
import { badField } from '../server/problem.ts';

type Schema = {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly format?: string;
  readonly maxItems?: number;
  readonly enum?: readonly unknown[];
};

/** Returns what the value of the field at that path means: the value itself if it is spelled canonically. */
type Reader = (value: unknown, path: string) => unknown;
type Fields = Record<string, unknown>;

// At most 16 digits, which a double holds exactly if they are safe; neither an exponent nor a leading zero.
const WHOLE = /^-?(?:0|[1-9]\d{0,15})$/;
// Quantities have at most six decimals. A double keeps all of these 15 digits.
const DECIMAL = /^-?(?:0|[1-9]\d{0,8})\.\d{1,6}$/;

// 19.99 times 100 is 1998.9999999999998 in doubles.
const ROUNDING_ERROR = 1e-6;

function roundSlightly(value: number): number {
  const whole = Math.round(value) + 0;
  return Number.isSafeInteger(whole) && Math.abs(value - whole) <= ROUNDING_ERROR ? whole : value;
}

/** Adding 0 makes 0 of "-0", which some languages write for a discount of nothing. */
function readSpelled(value: unknown): unknown {
  if (typeof value !== 'string' || !WHOLE.test(value)) return value;
  const number = Number(value) + 0;
  return Number.isSafeInteger(number) ? number : value;
}

const readWhole: Reader = (value) => (typeof value === 'number' ? roundSlightly(value) : readSpelled(value));

const readNumber: Reader = (value) =>
  typeof value === 'string' && DECIMAL.test(value) ? Number(value) + 0 : readSpelled(value);

// Several languages write True and False.
const BOOLEANS = new Map<unknown, boolean>([
  ...['true', 'True', 'TRUE', 1].map((spelling) => [spelling, true] as const),
  ...['false', 'False', 'FALSE', 0].map((spelling) => [spelling, false] as const),
]);

const readBoolean: Reader = (value) => (typeof value === 'boolean' ? value : (BOOLEANS.get(value) ?? value));

const readText: Reader = (value) => (typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value);

function readWord(words: readonly string[]): Reader {
  const spellings = new Map(words.map((word) => [word.toLowerCase(), word]));
  const longest = Math.max(...words.map((word) => word.length));
  return (value) =>
    typeof value === 'string' && value.length <= longest ? (spellings.get(value.toLowerCase()) ?? value) : value;
}

// Strings that can also be numbers: not codes, dates or addresses.
const FREE_TEXTS = new Set(['text', 'header-value']);

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function readObject(properties: Readonly<Record<string, Schema>>): Reader {
  const readers = new Map(Object.entries(properties).map(([name, schema]) => [name, compileReader(schema)]));
  /** The spellings of a name; the API description itself has two of a few. */
  const spellings = Map.groupBy(readers.keys(), (name) => name.toLowerCase());
  const longest = Math.max(...Array.from(readers.keys(), (name) => name.length));

  /** Of two spellings, a null counts as absent, and two that agree count as one. */
  const readOthers = (object: Fields, others: readonly string[], path: string): void => {
    const sentAs = new Map<string, string>();
    for (const other of others) {
      const [first, ...more] = spellings.get(other.toLowerCase()) as [string, ...string[]];
      const name = [first, ...more].find((each) => isGiven(object[each])) ?? first;
      const field = path === '' ? name : `${path}.${name}`;
      const read = readers.get(name);
      const value = read ? read(object[other], field) : object[other];
      delete object[other];
      if (!isGiven(object[name])) {
        object[name] = value;
        sentAs.set(name, other);
      } else if (isGiven(value) && !isDeepStrictEqual(object[name], value))
        throw badField(field, `is given as ${sentAs.get(name) ?? name} and as ${other}, with different values`);
    }
  };

  return (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const object = value as Fields;
    let others: string[] | undefined;
    for (const name of Object.keys(object)) {
      const read = readers.get(name);
      if (read) {
        const found = object[name];
        const meant = read(found, path === '' ? name : `${path}.${name}`);
        if (meant !== found) object[name] = meant;
      } else if (!readers.has(name) && name.length <= longest && spellings.has(name.toLowerCase()))
        (others ??= []).push(name);
    }
    if (others) readOthers(object, others, path);
    return object;
  };
}

/** One that is too long is refused unchanged. */
function readArray(readItem: Reader, most: number): Reader {
  return (value, path) => {
    if (!Array.isArray(value) || value.length > most) return value;
    for (const [index, item] of value.entries()) {
      const meant = readItem(item, `${path}[${index}]`);
      if (meant !== item) value[index] = meant;
    }
    return value;
  };
}

function compileReader(schema: Schema): Reader | undefined {
  if (schema.properties && Object.keys(schema.properties).length > 0) return readObject(schema.properties);
  if (schema.items) {
    const readItem = compileReader(schema.items);
    return readItem && readArray(readItem, schema.maxItems ?? Infinity);
  }
  if (schema.type === 'string' && schema.enum) return readWord(schema.enum as string[]);
  if (schema.type === 'integer') return readWhole;
  if (schema.type === 'number') return readNumber;
  if (schema.type === 'boolean') return readBoolean;
  return schema.type === 'string' && FREE_TEXTS.has(schema.format ?? '') ? readText : undefined;
}

/** Converts a body to our spelling, in place. */
export function compileGenerousReading(schema: Schema): (body: unknown) => void {
  const read = compileReader(schema);
  return (body) => void read?.(body, '');
}
