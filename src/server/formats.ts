// The formats that our schemas name and Ajv checks: what a text or number must be beyond its type.
import { readCountry } from '../domain/country.ts';
import { readCurrency } from '../domain/currency.ts';

const LONGEST_URL = 2_048;
const MOST_DECIMALS = 6;
// There is no year 0, and Postgres has none.
const DATE = /^((?!0000)\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Text that can be stored and shown: no NUL, no half of a surrogate pair. */
const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Whether all names and texts inside a JSON value can be stored: for values that are kept verbatim. */
export function holdsOnlyTexts(value: unknown): boolean {
  if (typeof value === 'string') return isText(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, field]) => isText(name) && holdsOnlyTexts(field));
}

function isWebUrl(text: string): boolean {
  if (text.length > LONGEST_URL || !isText(text) || !/^https?:\/\/\S+$/i.test(text)) return false;
  // Browsers read a backslash as a slash and other programs do not, so one address would have two readings.
  if (/[\\\p{Cc}]/u.test(text)) return false;
  return URL.canParse(text) && new URL(text).hostname !== '';
}

function hasSixDecimals(value: number): boolean {
  const [digits, exponent = '0'] = String(value).split('e');
  const decimals = (digits?.split('.')[1] ?? '').length - Number(exponent);
  return decimals <= MOST_DECIMALS;
}

/** The milliseconds of midnight UTC on the day of a date or timestamp; undefined if there is no such day. */
export function readDay(text: string): number | undefined {
  const day = DATE.exec(text)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(text))) return undefined;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return new Date(midnight).toISOString().startsWith(day) ? midnight : undefined;
}

const FULL_DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/i;

/** A moment: a date is its midnight, and a time without an offset is UTC. */
export function readMoment(text: string): number | undefined {
  if (!TIMESTAMP.test(text) || readDay(text.slice(0, 10)) === undefined) return undefined;
  const hasOffset = /(?:Z|[+-]\d{2}:\d{2})$/i.test(text.slice(10));
  const ms = Date.parse(text.length === 10 || hasOffset ? text : `${text}Z`);
  return Number.isNaN(ms) || ms < 0 ? undefined : ms;
}

// What a header of an event can carry: no line ends, no characters beyond Latin-1.
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

const WEBHOOK_SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
// As Standard Webhooks requires.
const SECRET_BYTES = { least: 24, most: 64 };

/** A signing key as Standard Webhooks spells it, in canonical base64. */
function isWebhookSecret(text: string): boolean {
  const base64 = WEBHOOK_SECRET.exec(text)?.[1] ?? '';
  const bytes = Buffer.from(base64, 'base64');
  const { least, most } = SECRET_BYTES;
  return bytes.length >= least && bytes.length <= most && bytes.toString('base64') === base64;
}

/** What each format requires, for error texts. */
export const FORMAT_TEXTS: Readonly<Record<string, string>> = {
  text: 'must hold no NUL character and no lone surrogate',
  'web-url': `must be an absolute http or https address of at most ${LONGEST_URL} characters`,
  currency: 'must be an active ISO 4217 currency code such as EUR',
  country: 'must be an ISO 3166 country code such as SWE or SE',
  day: 'must be a date or a timestamp such as 1990-12-31',
  'full-date': 'must be a date as YYYY-MM-DD, such as 2026-12-31',
  moment: 'must be a date or a timestamp such as 2026-11-15T08:00:00Z',
  'header-value': 'must be a text that a header can carry',
  'webhook-secret': `must be whsec_ and the base64 of ${SECRET_BYTES.least} to ${SECRET_BYTES.most} bytes`,
  'six-decimals': `must have at most ${MOST_DECIMALS} decimals`,
};

export const formats = {
  text: isText,
  'web-url': isWebUrl,
  currency: (text: string) => readCurrency(text) !== undefined,
  country: (text: string) => readCountry(text) !== undefined,
  day: (text: string) => readDay(text) !== undefined,
  'full-date': (text: string) => FULL_DATE.test(text) && readDay(text) !== undefined,
  moment: (text: string) => readMoment(text) !== undefined,
  'header-value': HEADER_VALUE,
  'webhook-secret': isWebhookSecret,
  'six-decimals': { type: 'number' as const, validate: hasSixDecimals },
};
