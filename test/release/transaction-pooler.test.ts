// Goal: Kassa works through a pooler in transaction mode, with the address of Postgres itself beside it; what cannot work
// is refused at the start. Method: a real PgBouncer with far fewer connections than Kassa has, so that each of them is
// lent to everybody in turn; a service and a worker of their own, many payments at once, and the books in the end.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { revokeKey } from '../../src/store/merchants/keys.ts';
import { areOneDatabase, keepsSessions } from '../../src/store/connections/sessions-kept.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { aCreate } from '../support/client.ts';
import { inviteTo, Visitor } from '../support/console.ts';
import { cloneDatabase } from '../support/database.ts';
import { launchKassa, runKassa, until } from '../support/kassa.ts';
import type { Launched } from '../support/kassa.ts';
import { startPooler } from '../support/pooler.ts';
import type { Pooler } from '../support/pooler.ts';
import { openReceiver } from '../support/receiver.ts';
import { spawnService } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import { Writers } from '../support/writers.ts';

const CONNECTIONS = 4;
const LIVES = 60;

describe('PgBouncer in transaction mode', () => {
  let databaseUrl: string;
  let pooler: Pooler;
  let service: Service;
  let worker: Launched;
  let env: Readonly<Record<string, string>>;
  before(async () => {
    databaseUrl = await cloneDatabase();
    pooler = await startPooler(databaseUrl, { mode: 'transaction', size: CONNECTIONS });
    env = { DATABASE_URL: pooler.url, KASSA_DATABASE_DIRECT_URL: databaseUrl, KASSA_PRIVATE_HOOKS: 'on' };
    // Events are the worker's.
    service = await spawnService({ databaseUrl, env: { ...env, KASSA_DELIVERIES: 'off' } });
    worker = launchKassa(['worker'], { env });
    await until('the worker', () => worker.out().includes('is running on the database'));
  });
  after(async () => {
    await worker.end('SIGTERM');
    await service.stop();
    await pooler.stop();
  });

  test('the whole life of many payments at once; the books are right', async () => {
    const { client, secretKey } = await service.openShop();
    const writers = new Writers({ clientFor: () => service.client(secretKey) });
    await writers.write(LIVES, 24);
    await writers.check(client);
    assert.equal(writers.sentAgain, 0, 'no call failed');
    const { differences } = await verifyBooks(service.pool);
    assert.deepEqual(differences, []);
    // Two at once want the same money, and one has it.
    const paymentId = await client.createReserved(10_000);
    const charges = await Promise.all(
      Array.from({ length: 4 }, () => client.post(`/v1/payments/${paymentId}/charges`, { amount: 10_000 })),
    );
    assert.equal(charges.filter(({ status }) => status === 201).length, 1);
    const { body } = await client.get('/v1/payments?limit=20');
    assert.equal(body.payments.length, 20);
    assert.equal((await client.get('/readyz')).status, 200);
    assert.doesNotMatch(service.log(), /"level":50|"status":5\d\d/);
  });

  test('webhooks are delivered by a worker, in order', async (t) => {
    const receiver = await openReceiver();
    t.after(() => receiver.close());
    const { client } = await service.openShop();
    await client.must(201, 'POST', '/v1/webhooks', {
      url: receiver.url,
      events: ['payment.created', 'payment.charge.created'],
    });
    const paymentId = await client.createReserved(4_000);
    await client.charge(paymentId, 4_000);
    const got = await receiver.until(2);
    assert.deepEqual(
      got.map(({ body }) => body.event),
      ['payment.created', 'payment.charge.created'],
    );
  });

  test('a key that is revoked is known at once', async () => {
    const { client, merchant } = await service.openShop();
    assert.equal((await client.get('/v1/payments')).status, 200);
    const [key] = await service.pool.query<{ id: string }>('select id from secret_keys where merchant_id = $1', [
      merchant.id,
    ]);
    await revokeKey(service.pool, key?.id as string);
    assert.equal((await client.get('/v1/payments')).status, 401);
  });

  test('the console shows every page', async () => {
    const { client, merchant } = await service.openShop();
    const paymentId = await client.createReserved(7_000);
    const { link } = await inviteTo(service, merchant.id, 'admin');
    const visitor = new Visitor(service.url);
    const entered = await visitor.post(new URL(link).pathname);
    assert.equal(entered.status, 303);
    visitor.cookie = (entered.headers.getSetCookie()[0] ?? '').replace(/;.*/, '');
    for (const page of [
      'payments',
      'overview',
      'keys',
      'webhooks',
      'team',
      'audit',
      'requests',
      `payments/${paymentId}`,
    ]) {
      const shown = await visitor.ask(`/console/${merchant.id}/${page}`);
      assert.equal(shown.status, 200, page);
    }
  });

  test('commands take the direct way', async () => {
    const { merchant } = await service.openShop();
    const listed = await runKassa(['merchant', 'list', '--json'], { env });
    assert.equal(listed.code, 0, listed.err);
    assert.ok(listed.out.includes(String(merchant.id)));
    const verified = await runKassa(['verify'], { env });
    assert.equal(verified.code, 0, verified.out + verified.err);
  });

  test('what others find on its connections is as it was', async () => {
    // All of them at once.
    const clients = Array.from({ length: CONNECTIONS }, () => new pg.Client({ connectionString: pooler.url }));
    for (const client of clients) {
      await client.connect();
      await client.query('begin');
    }
    const names = ['enable_seqscan', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
    for (const client of clients) {
      const { rows } = await client.query<{ name: string; setting: string; reset_val: string }>(
        'select name, setting, reset_val from pg_settings where name = any ($1)',
        [names],
      );
      assert.equal(rows.length, names.length);
      for (const { name, setting, reset_val: before_ } of rows) assert.equal(setting, before_, name);
      const { rows: prepared } = await client.query('select name from pg_prepared_statements');
      assert.deepEqual(prepared, []);
    }
    for (const client of clients) await client.end();
  });

  test('a database that was restarted is found again', async () => {
    const { client } = await service.openShop();
    const paymentId = await client.createReserved(3_000);
    const all = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    const admin = new pg.Client({ connectionString: databaseUrl });
    await admin.connect();
    await admin.query(all);
    await admin.end();
    const charged = await until('a charge', async () => {
      const reply = await client.post(
        `/v1/payments/${paymentId}/charges`,
        { amount: 3_000 },
        { 'idempotency-key': 'once' },
      );
      return reply.status < 500 && reply;
    });
    assert.equal(charged.status, 201, charged.text);
    assert.equal((await client.payment(paymentId)).summary.chargedAmount, 3_000);
  });

  test('without the direct address it is refused in one sentence, by every program', async () => {
    const sentence =
      'kassa: DATABASE_URL is a pooler in transaction mode: set KASSA_DATABASE_DIRECT_URL to the address of its Postgres, or use session mode.\n';
    for (const words of [['serve', '--port', '0'], ['worker'], ['migrate'], ['merchant', 'list']]) {
      const { code, out, err } = await runKassa(words, { env: { DATABASE_URL: pooler.url } });
      assert.deepEqual({ code, out, err }, { code: 1, out: '', err: sentence }, words.join(' '));
    }
  });

  test('a direct address that is none, or of another database, is refused in one sentence', async () => {
    const others: readonly (readonly [direct: string, sentence: string])[] = [
      [
        pooler.url,
        'KASSA_DATABASE_DIRECT_URL is a pooler in transaction mode: set it to the address of Postgres itself.',
      ],
      [
        await cloneDatabase(),
        'KASSA_DATABASE_DIRECT_URL and DATABASE_URL are different databases: set them to the direct and the pooled address of the same one.',
      ],
    ];
    for (const [direct, sentence] of others) {
      const given = { ...env, KASSA_DATABASE_DIRECT_URL: direct };
      const { code, err } = await runKassa(['serve', '--port', '0'], { env: given });
      assert.deepEqual({ code, err }, { code: 1, err: `kassa: ${sentence}\n` });
    }
  });

  test('a direct address at which nobody answers is told by its own name', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const direct = `postgres://nobody@127.0.0.1:${port}/none`;
    const given = { ...env, KASSA_DATABASE_DIRECT_URL: direct, KASSA_DATABASE_WAIT: '0s' };
    const { code, err } = await runKassa(['serve', '--port', '0'], { env: given });
    assert.deepEqual(
      { code, err },
      {
        code: 1,
        err: `kassa: Cannot connect to Postgres at 127.0.0.1:${port}: start it, or correct KASSA_DATABASE_DIRECT_URL.\n`,
      },
    );
  });

  test('a pooler that is busy with others is known for what it is', async (t) => {
    const over = new AbortController();
    const busy = Array.from({ length: 8 }, async () => {
      const client = new pg.Client({ connectionString: pooler.url });
      await client.connect();
      while (!over.signal.aborted) await client.query('select pg_sleep(0.001)');
      await client.end();
    });
    t.after(() => Promise.all(busy));
    for (let look = 0; look < 5; look += 1) assert.equal(await keepsSessions(pooler.url), false);
    over.abort();
    assert.equal(await keepsSessions(databaseUrl), true);
    assert.equal(await areOneDatabase(databaseUrl, pooler.url), true);
  });

  test('a payment is created with its key once, however often it is sent', async () => {
    const { client } = await service.openShop();
    const key = { 'idempotency-key': 'the-same' };
    const replies = await Promise.all(Array.from({ length: 6 }, () => client.post('/v1/payments', aCreate(), key)));
    const made = new Set(replies.filter(({ status }) => status === 201).map(({ body }) => body.paymentId));
    assert.equal(made.size, 1);
  });
});
