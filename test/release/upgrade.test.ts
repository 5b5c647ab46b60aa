// Goal: whoever comes from an earlier release loses nothing: its data is carried along and answers as it did, money goes on
// moving, events are told, and a process of that release that still runs beside goes on writing. Method: rows, answers and
// statements that each such release left behind (npm run release:keep), brought to the newest schema by the program. Its
// clock is set back to that day, so that nothing has expired; the database's is real.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { root } from '../../proof/program.ts';
import type { KeptRequest } from '../../scripts/release/shop-life.ts';
import { migrationsIn } from '../../scripts/release/rows.ts';
import { gatherFacets } from '../../src/store/facets/gather.ts';
import { checksumOf, readMigrations } from '../../src/store/migration-files.ts';
import { openPool } from '../../src/store/pool.ts';
import { anOrder } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { runCommand } from '../support/commands.ts';
import { launchKassa, until } from '../support/kassa.ts';
import { readKeptReleases, readKeptRows, replayStatements, restoreKept } from '../support/kept-release.ts';
import type { KeptRelease } from '../support/kept-release.ts';
import { openReceiver } from '../support/receiver.ts';
import { spawnService } from '../support/service.ts';

const RETAINED = ['EVENTS', 'DELIVERIES', 'IDEMPOTENCY', 'BULKS', 'EXPIRED'].map((what) => [
  `KASSA_RETAIN_${what}`,
  'off',
]);
const newest = readMigrations().at(-1)?.number;

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

// What came before it names no payment that it terminates, or whose cart it changes: the walk that once a week goes over
// all of them finds it.
const FACETS_SINCE = 34;

async function walkAgain(url: string): Promise<void> {
  const pool = openPool(url, { size: 1 });
  await pool.query("update housekeeping set walk_began_at = '-infinity' where job = 'facets again'");
  await gatherFacets(pool, new AbortController().signal);
  await pool.close();
}

const startOn = (release: KeptRelease, databaseUrl: string): ReturnType<typeof spawnService> =>
  spawnService({
    databaseUrl,
    flags: ['--import', join(root, 'proof', 'chaos', 'shifted-clock.ts')],
    env: {
      ...Object.fromEntries(RETAINED),
      KASSA_PUBLIC_URL: release.publicUrl,
      KASSA_PRIVATE_HOOKS: 'on',
      CHAOS_CLOCK_MS: String(release.keptAt - Date.now()),
      KASSA_DELIVERIES: 'off',
    },
  });

for (const release of readKeptReleases())
  describe(`from ${release.name}, schema ${release.schema}`, () => {
    test('its migrations have not been changed since', () => {
      const now = readMigrations().filter(({ number }) => number <= release.schema);
      assert.deepEqual(
        migrationsIn(readKeptRows(release)).map(({ number, name, checksum }) => ({ number, name, checksum })),
        now.map((file) => ({ number: file.number, name: file.name, checksum: checksumOf(file) })),
      );
    });

    test('data and answers are carried along, money and events go on, the old one writes beside', async (t) => {
      const url = await restoreKept(release);
      const kassa = (...words: string[]) => runCommand(words, { env: { DATABASE_URL: url } });
      const expectBalance = async (): Promise<void> => {
        const { code, out } = await kassa('verify');
        assert.equal(code, 0, out);
      };
      const foreseen = await kassa('migrate', '--dry-run');
      assert.equal(foreseen.code, 0, foreseen.out);
      assert.match((await kassa('migrate')).out, new RegExp(`The database is at version ${newest}\\.\n$`));
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
      const worker = launchKassa(['worker'], { env: { ...Object.fromEntries(RETAINED), DATABASE_URL: url } });
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
      if (release.schema < FACETS_SINCE) await walkAgain(url);
      await until('the books to balance', async () => (await kassa('verify')).code === 0);
      const counts = [release.asked, release.askedLater, replayed, receiver.received].map(({ length }) => length);
      t.diagnostic(
        `${release.name}: schema ${release.schema} to ${newest}; answers ${counts[0]} and ${counts[1]}, statements ` +
          `${counts[2]} (${new Set(replayed.map(({ text }) => text)).size} different), events told ${counts[3]}`,
      );
    });
  });
