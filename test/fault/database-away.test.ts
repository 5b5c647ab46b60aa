// Goal: while the database is unavailable, read-only or too slow, every request is refused with 503 and Retry-After,
// nothing is done, and the service recovers by itself. Method: a wire that goes down and is mended, settings of the
// database that make it read-only or impatient, a lock that somebody else holds.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { partOf } from '../../src/domain/id.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { aCreate } from '../support/client.ts';
import type { Client, Reply } from '../support/client.ts';
import { cloneDatabase } from '../support/database.ts';
import { until } from '../support/kassa.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import { Wire } from '../support/wire.ts';

function expectUnavailable(reply: Reply): void {
  assert.equal(reply.status, 503, reply.text);
  assert.equal(reply.headers.get('retry-after'), '1');
  assert.deepEqual(Object.keys(reply.body), ['message', 'code', 'source']);
}

describe('database away', () => {
  let wire: Wire;
  let service: Service;
  let client: Client;
  before(async () => {
    const databaseUrl = await cloneDatabase();
    wire = await Wire.open(databaseUrl);
    service = await startService({ databaseUrl, env: { DATABASE_URL: wire.url } });
    ({ client } = await service.openShop());
  });
  after(async () => {
    await service.stop();
    await wire.close();
  });

  /** All connections of the service are replaced, so that settings of the database reach it. */
  const reconnect = async (): Promise<void> => {
    wire.down();
    wire.mend();
    await until('a new connection', async () => (await client.get('/v1/payments')).status === 200);
  };

  const setOnDatabase = async (setting: string): Promise<void> => {
    const name = new URL(service.databaseUrl).pathname.slice(1);
    const admin = openPool(process.env['TEST_DATABASE_URL'] as string, { size: 1 });
    await admin.query(`alter database ${name} ${setting}`);
    await admin.close();
  };

  test('every operation is 503 with Retry-After while the database cannot be reached, and works again afterwards', async () => {
    const paymentId = await client.createReserved(1_000);
    const path = `/v1/payments/${paymentId}`;
    const downAt = performance.now();
    wire.down();
    const replies = await Promise.all([
      client.get(path),
      client.get('/v1/payments'),
      client.post('/v1/payments', aCreate(1_000)),
      client.post(`${path}/charges`, { amount: 1 }),
      client.post(`${path}/cancels`, { amount: 1 }, { 'idempotency-key': 'k' }),
      client.put(`${path}/referenceinformation`, { reference: 'other' }),
    ]);
    for (const reply of replies) expectUnavailable(reply);
    assert.equal((await service.client().get('/healthz')).status, 200);
    await until('it to be seen', async () => (await service.client().get('/readyz')).status === 503);
    for (const job of ['resolve', 'publish', 'deliver', 'redeliver']) {
      await until(`two failures of ${job}`, async () => {
        const figures = (await service.client().get('/metrics')).text;
        return new RegExp(`^kassa_job_errors_total\\{name="${job}"\\} (?:[2-9]|\\d\\d)`, 'm').test(figures);
      });
      const told = (): string[] =>
        service
          .log()
          .split('\n')
          .filter((line) => line.includes(`"job":"${job}"`));
      await until(`${job} to be told`, () => told().length > 0);
      assert.ok(told().length <= 1 + (performance.now() - downAt) / 60_000, 'more often than once a minute');
      assert.match(told()[0] ?? '', /"why":"[^"]+","msg":"the database is unavailable"/);
    }
    assert.doesNotMatch(service.log(), /pending movement|could not be delivered/);
    await until('the figure', async () => {
      const figures = (await service.client().get('/metrics')).text;
      return figures.includes('kassa_database_refuses{reason="away"} 1\n');
    });

    wire.mend();
    await until('readiness', async () => (await service.client().get('/readyz')).status === 200);
    await client.charge(paymentId, 1_000);
    assert.equal((await client.payment(paymentId)).orderDetails.reference, 'order-1');
  });

  test('a write that finds the database restarting is answered when it is back', async () => {
    const paymentId = await client.createReserved(1_000);
    // The load is through before the wire goes down; the commit has to wait for the mending.
    const cut = wire.cutNext('commit', 'before').then(() => {
      wire.down();
      setTimeout(() => wire.mend(), 400);
    });
    await client.charge(paymentId, 1_000);
    await cut;
  });

  test('a read-only database is read, and refuses writes with 503 until it is writable again', async () => {
    const paymentId = await client.createReserved(1_000);
    const path = `/v1/payments/${paymentId}/charges`;
    await setOnDatabase('set default_transaction_read_only = on');
    try {
      await reconnect();
      const creates = Array.from({ length: 10 }, () => client.post('/v1/payments', aCreate(1_000)));
      for (const reply of await Promise.all([...creates, client.post(path, { amount: 1 })])) expectUnavailable(reply);
      assert.equal((await client.payment(paymentId)).summary.chargedAmount, 0);
    } finally {
      await setOnDatabase('reset default_transaction_read_only');
    }
    // Connections that were read-only are left one by one; the service is not started again.
    await until('a write', async () => (await client.post(path, { amount: 1_000 })).status === 201);
    assert.equal((await client.payment(paymentId)).summary.chargedAmount, 1_000);
  });

  // decision: a-payment-locked-in-the-database
  test('a payment that somebody else holds locked is 503, its neighbours in the group are served', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => client.createReserved(1_000)));
    const [held] = ids as [string, ...string[]];
    await service.pool.withClient(async (other) => {
      await other.query('begin');
      await other.query('select 1 from payments where part = $1 and id = $2 for update', [partOf(held), held]);
      const replies = await Promise.all(ids.map((id) => client.post(`/v1/payments/${id}/charges`, { amount: 1_000 })));
      expectUnavailable(replies[0] as Reply);
      for (const reply of replies.slice(1)) assert.equal(reply.status, 201, reply.text);
      await other.query('rollback');
    });
    await client.charge(held, 1_000);
  });

  // decision: a-payment-locked-in-the-database
  test('payments that somebody else holds locked hold up nobody else, and are served when they are free', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => client.createReserved(1_000)));
    const held = ids.slice(0, 2);
    const charge = (id: string): Promise<Reply> =>
      client.post(`/v1/payments/${id}/charges`, { amount: 1_000 }, { 'idempotency-key': id });
    let answered = 0;
    const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    const lockWaits = async (): Promise<number> => (await service.pool.query(waiting)).length;
    const replies = await service.pool.withClient(async (other) => {
      await other.query('begin');
      for (const id of held)
        await other.query('select 1 from payments where part = $1 and id = $2 for update', [partOf(id), id]);
      const sent: Promise<Reply>[] = [];
      // One after the other, so that each lane has one.
      for (const [n, id] of held.entries()) {
        sent.push(charge(id).finally(() => (answered += 1)));
        await until('a wait for the lock', async () => (await lockWaits()) > n);
      }
      for (const id of ids.slice(2)) {
        assert.equal((await charge(id)).status, 201);
        await client.create();
      }
      assert.equal(answered, 0, 'the others waited for those who wait for the lock');
      await other.query('rollback');
      return Promise.all(sent);
    });
    for (const { status, text } of replies) assert.ok(status === 201 || status === 503, text);
    for (const id of held) await until('a charge', async () => (await charge(id)).status === 201);
    for (const id of ids) assert.equal((await client.payment(id)).summary.chargedAmount, 1_000);
  });

  test('the books balance after all of it', async () => {
    assert.deepEqual((await verifyBooks(service.pool)).differences, []);
  });
});
