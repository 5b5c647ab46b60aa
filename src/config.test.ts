// The settings: what is read, what is refused, what is shown. Each refusal is one sentence that names the setting and
// says what it must be.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BadConfig } from './config/bad-config.ts';
import { describeConfig, readConfig } from './config.ts';
import { breaksIdempotency } from './config.ts';
import { describeDatabase } from './config/database-url.ts';
import { SETTINGS } from './config/settings.ts';

test('an empty environment gives the defaults, and so does an empty value', () => {
  const expected = {
    port: 8080,
    host: '127.0.0.1',
    processes: 1,
    metricsPort: undefined,
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    databaseWaitMs: 60_000,
    dataDir: '.kassa',
    publicUrl: undefined,
    paymentLifetimeMs: 48 * 3_600_000,
    reservationLifetimeMs: 7 * 86_400_000,
    liveRate: 100,
    testRate: undefined,
    paymentAttempts: 10,
    addressAttempts: 60,
    trustedProxies: [],
    acquirerTimeoutMs: 5_000,
    deliveries: true,
    privateHooks: 'auto',
    retention: {
      eventsMs: 90 * 86_400_000,
      deliveriesMs: 30 * 86_400_000,
      idempotencyMs: 8 * 86_400_000,
      bulksMs: 90 * 86_400_000,
      expiredMs: 30 * 86_400_000,
      requestLogMs: 7 * 86_400_000,
    },
    cliKey: undefined,
    sandbox: true,
    console: true,
    consolePort: undefined,
    consoleUrl: undefined,
    signIn: { oidc: undefined, onlyOidc: false, idleMinutes: 15 },
    demo: true,
    auditKeys: [],
    drainMs: 0,
    logFormat: 'auto',
    logLevel: 'info',
    tracing: undefined,
  };
  assert.deepEqual(readConfig({}), expected);
  assert.deepEqual(readConfig(Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, '']))), expected);
});

test('every setting is read', () => {
  const config = readConfig({
    PORT: '0',
    HOST: '::1',
    KASSA_PROCESSES: '3',
    KASSA_METRICS_PORT: '9464',
    DATABASE_URL: 'postgresql://me:secret@db.example:6432/shop?sslmode=verify-full',
    KASSA_DATABASE_DIRECT_URL: 'postgresql://me:secret@db.example:5432/shop',
    KASSA_DATABASE_WAIT: '0s',
    KASSA_DATA_DIR: '/var/lib/kassa',
    KASSA_PUBLIC_URL: 'https://pay.example.com/kassa//',
    KASSA_PAYMENT_LIFETIME: '90s',
    KASSA_RESERVATION_LIFETIME: '365d',
    KASSA_RATE_LIMIT: 'off',
    KASSA_TEST_RATE_LIMIT: '999999',
    KASSA_PAYMENT_ATTEMPTS: '3',
    KASSA_ADDRESS_ATTEMPTS: 'off',
    KASSA_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    KASSA_ACQUIRER_TIMEOUT: '10s',
    KASSA_DELIVERIES: 'off',
    KASSA_PRIVATE_HOOKS: 'off',
    KASSA_RETAIN_EVENTS: 'off',
    KASSA_RETAIN_DELIVERIES: '1m',
    KASSA_RETAIN_IDEMPOTENCY: '7d',
    KASSA_RETAIN_BULKS: '180d',
    KASSA_RETAIN_EXPIRED: '3650d',
    KASSA_CLI_KEY: `test-secret-key-${'c0ffee00'.repeat(4)}`,
    KASSA_SANDBOX: 'on',
    KASSA_CONSOLE: 'on',
    KASSA_CONSOLE_PORT: '9090',
    KASSA_CONSOLE_URL: 'https://console.example.com/',
    KASSA_IDLE_MINUTES: '30',
    KASSA_SIGN_IN: 'oidc',
    KASSA_OIDC_ISSUER: 'https://id.example.com/realm',
    KASSA_OIDC_CLIENT_ID: 'kassa',
    KASSA_OIDC_CLIENT_SECRET: 'a secret',
    KASSA_OIDC_ROLES: 'The bosses=admin@123456789, staff=viewer@987654321',
    KASSA_DEMO: 'off',
    KASSA_AUDIT_KEY: `${'c0ffee00'.repeat(8)}, public-${'deadbeef'.repeat(8)}`,
    KASSA_DRAIN_TIME: '5m',
    KASSA_LOG_FORMAT: 'text',
    KASSA_REQUEST_LOG_DAYS: '0',
    KASSA_LOG_LEVEL: 'silent',
  });
  assert.deepEqual(config, {
    port: 0,
    host: '::1',
    processes: 3,
    metricsPort: 9464,
    databaseUrl: 'postgresql://me:secret@db.example:6432/shop?sslmode=verify-full',
    databaseDirectUrl: 'postgresql://me:secret@db.example:5432/shop',
    databaseWaitMs: 0,
    dataDir: '/var/lib/kassa',
    publicUrl: 'https://pay.example.com/kassa',
    paymentLifetimeMs: 90_000,
    reservationLifetimeMs: 365 * 86_400_000,
    liveRate: undefined,
    testRate: 999_999,
    paymentAttempts: 3,
    addressAttempts: undefined,
    trustedProxies: ['10.0.0.0/8', '::1'],
    acquirerTimeoutMs: 10_000,
    deliveries: false,
    privateHooks: 'off',
    retention: {
      eventsMs: undefined,
      deliveriesMs: 60_000,
      idempotencyMs: 7 * 86_400_000,
      bulksMs: 180 * 86_400_000,
      expiredMs: 3_650 * 86_400_000,
      requestLogMs: 0,
    },
    cliKey: `test-secret-key-${'c0ffee00'.repeat(4)}`,
    sandbox: true,
    console: true,
    consolePort: 9_090,
    consoleUrl: 'https://console.example.com',
    signIn: {
      oidc: {
        issuer: 'https://id.example.com/realm',
        clientId: 'kassa',
        clientSecret: 'a secret',
        roles: [
          { group: 'The bosses', role: 'admin', merchantId: 123_456_789 },
          { group: 'staff', role: 'viewer', merchantId: 987_654_321 },
        ],
      },
      onlyOidc: true,
      idleMinutes: 30,
    },
    demo: false,
    auditKeys: ['c0ffee00'.repeat(8), `public-${'deadbeef'.repeat(8)}`],
    drainMs: 300_000,
    logFormat: 'text',
    logLevel: 'silent',
    tracing: undefined,
  });
  const shown = describeConfig(config);
  assert.deepEqual(Object.keys(shown), Object.keys(SETTINGS));
  assert.equal(shown.DATABASE_URL, 'me@db.example:6432/shop');
  assert.equal(shown.KASSA_PAYMENT_LIFETIME, '90s');
  assert.equal(shown.KASSA_RESERVATION_LIFETIME, '365d');
  assert.equal(shown.KASSA_RATE_LIMIT, 'off');
  assert.equal(shown.KASSA_RETAIN_EVENTS, 'off');
  assert.equal(shown.KASSA_RETAIN_IDEMPOTENCY, '7d');
  assert.equal(shown.KASSA_CLI_KEY, 'given');
  assert.doesNotMatch(JSON.stringify(shown), /secret|c0ffee/);
});

test('a console on a port of its own is there, has the port alone, and an address only with it', () => {
  for (const bad of [
    { KASSA_CONSOLE: 'off', KASSA_CONSOLE_PORT: '9090' },
    { KASSA_CONSOLE_URL: 'https://console.example.com' },
    { KASSA_CONSOLE_PORT: '9090', KASSA_CONSOLE_URL: 'console.example.com' },
    { KASSA_CONSOLE_PORT: 'x' },
    { PORT: '9090', KASSA_CONSOLE_PORT: '9090' },
    { KASSA_METRICS_PORT: '9090', KASSA_CONSOLE_PORT: '9090' },
  ])
    assert.throws(() => readConfig(bad), BadConfig, JSON.stringify(bad));
  assert.equal(readConfig({}).consolePort, undefined);
  assert.equal(readConfig({ KASSA_CONSOLE_PORT: 'tcp://10.0.0.1:80' }).consolePort, undefined);
});

test('the provider of sign-ins is set whole, reached safely, and names roles that there are', () => {
  const oidc = { KASSA_OIDC_ISSUER: 'https://id.example', KASSA_OIDC_CLIENT_ID: 'a', KASSA_OIDC_CLIENT_SECRET: 'b' };
  for (const bad of [
    { KASSA_SIGN_IN: 'oidc' },
    { KASSA_SIGN_IN: 'none' },
    { KASSA_IDLE_MINUTES: '4' },
    { KASSA_IDLE_MINUTES: '721' },
    { KASSA_IDLE_MINUTES: '15m' },
    { KASSA_OIDC_ISSUER: 'https://id.example' },
    { ...oidc, KASSA_OIDC_ISSUER: 'http://id.example' },
    { ...oidc, KASSA_OIDC_ISSUER: 'id.example' },
    { ...oidc, KASSA_OIDC_ROLES: 'staff=boss@123456789' },
    { ...oidc, KASSA_OIDC_ROLES: 'staff=admin' },
    { KASSA_OIDC_ROLES: 'staff=admin@123456789' },
  ])
    assert.throws(() => readConfig(bad), BadConfig, JSON.stringify(bad));
  assert.equal(readConfig(oidc).signIn.onlyOidc, false);
  assert.ok(readConfig({ ...oidc, KASSA_OIDC_ISSUER: 'http://127.0.0.1:9/' }).signIn.oidc);
});

test('the database is shown without its password and its parameters', () => {
  const shown: readonly (readonly [url: string, text: string])[] = [
    ['postgres://me:secret@127.0.0.1:5432/shop', 'me@127.0.0.1:5432/shop'],
    ['postgres://[::1]/shop?password=secret', '[::1]/shop'],
    ['postgres:///shop?host=/var/run/postgresql&password=secret', '/var/run/postgresql/shop'],
    ['postgres:///shop', 'localhost/shop'],
  ];
  for (const [url, text] of shown) assert.equal(describeDatabase(url), text);
});

test('the sandbox and its demo shop: by themselves only without DATABASE_URL and KASSA_PUBLIC_URL', () => {
  const there = (env: Record<string, string>): boolean[] => {
    const { sandbox, demo } = readConfig(env);
    return [sandbox, demo];
  };
  assert.deepEqual(there({}), [true, true]);
  assert.deepEqual(there({ KASSA_DEMO: 'off' }), [true, false]);
  assert.deepEqual(there({ KASSA_SANDBOX: 'off' }), [false, false]);
  for (const ours of [{ DATABASE_URL: 'postgres://db/shop' }, { KASSA_PUBLIC_URL: 'https://pay.example.com' }]) {
    assert.deepEqual(there({ ...ours }), [false, false]);
    assert.deepEqual(there({ ...ours, KASSA_SANDBOX: 'on' }), [true, true]);
    assert.deepEqual(there({ ...ours, KASSA_DEMO: 'on' }), [true, true]);
    assert.deepEqual(there({ ...ours, KASSA_SANDBOX: 'on', KASSA_DEMO: 'off' }), [true, false]);
  }
  assert.throws(() => readConfig({ KASSA_SANDBOX: 'off', KASSA_DEMO: 'on' }), BadConfig);
});

test('answers kept for a shorter time than is promised are taken, and said to break the promise', () => {
  const breaks = (KASSA_RETAIN_IDEMPOTENCY: string) => breaksIdempotency(readConfig({ KASSA_RETAIN_IDEMPOTENCY }));
  assert.deepEqual(['', '7d', 'off', '6d', '1m'].map(breaks), [false, false, false, true, true]);
});

const refused: readonly (readonly [name: keyof typeof SETTINGS, values: readonly string[]])[] = [
  ['PORT', ['65536', '-1', '80.5', 'http', ' 80', '1e3', '0x50']],
  ['KASSA_METRICS_PORT', ['65536', 'on', '-1']],
  ['HOST', ['a b', 'http://localhost', '[::1]', 'host:80', 'ø']],
  ['DATABASE_URL', ['localhost', 'mysql://localhost/shop', 'postgres', 'postgres://host:port/shop', 'https://a/b']],
  ['KASSA_DATABASE_WAIT', ['60', '-1s', '61m', '2h', 'off']],
  ['KASSA_DATA_DIR', [' ', 'a\0b']],
  ['KASSA_PUBLIC_URL', ['pay.example.com', 'ftp://a.example', 'https://a.example/?a=1', 'https://a.example/#a']],
  ['KASSA_PUBLIC_URL', ['https://me:secret@a.example', 'https://me@a.example']],
  ['KASSA_PAYMENT_LIFETIME', ['0s', '48', '2 h', '-1h', '1w', '366d', '1.5h', '9999999999s']],
  ['KASSA_RESERVATION_LIFETIME', ['0d', 'for ever', '8761h']],
  ['KASSA_RATE_LIMIT', ['0', '-5', '1.5', 'none', '1000000', '0100']],
  ['KASSA_TEST_RATE_LIMIT', ['on', ' 5']],
  ['KASSA_PAYMENT_ATTEMPTS', ['0', 'none', '1.5']],
  ['KASSA_ADDRESS_ATTEMPTS', ['-1', 'on']],
  ['KASSA_TRUSTED_PROXIES', ['proxy', '10.0.0.0/33', '10.0.0.0/8/8', '::1/129', '10.0.0.1;10.0.0.2', 'true']],
  ['KASSA_ACQUIRER_TIMEOUT', ['0s', '11s', '5', '1m']],
  ['KASSA_DELIVERIES', ['yes', 'worker']],
  ['KASSA_PRIVATE_HOOKS', ['yes', 'ON', 'private']],
  ['KASSA_RETAIN_EVENTS', ['59s', '0d', '90', 'for ever', '3651d', 'on']],
  ['KASSA_RETAIN_DELIVERIES', ['1s', '-1d']],
  ['KASSA_RETAIN_IDEMPOTENCY', ['30s', '8 d']],
  ['KASSA_RETAIN_BULKS', ['0m', 'never']],
  ['KASSA_RETAIN_EXPIRED', ['0m', 'never']],
  ['KASSA_REQUEST_LOG_DAYS', ['-1', '366', '7d', 'off', '1.5']],
  [
    'KASSA_CLI_KEY',
    ['secret', `prod-secret-key-${'0'.repeat(32)}`, '0'.repeat(31), `test-secret-key-${'0'.repeat(33)}`],
  ],
  ['KASSA_AUDIT_KEY', ['secret', '0'.repeat(63), `private-${'0'.repeat(64)}`, 'A'.repeat(64)]],
  ['KASSA_SANDBOX', ['yes', '1', 'ON']],
  ['KASSA_DEMO', ['yes', '1', 'ON']],
  ['KASSA_DRAIN_TIME', ['301s', '6m', '1h', '10', '-1s']],
  ['KASSA_LOG_FORMAT', ['TEXT', 'pretty', 'on']],
  ['KASSA_LOG_LEVEL', ['INFO', 'trace', 'verbose']],
];

for (const [name, values] of refused) {
  test(`${name} is refused: ${JSON.stringify(values)}`, () => {
    for (const value of values) {
      assert.throws(
        () => readConfig({ [name]: value }),
        (error) => {
          assert.ok(error instanceof BadConfig, `${name}=${value} gave ${String(error)}`);
          assert.match(error.message, new RegExp(`^${name} .*must be [^\\n]+\\.$`));
          assert.equal(error.message.includes('secret'), false);
          return true;
        },
      );
    }
  });
}

test('one port for the service and for its figures is refused, where both are given', () => {
  const message = 'PORT and KASSA_METRICS_PORT are both 9464; they must differ.';
  const both = { PORT: '9464', KASSA_METRICS_PORT: '9464' };
  assert.throws(() => readConfig(both), { name: 'BadConfig', message });
  const { PORT: unused, ...alone } = both;
  for (const env of [alone, { PORT: unused }, { PORT: '0', KASSA_METRICS_PORT: '0' }, { ...both, PORT: '9465' }])
    assert.doesNotThrow(() => readConfig(env));
});

test('an unknown KASSA_ name is refused with the names there are; other names are nobody’s business', () => {
  const expected = /^Unknown setting KASSA_A, KASSA_B; the settings are (?:KASSA_\w+, )+KASSA_LOG_LEVEL\.$/;
  assert.throws(() => readConfig({ KASSA_A: '1', KASSA_B: '' }), { name: 'BadConfig', message: expected });
  assert.doesNotThrow(() => readConfig({ KASSANDRA: '1', kassa_a: '1', LOG_LEVEL: 'loud' }));
});

test('names that Kubernetes makes for a service named kassa are none of ours; what resembles them is refused', () => {
  const ofKubernetes = {
    KASSA_SERVICE_HOST: '10.96.0.7',
    KASSA_SERVICE_PORT: '80',
    KASSA_SERVICE_PORT_HTTP: '80',
    KASSA_PORT: 'tcp://10.96.0.7:80',
    KASSA_PORT_80_TCP: 'tcp://10.96.0.7:80',
    KASSA_PORT_80_TCP_PROTO: 'tcp',
    KASSA_PORT_80_TCP_PORT: '80',
    KASSA_PORT_80_TCP_ADDR: '10.96.0.7',
    KASSA_METRICS_PORT: 'tcp://10.96.0.9:9464',
    KASSA_POSTGRES_SERVICE_HOST: '10.96.0.8',
    KASSA_POSTGRES_PORT: 'tcp://10.96.0.8:5432',
    KASSA_POSTGRES_PORT_5432_TCP: 'tcp://10.96.0.8:5432',
  };
  assert.deepEqual(readConfig(ofKubernetes), readConfig({}));
  for (const name of ['KASSA_SERVICE', 'KASSA_SERVICES_HOST', 'KASSA_PORTS', 'KASSA_PORT_A', 'KASSA_HOST'])
    assert.throws(() => readConfig({ ...ofKubernetes, [name]: '1' }), { name: 'BadConfig' }, name);
  const meantPort = { name: 'BadConfig', message: 'Unknown setting KASSA_PORT; did you mean PORT?' };
  assert.throws(() => readConfig({ KASSA_PORT: '9000' }), meantPort);
});
