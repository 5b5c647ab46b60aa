// Goal: what goes wrong with a connection is told apart: lost with its outcome unknown, refused for now with nothing
// done, or a defect. Method: errors as Postgres, Node and the driver make them, and real connections that are killed,
// timed out and read-only.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  DatabaseAway,
  DatabaseBusy,
  isConnectionError,
  NotReplicated,
  openPool,
} from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { cloneDatabase } from '../support/database.ts';
import { until } from '../support/kassa.ts';

const coded = (code: string, severity = 'ERROR'): Error => Object.assign(new Error('x'), { code, severity });

describe('connection errors', () => {
  const lost: readonly Error[] = [
    ...['08006', '08P01', '57P01', '57P02', '57P03', '53300'].map((code) => coded(code)),
    ...['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND'].map((code) => coded(code)),
    ...['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'ERR_STREAM_DESTROYED', 'ERR_SOCKET_CLOSED'].map((code) =>
      coded(code),
    ),
    coded('25P03', 'FATAL'),
    new DatabaseAway('x'),
    new NotReplicated('x'),
  ];
  const others: readonly unknown[] = [
    ...['23505', '23514', '22P02', '42P01', '40P01', '40001', '57014', '25006', '53100', '55P03'].map((code) =>
      coded(code),
    ),
    coded('ERR_INVALID_ARG_TYPE'),
    // What breaks without a code is told by where it breaks, not by what it is called.
    new Error('the connection to the moon was terminated, closed and timed out: timeout'),
    new DatabaseBusy('x'),
    new TypeError('x is not a function'),
    undefined,
    null,
    'x',
  ];

  test('what ends a connection leaves an outcome unknown', () => {
    for (const error of lost)
      assert.ok(isConnectionError(error), `${error.name} ${JSON.stringify(error)} ${error.message}`);
  });

  test('what only ends a statement, or is a defect, does not', () => {
    for (const error of others) assert.ok(!isConnectionError(error), JSON.stringify(error));
  });
});

describe('pool', () => {
  let pool: Pool;
  let watcher: Pool;
  before(async () => {
    const url = await cloneDatabase();
    [pool, watcher] = [openPool(url, { size: 1 }), openPool(url, { size: 1 })];
  });
  after(() => Promise.all([pool.close(), watcher.close()]));

  const pidOf = async (): Promise<number> =>
    (await pool.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]?.pid ?? assert.fail();

  test('a connection that is killed under a query is DatabaseAway, and the next query has a new one', async () => {
    const pid = await pidOf();
    const query = pool.query('select pg_sleep(30)');
    const killed = assert.rejects(query, (error) => error instanceof DatabaseAway && !(error instanceof DatabaseBusy));
    while (
      (await watcher.query("select 1 from pg_stat_activity where pid = $1 and state = 'active'", [pid])).length === 0
    );
    await watcher.query('select pg_terminate_backend($1)', [pid]);
    await killed;
    assert.notEqual(await pidOf(), pid);
  });

  test('a connection that is killed while it is idle is replaced without a word', async () => {
    const pid = await pidOf();
    await watcher.query('select pg_terminate_backend($1, 5000)', [pid]);
    await pool.query('select 1').catch((error: unknown) => assert.ok(isConnectionError(error)));
    assert.notEqual(await pidOf(), pid);
  });

  test('whenever a connection is killed, also while it is made, what fails is DatabaseAway', async () => {
    const kill = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name = 'kassa'`;
    let kills = 0;
    const isOver = (): boolean => kills >= 100;
    const asking = Array.from({ length: 3 }, async () => {
      while (!isOver())
        await pool.query('select pg_sleep(0.002)').catch((error: unknown) => {
          if (!(error instanceof DatabaseAway)) throw error;
        });
    });
    const killing = async (): Promise<void> => {
      // One that has ended meanwhile is warned of, which a pool takes for a commit that was not replicated.
      while (!isOver()) kills += (await watcher.query(kill).catch(() => [1])).length;
    };
    await Promise.all([...asking, killing()]);
  });

  test('a call that is given up is DatabaseAway, and the server ends what it still does for it', async () => {
    let pid = 0;
    const sleeping = pool.withClient(async (client) => {
      await client.query('set statement_timeout = 0');
      pid = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0;
      const impatient = { text: 'select pg_sleep(3600)', query_timeout: 50 };
      return client.query(impatient);
    });
    await assert.rejects(sleeping, (error) => error instanceof DatabaseAway && !(error instanceof DatabaseBusy));
    const rows = () => watcher.query('select 1 from pg_stat_activity where pid = $1', [pid]);
    await until('the end of its backend', async () => (await rows()).length === 0);
    assert.notEqual(await pidOf(), pid);
  });

  test('what a caller throws is thrown as it is, whatever it says, and the connection stays', async () => {
    const pid = await pidOf();
    const defect = new Error('connection terminated: timeout');
    await assert.rejects(
      pool.withClient(async (client) => {
        await client.query('select 1');
        throw defect;
      }),
      defect,
    );
    assert.equal(await pidOf(), pid);
  });

  test('a statement that takes too long is DatabaseBusy, and its connection stays', async () => {
    const pid = await pidOf();
    await pool.query('set statement_timeout = 50');
    await assert.rejects(pool.query('select pg_sleep(30)'), DatabaseBusy);
    await pool.query('reset statement_timeout');
    assert.equal(await pidOf(), pid);
  });

  test('a server that is read-only is DatabaseBusy, and its connection is left', async () => {
    const pid = await pidOf();
    await pool.query('set default_transaction_read_only = on');
    await assert.rejects(pool.query('create table a (b int)'), DatabaseBusy);
    assert.notEqual(await pidOf(), pid);
    await pool.query('create table a (b int)');
  });

  test('a number that is not exact is an error and never another number', async () => {
    assert.deepEqual(await pool.query('select 9007199254740991::int8 as n'), [{ n: Number.MAX_SAFE_INTEGER }]);
    await assert.rejects(pool.query('select 9007199254740992::int8 as n'), RangeError);
  });

  test('a pool that cannot connect is DatabaseAway', async () => {
    const nowhere = openPool('postgres://kassa@127.0.0.1:1/kassa', { size: 1 });
    await assert.rejects(nowhere.query('select 1'), DatabaseAway);
    await nowhere.close();
  });

  test('sessions of the group calls, and only those, are held to look-ups; all of them are in UTC', async () => {
    const url = process.env['TEST_DATABASE_URL'] as string;
    for (const lookUpsOnly of [true, false]) {
      const each = openPool(url, { size: 1, lookUpsOnly });
      const value = lookUpsOnly ? 'off' : 'on';
      for (const setting of ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'])
        assert.deepEqual(await each.query(`show ${setting}`), [{ [setting]: value }]);
      assert.deepEqual(await each.query('show timezone'), [{ TimeZone: 'UTC' }]);
      await each.close();
    }
  });
});
