// Goal: what a database, a role or a server is set to changes neither what is read nor what is promised. Method: a
// database whose defaults are all contrary, and a service on it that terminates, refuses and replays.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openPool } from '../../src/store/connections/pool.ts';
import { asAdmin } from '../support/admin.ts';
import { aCreate } from '../support/client.ts';
import { cloneDatabase } from '../support/database.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

const CONTRARY = [
  "datestyle = 'German'",
  "timezone = 'Asia/Tokyo'",
  "bytea_output = 'escape'",
  'synchronous_commit = off',
  'client_min_messages = error',
  "default_transaction_isolation = 'serializable'",
];

describe('a database with contrary settings', () => {
  let service: Service;
  let shop: Shop;
  before(async () => {
    const databaseUrl = await cloneDatabase();
    const name = new URL(databaseUrl).pathname.slice(1);
    await asAdmin(databaseUrl, async (query) => {
      for (const setting of CONTRARY) await query(`alter database ${name} set ${setting}`);
    });
    service = await startService({ databaseUrl });
    shop = await service.openShop();
  });
  after(() => service.stop());

  test('every commit is on disk before it is answered', async () => {
    for (const lookUpsOnly of [true, false]) {
      const pool = openPool(service.databaseUrl, { size: 1, lookUpsOnly });
      assert.deepEqual(await pool.query('show synchronous_commit'), [{ synchronous_commit: 'on' }]);
      // Of a wait for a standby that somebody ended, only a warning tells.
      assert.deepEqual(await pool.query('show client_min_messages'), [{ client_min_messages: 'notice' }]);
      await pool.close();
    }
  });

  test('a termination stays, whatever is refused after it', async () => {
    const paymentId = await shop.client.create();
    await shop.client.must(204, 'PUT', `/v1/payments/${paymentId}/terminate`);
    const { terminated } = await shop.client.payment(paymentId);
    assert.ok(Math.abs(Date.parse(terminated) - Date.now()) < 60_000, terminated);
    const headers = { 'idempotency-key': 'refused' };
    assert.equal((await shop.client.post(`/v1/payments/${paymentId}/charges`, { amount: 1 }, headers)).status, 402);
    assert.equal((await shop.client.post(`/v1/sandbox/payments/${paymentId}/reserve`)).status, 405);
    assert.equal((await shop.client.payment(paymentId)).terminated, terminated);
  });

  test('the same request with the same key is replayed', async () => {
    const headers = { 'idempotency-key': 'order-1' };
    const [first, second] = [
      await shop.client.post('/v1/payments', aCreate(), headers),
      await shop.client.post('/v1/payments', aCreate(), headers),
    ];
    assert.deepEqual([first.status, second.status], [201, 201]);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    assert.equal(first.text, second.text);
  });

  test('times of refunds are read as they were written', async () => {
    const paymentId = await shop.client.createReserved(1_000);
    await shop.client.refund(await shop.client.charge(paymentId, 1_000), 1);
    const { refunds } = await shop.client.payment(paymentId);
    assert.ok(Math.abs(Date.parse(refunds[0].lastUpdated) - Date.now()) < 60_000, refunds[0].lastUpdated);
  });
});

// What a session has set itself is what no reload of the server's configuration changes.
for (const [level, kept] of [
  ['on', 'on'],
  ['local', 'on'],
  ['remote_write', 'on'],
  ['remote_apply', 'remote_apply'],
])
  test(`with ${level} on the server, a session has set ${kept} itself`, async () => {
    const databaseUrl = await cloneDatabase();
    const name = new URL(databaseUrl).pathname.slice(1);
    await asAdmin(databaseUrl, (query) => query(`alter database ${name} set synchronous_commit = ${level}`));
    const pool = openPool(databaseUrl, { size: 1 });
    const rows = await pool.query("select setting, source from pg_settings where name = 'synchronous_commit'");
    assert.deepEqual(rows, [{ setting: kept, source: 'session' }]);
    await pool.close();
  });
