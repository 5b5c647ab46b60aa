// The configuration, and the only reader of the environment. Everything is checked at the start.
import { isIP } from 'node:net';
import { readPublicUrl } from './config/addresses.ts';
import { readAuditKeys } from './config/audit-keys.ts';
import { BadConfig } from './config/bad-config.ts';
import { describeDatabase, readDatabaseUrl, readDirectUrl } from './config/database-url.ts';
import { refuseUnknown } from './config/names.ts';
import type { ConsolePlace } from './config/ports.ts';
import { readConsolePlace, readOwnPort, readPort, refuseOnePort } from './config/ports.ts';
import { readProcesses } from './config/processes.ts';
import { isReachedFromHereAlone, reachesPrivate } from './config/reach.ts';
import { daysOf, readRequestLogDays } from './config/request-log.ts';
import { withSecretFiles } from './config/secret-files.ts';
import { SETTINGS } from './config/settings.ts';
import { readTracing } from './config/tracing.ts';
import type { TracingConfig } from './config/tracing.ts';
import { describeSignIn, readSignIn } from './config/sign-in.ts';
import type { SignInConfig } from './config/sign-in.ts';
import type { Setting } from './config/settings.ts';

export type Config = ConsolePlace & {
  readonly port: number;
  readonly host: string;
  /** How many processes serve on these ports. */
  readonly processes: number;
  /** A separate port for /metrics; undefined: the port above. */
  readonly metricsPort: number | undefined;
  /** How long expired data is kept; see Retention. */
  readonly retention: Retention;
  /** One address per server, separated by spaces; undefined: the embedded Postgres in the data folder. */
  readonly databaseUrl: string | undefined;
  /** The direct address, if databaseUrl is a pooler in transaction mode; undefined: it is not. */
  readonly databaseDirectUrl: string | undefined;
  /** How long serve, worker and migrate wait for a database that is unavailable. */
  readonly databaseWaitMs: number;
  readonly dataDir: string;
  /** The public address, without a trailing slash; undefined: the listening address. */
  readonly publicUrl: string | undefined;
  readonly paymentLifetimeMs: number;
  readonly reservationLifetimeMs: number;
  /** Requests per second for each live key; undefined: no limit. */
  readonly liveRate: number | undefined;
  /** Requests per second for each test merchant, over all its keys. */
  readonly testRate: number | undefined;
  /** Failed attempts to pay within ten minutes; undefined: no limit. */
  readonly paymentAttempts: number | undefined;
  readonly addressAttempts: number | undefined;
  readonly trustedProxies: readonly string[];
  /** Timeout for a request to a remote acquirer. */
  readonly acquirerTimeoutMs: number;
  /** Whether the service delivers events; otherwise kassa worker does. */
  readonly deliveries: boolean;
  /** Whether test merchants' hooks may be private addresses; see reachesPrivate. */
  readonly privateHooks: Choice;
  /** The key for kassa listen, trigger and payment; undefined: the sandbox's. */
  readonly cliKey: string | undefined;
  /** Whether to create a test merchant in an empty database, and to show and use its key. */
  readonly sandbox: boolean;
  /** Whether the sandbox has a demo shop. */
  readonly demo: boolean;
  /** How people sign in to the console, besides links. */
  readonly signIn: SignInConfig;
  /** Keys for audit heads; the first private one signs. */
  readonly auditKeys: readonly string[];
  readonly drainMs: number;
  /** Auto: text on a terminal, otherwise JSON. */
  readonly logFormat: (typeof LOG_FORMATS)[number];
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Where traces are sent; undefined: off. */
  readonly tracing: TracingConfig | undefined;
};

/** How long expired data is kept, by the database's clock; undefined: forever. */
export type Retention = {
  readonly eventsMs: number | undefined;
  /** Never longer than the events. */
  readonly deliveriesMs: number | undefined;
  readonly idempotencyMs: number | undefined;
  /** For payments that never held money, from their creation. */
  readonly bulksMs: number | undefined;
  readonly expiredMs: number | undefined;
  /** For API requests; 0: they are not kept. */
  readonly requestLogMs: number;
};

type Environment = Readonly<Record<string, string | undefined>>;

const LOG_FORMATS = ['auto', 'text', 'json'] as const;
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const LONGEST_LIFETIME_MS = 365 * UNITS_MS.d;
// To wait longer, use a supervisor that restarts Kassa.
const LONGEST_WAIT_MS = UNITS_MS.h;
// Long enough for any load balancer to notice; supervisors kill processes that take longer.
const LONGEST_DRAIN_MS = 5 * UNITS_MS.m;

// Clients wait for 30 s, which is enough for two calls.
const LONGEST_ACQUIRER_TIMEOUT_MS = 10 * UNITS_MS.s;

const bad = (name: Setting, text: string, expected: string): BadConfig =>
  new BadConfig(`${name} is ${JSON.stringify(text)}; it must be ${expected}.`);

function readHost(text: string): string {
  if (isIP(text) === 0 && !/^[a-z0-9.-]+$/i.test(text)) throw bad('HOST', text, 'an address or a host name');
  return text;
}

function readDataDir(text: string): string {
  if (text.includes('\0') || text.trim() === '') throw bad('KASSA_DATA_DIR', text, 'the name of a folder');
  return text;
}

/** In milliseconds; NaN if the text is not a duration. */
export function readDuration(text: string): number {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  return unit === undefined ? Number.NaN : Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
}

function readLifetime(name: Setting, text: string): number {
  const lifetimeMs = readDuration(text);
  if (!(lifetimeMs > 0 && lifetimeMs <= LONGEST_LIFETIME_MS))
    throw bad(name, text, 'a duration such as 30m, 48h or 7d, at most 365d');
  return lifetimeMs;
}

// A shorter retention would delete data that is still being sent.
const SHORTEST_RETENTION_MS = UNITS_MS.m;
const LONGEST_RETENTION_MS = 3_650 * UNITS_MS.d;
/** What clients are promised: how long a request can be retried with its key. */
const PROMISED_IDEMPOTENCY_MS = 7 * UNITS_MS.d;

function readRetention(name: Setting, text: string): number | undefined {
  if (text === 'off') return undefined;
  const keptMs = readDuration(text);
  if (!(keptMs >= SHORTEST_RETENTION_MS && keptMs <= LONGEST_RETENTION_MS))
    throw bad(name, text, 'a duration from 1m to 3650d, such as 12h or 90d, or off');
  return keptMs;
}

function readDatabaseWait(text: string): number {
  const waitMs = readDuration(text);
  if (!(waitMs <= LONGEST_WAIT_MS)) throw bad('KASSA_DATABASE_WAIT', text, 'a duration such as 60s, at most 1h, or 0s');
  return waitMs;
}

function readDrainTime(text: string): number {
  const drainMs = readDuration(text);
  if (!(drainMs <= LONGEST_DRAIN_MS)) throw bad('KASSA_DRAIN_TIME', text, 'a duration such as 10s, at most 5m');
  return drainMs;
}

function readAcquirerTimeout(text: string): number {
  const timeoutMs = readDuration(text);
  if (!(timeoutMs > 0 && timeoutMs <= LONGEST_ACQUIRER_TIMEOUT_MS))
    throw bad('KASSA_ACQUIRER_TIMEOUT', text, 'a duration from 1s to 10s');
  return timeoutMs;
}

function readCount(name: Setting, text: string, what: string): number | undefined {
  if (text === 'off') return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw bad(name, text, `a number of ${what}, or off`);
  return Number(text);
}

const readRate = (name: Setting, text: string): number | undefined => readCount(name, text, 'requests a second');

// Enough for any test suite, and less than a tenth of what a process can handle. A service that is only reachable from this
// machine has no limit, so that test suites and benchmarks run at full speed.
const TEST_RATE = 200;

function readTestRate(text: string, isAlone: boolean): number | undefined {
  if (text === 'auto') return isAlone ? undefined : TEST_RATE;
  return readRate('KASSA_TEST_RATE_LIMIT', text);
}

function readProxies(text: string): string[] {
  const proxies = text.split(/[\s,]+/).filter((proxy) => proxy !== '');
  const isNetwork = (proxy: string): boolean => {
    const [address = '', bits, ...rest] = proxy.split('/');
    const version = isIP(address);
    const mostBits = version === 4 ? 32 : 128;
    const isLength = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= mostBits);
    return version !== 0 && isLength && rest.length === 0;
  };
  if (!proxies.every(isNetwork))
    throw bad('KASSA_TRUSTED_PROXIES', text, 'addresses or networks such as 10.0.0.0/8, separated by commas');
  return proxies;
}

function readSwitch(name: Setting, text: string): boolean {
  if (text !== 'on' && text !== 'off') throw bad(name, text, 'on or off');
  return text === 'on';
}

type Choice = 'auto' | 'on' | 'off';

function readChoice(name: Setting, text: string): Choice {
  if (text !== 'auto' && text !== 'on' && text !== 'off') throw bad(name, text, 'auto, on or off');
  return text;
}

/** Auto: only with the embedded database and no public address. The demo shop implies its merchant. */
function readSandbox(setting: (name: Setting) => string): Pick<Config, 'sandbox' | 'demo'> {
  const [sandbox, demo] = (['KASSA_SANDBOX', 'KASSA_DEMO'] as const).map((name) => readChoice(name, setting(name)));
  if (sandbox === 'off' && demo === 'on')
    throw new BadConfig('KASSA_DEMO is on, but KASSA_SANDBOX is off: the demo shop needs the sandbox.');
  const isOurOwn = setting('DATABASE_URL') === '' && setting('KASSA_PUBLIC_URL') === '';
  const isThere = sandbox === 'on' || (sandbox === 'auto' && (demo === 'on' || isOurOwn));
  return { sandbox: isThere, demo: isThere && demo !== 'off' };
}

function readCliKey(text: string): string | undefined {
  if (text === '') return undefined;
  // The message does not repeat the key.
  if (!/^(?:(?:test|live)secretkey)?[0-9a-f]{32}$/i.test(text.replaceAll('-', '')))
    throw new BadConfig('KASSA_CLI_KEY must be a key as printed by kassa key create.');
  return text;
}

function readLogLevel(text: string): Config['logLevel'] {
  const level = LOG_LEVELS.find((known) => known === text);
  if (level === undefined) throw bad('KASSA_LOG_LEVEL', text, `one of ${LOG_LEVELS.join(', ')}`);
  return level;
}

function readLogFormat(text: string): Config['logFormat'] {
  const format = LOG_FORMATS.find((known) => known === text);
  if (format === undefined) throw bad('KASSA_LOG_FORMAT', text, `one of ${LOG_FORMATS.join(', ')}`);
  return format;
}

export function readConfig(given: Environment): Config {
  refuseUnknown(given);
  refuseOnePort(given);
  const environment = withSecretFiles(given);
  const setting = (name: Setting): string => environment[name] || SETTINGS[name][0];
  const place = {
    host: readHost(setting('HOST')),
    publicUrl: readPublicUrl('KASSA_PUBLIC_URL', setting('KASSA_PUBLIC_URL')),
    trustedProxies: readProxies(setting('KASSA_TRUSTED_PROXIES')),
  };
  return {
    ...place,
    port: readPort('PORT', setting('PORT')),
    processes: readProcesses(setting('KASSA_PROCESSES'), setting('DATABASE_URL') === ''),
    metricsPort: readOwnPort('KASSA_METRICS_PORT', setting('KASSA_METRICS_PORT')),
    databaseUrl: readDatabaseUrl(setting('DATABASE_URL')),
    databaseDirectUrl: readDirectUrl(setting('KASSA_DATABASE_DIRECT_URL'), setting('DATABASE_URL')),
    databaseWaitMs: readDatabaseWait(setting('KASSA_DATABASE_WAIT')),
    dataDir: readDataDir(setting('KASSA_DATA_DIR')),
    paymentLifetimeMs: readLifetime('KASSA_PAYMENT_LIFETIME', setting('KASSA_PAYMENT_LIFETIME')),
    reservationLifetimeMs: readLifetime('KASSA_RESERVATION_LIFETIME', setting('KASSA_RESERVATION_LIFETIME')),
    liveRate: readRate('KASSA_RATE_LIMIT', setting('KASSA_RATE_LIMIT')),
    testRate: readTestRate(setting('KASSA_TEST_RATE_LIMIT'), isReachedFromHereAlone(place)),
    paymentAttempts: readCount('KASSA_PAYMENT_ATTEMPTS', setting('KASSA_PAYMENT_ATTEMPTS'), 'tries'),
    addressAttempts: readCount('KASSA_ADDRESS_ATTEMPTS', setting('KASSA_ADDRESS_ATTEMPTS'), 'tries'),
    acquirerTimeoutMs: readAcquirerTimeout(setting('KASSA_ACQUIRER_TIMEOUT')),
    deliveries: readSwitch('KASSA_DELIVERIES', setting('KASSA_DELIVERIES')),
    privateHooks: readChoice('KASSA_PRIVATE_HOOKS', setting('KASSA_PRIVATE_HOOKS')),
    retention: {
      eventsMs: readRetention('KASSA_RETAIN_EVENTS', setting('KASSA_RETAIN_EVENTS')),
      deliveriesMs: readRetention('KASSA_RETAIN_DELIVERIES', setting('KASSA_RETAIN_DELIVERIES')),
      idempotencyMs: readRetention('KASSA_RETAIN_IDEMPOTENCY', setting('KASSA_RETAIN_IDEMPOTENCY')),
      bulksMs: readRetention('KASSA_RETAIN_BULKS', setting('KASSA_RETAIN_BULKS')),
      expiredMs: readRetention('KASSA_RETAIN_EXPIRED', setting('KASSA_RETAIN_EXPIRED')),
      requestLogMs: readRequestLogDays(setting('KASSA_REQUEST_LOG_DAYS')),
    },
    cliKey: readCliKey(setting('KASSA_CLI_KEY')),
    ...readConsolePlace(readSwitch('KASSA_CONSOLE', setting('KASSA_CONSOLE')), setting),
    ...readSandbox(setting),
    signIn: readSignIn(setting),
    auditKeys: readAuditKeys(setting('KASSA_AUDIT_KEY')),
    drainMs: readDrainTime(setting('KASSA_DRAIN_TIME')),
    logFormat: readLogFormat(setting('KASSA_LOG_FORMAT')),
    logLevel: readLogLevel(setting('KASSA_LOG_LEVEL')),
    tracing: readTracing(environment),
  };
}

const showDuration = (durationMs: number): string => {
  const units = Object.entries(UNITS_MS).toReversed();
  const [unit, unitMs] = units.find(([, ms]) => durationMs % ms === 0 && durationMs >= ms) ?? ['s', UNITS_MS.s];
  return `${durationMs / unitMs}${unit}`;
};

const showRetention = (keptMs: number | undefined): string => (keptMs === undefined ? 'off' : showDuration(keptMs));

/** Whether responses are deleted while clients may still retry: a charge could then be made twice. */
export const breaksIdempotency = ({ retention }: Config): boolean =>
  (retention.idempotencyMs ?? PROMISED_IDEMPOTENCY_MS) < PROMISED_IDEMPOTENCY_MS;

/** The effective settings by name, without secrets, for the log. */
export function describeConfig(
  config: Config,
  privateHooks = reachesPrivate(config),
): Readonly<Record<Setting, string | number>> {
  return {
    PORT: config.port,
    HOST: config.host,
    KASSA_PROCESSES: config.processes,
    KASSA_METRICS_PORT: config.metricsPort ?? '',
    DATABASE_URL: config.databaseUrl === undefined ? 'embedded' : describeDatabase(config.databaseUrl),
    KASSA_DATABASE_DIRECT_URL: config.databaseDirectUrl === undefined ? '' : describeDatabase(config.databaseDirectUrl),
    KASSA_DATABASE_WAIT: showDuration(config.databaseWaitMs),
    KASSA_DATA_DIR: config.dataDir,
    KASSA_PUBLIC_URL: config.publicUrl ?? '',
    KASSA_PAYMENT_LIFETIME: showDuration(config.paymentLifetimeMs),
    KASSA_RESERVATION_LIFETIME: showDuration(config.reservationLifetimeMs),
    KASSA_RATE_LIMIT: config.liveRate ?? 'off',
    KASSA_TEST_RATE_LIMIT: config.testRate ?? 'off',
    KASSA_PAYMENT_ATTEMPTS: config.paymentAttempts ?? 'off',
    KASSA_ADDRESS_ATTEMPTS: config.addressAttempts ?? 'off',
    KASSA_TRUSTED_PROXIES: config.trustedProxies.join(),
    KASSA_ACQUIRER_TIMEOUT: showDuration(config.acquirerTimeoutMs),
    KASSA_DELIVERIES: config.deliveries ? 'on' : 'off',
    KASSA_PRIVATE_HOOKS: privateHooks ? 'on' : 'off',
    KASSA_RETAIN_EVENTS: showRetention(config.retention.eventsMs),
    KASSA_RETAIN_DELIVERIES: showRetention(config.retention.deliveriesMs),
    KASSA_RETAIN_IDEMPOTENCY: showRetention(config.retention.idempotencyMs),
    KASSA_RETAIN_BULKS: showRetention(config.retention.bulksMs),
    KASSA_RETAIN_EXPIRED: showRetention(config.retention.expiredMs),
    KASSA_REQUEST_LOG_DAYS: daysOf(config.retention.requestLogMs),
    KASSA_CLI_KEY: config.cliKey === undefined ? '' : 'given',
    KASSA_SANDBOX: config.sandbox ? 'on' : 'off',
    KASSA_DEMO: config.demo ? 'on' : 'off',
    KASSA_CONSOLE: config.console ? 'on' : 'off',
    KASSA_CONSOLE_PORT: config.consolePort ?? '',
    KASSA_CONSOLE_URL: config.consoleUrl ?? '',
    ...describeSignIn(config.signIn),
    KASSA_AUDIT_KEY: config.auditKeys.length === 0 ? '' : 'given',
    KASSA_DRAIN_TIME: showDuration(config.drainMs),
    KASSA_LOG_FORMAT: config.logFormat,
    KASSA_LOG_LEVEL: config.logLevel,
  };
}
