// The problems of a request, by field: the field's path as the client wrote it, and what was expected and found. Values
// that could be secret or personal are never repeated.
import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import { FORMAT_TEXTS } from './formats.ts';

export type Problem = {
  readonly field: string;
  readonly text: string;
  /** Problems that a dialect words differently. */
  readonly kind?: 'amount_not_positive' | 'sum_differs' | 'body_missing';
};

export class BadRequest extends Error {
  override readonly name = 'BadRequest';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super('bad request');
    this.problems = problems;
  }
}

export const badField = (field: string, text: string): BadRequest => new BadRequest([{ field, text }]);

// One request can break as many rules as it has fields: the first hundred are enough to fix it.
const MOST_PROBLEMS = 100;

const TYPE_TEXTS: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};

/** Values of these formats are never a date of birth. */
const DATES = new Set(['full-date', 'moment']);
/** Looks like a date, with at most the digits of a time of day: shorter than a card number. */
const DATE = /^[\d\s:.,/+TZ-]{1,24}$/i;

/** Values of these formats are codes, which are safe to repeat. */
const CODES = new Set(['currency', 'country']);
// Longer than any of our codes, shorter than the digits of a key.
const CODE = /^[\w -]{1,24}$/;
const MOST_DIGITS_OF_CODE = 5;
// Card numbers have 13 to 19 digits. A number that could be one is not repeated.
const SHORTEST_CARD_NUMBER = 13;

const digitsIn = (text: string): number => text.replaceAll(/\D/g, '').length;

/** Whether it could be a card number. */
const isLong = (value: unknown): boolean => digitsIn(String(value)) >= SHORTEST_CARD_NUMBER;

const describeNumber = (value: number): string =>
  isLong(value) ? `a number of ${digitsIn(String(value))} digits` : String(value);

const describeText = (length: number): string =>
  length === 1 ? 'a text of 1 character' : `a text of ${length} characters`;

function describeFound(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  // Characters as the limits count them: an emoji is one.
  if (typeof value === 'string') return value === '' ? 'an empty text' : describeText(Array.from(value).length);
  if (typeof value === 'number') return describeNumber(value);
  return typeof value === 'boolean' ? String(value) : 'an object';
}

/** A short code is repeated; anything that could be a card number, a key or an address is not. */
const repeatCode = (value: unknown): string =>
  typeof value === 'string' && CODE.test(value) && digitsIn(value) <= MOST_DIGITS_OF_CODE
    ? JSON.stringify(value)
    : describeFound(value);

/** An intended date is repeated. */
const repeatDate = (value: unknown): string =>
  typeof value === 'string' && DATE.test(value) && digitsIn(value) < SHORTEST_CARD_NUMBER
    ? JSON.stringify(value)
    : describeFound(value);

/**
 * A name that the client chose, such as a header of a webhook, can hold anything: it is repeated only if it is plain.
 */
const showStep = (step: string): string =>
  /^[\w-]{1,64}$/.test(step) && digitsIn(step) < SHORTEST_CARD_NUMBER ? step : '*';

function fieldOf(path: string, last?: string): string {
  const steps = path.split('/').slice(1).map(showStep);
  if (last !== undefined) steps.push(last);
  return steps.reduce(
    (field, step) => (/^\d+$/.test(step) ? `${field}[${step}]` : field === '' ? step : `${field}.${step}`),
    '',
  );
}

type AjvError = FastifySchemaValidationError & {
  readonly data?: unknown;
  readonly parentSchema?: Record<string, unknown>;
};

function textOf({ keyword, params, data, parentSchema = {} }: AjvError): string {
  const { limit } = params as { limit?: number };
  const found = describeFound(data);
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return `there is no such field; there are ${Object.keys(parentSchema['properties'] as object).join(', ')}`;
    case 'type':
      return `must be ${TYPE_TEXTS[params['type'] as string] ?? 'of another type'}, found ${found}`;
    case 'minimum':
    case 'maximum': {
      const whole = parentSchema['type'] === 'integer' ? 'a whole number' : 'a number';
      const other = keyword === 'maximum' ? 'a larger one' : 'a smaller one';
      return `must be ${whole} from ${String(parentSchema['minimum'])} to ${String(parentSchema['maximum'])}, found ${isLong(data) ? other : found}`;
    }
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters, found ${found}`;
    case 'maxLength':
      return `must have at most ${limit} characters, found ${found}`;
    case 'minItems':
      return `must have at least ${limit} ${limit === 1 ? 'element' : 'elements'}, found ${found}`;
    case 'maxItems':
      return `must have at most ${limit} elements, found ${(data as unknown[]).length}`;
    case 'enum':
      return `must be one of ${(params['allowedValues'] as string[]).join(', ')}; found ${repeatCode(data)}`;
    case 'format': {
      const format = params['format'] as string;
      const shown = CODES.has(format) ? repeatCode(data) : DATES.has(format) ? repeatDate(data) : found;
      return `${FORMAT_TEXTS[format] ?? 'is malformed'}, found ${shown}`;
    }
    default:
      return `does not fit: ${keyword}`;
  }
}

/** The field of an error that is reported on the object around it. */
function namedBy({ keyword, params }: AjvError): string | undefined {
  if (keyword === 'required') return params['missingProperty'] as string;
  return keyword === 'additionalProperties' ? showStep(params['additionalProperty'] as string) : undefined;
}

const isAmount = (field: string): boolean => field === 'amount' || field === 'order.amount';

export function problemsOf(errors: readonly FastifySchemaValidationError[]): Problem[] {
  return errors.slice(0, MOST_PROBLEMS).map((error: AjvError) => {
    const field = fieldOf(error.instancePath, namedBy(error)) || 'body';
    const notPositive = error.keyword === 'minimum' && isAmount(field);
    // 0 is only valid in the order of a subscription, so the text does not mention it elsewhere.
    const text = isAmount(field) ? textOf(error).replace('from 0 to', 'from 1 to') : textOf(error);
    return { field, text, ...(notPositive && { kind: 'amount_not_positive' as const }) };
  });
}
