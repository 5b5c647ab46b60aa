// Commands on the embedded database: beside a running service, after it, and before there is anything. Method: real
// processes that share nothing but the name of a data folder.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { Workshop } from '../database/workshop.ts';
import { Client } from '../support/client.ts';
import { launchKassa, runKassa, serveKassa, until } from '../support/kassa.ts';
import { root } from '../../proof/program.ts';

type Made = { readonly merchantId: number; readonly secretKey: string };

describe('commands on the embedded database', { concurrency: 2 }, () => {
  test('beside a running service they find its database, and the service goes on', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    shop.bringDatabase();
    const env = { KASSA_DATA_DIR: shop.dataDir };
    const service = await serveKassa(t, { env });
    const { out, err } = await runKassa(['merchant', 'create', '--name', 'Beside', '--json'], { env });
    assert.equal(err, '');
    const made = JSON.parse(out) as Made;
    const beside = new Client(service.url, made.secretKey);
    const paymentId = await beside.createReserved(5_000);
    assert.match((await runKassa(['verify'], { env })).out, /^1 payment of 2 merchants, /);
    assert.equal((await runKassa(['erase', paymentId, '--yes'], { env })).code, 0);
    await beside.charge(paymentId, 5_000);
    assert.deepEqual((await service.stop()).code, 0);

    // Without the service they start its Postgres for themselves, and stop it again.
    assert.equal(shop.postmaster(), undefined);
    const listed = JSON.parse((await runKassa(['merchant', 'list', '--json'], { env })).out) as Made[];
    assert.ok(listed.some(({ merchantId }) => merchantId === made.merchantId));
    assert.equal(shop.postmaster(), undefined);
  });

  test('where there is no database, those that only work on one refuse, and make none', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const sentence = `kassa: There is no database in ${shop.dataDir}; run this in Kassa's folder, or set KASSA_DATA_DIR.\n`;
    const env = { KASSA_DATA_DIR: relative(root, shop.dataDir) };
    const [id, key] = ['019f0000000070008000000000000000', 'key_0123456789abcdef'];
    for (const words of [
      'merchant list',
      'merchant show 100000000',
      `key revoke ${key}`,
      'verify',
      `erase ${id} --yes`,
    ])
      assert.equal((await runKassa(words.split(' '), { env })).err, sentence);
    assert.equal(existsSync(shop.dataDir), false);
  });

  test('in a folder that has none a merchant can be made: it makes a database, and says so', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const dataDir = join(shop.root, 'new');
    const env = { KASSA_DATA_DIR: relative(root, dataDir) };
    const first = await runKassa(['merchant', 'create', '--name', 'First', '--json'], { env });
    const told = `Creating a new database, which can take half a minute.\nCreated a new database in ${dataDir}.\n`;
    assert.equal(first.err, told);
    const made = JSON.parse(first.out) as Made;
    const second = await runKassa(['merchant', 'show', String(made.merchantId)], { env });
    assert.deepEqual([second.code, second.err], [0, '']);

    // A service that finds merchants makes no sandbox, and says how to get another key.
    const service = await serveKassa(t, { env });
    assert.equal(service.secretKey, '');
    assert.match(service.banner, /npx kassa merchant create --name "My shop"/);
    await new Client(service.url, made.secretKey).create();
    await service.stop();
  });

  test('a Ctrl-C leaves no Postgres running that the command had started', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const env = { KASSA_DATA_DIR: shop.dataDir };
    const command = launchKassa(['migrate'], { env });
    await until('its Postgres', () => shop.postmaster());
    command.child.kill('SIGINT');
    assert.equal((await command.ended).code, 130);
    assert.equal(shop.postmaster(), undefined);
  });
});
