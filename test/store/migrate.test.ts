// Goal: a database is brought to the program's shape once, whole or not at all, and one that is newer is left alone.
// Method: empty databases, the real migrations and small ones made here.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { DatabaseTooNew, migrate, readMigrations } from '../../src/store/migrate.ts';
import type { Migration } from '../../src/store/migrate.ts';
import { openPool } from '../../src/store/pool.ts';
import type { Pool } from '../../src/store/pool.ts';
import { createEmptyDatabase } from '../support/empty-database.ts';
import { runKassa } from '../support/kassa.ts';

const first: Migration = { number: 1, name: 'one', text: 'create table one (a int); create index one_a on one (a);' };
const second: Migration = { number: 2, name: 'two', text: 'create table two (a int);' };

describe('migrate', () => {
  const pools: Pool[] = [];
  after(() => Promise.all(pools.map((pool) => pool.close())));

  const open = async (size = 2): Promise<{ pool: Pool; url: string }> => {
    const url = await createEmptyDatabase();
    const pool = openPool(url, { size });
    pools.push(pool);
    return { pool, url };
  };
  const tablesOf = async (pool: Pool): Promise<string[]> => {
    const rows = await pool.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' order by 1",
    );
    return rows.map(({ name }) => name);
  };
  const versionsOf = async (pool: Pool): Promise<unknown[]> =>
    pool.query('select number, name, applied_at is not null as applied from migrations order by number');

  test('from nothing, every migration is applied in its order and written down', async () => {
    const { pool } = await open();
    const all = readMigrations();
    const { applied, version } = await migrate(pool);
    assert.deepEqual(applied, all);
    assert.equal(version, all.at(-1)?.number);
    assert.deepEqual(
      await versionsOf(pool),
      all.map(({ number, name }) => ({ number, name, applied: true })),
    );
    assert.ok((await tablesOf(pool)).includes('payments'));
  });

  test('twice, the second time changes nothing', async () => {
    const { pool } = await open();
    await migrate(pool, [first]);
    const before = await pool.query('select * from migrations');
    assert.deepEqual(await migrate(pool, [first]), { applied: [], version: 1 });
    assert.deepEqual(await pool.query('select * from migrations'), before);
  });

  test('a database that is behind gets only what it lacks', async () => {
    const { pool } = await open();
    await migrate(pool, [first]);
    assert.deepEqual(await migrate(pool, [first, second]), { applied: [second], version: 2 });
    assert.deepEqual(await tablesOf(pool), ['migrations', 'one', 'two']);
  });

  test('a database that is newer than the program is left alone, and the command says what to do', async () => {
    const { pool, url } = await open();
    await migrate(pool);
    await pool.query("insert into migrations values (999, 'later', now())");
    const tables = await tablesOf(pool);
    await assert.rejects(
      migrate(pool),
      (error) => error instanceof DatabaseTooNew && /version 999/.test(error.message),
    );
    assert.deepEqual(await tablesOf(pool), tables);
    const { code, err } = await runKassa(['migrate'], { env: { DATABASE_URL: url } });
    assert.equal(code, 1);
    assert.match(err, /version 999/);
    assert.doesNotMatch(err, /\n {4}at /, 'no stack: it is not a defect');
  });

  test('a migration that fails leaves nothing of itself, keeps what came before it, and can be mended', async () => {
    const { pool } = await open();
    const failing: Migration = {
      number: 2,
      name: 'bad',
      text: 'create table two (a int); insert into two values (1 / 0);',
    };
    await assert.rejects(migrate(pool, [first, failing]), /division by zero/);
    assert.deepEqual(await tablesOf(pool), ['migrations', 'one']);
    assert.deepEqual(await versionsOf(pool), [{ number: 1, name: 'one', applied: true }]);
    assert.deepEqual((await migrate(pool, [first, second])).applied, [second]);
  });

  test('five at once on an empty database apply each migration once', async () => {
    const { pool, url } = await open(1);
    const others = Array.from({ length: 4 }, () => openPool(url, { size: 1 }));
    pools.push(...others);
    const slow = { ...first, text: `${first.text} select pg_sleep(0.2);` };
    const all = await Promise.all([pool, ...others].map((each) => migrate(each, [slow, second])));
    assert.equal(all.flatMap(({ applied }) => applied).length, 2);
    assert.deepEqual(new Set(all.map(({ version }) => version)), new Set([2]));
  });

  test('what forbids the very first table is told as it is', async () => {
    const { pool, url } = await open();
    const name = new URL(url).pathname.slice(1);
    await pool.query(`alter database ${name} set default_transaction_read_only = on`);
    const reader = openPool(url, { size: 1 });
    pools.push(reader);
    await assert.rejects(migrate(reader, [first]), (error: Error) => /read-only/.test((error.cause as Error).message));
  });

  test('a connection that migrated has its time limit again', async () => {
    const { pool } = await open(1);
    await migrate(pool, [first]);
    assert.deepEqual(await pool.query('show statement_timeout'), [{ statement_timeout: '10s' }]);
  });

  test('migrations are numbered without gaps and named by what they bring', () => {
    readMigrations().forEach(({ number, name }, index) => {
      assert.equal(number, index + 1);
      assert.match(name, /^[a-z]+(?:-[a-z]+)*$/);
    });
  });
});
