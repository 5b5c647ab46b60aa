// Goal: whatever keeps the service from starting is told in one sentence that says what to do, without a stack and
// without a secret, and the exit code is 1. Method: each obstacle for real.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openPool } from '../../src/store/connections/pool.ts';
import { Workshop, listIdentities } from '../database/workshop.ts';
import { runCommand } from '../support/commands.ts';
import { cloneDatabase } from '../support/database.ts';
import { runKassa, serveKassa } from '../support/kassa.ts';
import type { LaunchOptions } from '../support/kassa.ts';

const PASSWORD = 'rabarbergrød';

/**
 * The one sentence with which the service refuses to start; its log would warn of the tests' Postgres, without fsync. As
 * a process of its own where it is asked for, or where somebody else starts it.
 */
async function refusal({ asProcess = false, ...options }: LaunchOptions & { asProcess?: boolean }): Promise<string> {
  const env = { PORT: '0', KASSA_LOG_LEVEL: 'error', ...options.env };
  const run = asProcess || options.uid !== undefined ? runKassa : runCommand;
  const { code, out, err } = await run(['serve'], { ...options, env });
  assert.deepEqual({ code, out }, { code: 1, out: '' }, err);
  assert.match(err, /^kassa: [^\n]+\.\n$/);
  assert.equal(err.includes(PASSWORD) || err.includes(encodeURIComponent(PASSWORD)), false);
  return err.slice('kassa: '.length, -1);
}

async function listenSomewhere(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function changed(url: string, changes: Partial<URL>): string {
  return Object.assign(new URL(url), changes).href;
}

describe('DATABASE_URL', { concurrency: 2 }, () => {
  const withUrl = (url: string, asProcess = false): Promise<string> =>
    refusal({ asProcess, env: { DATABASE_URL: url, KASSA_DATABASE_WAIT: '0s' } });

  test('nobody listens there', async () => {
    const server = createServer();
    const port = await listenSomewhere(server);
    server.close();
    assert.equal(
      await withUrl(`postgres://me:${PASSWORD}@127.0.0.1:${port}/shop`, true),
      `Cannot connect to Postgres at 127.0.0.1:${port}: start it, or correct DATABASE_URL.`,
    );
  });

  test('the host is not known', async () => {
    assert.equal(
      await withUrl(`postgres://me:${PASSWORD}@no-such-host.invalid/shop`),
      'The host no-such-host.invalid cannot be resolved: correct DATABASE_URL, or check the network.',
    );
  });

  test('somebody listens and does not answer', async (t) => {
    const server = createServer((socket) => socket.on('error', () => {}));
    const port = await listenSomewhere(server);
    t.after(() => server.close());
    assert.equal(
      await withUrl(`postgres://me:${PASSWORD}@127.0.0.1:${port}/shop`),
      `The connection to Postgres at 127.0.0.1:${port} timed out: check the network and the server.`,
    );
  });

  test('somebody listens who is no Postgres', async (t) => {
    const server = createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const port = await listenSomewhere(server);
    t.after(() => server.close());
    assert.match(
      await withUrl(`postgres://me:${PASSWORD}@127.0.0.1:${port}/shop`),
      new RegExp(`^The database me@127\\.0\\.0\\.1:${port}/shop cannot be used: .+\\.$`),
    );
  });

  test('the password is wrong, or there is none', async () => {
    const url = await cloneDatabase();
    const { host } = new URL(url);
    const sentence = new RegExp(`^Postgres at ${host} refuses the user or password of DATABASE_URL: .+\\.$`);
    assert.match(await withUrl(changed(url, { password: PASSWORD })), sentence);
    const asks = `Postgres at ${host} requires a password: add it to DATABASE_URL.`;
    assert.equal(await withUrl(changed(url, { password: '' })), asks);
  });

  test('there is no such database', async () => {
    const url = await cloneDatabase();
    assert.equal(
      await withUrl(changed(url, { pathname: '/nowhere' })),
      `Postgres at ${new URL(url).host} has no database nowhere: create it, or correct DATABASE_URL.`,
    );
  });

  test('it names a file that is not there', async () => {
    const url = `postgres://me:${PASSWORD}@127.0.0.1:1/shop?sslrootcert=/no/such/file.pem`;
    assert.match(await withUrl(url), /^DATABASE_URL cannot be used: ENOENT: .*'\/no\/such\/file\.pem'\.$/);
  });

  test('the database is newer than the program', async () => {
    const url = await cloneDatabase();
    const pool = openPool(url, { size: 1 });
    await pool.query(`insert into schema_migrations values (999, 'from-the-future', '', 998)`);
    await pool.close();
    assert.match(
      await withUrl(url),
      /^The database is at version 999, but this Kassa only supports up to \d+: use a newer Kassa\.$/,
    );
    const { code, err } = await runCommand(['verify'], { env: { DATABASE_URL: url } });
    assert.equal(code, 2);
    assert.match(err, /^kassa: The database is at version 999, [^\n]+\n$/);
  });
});

describe('PORT and HOST', { concurrency: 2 }, () => {
  test('the port is taken', async (t) => {
    const server = createServer();
    const port = await listenSomewhere(server);
    t.after(() => server.close());
    const sentence = `Port ${port} on 127.0.0.1 is in use: stop the program that uses it, or set PORT to another one.`;
    const env = { DATABASE_URL: await cloneDatabase(), PORT: String(port) };
    assert.equal(await refusal({ env, asProcess: true }), sentence);
    const shop = new Workshop();
    t.after(() => shop.close());
    assert.equal(await refusal({ env: { KASSA_DATA_DIR: shop.dataDir, PORT: String(port) } }), sentence);
    assert.equal(existsSync(shop.dataDir), false, 'and no database was made');
  });

  test('the host is no address of this machine', async () => {
    const env = { DATABASE_URL: await cloneDatabase() };
    for (const HOST of ['192.0.2.1', 'no-such-host.invalid'])
      assert.equal(await refusal({ env: { ...env, HOST } }), `HOST ${HOST} is not an address of this machine.`);
  });
});

describe('the data folder', () => {
  const { name: _name, ...ordinary } = listIdentities().at(-1) ?? { name: '' };

  test('is in use by a running Kassa', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    shop.bringDatabase();
    const env = { KASSA_DATA_DIR: shop.dataDir };
    const service = await serveKassa(t, { env });
    assert.equal(
      await refusal({ env }),
      `The data folder ${shop.dataDir} is in use by a running Kassa (pid ${service.pid}). Stop it, or set KASSA_DATA_DIR to another folder.`,
    );
    assert.equal((await service.client.get('/readyz')).status, 200, 'which is not disturbed');
    await service.stop();
  });

  test('may not be written', async (t) => {
    const shop = new Workshop(listIdentities().at(-1));
    t.after(() => shop.close());
    // Whoever we are: for root, an ordinary user tries it in a folder of root's; where that user cannot enter the
    // program's own folder, root tries it where not even root may write.
    const isRootAlone = process.getuid?.() === 0 && listIdentities().length === 1;
    mkdirSync(join(shop.root, 'shut'), { mode: 0o555 });
    const dataDir = isRootAlone ? '/sys/kernel/kassa-data' : join(shop.root, 'shut', 'data');
    const sentence = await refusal({ ...ordinary, env: { HOME: shop.root, KASSA_DATA_DIR: dataDir } });
    assert.match(
      sentence,
      /^The data folder (.+) cannot be used \((?:EACCES|EPERM|EROFS) at \1\): make it writable, or set /,
    );
    assert.ok(sentence.includes(dataDir), sentence);
    chmodSync(join(shop.root, 'shut'), 0o755);
  });

  test('is a file', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    writeFileSync(shop.dataDir, 'not a folder');
    assert.match(
      await refusal({ env: { KASSA_DATA_DIR: shop.dataDir } }),
      /^The data folder .+ cannot be used \([A-Z]+ at .+\): make it writable, or set KASSA_DATA_DIR to another folder\.$/,
    );
  });

  // decision: the-sandbox-merchant
  test('does not matter beside a database of one’s own: the service starts, and makes no sandbox', async (t) => {
    const env = { DATABASE_URL: await cloneDatabase(), KASSA_DATA_DIR: '/dev/null/nowhere', KASSA_SANDBOX: 'on' };
    const service = await serveKassa(t, { env });
    assert.equal(service.secretKey, '');
    assert.deepEqual(JSON.parse((await runCommand(['merchant', 'list', '--json'], { env })).out), []);
    assert.equal((await service.stop()).code, 0);
  });
});
