// Goal: what a migration would lock is told as it is, without a change and without a lock of its own. Method: what is
// foreseen of each file is held against the locks that Postgres shows when the file is applied; small files of each kind;
// tables that somebody else has locked.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { foreseeMigration, secondsFor, waitsFor } from '../../src/store/schema/foresee-migration.ts';
import type { Foreseen } from '../../src/store/schema/foresee-migration.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { isOnline, readMigrations } from '../../src/store/schema/migration-files.ts';
import type { Migration } from '../../src/store/schema/migration-files.ts';
import { tryMigrations } from '../../src/store/schema/migration-trial.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { createEmptyDatabase } from '../support/empty-database.ts';
import { until } from '../support/kassa.ts';
import { NEXT, NOW } from '../support/next-version.ts';

const HELD = `
  select relation.relname || ' ' || held.mode as lock
  from pg_locks held join pg_class relation on relation.oid = held.relation
  where held.pid = pg_backend_pid() and relation.relkind = 'r' and relation.relname = any ($1)
    and held.mode <> 'AccessShareLock' order by 1`;
const TABLES =
  "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1";
const CATALOGUE = `
  select relname, relfilenode, relnatts, reloptions from pg_class where relnamespace = 'public'::regnamespace order by 1`;

const ALL = [...readMigrations(), ...NEXT];
// Of a merchant, a key, a person or an acquirer there is one row each: they are read in a moment.
const SMALL = new Set(['merchants', 'event_counters', 'secret_keys', 'people', 'acquirers']);

const showLocks = ({ locks }: Foreseen): string[] => locks.map(({ table, mode }) => `${table} ${mode}`);

describe('foreseeMigration', () => {
  const pools: Pool[] = [];
  after(() => Promise.all(pools.map((pool) => pool.close())));

  const open = async (migrations: readonly Migration[]): Promise<Pool> => {
    const pool = openPool(await createEmptyDatabase(), { size: 2 });
    pools.push(pool);
    await migrate(pool, [...migrations]);
    return pool;
  };

  test('every file takes the locks that were foreseen, and no more', async (t) => {
    const pool = await open(readMigrations());
    const before = await pool.query(CATALOGUE);
    const { version, migrations, holdsUp } = await foreseeMigration(pool, ALL);
    assert.deepEqual(await pool.query(CATALOGUE), before, 'nothing is changed');
    assert.deepEqual([version, holdsUp], [NOW, false]);
    assert.deepEqual(
      migrations.map(({ number, online }) => [number, online]),
      NEXT.map((migration) => [migration.number, isOnline(migration)]),
    );
    const isThere = new Set((await pool.query<{ name: string }>(TABLES)).map(({ name }) => name));
    let compared = 0;
    for (const [place, migration] of NEXT.entries()) {
      const foreseen = migrations[place];
      assert.ok(foreseen);
      for (const { table, waits, work, mode } of foreseen.locks)
        t.diagnostic(`${migration.number} ${migration.name} ${table}: ${mode}, ${work}, ${waits}`);
      if (isOnline(migration)) {
        assert.ok(
          foreseen.locks.every(({ table, waits }) => waits === 'nothing' || SMALL.has(table)),
          migration.name,
        );
        await pool.query(migration.text.replaceAll('concurrently', ''));
        continue;
      }
      await pool.withClient(async (client) => {
        await client.query('begin');
        await client.query(migration.text);
        const { rows } = await client.query<{ lock: string }>(HELD, [[...isThere]]);
        await client.query('commit');
        const strongest = new Set(showLocks(foreseen));
        const taken = rows.map(({ lock }) => lock);
        for (const lock of strongest) assert.ok(taken.includes(lock), `${migration.name}: ${lock} of ${taken.join()}`);
        assert.deepEqual(
          new Set(taken.map((lock) => lock.split(' ')[0])),
          new Set([...strongest].map((lock) => lock.split(' ')[0])),
          migration.name,
        );
        compared += strongest.size;
      });
    }
    assert.ok(compared > 1, `${compared} locks were compared`);
  });

  test('no file reads or writes anew a large table while others wait', async () => {
    const pool = await open([]);
    const heldBy = async (migrations: readonly Migration[]): Promise<string[]> => {
      const tried = await pool.withClient((client) => tryMigrations(client, migrations, 1));
      return tried.flatMap(({ migration, tables }) =>
        tables
          .filter(({ table, mode, work }) => work !== 'none' && waitsFor(mode) !== 'nothing' && !SMALL.has(table))
          .map(({ table }) => `${migration.name}: ${table}`),
      );
    };
    assert.deepEqual(await heldBy(ALL), []);
    const text = 'alter table payments add column channel text check (length(channel) < 16);';
    assert.deepEqual(await heldBy([...readMigrations(), { number: NOW + 1, name: 'bad', text }]), ['bad: payments']);
  });

  const ONE: Migration = {
    number: 1,
    name: 'one',
    text: 'create table one (a int, b text); create table two (a int);',
  };
  const kinds: readonly [text: string, expected: string][] = [
    ['alter table one add column c int;', 'AccessExclusiveLock none, reads and writes'],
    ['alter table one add column c int check (c > 0);', 'AccessExclusiveLock read, reads and writes'],
    ['alter table one alter column a type bigint;', 'AccessExclusiveLock rewrite, reads and writes'],
    ['alter table one add column c uuid default gen_random_uuid();', 'AccessExclusiveLock rewrite, reads and writes'],
    ['alter table one add constraint positive check (a > 0) not valid;', 'AccessExclusiveLock none, reads and writes'],
    ['create index one_a on one (a);', 'ShareLock read, writes'],
    ['-- online\ncreate index concurrently if not exists one_a on one (a);', 'ShareUpdateExclusiveLock read, nothing'],
    ['alter table one set (fillfactor = 50);', 'ShareUpdateExclusiveLock none, nothing'],
    ["update one set b = 'x' where a = 1;", 'RowExclusiveLock read, writes to the same rows'],
    ['create table three (a int);', ''],
  ];

  test('a read, a rewrite, an index of either kind and a change of rows are told apart', async () => {
    const pool = await open([ONE]);
    for (const [text, expected] of kinds) {
      const { migrations } = await foreseeMigration(pool, [ONE, { number: 2, name: 'more', text }]);
      const told = (migrations[0]?.locks ?? []).map(({ mode, work, waits }) => `${mode} ${work}, ${waits}`);
      assert.equal(told.join('; '), expected, text);
    }
    const [, failing] = [await pool.query(TABLES), { number: 2, name: 'bad', text: 'select 1 / 0;' }];
    await assert.rejects(foreseeMigration(pool, [ONE, failing]), /division by zero/);
    const { rows } = await pool.withClient((client) =>
      client.query("select current_setting('search_path') as path, current_setting('lock_timeout') as wait"),
    );
    assert.deepEqual(rows, [{ path: '"$user", public', wait: '0' }]);
  });

  test('a table that somebody has locked keeps nobody from being told, and who is in the way is named', async () => {
    const pool = await open([ONE]);
    const text = 'alter table one alter column a type bigint; create index two_a on two (a);';
    await pool.withClient(async (client) => {
      await client.query("set application_name = 'a backup'; begin; lock table one in access exclusive mode");
      const { migrations, holdsUp } = await until('one that has lasted for a second', async () => {
        const foresight = await foreseeMigration(pool, [ONE, { number: 2, name: 'more', text }]);
        return foresight.holdsUp && foresight;
      });
      const [one, two] = migrations[0]?.locks ?? [];
      assert.deepEqual([one?.table, one?.heldBy.map(({ name }) => name)], ['one', ['a backup']]);
      assert.deepEqual([two?.table, two?.heldBy, holdsUp], ['two', [], true]);
      await client.query('rollback');
    });
    assert.equal((await foreseeMigration(pool, [ONE, { number: 2, name: 'more', text }])).holdsUp, false);
  });

  test('what is read or written anew within a second is a moment', () => {
    assert.deepEqual([secondsFor('read', 99_000_000), secondsFor('read', 1_000_000_000)], [0, 10]);
    assert.deepEqual([secondsFor('rewrite', 24_000_000), secondsFor('rewrite', 1_000_000_000)], [0, 40]);
    assert.equal(secondsFor('none', 0), 0);
  });
});
