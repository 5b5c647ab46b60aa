// The first start and the next ones, as everybody who may be at the keyboard: the user we are and, when that is root,
// an ordinary user as well. Method: real processes in a temporary home; the banner is believed and pasted.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { findOrCreateSandbox } from '../../src/start/sandbox.ts';
import { listKeys, revokeKey } from '../../src/store/merchants/keys.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import { Workshop, listIdentities, readCommand } from '../database/workshop.ts';
import { Visitor } from '../support/console.ts';
import { cloneDatabase } from '../support/database.ts';
import { depth } from '../support/depth.ts';
import { runKassa, serveKassa, until } from '../support/kassa.ts';
import type { LaunchOptions, Running } from '../support/kassa.ts';
import { typeIntoShell } from '../support/shell.ts';
import { CTRL_C, launchInTerminal } from '../support/terminal.ts';

/** What stands between the headings of the banner: lines to copy, from `curl` to the next empty line. */
const curlsOf = (banner: string): string[] => banner.split('\n\n').filter((block) => /^(?:KEY=.*\n)?curl /.test(block));

const paste = async (command: string): Promise<{ status: string; body: string }> => {
  const { stdout } = await typeIntoShell(`${command} -w '\\n%{http_code}'`);
  const [body = '', status = ''] = stdout.split('\n');
  return { status, body };
};

const FOREIGN = {
  merchantId: 100_000_001,
  secretKey: `test-secret-key-${'0'.repeat(32)}`,
  checkoutKey: `test-checkout-key-${'0'.repeat(32)}`,
};

// An ordinary user, where there is one that we can be: what root does differently is in test/database.
const identities = listIdentities();
for (const identity of depth({ daily: identities.slice(-1), release: identities })) {
  describe(`start as ${identity.name}`, { concurrency: 2 }, () => {
    function workshop(): { shop: Workshop; options: LaunchOptions } {
      const shop = new Workshop(identity);
      const { name: _name, ...ids } = identity;
      return { shop, options: { ...ids, env: { HOME: shop.root, KASSA_DATA_DIR: shop.dataDir } } };
    }

    // decision: the-sandbox-merchant
    test('the banner shows all that a newcomer needs, and its curl lines work when they are pasted', async (t) => {
      const { shop, options } = workshop();
      t.after(() => shop.close());
      const service = await serveKassa(t, options);
      const { banner, url, secretKey } = service;
      assert.match(banner, /^\n {2}Kassa \d+\.\d+\.\d+ is running\. Ctrl-C stops it\.\n/);
      assert.ok(banner.includes(`  Docs          ${url}/docs\n`), banner);
      const file = join(shop.dataDir, 'sandbox.json');
      assert.match(banner, /^ {2}Merchant {6}\d{9}, a sandbox\n/m);
      assert.match(banner, new RegExp(`^ {2}Sandbox keys {2}in ${file}$`, 'm'));
      assert.ok(banner.includes(`  Database      embedded, in ${shop.dataDir}\n`), banner);

      const [create = '', reserve = ''] = curlsOf(banner);
      const created = await paste(create);
      assert.equal(created.status, '201', created.body);
      const { paymentId } = JSON.parse(created.body) as { paymentId: string };
      const [readKey = ''] = create.split('\n');
      const reserved = await paste(`${readKey}\n${reserve.replace('PAYMENT_ID', paymentId)}`);
      assert.equal(reserved.status, '201', reserved.body);
      const payment = await service.client.payment(paymentId);
      assert.equal(payment.summary.reservedAmount, payment.orderDetails.amount);

      // A link lets in whoever reads it.
      const command = `KASSA_DATA_DIR=${shop.dataDir} npx kassa user link you@sandbox.example`;
      assert.match(banner, new RegExp(`^ {2}Console {7}\\S+/console, sign in with: ${command}$`, 'm'));
      const pageAt = async (headers: Record<string, string>): Promise<string> =>
        (await fetch(`${url}/console/sign-in`, { headers })).text();
      assert.ok((await pageAt({})).includes(command), 'on this machine');
      const elsewhere = await pageAt({ 'x-forwarded-for': '203.0.113.7' });
      assert.ok(elsewhere.includes('>npx kassa user link you') && !elsewhere.includes(shop.dataDir), 'through a proxy');
      assert.doesNotMatch(banner, /console\/link/);

      // Of its own database it knows the disk.
      await until('the disk', async () =>
        /^kassa_database_disk_free_bytes\{folder="\/.+"\} [1-9]/m.test((await service.client.get('/metrics')).text),
      );

      assert.equal(statSync(file).mode & 0o777, 0o600);
      const { code, out, err } = await service.stop();
      assert.equal(code, 0);
      // Who waits for a first start sees what it does, in lines that a pipe keeps as well.
      const logged = err.split('\n').flatMap((line) => /^\{.*"msg":"([^"]+)"/.exec(line)?.[1] ?? []);
      const first = ['creating a new database', 'starting Postgres', 'migrating the database', 'started'];
      assert.deepEqual(
        logged.filter((message) => first.includes(message)),
        first,
      );
      const kept = JSON.parse(readFileSync(file, 'utf8')) as { secretKey: string; checkoutKey: string };
      assert.equal(kept.secretKey, secretKey);
      for (const key of [kept.secretKey, kept.checkoutKey])
        assert.equal((out + err).includes(key.slice(-32)), false, 'what a supervisor may keep holds no key');
      assert.doesNotMatch(err, /console\/link/);
      assert.equal(shop.postmaster(), undefined, 'its Postgres is stopped');
    });

    // decision: the-sandbox-merchant
    test('in a terminal the banner shows the keys, and its curl lines stand on their own', async (t) => {
      const { shop, options } = workshop();
      t.after(() => shop.close());
      shop.bringDatabase();
      const { screen, type, ended } = launchInTerminal(['serve'], { ...options, env: { ...options.env, PORT: '0' } });
      t.after(() => type(CTRL_C));
      const banner = await until('the banner', () => /curl .*\/reserve .*\n/.test(screen()) && screen());
      assert.match(banner, /^ {2}Merchant {6}\d{9}, a sandbox\n {2}Secret key {4}test-secret-key-[0-9a-f]{32}\n/m);
      assert.match(banner, /^ {2}Checkout key {2}test-checkout-key-[0-9a-f]{32}$/m);
      const created = await paste(curlsOf(banner)[0] ?? '');
      assert.equal(created.status, '201', created.body);
      const { paymentId } = JSON.parse(created.body) as { paymentId: string };
      const link = new URL(/^ {2}Console {7}(\S+\/console\/link\/\S+)$/m.exec(banner)?.[1] ?? '');
      const visitor = new Visitor(link.origin);
      const [cookie = ''] = (await visitor.post(link.pathname)).headers.getSetCookie();
      visitor.cookie = cookie.slice(0, cookie.indexOf(';'));
      const home = (await visitor.ask('/console')).headers.get('location') ?? '';
      assert.match(await (await visitor.ask(home)).text(), new RegExp(`payments/${paymentId}"`));
      type(CTRL_C);
      await ended;
      assert.match(screen(), /Stopped\.\n/);
      // The log is for people as well.
      assert.match(screen(), /^\d\d:\d\d:\d\d {2}starting Postgres {2}folder=\S+$/m);
      assert.match(screen(), /^\d\d:\d\d:\d\d {2}started {2}version=\S+$/m);
      assert.match(screen(), /^\d\d:\d\d:\d\d {2}201 {2}POST \/v1\/payments {2}[\d.]+ ms {2}merchant \d{9}$/m);
      assert.doesNotMatch(screen(), /^\{/m);
      assert.equal(shop.postmaster(), undefined);
    });

    // Goal: a service that was stopped or killed leaves nothing in the way, and loses nothing that it answered. Method:
    // SIGTERM; then SIGKILL, and its Postgres lives on and is taken over; then its Postgres is killed, which it does not
    // outlive, since it would answer 503 for ever.
    test('after SIGTERM, SIGKILL and the end of its Postgres it starts again, with the same keys and data', async (t) => {
      const { shop, options } = workshop();
      t.after(() => shop.close());
      shop.bringDatabase();
      const first = await serveKassa(t, options);
      const paymentId = await first.client.createReserved(12_300);
      await first.client.charge(paymentId, 2_300);
      const told = await first.client.payment(paymentId);
      await first.stop();

      const second = await serveKassa(t, options);
      assert.equal(keysOf(second), keysOf(first));
      assert.deepEqual(await second.client.payment(paymentId), told);
      const postmaster = shop.postmaster() as number;
      await second.kill();
      assert.match(readCommand(postmaster), /postgres/, 'its Postgres lives on');

      const third = await serveKassa(t, options);
      assert.equal(shop.postmaster(), postmaster, 'and is taken over');
      assert.equal(keysOf(third), keysOf(first));
      await third.client.charge(paymentId, 10_000);
      process.kill(postmaster, 'SIGKILL');
      const { code, err } = await third.ended;
      assert.equal(code, 1);
      const log = join(shop.dataDir, 'postgres.log');
      const sentence = `kassa: The Postgres of ${shop.dataDir} exited unexpectedly; its log is ${log}. Start Kassa again: no committed data is lost.`;
      assert.equal(err.trimEnd().split('\n').at(-1), sentence);

      const fourth = await serveKassa(t, options);
      assert.equal((await fourth.client.payment(paymentId)).summary.chargedAmount, 12_300);
      assert.equal((await runKassa(['verify'], options)).code, 0);
      assert.equal((await fourth.stop()).code, 0);
      assert.equal(shop.postmaster(), undefined);
    });
  });
}

test('a sandbox file that knows another database is written anew; a key that is revoked or lost is told', async (t) => {
  const shop = new Workshop();
  t.after(() => shop.close());
  const databaseUrl = await cloneDatabase();
  const pool = openPool(databaseUrl, { size: 1 });
  t.after(() => pool.close());
  const env = { DATABASE_URL: databaseUrl, KASSA_DATA_DIR: shop.dataDir, KASSA_SANDBOX: 'on' };
  const find = () => findOrCreateSandbox(pool, readConfig(env), (why) => assert.fail(why));
  mkdirSync(shop.dataDir);
  const file = join(shop.dataDir, 'sandbox.json');
  writeFileSync(file, JSON.stringify(FOREIGN), { mode: 0o644 });
  const made = await find();
  assert.ok(made && 'secretKey' in made && made.secretKey !== FOREIGN.secretKey);
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), made);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(await find(), made);
  const [key] = await listKeys(pool, made.merchantId);
  await revokeKey(pool, key?.id ?? '');
  const keyless = { merchantId: made.merchantId };
  assert.deepEqual(await find(), keyless);
  rmSync(file);
  assert.deepEqual(await find(), keyless);
  assert.equal(existsSync(file), false);
  const later = await serveKassa(t, { env });
  const gone = `The sandbox's key is missing; create another one:  npx kassa key create ${made.merchantId}\n`;
  assert.ok(later.banner.includes(gone), later.banner);
  await later.stop();
});

function keysOf({ banner, secretKey }: Running): string {
  return `${banner}\n${secretKey}`
    .split('\n')
    .filter((line) => /^ {2}(?:Merchant|Sandbox keys) |^test-secret-key/.test(line))
    .join('\n');
}
