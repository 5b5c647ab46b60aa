// All settings, each with its default and its meaning. They are read in config.ts; tracing settings are in tracing.ts.
import type { TracingSetting } from './tracing.ts';

/** Every setting: its default and its meaning. The documentation, the help and the check of names use this table. */
export const SETTINGS = {
  PORT: ['8080', 'Port to listen on; 0 picks a free one.'],
  HOST: ['127.0.0.1', 'Address or host name to listen on; 0.0.0.0 for all interfaces.'],
  KASSA_PROCESSES: ['1', 'Processes of kassa serve on one port: a number, or auto for one per core.'],
  KASSA_METRICS_PORT: ['', 'Separate port for /metrics, also of kassa worker. Default: PORT.'],
  DATABASE_URL: ['', 'Your Postgres, 15 or later; may have several hosts. Default: embedded Postgres.'],
  KASSA_DATABASE_DIRECT_URL: ['', 'Direct address of that Postgres, if DATABASE_URL is a transaction-mode pooler.'],
  KASSA_DATABASE_WAIT: ['60s', 'How long to wait at the start for your Postgres to accept connections.'],
  KASSA_DATA_DIR: ['.kassa', 'Folder of the embedded Postgres and the sandbox keys.'],
  KASSA_PUBLIC_URL: ['', 'Public address of the service. Default: where it listens.'],
  KASSA_PAYMENT_LIFETIME: ['48h', 'How long a payment can be paid after its creation.'],
  KASSA_RESERVATION_LIFETIME: ['7d', 'How long a reservation can be charged or cancelled.'],
  KASSA_RATE_LIMIT: ['100', 'Requests per second for each live secret key, or off.'],
  KASSA_TEST_RATE_LIMIT: ['auto', 'Requests per second for each test merchant, off, or auto: 200, off on loopback.'],
  KASSA_PAYMENT_ATTEMPTS: ['10', 'Failed attempts to pay one payment within ten minutes, or off.'],
  KASSA_ADDRESS_ATTEMPTS: ['60', 'Failed attempts to pay from one IP address within ten minutes, or off.'],
  KASSA_TRUSTED_PROXIES: ['', 'Addresses or networks of your proxies, whose X-Forwarded-For is trusted.'],
  KASSA_ACQUIRER_TIMEOUT: ['5s', 'Timeout for a request to a remote acquirer.'],
  KASSA_DELIVERIES: ['on', 'Deliver events in the service: on, or off if kassa worker delivers them.'],
  KASSA_PRIVATE_HOOKS: ['auto', 'Private addresses as endpoints of test merchants: on, off, or auto: on loopback.'],
  KASSA_RETAIN_EVENTS: ['90d', 'How long to keep events, or off to keep them forever.'],
  KASSA_RETAIN_DELIVERIES: ['30d', 'How long to keep deliveries of events and their attempts, or off.'],
  KASSA_RETAIN_IDEMPOTENCY: ['8d', 'How long to keep the responses of idempotency keys, or off; clients rely on 7d.'],
  KASSA_RETAIN_BULKS: ['90d', 'How long to keep the entries of completed bulk charges, or off.'],
  KASSA_RETAIN_EXPIRED: ['30d', 'How long to keep payments that expired or were terminated unpaid, or off.'],
  KASSA_REQUEST_LOG_DAYS: ['7', 'How many days to keep API requests for the console; 0 keeps none.'],
  KASSA_CLI_KEY: ['', "The secret key for kassa listen, trigger and payment. Default: the sandbox's."],
  KASSA_SANDBOX: ['auto', 'A test merchant: on, off, or auto: without DATABASE_URL and KASSA_PUBLIC_URL.'],
  KASSA_DEMO: ['auto', "The sandbox's demo shop at /demo: on, off, or auto: with the sandbox."],
  KASSA_CONSOLE: ['on', 'The console for the people of merchants at /console: on or off.'],
  KASSA_CONSOLE_PORT: ['', 'Separate port for the console and /metrics. Default: PORT.'],
  KASSA_CONSOLE_URL: ['', 'Public address of that port. Default: where it listens.'],
  KASSA_IDLE_MINUTES: ['15', 'Minutes of inactivity until people of a live merchant are signed out: 5 to 720.'],
  KASSA_SIGN_IN: ['all', 'Console sign-in methods: all, or only oidc; links of kassa user always work.'],
  KASSA_OIDC_ISSUER: ['', 'Issuer URL of your OpenID Connect provider. Default: none.'],
  KASSA_OIDC_CLIENT_ID: ['', 'Client ID of Kassa at the provider.'],
  KASSA_OIDC_CLIENT_SECRET: ['', 'Client secret of Kassa at the provider.'],
  KASSA_OIDC_ROLES: ['', 'Roles by the groups claim, such as staff=operator@123456789,…'],
  KASSA_AUDIT_KEY: ['', 'Key that signs audit heads, 64 hex digits; older keys may follow to verify them.'],
  KASSA_DRAIN_TIME: ['0s', 'How long to keep serving after SIGTERM, as not ready, for load balancers.'],
  KASSA_LOG_FORMAT: ['auto', 'Log format: text, json, or auto: text on a terminal, otherwise json.'],
  KASSA_LOG_LEVEL: ['info', 'Log level: debug, info, warn, error or silent.'],
} as const;

export type Setting = keyof typeof SETTINGS;

/** Settings that are secret: each can also be given as the name of a file that contains it. */
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
