// Goal: the next version's migrations are made while this one serves, which goes on beside it and can be started again; a
// migration that was killed is taken up where it was; one that this version cannot run with keeps it from starting. Method:
// processes of both versions (next-version.ts) on one database; writers who keep a journal; a lock in the way of each
// migration, at which its process is killed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { createMerchant } from '../../src/store/merchants/merchants.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { readMigrations } from '../../src/store/schema/migration-files.ts';
import type { Migration } from '../../src/store/schema/migration-files.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import type { Client } from '../support/client.ts';
import { cloneDatabase } from '../support/database.ts';
import { runKassa, until } from '../support/kassa.ts';
import { AS_NEXT, launchNext, NEXT, NOW } from '../support/next-version.ts';
import { spawnService } from '../support/service.ts';
import { Writers, WRITES_OF_A_LIFE } from '../support/writers.ts';

const NEWEST = NOW + NEXT.length;
const NAMES = NEXT.map(({ number, name }) => `${String(number).padStart(3, '0')}-${name}`);
const AT_ONCE = 4;

test('while this version serves the next one migrates, and each can be started beside the other', async (t) => {
  const service = await spawnService();
  t.after(() => service.kill());
  const { databaseUrl } = service;
  const { secretKey } = await service.openShop();
  let clients: readonly Client[] = [service.client(secretKey)];
  const writers = new Writers({ clientFor: (n) => clients[n % clients.length] as Client });
  /** Payments are led through their lives before, during and after. */
  const whileWriting = async <Result>(happens: () => Promise<Result>): Promise<Result> => {
    const over = new AbortController();
    const writing = async (): Promise<void> => {
      do await writers.write(AT_ONCE, AT_ONCE);
      while (!over.signal.aborted);
    };
    const happening = async (): Promise<Result> => {
      await writers.reached(writers.acknowledged + WRITES_OF_A_LIFE);
      return happens().finally(() => over.abort());
    };
    const [result] = await Promise.all([happening(), writing()]);
    return result;
  };
  const start = async (options: Parameters<typeof spawnService>[0] = {}) => {
    const started = await spawnService({ databaseUrl, ...options });
    t.after(() => started.kill());
    return started;
  };

  const { code, out, err } = await whileWriting(() => launchNext(['migrate'], { DATABASE_URL: databaseUrl }).ended);
  assert.deepEqual([code, err], [0, '']);
  assert.equal(out, `${NAMES.map((name) => `Applied ${name}.\n`).join('')}The database is at version ${NEWEST}.\n`);
  const next = await whileWriting(() => start({ flags: AS_NEXT }));
  clients = [service.client(secretKey), next.client(secretKey)];
  const again = await whileWriting(() => start());
  clients = [again.client(secretKey), next.client(secretKey)];
  await whileWriting(async () => assert.equal(await service.stop(), 0));
  clients = [again.client(secretKey)];
  await whileWriting(async () => assert.equal(await next.stop(), 0));
  assert.equal(writers.sentAgain, 0);
  await writers.check(again.client(secretKey));
  const verified = await runKassa(['verify'], { env: { DATABASE_URL: databaseUrl } });
  assert.equal(verified.code, 0, verified.out);
});

/** A pool of a database that has a merchant, and is at this version. */
async function openDatabase(t: TestContext): Promise<{ readonly pool: Pool; readonly env: Record<string, string> }> {
  const url = await cloneDatabase();
  const pool = openPool(url, { size: 3 });
  t.after(() => pool.close());
  const settings = { dialect: 'spec', strictItems: false, reserveOnDemand: false, acquirer: 'simulator' } as const;
  await createMerchant(pool, false, { name: 'Shop', ...settings });
  return { pool, env: { DATABASE_URL: url } };
}

const WAITING = `select pid from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like $1`;

test('a migration that was killed leaves nothing, or what it had done, and is taken up again', async (t) => {
  const { pool, env } = await openDatabase(t);
  const versionsOf = async (): Promise<number[]> =>
    (await pool.query<{ number: number }>('select number from schema_migrations order by number')).map(
      ({ number }) => number,
    );
  const channels = "select count(*)::int as count from information_schema.columns where column_name = 'channel'";
  /** Kills it, and its session with it, where it waits for a lock. */
  const killAt = async (lock: string, query: string): Promise<void> =>
    pool.withClient(async (holder) => {
      await holder.query(`begin; ${lock}`);
      const migrating = launchNext(['migrate'], env);
      const [waiting] = await until(query, async () => {
        const found = await pool.query<{ pid: number }>(WAITING, [query]);
        return found.length > 0 && found;
      });
      await migrating.end('SIGKILL');
      await pool.query('select pg_terminate_backend($1, 60000)', [waiting?.pid]);
      await holder.query('rollback');
    });
  await killAt('select * from payments', '%add column channel%');
  assert.deepEqual([await versionsOf(), await pool.query(channels)], [[NOW], [{ count: 0 }]], 'it left nothing');

  await migrate(pool, [...readMigrations(), ...NEXT.slice(0, 1)]);
  await killAt('lock table payments in row exclusive mode', 'create index concurrently%');
  assert.deepEqual(await versionsOf(), [NOW, NOW + 1]);
  const valid = "select indisvalid as valid from pg_index where indexrelid = 'payments_by_channel'::regclass";
  assert.deepEqual(await pool.query(valid), [{ valid: false }]);
  assert.deepEqual(await pool.query('select channel from merchants'), [{ channel: 'web' }], 'it had got so far');

  const { code, out } = await launchNext(['migrate'], env).ended;
  assert.deepEqual([code, out], [0, `Applied ${NAMES[1]}.\nThe database is at version ${NEWEST}.\n`]);
  assert.deepEqual(await pool.query(valid), [{ valid: true }]);
  assert.deepEqual(await versionsOf(), [NOW, NOW + 1, NOW + 2]);
});

test('on a schema with which it cannot run, this version does not start', async (t) => {
  const { pool, env } = await openDatabase(t);
  // It does not say that this version can run with it, so only the one before it can.
  const breaking: Migration = {
    number: NEWEST + 1,
    name: 'breaking',
    text: 'alter table payments drop column currency;\n',
  };
  await migrate(pool, [...readMigrations(), ...NEXT, breaking]);
  const { code, err } = await runKassa(['migrate'], { env });
  assert.deepEqual(
    [code, err.includes(`version ${NEWEST + 1}, but this Kassa only supports up to ${NOW}: use a newer Kassa`)],
    [1, true],
    err,
  );
});
