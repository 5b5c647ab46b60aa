// What the service says of its settings at the start, and what it makes of them. Method: real processes; the log and
// the banner are read.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { SETTINGS } from '../../src/config/settings.ts';
import { Workshop } from '../database/workshop.ts';
import { Client } from '../support/client.ts';
import { runCommand } from '../support/commands.ts';
import { cloneDatabase } from '../support/database.ts';
import { launchKassa, serveKassa, until } from '../support/kassa.ts';
import type { Running } from '../support/kassa.ts';

describe('settings', { concurrency: 2 }, () => {
  test('one line of the log tells all that is in effect, and no password; the banner’s address is reached', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const url = new URL(await cloneDatabase());
    url.searchParams.set('application_name', 'secret-parameter');
    const env = {
      DATABASE_URL: url.href,
      KASSA_DATA_DIR: shop.dataDir,
      KASSA_PAYMENT_LIFETIME: '90m',
      HOST: '0.0.0.0',
    };
    const service = await serveKassa(t, { env });
    assert.equal(new URL(service.url).hostname, 'localhost', 'an address that is reached');
    assert.equal((await service.client.get('/readyz')).status, 200);
    assert.doesNotMatch(service.banner, /Sandbox|Demo|Secret key|secret-key/, service.banner);
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

  // decision: the-sandbox-merchant
  test('DATABASE_URL or KASSA_PUBLIC_URL: no sandbox and no demo shop, unless asked for', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const DATABASE_URL = await cloneDatabase();
    const env = { DATABASE_URL, KASSA_DATA_DIR: shop.dataDir };
    const publicUrl = 'https://pay.example.com/kassa';
    const atPublic = { ...env, KASSA_PUBLIC_URL: `${publicUrl}/` };
    const merchants = async (): Promise<object[]> =>
      JSON.parse((await runCommand(['merchant', 'list', '--json'], { env })).out);
    const demo = ({ client }: Running) => client.get('/demo');
    const service = await serveKassa(t, { env: atPublic });
    assert.doesNotMatch(service.banner, /Sandbox|Demo|Secret key|secret-key/, service.banner);
    assert.equal((await demo(service)).status, 404);
    assert.match((await demo(service)).text, /KASSA_SANDBOX=on/);
    await service.stop();
    assert.deepEqual(await merchants(), []);

    const asked = await serveKassa(t, { env: { ...atPublic, KASSA_SANDBOX: 'on' } });
    assert.equal((await merchants()).length, 1);
    assert.equal((await demo(asked)).status, 200);
    // The banner shows the public address beside the one that works here, and answers name the public one.
    assert.ok(asked.banner.includes(`  Public        ${publicUrl}/v1\n`), asked.banner);
    assert.ok(asked.banner.includes(`curl -sS ${asked.url}/v1/payments `), asked.banner);
    const paymentId = await asked.client.create();
    const { body } = await asked.client.post(`/v1/payments/${paymentId}/charges`, { amount: 100_000 });
    assert.ok(body.message.includes(`POST ${publicUrl}/v1/sandbox/payments/${paymentId}/reserve`), body.message);
    await asked.stop();

    // Made, and not asked for any more: its key stays good, and nobody shows it. And a log that is to be silent is.
    const later = await serveKassa(t, { env: { ...env, KASSA_LOG_LEVEL: 'silent' } });
    assert.equal(later.secretKey, '');
    assert.equal((await demo(later)).status, 404);
    await new Client(later.url, asked.secretKey).create();
    assert.equal((await later.stop()).err, '');
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
