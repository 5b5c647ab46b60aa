// Goal: several services may start at once on an empty database: all of them come up, the database is migrated once and
// there is one sandbox merchant. Method: two real processes on a database that has nothing in it, not even a template.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readMigrations } from '../../src/store/schema/migration-files.ts';
import { createEmptyDatabase } from '../support/empty-database.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

describe('first start', () => {
  let services: Service[] = [];
  before(async () => {
    const databaseUrl = await createEmptyDatabase();
    services = await Promise.all([1, 2, 3].map(() => startService({ databaseUrl, env: { KASSA_SANDBOX: 'on' } })));
  });
  after(() => Promise.all(services.map((service) => service.stop())));

  test('three services that start at once on an empty database all become ready', async () => {
    for (const service of services) assert.equal((await service.client().get('/readyz')).status, 200);
  });

  test('every migration was applied once', async () => {
    const rows = await services[0]?.pool.query('select number, name from schema_migrations order by number');
    assert.deepEqual(
      rows,
      readMigrations().map(({ number, name }) => ({ number, name })),
    );
  });

  // decision: the-sandbox-merchant
  test('one sandbox merchant was made, with one key', async () => {
    const pool = services[0]?.pool ?? assert.fail();
    assert.deepEqual(await pool.query('select name, live from merchants'), [{ name: 'Sandbox', live: false }]);
    assert.equal((await pool.query('select 1 from secret_keys')).length, 1);
  });

  test('what one of them made, the others serve', async () => {
    const { client, secretKey } = (await services[0]?.openShop()) ?? assert.fail();
    const paymentId = await client.createReserved(1_000);
    for (const service of services) await service.client(secretKey).charge(paymentId, 100);
    assert.equal((await client.payment(paymentId)).summary.chargedAmount, 300);
  });
});
