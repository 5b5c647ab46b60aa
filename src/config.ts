// The configuration: the one reader of the environment. Everything is checked at start; an unknown KASSA_ name stops
// it, since a misspelt setting that is silently ignored is worse than none.
import { isIP } from 'node:net';

export type Config = {
  readonly port: number;
  readonly host: string;
  /** Undefined: the embedded Postgres in the data folder. */
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  /** Where consumers and merchants reach this service, without a slash at the end; by default the listening address. */
  readonly publicUrl: string | undefined;
  readonly paymentLifetimeMs: number;
  readonly reservationLifetimeMs: number;
  /** Requests a second for each secret key; undefined: no limit. */
  readonly liveRate: number | undefined;
  readonly testRate: number | undefined;
  readonly logLevel: (typeof LOG_LEVELS)[number];
};

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const LONGEST_LIFETIME_MS = 365 * UNITS_MS.d;

export class BadConfig extends Error {
  override readonly name = 'BadConfig';
}

type Environment = Readonly<Record<string, string | undefined>>;

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new BadConfig(`PORT is ${text}; it must be a number from 0 to 65535.`);
  return port;
}

function readHost(text: string): string {
  if (isIP(text) === 0 && !/^[a-z0-9.-]+$/i.test(text))
    throw new BadConfig(`HOST is ${text}; it must be an address or a host name.`);
  return text;
}

function readDuration(name: string, text: string): number {
  const [, count, unit] = /^(\d{1,9})(s|m|h|d)$/.exec(text) ?? [];
  const durationMs = Number(count) * UNITS_MS[(unit ?? 's') as keyof typeof UNITS_MS];
  if (unit === undefined || durationMs === 0 || durationMs > LONGEST_LIFETIME_MS)
    throw new BadConfig(`${name} is ${text}; it must be a duration such as 30m, 48h or 7d, at most 365d.`);
  return durationMs;
}

function readRate(name: string, text: string): number | undefined {
  if (text === 'off') return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new BadConfig(`${name} is ${text}; it must be requests a second, or off.`);
  return Number(text);
}

function readWebUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new BadConfig(`${name} is ${text}; it must be an http or https address.`);
  return text.replace(/\/+$/, '');
}

function readDatabaseUrl(text: string): string {
  if (!URL.canParse(text) || !/^postgres(ql)?:$/.test(new URL(text).protocol))
    throw new BadConfig('DATABASE_URL must be an address such as postgres://user:password@host:5432/database.');
  return text;
}

function readLogLevel(text: string): Config['logLevel'] {
  const level = LOG_LEVELS.find((known) => known === text);
  if (level === undefined)
    throw new BadConfig(`KASSA_LOG_LEVEL is ${text}; it must be one of ${LOG_LEVELS.join(', ')}.`);
  return level;
}

/** Every setting of ours: its default and its meaning, for the documentation and for the check of names. */
export const SETTINGS = {
  KASSA_DATA_DIR: ['.kassa', 'Folder of the embedded Postgres and the sandbox keys.'],
  KASSA_PUBLIC_URL: ['', 'Address under which others reach this service. Default: http://localhost:PORT.'],
  KASSA_PAYMENT_LIFETIME: ['48h', 'How long a created payment can be paid.'],
  KASSA_RESERVATION_LIFETIME: ['7d', 'How long a reservation can be charged or cancelled.'],
  KASSA_RATE_LIMIT: ['100', 'Requests a second for each live secret key, or off.'],
  KASSA_TEST_RATE_LIMIT: ['off', 'Requests a second for each test secret key, or off.'],
  KASSA_LOG_LEVEL: ['info', 'One of debug, info, warn, error, silent.'],
} as const;

export function readConfig(environment: Environment): Config {
  const unknown = Object.keys(environment).filter((name) => name.startsWith('KASSA_') && !(name in SETTINGS));
  if (unknown.length > 0)
    throw new BadConfig(
      `${unknown.join(', ')}: no such setting. The settings are ${Object.keys(SETTINGS).join(', ')}.`,
    );
  const setting = (name: keyof typeof SETTINGS): string => environment[name] || SETTINGS[name][0];
  return {
    port: readPort(environment['PORT'] || '8080'),
    host: readHost(environment['HOST'] || '127.0.0.1'),
    databaseUrl: environment['DATABASE_URL'] ? readDatabaseUrl(environment['DATABASE_URL']) : undefined,
    dataDir: setting('KASSA_DATA_DIR'),
    publicUrl:
      setting('KASSA_PUBLIC_URL') === '' ? undefined : readWebUrl('KASSA_PUBLIC_URL', setting('KASSA_PUBLIC_URL')),
    paymentLifetimeMs: readDuration('KASSA_PAYMENT_LIFETIME', setting('KASSA_PAYMENT_LIFETIME')),
    reservationLifetimeMs: readDuration('KASSA_RESERVATION_LIFETIME', setting('KASSA_RESERVATION_LIFETIME')),
    liveRate: readRate('KASSA_RATE_LIMIT', setting('KASSA_RATE_LIMIT')),
    testRate: readRate('KASSA_TEST_RATE_LIMIT', setting('KASSA_TEST_RATE_LIMIT')),
    logLevel: readLogLevel(setting('KASSA_LOG_LEVEL')),
  };
}
