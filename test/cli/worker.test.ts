// `kassa worker`. Goal: events are delivered outside of the service's process as well, by several workers that share the
// work, and a kill -9 of one loses nothing. Method: a service that delivers nothing, real workers, a real endpoint.
import assert from 'node:assert/strict';
import { relative } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { homePartOf, newId } from '../../src/payments/ids.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { createWebhook, newWebhookSecret } from '../../src/store/events/webhooks.ts';
import { Workshop } from '../database/workshop.ts';
import { anEntryOf, callEntries, writeBulk } from '../support/bulks.ts';
import { runCommand } from '../support/commands.ts';
import { isRelease } from '../support/depth.ts';
import { launchKassa, serveKassa, until } from '../support/kassa.ts';
import type { Launched } from '../support/kassa.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { root } from '../../proof/program.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';
import { subscribe } from '../support/subscriptions.ts';

const EVENTS_OF_ONE = 4;
const OF_ONE_WORKER = 4;

async function startWorker(t: TestContext, env: Readonly<Record<string, string>>): Promise<Launched> {
  const worker = launchKassa(['worker'], { env });
  t.after(() => worker.child.kill('SIGKILL'));
  await until('its first line', () => {
    assert.equal(worker.child.exitCode, null, worker.err());
    return worker.out().endsWith('\n');
  });
  return worker;
}

type Attempts = Readonly<Record<string, number>>;

/** What a worker that has ended says it did. */
function attemptsOf(log: string): Attempts {
  const counts: Record<string, number> = {};
  const lines = log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { attempts?: Attempts });
  for (const { attempts = {} } of lines)
    for (const [outcome, count] of Object.entries(attempts)) counts[outcome] = (counts[outcome] ?? 0) + count;
  return counts;
}

describe('worker', () => {
  let service: Service;
  let shop: Shop;
  let receiver: Receiver;
  let env: Readonly<Record<string, string>>;
  beforeEach(async () => {
    service = await startService({ env: { KASSA_DELIVERIES: 'off' } });
    env = { DATABASE_URL: service.databaseUrl };
    shop = await service.openShop();
    receiver = await openReceiver();
    await createWebhook(service.pool, shop.merchant, {
      id: newId(Date.now(), homePartOf(shop.merchant)),
      url: receiver.url,
      events: undefined,
      secret: newWebhookSecret(),
    });
  });
  afterEach(async () => {
    await service.stop();
    await receiver.close();
  });

  const reserve = (count: number): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, () => shop.client.createReserved()));
  const arrived = (): Set<string> => new Set(receiver.received.map(({ body }) => body.id as string));

  test('verify says when nobody has delivered for more than an hour, and ends with 0', async () => {
    await reserve(1);
    await shop.client.get('/v1/events');
    for (const table of ['lanes', 'deliveries'])
      await service.pool.query(`update ${table} set next_try_at = now() - interval '2 hours'`);
    const { code, out } = await runCommand(['verify'], { env });
    assert.equal(code, 0);
    assert.match(
      out,
      /\n4 events have been undelivered for more than an hour, the oldest since \S+Z: is a worker running\?\n/,
    );
    const { undelivered } = JSON.parse((await runCommand(['verify', '--json'], { env })).out);
    assert.equal(undelivered.count, EVENTS_OF_ONE);
  });

  test('a service with KASSA_DELIVERIES=off delivers nothing; the worker does, and ends like the service', async (t) => {
    const [paymentId] = await reserve(1);
    // The service publishes for who reads, and still sends nothing.
    assert.equal((await shop.client.get('/v1/events')).body.events.length, EVENTS_OF_ONE);
    assert.equal(receiver.received.length, 0);
    const worker = await startWorker(t, { ...env, KASSA_METRICS_PORT: '0' });
    const said = /^The worker of Kassa \S+ is running on the database \S+\. Its metrics are at (\S+)\./;
    assert.match(worker.out(), said);
    const received = await receiver.until(EVENTS_OF_ONE);
    const figures = new URL(said.exec(worker.out())?.[1] ?? '');
    const delivered = `\nkassa_delivery_seconds_count{state="delivered"} ${EVENTS_OF_ONE}\n`;
    await until('its figures', async () => (await (await fetch(figures)).text()).includes(delivered));
    assert.equal((await fetch(new URL('/', figures))).status, 404);
    assert.ok(received.every(({ body }) => body.data.paymentId === paymentId));
    worker.child.kill('SIGTERM');
    const { code, err } = await worker.ended;
    assert.equal(code, 0);
    assert.deepEqual(attemptsOf(err), { delivered: EVENTS_OF_ONE });
    const messages = err
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
    assert.deepEqual(messages, ['started', 'stopping', 'delivered', 'stopped']);
    const { password } = new URL(service.databaseUrl);
    assert.equal(password !== '' && (err + worker.out()).includes(password), false);
  });

  test('it works off bulks as the service does', async (t) => {
    const ids = [await subscribe(shop.client, 'scheduled'), await subscribe(shop.client, 'scheduled')];
    const entries = ids.map(anEntryOf);
    const bulkId = await writeBulk(service.pool, shop, { purpose: 'charge', entries, amount: 5_000 });
    const pool = openPool(service.databaseUrl, { size: 1 });
    try {
      await service.stop();
      await callEntries(pool, entries);
      await startWorker(t, env);
      const states = await until('the bulk to be done', async () => {
        const rows = await pool.query<{ state: string }>('select state from bulk_entries where bulk_id = $1', [bulkId]);
        return rows.every(({ state }) => state !== 'pending') && rows.map(({ state }) => state);
      });
      assert.deepEqual(states, ['succeeded', 'succeeded']);
      assert.deepEqual((await verifyBooks(pool)).differences, []);
    } finally {
      await pool.close();
    }
  });

  test('two share the work', async (t) => {
    // One alone sends a new endpoint four at once: answered is when a fifth has come, which the other one sent.
    const unanswered: (() => void)[] = [];
    receiver.react((response) => {
      unanswered.push(() => void response.writeHead(200).end());
      if (receiver.received.length > OF_ONE_WORKER) for (const answer of unanswered.splice(0)) answer();
    });
    const workers = await Promise.all([startWorker(t, env), startWorker(t, env)]);
    await reserve(100);
    const events = 100 * EVENTS_OF_ONE;
    await until('all events', () => arrived().size === events);
    const counts = await Promise.all(
      workers.map(async (worker) => {
        worker.child.kill('SIGTERM');
        return attemptsOf((await worker.ended).err)['delivered'] ?? 0;
      }),
    );
    assert.ok(
      counts.every((count) => count > 0),
      `one did nothing: ${counts.join(', ')}`,
    );
    // An attempt that waits for the other worker for too long comes again; what was answered does not.
    const delivered = counts.reduce((sum, count) => sum + count, 0);
    assert.equal(delivered, events, 'nothing is delivered twice when nobody dies');
  });

  test('what nobody delivers is told: in the banner, and by the metrics of every service', async (t) => {
    await reserve(2);
    const later = await serveKassa(t, { env: { ...env, KASSA_DELIVERIES: 'off', KASSA_METRICS_PORT: '0' } });
    assert.match(later.banner, /^ {2}Deliveries +off: start kassa worker$/m);
    const figures = /^ {2}Metrics +(\S+)$/m.exec(later.banner)?.[1] ?? '';
    const metrics = await until('the lanes', async () => {
      const text = await (await fetch(figures)).text();
      return text.includes('\nkassa_deliveries_waiting 2\n') && text;
    });
    assert.equal((await later.client.get('/metrics')).status, 404, 'they have a port of their own');
    assert.match(metrics, /\nkassa_events_unpublished 0\n/);
    assert.ok(Number(/^kassa_deliveries_oldest_seconds (\S+)$/m.exec(metrics)?.[1]) > 0);
    await later.stop();
  });

  test('kill -9 in the middle of deliveries loses nothing', async (t) => {
    const held: (() => void)[] = [];
    const doomed = await startWorker(t, env);
    // An endpoint that has taken something is sent much at once.
    await reserve(1);
    await receiver.until(EVENTS_OF_ONE);
    receiver.react((response) => {
      held.push(() => void response.writeHead(200).end());
    });
    await reserve(20);
    await receiver.until(EVENTS_OF_ONE + 20);
    doomed.child.kill('SIGKILL');
    await doomed.ended;
    receiver.react(200);
    const heir = await startWorker(t, env);
    // What the dead one held is its until the lease is over. Its end comes sooner here, so that nobody waits for it.
    const leased = await service.pool.query('update lanes set next_try_at = now() where leased returning 1');
    assert.equal(leased.length, 20);
    await until('all of them', () => arrived().size === 21 * EVENTS_OF_ONE);
    heir.child.kill('SIGTERM');
    assert.deepEqual(attemptsOf((await heir.ended).err), { delivered: 20 * EVENTS_OF_ONE });
    const open = await service.pool.query(`select 1 from deliveries where state <> 'delivered'`);
    assert.deepEqual(open, []);
    for (const answer of held) answer();
  });

  test('SIGTERM lets what is under way finish: nothing is sent twice', async (t) => {
    const held: (() => void)[] = [];
    receiver.react((response) => {
      held.push(() => void response.writeHead(200).end());
    });
    await reserve(3);
    const first = await startWorker(t, env);
    await receiver.until(3);
    first.child.kill('SIGTERM');
    await until('that it was heard', () => first.err().includes('stopping'));
    receiver.react(200);
    for (const answer of held) answer();
    assert.equal((await first.ended).code, 0);
    await startWorker(t, env);
    await until('the rest', () => arrived().size === 3 * EVENTS_OF_ONE);
    assert.equal(receiver.received.length, 3 * EVENTS_OF_ONE);
  });
});

describe('worker on the embedded database', () => {
  if (isRelease)
    test('it joins that of a running service, and ends with one sentence when that ends', async (t) => {
      const folder = new Workshop();
      t.after(() => folder.close());
      folder.bringDatabase();
      const env = { KASSA_DATA_DIR: folder.dataDir, KASSA_DELIVERIES: 'off' };
      const service = await serveKassa(t, { env });
      const receiver = await openReceiver();
      t.after(() => receiver.close());
      const made = await service.client.post('/v1/webhooks', { url: receiver.url });
      assert.equal(made.status, 201, made.text);
      const worker = await startWorker(t, env);
      await service.client.createReserved();
      await receiver.until(EVENTS_OF_ONE);
      assert.equal((await service.stop()).code, 0);
      const { code, err } = await worker.ended;
      assert.equal(code, 1);
      const sentence = `kassa: The Postgres in ${folder.dataDir} was stopped, probably because kassa serve stopped: start both again. No event is lost.\n`;
      assert.ok(err.endsWith(`\n${sentence}`), err);
    });

  test('where there is no database it refuses, and makes none', async (t) => {
    const folder = new Workshop();
    t.after(() => folder.close());
    const { code, out, err } = await runCommand(['worker'], {
      env: { KASSA_DATA_DIR: relative(root, folder.dataDir) },
    });
    assert.deepEqual({ code, out }, { code: 1, out: '' });
    assert.equal(
      err,
      `kassa: There is no database in ${folder.dataDir}; run this in Kassa's folder, or set KASSA_DATA_DIR.\n`,
    );
    assert.equal(folder.postmaster(), undefined);
  });
});
