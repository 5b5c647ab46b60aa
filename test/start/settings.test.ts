// What the service says of its settings at the start, and what it makes of them. Method: real processes; the log and
// the banner are read.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { SETTINGS } from '../../src/config/settings.ts';
import { Workshop } from '../database/workshop.ts';
import { cloneDatabase } from '../support/database.ts';
import { runCommand } from '../support/commands.ts';
import { launchKassa, runKassa, serveKassa, until } from '../support/kassa.ts';
import type { Running } from '../support/kassa.ts';

describe('settings', { concurrency: 2 }, () => {
  test('one line of the log tells all that is in effect, and no password', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const url = new URL(await cloneDatabase());
    url.searchParams.set('application_name', 'secret-parameter');
    const env = { DATABASE_URL: url.href, KASSA_DATA_DIR: shop.dataDir, KASSA_PAYMENT_LIFETIME: '90m' };
    const service = await serveKassa(t, { env });
    const { err } = await service.stop();
    const lines = err
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const [started, ...more] = lines.filter(({ settings }) => settings !== undefined);
    assert.deepEqual(more, []);
    const settings = started?.['settings'] as Record<string, unknown>;
    assert.deepEqual(Object.keys(settings), Object.keys(SETTINGS));
    assert.equal(settings['KASSA_PAYMENT_LIFETIME'], '90m');
    assert.equal(settings['KASSA_RATE_LIMIT'], 100);
    assert.equal(settings['DATABASE_URL'], `${url.username}@${url.host}${url.pathname}`);
    assert.equal(err.includes(url.password) || err.includes('secret-parameter'), false);
    assert.equal(service.banner.includes(url.password), false);
    assert.ok(service.banner.includes(`  Database  ${url.username}@${url.host}${url.pathname}\n`), service.banner);
  });

  test('the banner shows the public address beside the one that works here, and answers name the public one', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const publicUrl = 'https://pay.example.com/kassa';
    const env = {
      DATABASE_URL: await cloneDatabase(),
      KASSA_DATA_DIR: shop.dataDir,
      KASSA_PUBLIC_URL: `${publicUrl}/`,
      KASSA_SANDBOX: 'on',
    };
    const service = await serveKassa(t, { env });
    assert.ok(service.banner.includes(`  Public        ${publicUrl}/v1\n`), service.banner);
    assert.ok(service.banner.includes(`curl -sS ${service.url}/v1/payments `), service.banner);
    const paymentId = await service.client.create();
    const { body } = await service.client.post(`/v1/payments/${paymentId}/charges`, { amount: 100_000 });
    assert.ok(body.message.includes(`POST ${publicUrl}/v1/sandbox/payments/${paymentId}/reserve`), body.message);
    await service.stop();
  });

  test('DATABASE_URL or KASSA_PUBLIC_URL: no sandbox and no demo shop, unless asked for', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const DATABASE_URL = await cloneDatabase();
    const env = { DATABASE_URL, KASSA_DATA_DIR: shop.dataDir };
    const merchants = async (): Promise<object[]> =>
      JSON.parse((await runKassa(['merchant', 'list', '--json'], { env })).out);
    const demo = ({ client }: Running) => client.get('/demo');
    for (const more of [{}, { KASSA_PUBLIC_URL: 'https://pay.example.com' }]) {
      const service = await serveKassa(t, { env: { ...env, ...more } });
      assert.doesNotMatch(service.banner, /Sandbox|Demo|Secret key|secret-key/, service.banner);
      assert.equal((await demo(service)).status, 404);
      assert.match((await demo(service)).text, /KASSA_SANDBOX=on/);
      await service.stop();
      assert.deepEqual(await merchants(), []);
    }
    const asked = await serveKassa(t, { env: { ...env, KASSA_SANDBOX: 'on' } });
    assert.equal((await merchants()).length, 1);
    assert.equal((await demo(asked)).status, 200);
    await asked.stop();
    // Made, and not asked for any more: its key stays good, and nobody shows it.
    const later = await serveKassa(t, { env });
    assert.equal(later.secretKey, '');
    assert.equal((await demo(later)).status, 404);
    await later.stop();
  });

  test('HOST=0.0.0.0: the banner names an address that is reached', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const env = { DATABASE_URL: await cloneDatabase(), KASSA_DATA_DIR: shop.dataDir, HOST: '0.0.0.0' };
    const service = await serveKassa(t, { env });
    assert.equal(new URL(service.url).hostname, 'localhost');
    assert.equal((await service.client.get('/readyz')).status, 200);
    await service.stop();
  });

  test('--port counts for more than PORT, and KASSA_LOG_FORMAT=text makes lines for people', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    t.after(() => taken.close());
    const env = {
      DATABASE_URL: await cloneDatabase(),
      KASSA_DATA_DIR: shop.dataDir,
      KASSA_LOG_FORMAT: 'text',
      PORT: String((taken.address() as AddressInfo).port),
    };
    const launched = launchKassa(['serve', '--port', '0'], { env });
    t.after(() => launched.child.kill('SIGKILL'));
    const url = await until('the banner', () => /API +(\S+)\/v1\n/.exec(launched.out())?.[1]);
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    const { err } = await launched.end('SIGTERM');
    assert.match(err, /^\d\d:\d\d:\d\d {2}started {2}version=\S+\n/m);
    assert.match(err, /^\d\d:\d\d:\d\d {2}stopped$/m);
  });

  test('the banner of a first start holds no link where it is no terminal that shows it, and says how to get one', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const env = { DATABASE_URL: await cloneDatabase(), KASSA_DATA_DIR: shop.dataDir, KASSA_SANDBOX: 'on' };
    const service = await serveKassa(t, { env });
    assert.doesNotMatch(service.banner, /console\/link/);
    const [, email = ''] = /npx kassa user link (\S+)/.exec(service.banner) ?? assert.fail(service.banner);
    const linked = await runKassa(['user', 'link', email], { env });
    const page = await fetch(linked.out.trim());
    assert.equal(page.status, 200, linked.out);
    assert.ok((await page.text()).includes(email));
    const { err } = await service.stop();
    assert.doesNotMatch(err, /console\/link/);
  });

  test('KASSA_LOG_LEVEL=silent leaves the log empty', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const env = {
      DATABASE_URL: await cloneDatabase(),
      KASSA_DATA_DIR: shop.dataDir,
      KASSA_LOG_LEVEL: 'silent',
      KASSA_SANDBOX: 'on',
    };
    const service = await serveKassa(t, { env });
    await service.client.create();
    assert.equal((await service.stop()).err, '');
  });

  const bad: readonly (readonly [name: string, value: string])[] = [
    ['PORT', '65536'],
    ['HOST', 'a b'],
    ['DATABASE_URL', 'mysql://root:rabarber@localhost/shop'],
    ['KASSA_PUBLIC_URL', 'https://me:rabarber@pay.example.com'],
    ['KASSA_DRAIN_TIME', '6m'],
    ['KASSA_LOG_LEVEL', 'loud'],
    ['KASSA_LIFETIME', '1h'],
  ];
  for (const [name, value] of bad) {
    test(`${name}=${value} stops the start with one sentence`, async () => {
      const { code, out, err } = await runCommand(['serve'], { env: { [name]: value } });
      assert.deepEqual({ code, out }, { code: 1, out: '' });
      assert.match(err, new RegExp(`^kassa: [^\\n]*${name}[^\\n]+\\.\\n$`));
      assert.equal(err.includes('rabarber'), false);
    });
  }
});
