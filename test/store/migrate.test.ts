// Goal: a database is brought to the program's shape once, whole or not at all, and one that is newer is left alone.
// Method: empty databases, the real migrations and small ones made here.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { explainDatabaseError } from '../../src/start/explain.ts';
import { readConfig } from '../../src/config.ts';
import { DatabaseMisfit, UnreleasedSchema } from '../../src/store/schema/database-misfit.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { checksumOf, isOnline, readMigrations } from '../../src/store/schema/migration-files.ts';
import type { Migration } from '../../src/store/schema/migration-files.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { createEmptyDatabase } from '../support/empty-database.ts';
import { runKassa } from '../support/kassa.ts';
import { NEXT, NOW } from '../support/next-version.ts';

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
    pool.query('select number, name, applied_at is not null as applied from schema_migrations order by number');

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
    const before = await pool.query('select * from schema_migrations');
    assert.deepEqual(await migrate(pool, [first]), { applied: [], version: 1 });
    assert.deepEqual(await pool.query('select * from schema_migrations'), before);
  });

  test('a database that is behind gets only what it lacks', async () => {
    const { pool } = await open();
    await migrate(pool, [first]);
    assert.deepEqual(await migrate(pool, [first, second]), { applied: [second], version: 2 });
    assert.deepEqual(await tablesOf(pool), ['one', 'schema_migrations', 'two']);
  });

  test('a role that may not know the timeline is refused, and told what to grant', async (t) => {
    const { pool, url } = await open();
    const role = `kassa_test_${randomBytes(6).toString('hex')}`;
    await pool.query(`create role ${role}`);
    t.after(() => pool.query(`drop role ${role}`));
    await pool.query('revoke execute on function pg_walfile_name(pg_lsn) from public');
    const asRole = openPool(`${url}${url.includes('?') ? '&' : '?'}options=-c%20role%3D${role}`, { size: 1 });
    pools.push(asRole);
    const grant = `grant execute on function pg_walfile_name(pg_lsn) to ${role}`;
    await assert.rejects(
      migrate(asRole, [first]),
      (error) => error instanceof DatabaseMisfit && error.message.includes(`"${grant}"`),
    );
    assert.deepEqual(await tablesOf(pool), []);
    await pool.query(grant);
    await assert.rejects(migrate(asRole, [first]), /permission denied for schema public/);
    await pool.query(`revoke execute on function pg_walfile_name(pg_lsn) from ${role}`);
  });

  test('a database that is newer than the program is left alone, and the command says what to do', async () => {
    const { pool, url } = await open();
    await migrate(pool);
    await pool.query("insert into schema_migrations values (999, 'later', '', 998)");
    const tables = await tablesOf(pool);
    await assert.rejects(
      migrate(pool),
      (error) => error instanceof DatabaseMisfit && /version 999/.test(error.message),
    );
    assert.deepEqual(await tablesOf(pool), tables);
    const { code, err } = await runKassa(['migrate'], { env: { DATABASE_URL: url } });
    assert.equal(code, 1);
    assert.match(err, /version 999/);
    assert.doesNotMatch(err, /\n {4}at /, 'no stack: it is not a defect');
  });

  test('the version before runs, and starts again, on the schema after; one that is older does not', async () => {
    const { pool } = await open();
    const third: Migration = { number: 3, name: 'three', text: 'create table three (a int);' };
    await migrate(pool, [first, second]);
    assert.deepEqual(await migrate(pool, [first]), { applied: [], version: 2 });
    await migrate(pool, [first, second, third]);
    assert.deepEqual(await migrate(pool, [first, second]), { applied: [], version: 3 });
    await assert.rejects(migrate(pool, [first]), /version 3, but this Kassa only supports up to 1: use a newer Kassa/);
    const fourth: Migration = { number: 4, name: 'four', text: '-- runs with 1\ncreate table four (a int);' };
    const { pool: other } = await open();
    await migrate(other, [first, second, { ...third, text: `-- runs with 1\n${third.text}` }, fourth]);
    assert.deepEqual(await migrate(other, [first]), { applied: [], version: 4 });
  });

  test('every file of the next release names this one, and this version starts on all of them', async () => {
    const { pool } = await open();
    const all = [...readMigrations(), ...NEXT];
    await migrate(pool, all);
    const needed = await pool.query('select number, runs_with from schema_migrations where number > $1 order by 1', [
      NOW,
    ]);
    assert.deepEqual(
      needed,
      NEXT.map(({ number }) => ({ number, runs_with: NOW })),
    );
    assert.deepEqual(await migrate(pool), { applied: [], version: all.length });
  });

  test('a file that names none asks for the one before it, and an online one for what that asks for', async () => {
    const { pool } = await open();
    const additive: Migration = { number: 3, name: 'three', text: '-- runs with 1\ncreate table three (a int);' };
    const later: Migration = { number: 4, name: 'four', text: '-- online\nselect 1;\n' };
    const fifth: Migration = { number: 5, name: 'five', text: 'create table five (a int);' };
    await migrate(pool, [first, second, additive, later, fifth]);
    const rows = await pool.query<{ needed: number }>(
      'select runs_with as needed from schema_migrations order by number',
    );
    assert.deepEqual(
      rows.map(({ needed }) => needed),
      [0, 1, 1, 1, 4],
    );
  });

  test('a migration that waits for a lock lets readers go on, says once that it waits, and is done in the end', async () => {
    const { pool, url } = await open();
    await migrate(pool, [first]);
    const [holder, reader] = [openPool(url, { size: 1 }), openPool(url, { size: 1 })];
    pools.push(holder, reader);
    const wider: Migration = { number: 2, name: 'wider', text: 'alter table one add column b int;' };
    const told: string[] = [];
    await holder.withClient(async (client) => {
      await client.query('begin; select * from one');
      const { promise: waits, resolve: onWait } = Promise.withResolvers<void>();
      const migrating = migrate(pool, [first, wider], (why) => {
        told.push(why);
        onWait();
      });
      await waits;
      // Behind a lock that is waited for without end, it would wait until its own time is over.
      for (let count = 0; count < 3; count += 1) await reader.query('select * from one');
      await client.query('commit');
      assert.deepEqual((await migrating).applied, [wider]);
    });
    assert.deepEqual(told, ['Waiting up to 5 minutes for table locks held by other sessions.']);
    assert.deepEqual(await pool.query('show lock_timeout'), [{ lock_timeout: '0' }]);
  });

  test('a migration that was applied with other contents is refused, and the sentence says what to do', async () => {
    const { pool } = await open();
    await migrate(pool, [first, second]);
    assert.deepEqual(await pool.query('select checksum from schema_migrations where number = 2'), [
      { checksum: checksumOf(second) },
    ]);
    const other = { ...second, text: `${second.text} -- and more` };
    const third: Migration = { number: 3, name: 'three', text: 'create table three (a int);' };
    await assert.rejects(
      migrate(pool, [first, other, third]),
      /Migration 2 \(two\) was applied by another build of Kassa/,
    );
    assert.deepEqual(await tablesOf(pool), ['one', 'schema_migrations', 'two']);
  });

  test('a database of a development version is refused in one sentence that says how to start over', async () => {
    const earliest = `create table migrations (number int primary key, name text, applied_at timestamptz);
      create table payments (part smallint, id uuid);`;
    const why = 'This database was created by an unreleased development version of Kassa and cannot be upgraded';
    for (const make of [
      (pool: Pool) => pool.query(earliest),
      // It had more files than there are today, and its first one was another.
      (pool: Pool) => migrate(pool, [first, second, { number: 3, name: 'three', text: '-- runs with 1\nselect 1;' }]),
    ]) {
      const { pool, url } = await open();
      await make(pool);
      const tables = await tablesOf(pool);
      for (const command of ['migrate', 'serve']) {
        const { code, err } = await runKassa([command], { env: { DATABASE_URL: url, PORT: '0' } });
        assert.equal(code, 1);
        assert.equal(err, `kassa: ${why}: to start over, give Kassa an empty database.\n`);
      }
      assert.deepEqual(await tablesOf(pool), tables);
    }
    const embedded = { ...readConfig({}), dataDir: '/its/folder' };
    const { message } = explainDatabaseError(new UnreleasedSchema(), embedded) as Error;
    assert.equal(message, `${why}: to start over, stop Kassa and delete its data folder, /its/folder.`);
  });

  const online: Migration = {
    number: 2,
    name: 'index',
    text: '-- online\n-- Why it is there.\ncreate index concurrently if not exists one_b on one (a);\nselect 1;\n',
  };

  test('an index is built while others write', async () => {
    const { pool, url } = await open();
    await migrate(pool, [first]);
    const writer = openPool(url, { size: 1 });
    pools.push(writer);
    await writer.withClient(async (client) => {
      // Whoever has written and not committed holds up an index that is built in the ordinary way, and all after it.
      await client.query('begin; insert into one values (1)');
      const migrating = migrate(pool, [first, online]);
      const waits =
        "select 1 from pg_stat_activity where query like 'create index concurrently%' and wait_event_type = 'Lock'";
      const another = openPool(url, { size: 1 });
      pools.push(another);
      while ((await another.query(waits)).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      await another.query('insert into one values (2)');
      await client.query('commit');
      assert.deepEqual((await migrating).applied, [online]);
    });
    assert.equal((await versionsOf(pool)).length, 2);
    assert.deepEqual(await pool.query('show statement_timeout'), [{ statement_timeout: '10s' }]);
  });

  test('an index that was left half built is built anew', async () => {
    const { pool } = await open();
    await migrate(pool, [first]);
    await pool.query('insert into one values (1), (1)');
    await assert.rejects(
      pool.query('create unique index concurrently one_b on one (a)'),
      /could not create unique index/,
    );
    const valid = "select indisvalid as valid from pg_index where indexrelid = 'one_b'::regclass";
    assert.deepEqual(await pool.query(valid), [{ valid: false }]);
    await migrate(pool, [first, online]);
    assert.deepEqual(await pool.query(valid), [{ valid: true }]);
  });

  // What was there before a migration goes on running beside it, so nothing that it uses goes away or is held up.
  const forbidden: readonly [what: string, text: RegExp][] = [
    [
      'an index of a table that is there is built concurrently',
      /^create (?:unique )?index (?!concurrently if not exists)/m,
    ],
    [
      'a constraint is added not valid, and validated in a file that begins with -- online',
      /add constraint(?![^;]*not valid)/,
    ],
    ['a column that is not null has a default', /add column(?![^;]*default)[^;]*not null/],
    [
      'nothing is dropped or renamed that the version before uses',
      /\b(?:drop (?:table|column)|rename (?:to|column))\b/,
    ],
    ['validating and building concurrently is done online', /\bvalidate constraint\b|\bconcurrently\b/],
  ];
  const complaintsOf = (migration: Migration): string[] =>
    forbidden.flatMap(([what, text], rule) => {
      const isAllowed = isOnline(migration) && rule === forbidden.length - 1;
      return !isAllowed && text.test(migration.text) ? [`${migration.number}-${migration.name}: ${what}`] : [];
    });

  test('migrations after the first let the version before go on', () => {
    assert.deepEqual([...readMigrations().slice(1), ...NEXT].flatMap(complaintsOf), []);
    const bad = [
      'create index one_a on one (a);',
      'alter table one add constraint one_a check (a > 0);',
      'alter table one add column b int not null;',
      'alter table one drop column a;',
      'create index concurrently if not exists one_a on one (a);',
    ];
    for (const text of bad) assert.equal(complaintsOf({ number: 2, name: 'bad', text }).length, 1, text);
    assert.deepEqual(complaintsOf(online), []);
  });

  test('a migration that fails leaves nothing of itself, keeps what came before it, and can be mended', async () => {
    const { pool } = await open();
    const failing: Migration = {
      number: 2,
      name: 'bad',
      text: 'create table two (a int); insert into two values (1 / 0);',
    };
    await assert.rejects(migrate(pool, [first, failing]), /division by zero/);
    assert.deepEqual(await tablesOf(pool), ['one', 'schema_migrations']);
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
