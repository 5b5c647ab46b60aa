// A data folder from its first start to its second, as each user that we can be.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { depth } from '../support/depth.ts';
import { AT_ONCE, Workshop, ask, listIdentities, ourselves } from './workshop.ts';

suite('start', { concurrency: AT_ONCE }, () => {
  // As an ordinary user the first start of test/start/start.test.ts does it.
  for (const identity of depth({ daily: listIdentities().slice(0, 1), release: listIdentities() })) {
    // Goal: nothing but a folder's name is needed, what was written is there at the next start, and nothing runs in
    // between. Method: start, look at modes and settings, write, stop, start again in a new process, read.
    test(`the first start makes a database, the second finds its data, as ${identity.name}`, async (t) => {
      const shop = new Workshop(identity);
      t.after(() => shop.close());
      const first = await shop.run({ identity });
      assert.equal(first.said.started, true, first.said.message);
      assert.equal(statSync(shop.dataDir).mode & 0o707, 0o700);
      assert.equal(statSync(join(shop.dataDir, 'postgres.password')).mode & 0o777, 0o600);
      assert.equal(new URL(first.url).hostname, '127.0.0.1');
      assert.equal(new URL(first.url).pathname, '/kassa');
      const expected = {
        fsync: 'on',
        synchronous_commit: 'on',
        full_page_writes: 'on',
        server_encoding: 'UTF8',
        TimeZone: 'UTC',
        listen_addresses: '127.0.0.1',
        unix_socket_directories: '',
        max_connections: '200',
        password_encryption: 'scram-sha-256',
      };
      const names = Object.keys(expected).map((name) => `'${name}'`);
      const rows = await ask(first.url, `SELECT name, setting FROM pg_settings WHERE name IN (${names.join()})`);
      assert.deepEqual(Object.fromEntries(rows.map(({ name, setting }) => [name, setting])), expected);
      assert.deepEqual(await ask(first.url, `SELECT datcollate FROM pg_database WHERE datname = 'kassa'`), [
        { datcollate: 'C' },
      ]);
      const stranger = first.url.replace(/:[0-9a-f]{64}@/, ':wrong@');
      await assert.rejects(ask(stranger, 'SELECT 1'), { code: '28P01' });
      await ask(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
      await first.stop();
      assert.equal(shop.postmaster(), undefined);

      const second = await shop.run({ identity });
      assert.equal(second.said.started, true, second.said.message);
      assert.deepEqual(await ask(second.url, 'SELECT answer FROM kept'), [{ answer: 42 }]);
      await second.stop();
      assert.equal(shop.postmaster(), undefined);
    });
  }

  // Goal: a person is told what is wrong with the folder in one sentence. Method: a folder of each kind.
  test('a folder that cannot be used is refused with a sentence', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const refusal = async (dataDir: string, identity = ourselves) => {
      const { said } = await shop.run({ dataDir, identity });
      assert.equal(said.name, 'DatabaseUnavailable', said.message);
      return said.message ?? '';
    };
    const make = (name: string, file: string, content: string) => {
      mkdirSync(join(shop.root, name, 'postgres'), { recursive: true });
      writeFileSync(join(shop.root, name, 'postgres', file), content);
      return join(shop.root, name);
    };
    assert.match(
      await refusal(make('older', 'PG_VERSION', '17\n')),
      /created by Postgres 17, but this Kassa includes Postgres 18/,
    );
    assert.match(await refusal(make('other', 'letter.txt', 'Dear')), /does not contain a Postgres database/);
    writeFileSync(join(shop.root, 'file'), '');
    assert.match(await refusal(join(shop.root, 'file')), /cannot be used \(ENOTDIR/);
    assert.match(await refusal('/proc/kassa'), /cannot be used \(ENOENT/);
    for (const identity of listIdentities().filter((one) => one.name !== 'root')) {
      const closed = join(shop.root, `closed to ${identity.name}`);
      mkdirSync(closed, { mode: 0o555 });
      assert.match(await refusal(closed, identity), /cannot be used \(EACCES/);
    }
    const lost = join(shop.root, 'lost');
    mkdirSync(lost);
    writeFileSync(join(lost, 'database-is-elsewhere.txt'), 'It is in\n/no/such/folder\n');
    assert.match(await refusal(lost), /\/no\/such\/folder, which does not exist/);
  });

  // Goal: Postgres' own words reach the person, and its log cannot grow for ever. Method: a setting that Postgres does not
  // know, and a log of 11 MB.
  test('a Postgres that does not start is quoted, and a long log put aside', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    shop.bringDatabase();
    await shop.run().then((kassa) => kassa.stop());
    const conf = join(shop.dataDir, 'postgres', 'postgresql.conf');
    const before = readFileSync(conf, 'utf8');
    writeFileSync(conf, `${before}\nno_such_setting = 1\n`);
    const { said } = await shop.run();
    assert.equal(said.name, 'DatabaseUnavailable');
    assert.match(said.message ?? '', /did not start.*no_such_setting/s);
    writeFileSync(conf, before);
    const log = join(shop.dataDir, 'postgres.log');
    writeFileSync(log, 'x'.repeat(11 * 1024 * 1024));
    const mended = await shop.run();
    assert.equal(mended.said.started, true, mended.said.message);
    await mended.stop();
    assert.ok(statSync(log).size < 10_000);
    assert.ok(statSync(`${log}.1`).size > 11_000_000);
  });
});
