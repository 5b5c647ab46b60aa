// The settings that there are, each with its default and its meaning. How they are read is in config.ts. Those of traces
// are beside, in tracing.ts.
import type { TracingSetting } from './tracing.ts';

/** Every setting: its default and its meaning. The documentation, the help and the check of names hang on it. */
export const SETTINGS = {
  PORT: ['8080', 'Port to listen on; 0 takes a free one.'],
  HOST: ['127.0.0.1', 'Address or name to listen on; 0.0.0.0 listens on all.'],
  KASSA_PROCESSES: ['1', 'Processes of kassa serve on one port: a number, or auto: one for each core.'],
  KASSA_METRICS_PORT: ['', 'Port for /metrics alone, also of kassa worker. Default: on PORT.'],
  DATABASE_URL: ['', 'A Postgres of yours, 15 or later; also several hosts. Default: the embedded one.'],
  KASSA_DATABASE_DIRECT_URL: ['', 'The same Postgres without its pooler, if DATABASE_URL is one in transaction mode.'],
  KASSA_DATABASE_WAIT: ['60s', 'How long a start waits for a Postgres of yours that is away, late or recovering.'],
  KASSA_DATA_DIR: ['.kassa', 'Folder of the embedded Postgres and of the sandbox keys.'],
  KASSA_PUBLIC_URL: ['', 'Address at which others reach the service. Default: where it listens.'],
  KASSA_PAYMENT_LIFETIME: ['48h', 'How long a created payment can be paid.'],
  KASSA_RESERVATION_LIFETIME: ['7d', 'How long a reservation can be charged or cancelled.'],
  KASSA_RATE_LIMIT: ['100', 'Requests a second for each live secret key, or off.'],
  KASSA_TEST_RATE_LIMIT: ['auto', 'Requests a second of each test merchant, off, or auto: 200, and off on loopback.'],
  KASSA_PAYMENT_ATTEMPTS: ['10', 'Failed tries of a consumer on one payment within ten minutes, or off.'],
  KASSA_ADDRESS_ATTEMPTS: ['60', 'Failed tries from one address within ten minutes, or off.'],
  KASSA_TRUSTED_PROXIES: ['', 'Addresses or networks of your proxies, whose X-Forwarded-For is believed.'],
  KASSA_ACQUIRER_TIMEOUT: ['5s', 'How long an acquirer on another machine may take for one call.'],
  KASSA_DELIVERIES: ['on', "Deliver events in the service's own process: on, or off where kassa worker does."],
  KASSA_PRIVATE_HOOKS: ['auto', "Test merchants' hooks to private addresses: on, off, or auto: on loopback alone."],
  KASSA_RETAIN_EVENTS: ['90d', 'How long events are kept, or off: for ever.'],
  KASSA_RETAIN_DELIVERIES: ['30d', 'How long deliveries of events are kept, with all that was tried, or off.'],
  KASSA_RETAIN_IDEMPOTENCY: ['8d', 'How long answers are kept for their Idempotency-Key, or off; 7d are promised.'],
  KASSA_RETAIN_BULKS: ['90d', 'How long the entries of bulks that are done are kept, or off.'],
  KASSA_RETAIN_EXPIRED: ['30d', 'How long payments are kept that expired or were terminated unpaid, or off.'],
  KASSA_REQUEST_LOG_DAYS: ['7', 'For how many days requests to the API are kept for the console; 0 keeps none.'],
  KASSA_CLI_KEY: ['', "The secret key of kassa listen, trigger and payment. Default: the sandbox's."],
  KASSA_SANDBOX: ['auto', 'A test merchant: on, off, or auto, without DATABASE_URL and KASSA_PUBLIC_URL.'],
  KASSA_DEMO: ['auto', 'The demo shop of the sandbox at /demo: on, off, or auto, where the sandbox is.'],
  KASSA_CONSOLE: ['on', "The console of the merchants' people at /console: on or off."],
  KASSA_CONSOLE_PORT: ['', 'Port for the console and /metrics, off the one of the API. Default: on PORT.'],
  KASSA_CONSOLE_URL: ['', 'Address at which people reach that port. Default: where it listens.'],
  KASSA_IDLE_MINUTES: ['15', 'After how many idle minutes people of a live merchant sign in again: 5 to 720.'],
  KASSA_SIGN_IN: ['all', 'Ways into the console: all, or oidc alone; links of kassa user work always.'],
  KASSA_OIDC_ISSUER: ['', 'Address of your OpenID Connect provider, as it names itself. Default: none.'],
  KASSA_OIDC_CLIENT_ID: ['', 'By which the provider knows this Kassa.'],
  KASSA_OIDC_CLIENT_SECRET: ['', 'Which goes with it.'],
  KASSA_OIDC_ROLES: ['', 'Roles by the claim groups, such as staff=operator@123456789,…'],
  KASSA_AUDIT_KEY: ['', 'Signs heads of the audit: 64 hexadecimal digits; older keys after it check.'],
  KASSA_DRAIN_TIME: ['0s', 'How long to serve on, unready, after SIGTERM; for load balancers.'],
  KASSA_LOG_FORMAT: ['auto', 'How the log looks: text, json, or auto: text on a terminal, json elsewhere.'],
  KASSA_LOG_LEVEL: ['info', 'One of debug, info, warn, error, silent.'],
} as const;

export type Setting = keyof typeof SETTINGS;

/** What nobody else may read: each may also be given as the name of a file that holds it. */
export const SECRETS = [
  'DATABASE_URL',
  'KASSA_DATABASE_DIRECT_URL',
  'KASSA_CLI_KEY',
  'KASSA_OIDC_CLIENT_SECRET',
  'KASSA_AUDIT_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const satisfies (Setting | TracingSetting)[];

export const fileNameOf = (secret: (typeof SECRETS)[number]): string => `${secret}_FILE`;

/** Every name that is read from the environment. */
export const isSetting = (name: string): boolean =>
  name in SETTINGS || SECRETS.some((secret) => fileNameOf(secret) === name);
