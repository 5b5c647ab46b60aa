// Several Kassas: two services on one database, and the service under npm. Method: real processes; what one of them
// wrote, the other must read.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Workshop } from '../database/workshop.ts';
import { cloneDatabase } from '../support/database.ts';
import { launchKassa, runKassa, serveKassa, until } from '../support/kassa.ts';
import { Client } from '../support/client.ts';
import { openPool } from '../../src/store/connections/pool.ts';

describe('two services on one DATABASE_URL', () => {
  test('start at the same instant on an empty database, make one sandbox, and share everything', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const DATABASE_URL = await cloneDatabase();
    const pool = openPool(DATABASE_URL, { size: 1 });
    await pool.query('drop schema public cascade');
    await pool.query('create schema public');
    await pool.close();
    const start = (KASSA_DATA_DIR: string) =>
      serveKassa(t, { env: { DATABASE_URL, KASSA_DATA_DIR, KASSA_SANDBOX: 'on' } });
    const services = await Promise.all([start(`${shop.root}/one`), start(`${shop.root}/two`)]);
    const keys = services.map(({ secretKey }) => secretKey).filter((key) => key !== '');
    assert.equal(keys.length, 1, 'one of them made the sandbox');
    const env = { DATABASE_URL };
    assert.equal((JSON.parse((await runKassa(['merchant', 'list', '--json'], { env })).out) as object[]).length, 1);

    const [one, two] = services.map(({ url }) => new Client(url, keys[0])) as [Client, Client];
    const paymentId = await one.createReserved(1_000);
    const chargeId = await two.charge(paymentId, 600);
    await one.refund(chargeId, 100);
    assert.deepEqual(await one.payment(paymentId), await two.payment(paymentId));
    const charges = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        [one, two][n % 2]!.post(`/v1/payments/${paymentId}/charges`, { amount: 100 }),
      ),
    );
    assert.equal(charges.filter(({ status }) => status === 201).length, 4);
    assert.equal(charges.filter(({ status }) => status === 402).length, 6);

    // One stops, the other goes on.
    assert.equal((await services[0].stop()).code, 0);
    assert.equal((await two.payment(paymentId)).summary.chargedAmount, 1_000);
    assert.equal((await services[1].stop()).code, 0);
    assert.equal((await runKassa(['verify'], { env })).code, 0);
  });
});

describe('npm start', () => {
  test('starts the service, and a Ctrl-C in its terminal stops it with its Postgres', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const env = { HOME: shop.root, KASSA_DATA_DIR: shop.dataDir, PORT: '0' };
    const npm = launchKassa(['start'], { env, detached: true, program: ['npm'] });
    t.after(() => npm.child.exitCode === null && npm.child.kill('SIGKILL'));
    const url = await until('the banner', () => /API +(\S+)\/v1\n/.exec(npm.out())?.[1]);
    assert.equal((await new Client(url).get('/readyz')).status, 200);
    assert.notEqual(shop.postmaster(), undefined);
    process.kill(-npm.pid, 'SIGINT');
    // It ends when everybody who holds its output has ended, the service among them.
    const { err } = await npm.ended;
    assert.match(err, /"signal":"SIGINT","msg":"stopping"/);
    assert.equal(shop.postmaster(), undefined);
  });
});
