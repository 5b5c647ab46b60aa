// Goal: whoever comes from an earlier release loses nothing: its data is carried along and answers as it did, money goes on
// moving, events are told, and a process of that release that still runs beside goes on writing. Method: rows, answers and
// statements that each release left behind, and this version right now (npm run release:keep), brought to the schema of a
// next version (next-version.ts) by its program. Its clock is set back to that day, so that nothing has expired; the
// database's is real.
import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { launch, root } from '../../proof/program.ts';
import type { KeptRequest } from '../../scripts/release/shop-life.ts';
import { migrationsIn } from '../../scripts/release/rows.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { checksumOf, readMigrations } from '../../src/store/schema/migration-files.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import { anOrder } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { until } from '../support/kassa.ts';
import {
  readKeptRelease,
  readKeptReleases,
  readKeptRows,
  replayStatements,
  restoreKept,
} from '../support/kept-release.ts';
import type { KeptRelease } from '../support/kept-release.ts';
import { AS_NEXT, launchNext, NEXT, NOW } from '../support/next-version.ts';
import { openReceiver } from '../support/receiver.ts';
import { spawnService } from '../support/service.ts';

const RETAINED = ['EVENTS', 'DELIVERIES', 'IDEMPOTENCY', 'BULKS', 'EXPIRED'].map((what) => [
  `KASSA_RETAIN_${what}`,
  'off',
]);
const NEWEST = NOW + NEXT.length;

/** What was told is told again as it was; more may be told beside it. */
function expectTold(told: unknown, now: unknown, where: string): void {
  if (Array.isArray(told)) {
    assert.ok(Array.isArray(now) && now.length === told.length, `${where}: ${JSON.stringify(now)}`);
    for (const [place, one] of told.entries()) expectTold(one, now[place], `${where}[${place}]`);
  } else if (typeof told === 'object' && told !== null) {
    for (const [name, value] of Object.entries(told))
      expectTold(value, (now as Record<string, unknown> | undefined)?.[name], `${where}.${name}`);
  } else assert.equal(now, told, where);
}

const startOn = (release: KeptRelease, databaseUrl: string): ReturnType<typeof spawnService> =>
  spawnService({
    databaseUrl,
    flags: [...AS_NEXT, '--import', join(root, 'proof', 'chaos', 'shifted-clock.ts')],
    env: {
      ...Object.fromEntries(RETAINED),
      KASSA_PUBLIC_URL: release.publicUrl,
      KASSA_PRIVATE_HOOKS: 'on',
      CHAOS_CLOCK_MS: String(release.keptAt - Date.now()),
      KASSA_DELIVERIES: 'off',
    },
  });

/** Its data and answers are carried along, money and events go on, and what it writes beside is taken. */
async function expectCarriedAlong(t: TestContext, release: KeptRelease): Promise<void> {
  const url = await restoreKept(release);
  const kassa = (...words: string[]) => launchNext(words, { DATABASE_URL: url }).ended;
  const expectBalance = async (): Promise<void> => {
    const { code, out } = await kassa('verify');
    assert.equal(code, 0, out);
  };
  const foreseen = await kassa('migrate', '--dry-run');
  assert.equal(foreseen.code, 0, foreseen.out);
  assert.match((await kassa('migrate')).out, new RegExp(`The database is at version ${NEWEST}\\.\n$`));
  await expectBalance();

  const service = await startOn(release, url);
  const receiver = await openReceiver();
  t.after(() => Promise.all([service.stop(), receiver.close()]));
  const clients = release.shops.map(({ secretKey }) => service.client(secretKey));
  /** It answers a read as it did then, and what is asked again with its key with the very same answer. */
  const expectAsked = async (asked: readonly KeptRequest[]): Promise<void> => {
    for (const { shop, method, path, key, body, status, answer } of asked) {
      const client = clients[shop] as Client;
      const headers = key === undefined ? {} : { 'idempotency-key': key };
      const reply = await client.send(method, path, body, headers);
      assert.equal(reply.status, status, `${method} ${path}: ${reply.text}`);
      if (method === 'GET') expectTold(answer, reply.body, path);
      else assert.deepEqual(reply.body, answer, path);
    }
  };
  await expectAsked(release.asked);

  // A process of that release starts beside and goes on.
  const replayed = await replayStatements(release, url);
  const commits = replayed.filter(({ text }) => /\binsert into movements\b/.test(text));
  assert.ok(commits.length > 8, `${commits.length} commits`);
  assert.deepEqual(
    commits.filter(({ rowsThen, rowsNow }) => rowsThen !== rowsNow),
    [],
    'each met as many rows as then',
  );
  await expectAsked(release.askedLater);

  for (const [shop, { known, webhookId }] of release.shops.entries()) {
    const client = clients[shop] as Client;
    const chargeId = await client.charge(known['paid'] as string, 60_000);
    await client.refund(chargeId, 10_000);
    await client.refund(known['chargeOfRefunded'] as string, 1_000);
    const subscribed = known['scheduled'];
    if (subscribed !== undefined)
      await client.must(200, 'POST', `/v1/subscriptions/${subscribed}/charges`, { order: anOrder(3_000) });
    await client.must(204, 'PUT', `/v1/webhooks/${webhookId}`, { url: receiver.url });
  }
  // Nobody has delivered so far: what was tried once more in vain would wait for minutes.
  const worker = launchNext(['worker'], { ...Object.fromEntries(RETAINED), DATABASE_URL: url });
  t.after(() => worker.end('SIGTERM'));
  const told = (paymentId: string | undefined, event: string): boolean =>
    receiver.received.some(({ body }) => body.data.paymentId === paymentId && body.event === event);
  const [first, second] = release.shops.map(({ known }) => known);
  const expected = [
    // Of an event that nobody took, of one that the old process wrote, and of one of today.
    [first?.['untold keyed'], 'payment.charge.created.v2'],
    [second?.['untold keyed'], 'payment.charge.created.v2'],
    [first?.['reserved'], 'payment.charge.created.v2'],
    [first?.['second keyed'], 'payment.refund.completed'],
    [second?.['paid'], 'payment.charge.created.v2'],
  ];
  await until('all events', () => expected.every(([paymentId, event]) => told(paymentId, event as string)));
  const pool = openPool(url, { size: 1 });
  const emails = await pool.query<{ email: string }>('select email from people order by 1');
  await pool.close();
  assert.deepEqual(
    emails.map(({ email }) => email),
    release.people.toSorted(),
  );
  await until('the books to balance', async () => (await kassa('verify')).code === 0);
  const counts = [release.asked, release.askedLater, replayed, receiver.received].map(({ length }) => length);
  t.diagnostic(
    `${release.name}: schema ${release.schema} to ${NEWEST}; answers ${counts[0]} and ${counts[1]}, statements ` +
      `${counts[2]} (${new Set(replayed.map(({ text }) => text)).size} different), events told ${counts[3]}`,
  );
}

for (const release of readKeptReleases())
  describe(`from ${release.name}, schema ${release.schema}`, () => {
    test('its migrations have not been changed since', () => {
      const now = readMigrations().filter(({ number }) => number <= release.schema);
      assert.deepEqual(
        migrationsIn(readKeptRows(release)).map(({ number, name, checksum }) => ({ number, name, checksum })),
        now.map((file) => ({ number: file.number, name: file.name, checksum: checksumOf(file) })),
      );
    });

    test('data and answers are carried along, money and events go on, the old one writes beside', (t) =>
      expectCarriedAlong(t, release));
  });

describe('from this version to the next', () => {
  let release: KeptRelease;
  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kassa-kept-'));
    const keep = join(root, 'scripts', 'release', 'keep.ts');
    const { code, err } = await launch(['--out', folder], { command: [process.execPath, keep], env: {} }).ended;
    assert.equal(code, 0, err);
    release = readKeptRelease(folder);
  });

  test('data and answers are carried along, money and events go on, this one writes beside', (t) =>
    expectCarriedAlong(t, release));

  test('a migration that takes something away that this version uses is found by its statements', async () => {
    const url = await restoreKept(release);
    const pool = openPool(url, { size: 1 });
    const text = 'alter table movements drop column invoice_number;\n';
    await migrate(pool, [...readMigrations(), ...NEXT, { number: NEWEST + 1, name: 'breaking', text }]);
    await pool.close();
    await assert.rejects(replayStatements(release, url), /the database refused: /);
  });
});
