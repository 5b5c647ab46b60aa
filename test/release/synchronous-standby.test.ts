// Goal: with a synchronous standby, what was answered is there after the primary is lost, whatever interrupted its
// commit; and a standby that is away costs writes a quick 503, no connections, and nothing once it is back. Method: a
// real primary with a real standby that is stopped and started, a commit that waits and is killed or restarted, and in
// the end the loss of the primary.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { putAcquirer } from '../../src/store/merchants/acquirers.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { openPool, WaitsForStandby } from '../../src/store/connections/pool.ts';
import { openStore } from '../../src/store/store.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { startBank } from '../support/bank.ts';
import { aPay, CARDS, Consumer } from '../support/checkout.ts';
import { aCreate, anOrder } from '../support/client.ts';
import type { Client, Reply } from '../support/client.ts';
import { runCommand } from '../support/commands.ts';
import { until } from '../support/kassa.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import { startPrimaryWithStandby, WAITING_FOR_STANDBY } from '../support/standby.ts';
import type { PrimaryWithStandby } from '../support/standby.ts';
import { subscribe } from '../support/subscriptions.ts';

const AMOUNT = 100_000;
const KILL_WAITING = "select pg_terminate_backend(pid, 5000) from pg_stat_activity where wait_event = 'SyncRep'";
const CANCEL_WAITING = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'";

describe('a synchronous standby', () => {
  let pair: PrimaryWithStandby;
  let services: Service[];
  let client: Client;
  let secretKey: string;
  let paymentId: string;
  /** Of a payment that waits for its consumer at the bank. */
  let bankPath: string;
  before(async () => {
    pair = await startPrimaryWithStandby();
    const pool = openPool(pair.primary.url, { size: 1 });
    await migrate(pool);
    await pool.close();
    // Nothing else writes, so that whoever waits for the standby is known.
    const start = (url: string) => startService({ databaseUrl: url, env: { KASSA_DELIVERIES: 'off' } });
    services = [await start(pair.primary.url), await start(pair.primary.url)];
    const shop = await (services[0] as Service).openShop();
    ({ client, secretKey } = shop);
    paymentId = await client.createReserved(AMOUNT);
    const consumer = new Consumer(services[0] as Service, shop, await client.create());
    bankPath = new URL((await consumer.pay(aPay(CARDS.challenge))).body.redirectUrl).pathname;
  });
  after(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await pair.close();
  });

  const charge = (key: string, amount = 1_000, by = client): Promise<Reply> =>
    by.post(`/v1/payments/${paymentId}/charges`, { amount }, { 'idempotency-key': key });
  const other = (): Client => (services[1] as Service).client(secretKey);
  const waits = () => until('a wait for the standby', () => pair.isWaiting());
  /** That of a statement with this in its text: events that are published wait as well. */
  const waitsWith = (text: string) =>
    until(`a wait of ${text}`, async () => {
      const waiting = `select 1 ${WAITING_FOR_STANDBY} and query like '%${text}%'`;
      return (await pair.primary.query(waiting)).length > 0;
    });
  const comeBack = async (): Promise<void> => {
    await pair.standby.start();
    await pair.synchronized();
  };
  /** Sent again until it is taken. */
  const untilTaken = (key: string): Promise<Reply> =>
    until(`a charge ${key}`, async () => {
      const reply = await charge(key);
      return reply.status === 201 && reply;
    });
  const isOnStandby = async (chargeId: string): Promise<boolean> =>
    (await pair.standby.query(`select 1 from movements where id = '${chargeId}'`)).length === 1;

  test('the figures tell how many there are, and how far each is behind', async () => {
    const figures = async (): Promise<string> => (await client.get('/metrics')).text;
    await until('the standby', async () => /^kassa_database_standbys 1$/m.test(await figures()));
    assert.match(await figures(), /^kassa_database_standby_lag_seconds\{standby="kassa_standby"\} [\d.e-]+$/m);
  });

  const interruptions: Readonly<Record<string, () => Promise<unknown>>> = {
    'is killed': () => pair.primary.query(KILL_WAITING),
    'is cancelled': () => pair.primary.query(CANCEL_WAITING),
    'dies with a restart of the primary': async () => {
      await pair.primary.stop();
      await pair.primary.start();
    },
  };
  for (const [how, interrupt] of Object.entries(interruptions))
    // decision: a-commit-with-unknown-outcome
    test(`a charge whose wait ${how} is not answered before the standby has it`, async () => {
      await pair.standby.stop();
      const key = how.replaceAll(' ', '-');
      const reply = charge(key);
      await waits();
      await interrupt();
      const { status, headers, body } = await reply;
      assert.equal(status, 503, JSON.stringify(body));
      assert.ok(Number(headers.get('retry-after')) > 0);
      assert.match(
        body.message,
        /it is not known whether this was done\. Repeat it only with the same Idempotency-Key/,
      );
      // Another process finds what the first one has left, and may not answer by it either: neither by the key, nor that
      // it is too late for something else.
      const again = await Promise.all([
        charge(key, 1_000, other()),
        other().post(`/v1/payments/${paymentId}/charges`, { amount: AMOUNT }),
        other().put(`/v1/payments/${paymentId}/terminate`),
        // That it is not there may be undone as well.
        other().post(`/v1/payments/${'0'.repeat(12)}7${'0'.repeat(3)}8${'0'.repeat(15)}/charges`, { amount: 1 }),
      ]);
      for (const found of again) assert.equal(found.status, 503, found.text);
      const read = async (by: Client): Promise<number> => (await by.get(`/v1/payments/${paymentId}`)).status;
      // Nobody waits for it after a restart, so it could be read; it is shown when the standby has it.
      if (how.includes('restart')) {
        const shown = ['/v1/payments', '/v1/events', '/v1/events/stream', `/v1/payments/${paymentId}`, bankPath];
        for (const by of [client, other()])
          for (const path of shown) assert.equal((await by.get(path)).status, 503, path);
      }
      await comeBack();
      await until('a read', async () => (await read(other())) === 200);
      const { body: charged } = await untilTaken(key);
      assert.ok(await isOnStandby(charged.chargeId));
    });

  test('a bulk whose wait is killed is told of only when the standby has it, whoever is asked', async () => {
    const subscriptionId = await subscribe(client, 'scheduled');
    const body = { externalBulkChargeId: 'monthly', subscriptions: [{ subscriptionId, order: anOrder(1_000) }] };
    const ask = (by: Client): Promise<Reply> => by.post('/v1/subscriptions/charges', body);
    await pair.standby.stop();
    const reply = ask(client);
    await waits();
    await pair.primary.query(KILL_WAITING);
    const first = await reply;
    assert.equal(first.status, 503, first.text);
    assert.match(first.body.message, /it is not known whether this was done/);
    const found = await ask(other());
    assert.equal(found.status, 503, found.text);
    await comeBack();
    const { body: taken } = await until('the bulk', async () => {
      const again = await ask(other());
      return again.status === 202 && again;
    });
    const there = await pair.standby.query(`select 1 from bulks where id = '${taken.bulkId}'`);
    assert.equal(there.length, 1);
    const { page } = await until('its end', async () => {
      const { body: bulk } = await client.get(`/v1/subscriptions/charges/${taken.bulkId}`);
      return bulk?.status === 'Done' && bulk;
    });
    assert.deepEqual([page.length, page[0].status], [1, 'Succeeded']);
  });

  // A bulk that only the primary has can be lost with it, and the bank would have a line that is nobody's.
  test('a verification whose wait is killed asks the bank only when the standby has it', async (t) => {
    const bank = await startBank();
    t.after(() => bank.stop());
    const [service] = services as [Service];
    await putAcquirer(service.pool, { name: 'bank', url: bank.url, key: bank.key });
    const { client: owner } = await service.openShop({ acquirer: 'bank' });
    const subscriptionId = await subscribe(owner, 'scheduled');
    const lines = async (): Promise<number> => (await bank.book()).length;
    const atFirst = await lines();
    const body = { externalBulkVerificationId: 'cards', subscriptions: [{ subscriptionId }] };
    const ask = (): Promise<Reply> => owner.post('/v1/subscriptions/verifications', body);
    await pair.standby.stop();
    const reply = ask();
    await waits();
    await pair.primary.query(KILL_WAITING);
    assert.equal((await reply).status, 503);
    const makesSure = `select 1 ${WAITING_FOR_STANDBY} and query like '%emit_message%'`;
    await until('somebody to make sure of it, or to ask', async () => {
      const isMadeSureOf = (await pair.primary.query(makesSure)).length > 0;
      return isMadeSureOf || (await lines()) > atFirst;
    });
    assert.equal(await lines(), atFirst);
    await comeBack();
    const { body: taken } = await until('the bulk', async () => {
      const again = await ask();
      return again.status === 202 && again;
    });
    await until('its end', async () => {
      const { body: bulk } = await owner.get(`/v1/subscriptions/verifications/${taken.bulkId}`);
      return bulk?.status === 'Done';
    });
    assert.equal(await lines(), atFirst + 1);
  });

  test('the end of a subscription whose wait is killed is told of only when the standby has it', async () => {
    const id = await subscribe(client, 'scheduled');
    const end = (by: Client): Promise<Reply> => by.put(`/v1/subscriptions/${id}/terminate`);
    const { consumerPageUrl } = (await client.get(`/v1/subscriptions/${id}`)).body;
    const { pathname } = new URL(consumerPageUrl);
    const press = (): Promise<Response> =>
      fetch(`${(services[1] as Service).url}${pathname}/end`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        redirect: 'manual',
      });
    await pair.standby.stop();
    const reply = end(client);
    await waits();
    await pair.primary.query(KILL_WAITING);
    const first = await reply;
    assert.equal(first.status, 503, first.text);
    assert.match(first.body.message, /it is not known whether this was done/);
    for (const found of [await end(client), await end(other())]) assert.equal(found.status, 503, found.text);
    assert.equal((await press()).status, 503);
    await comeBack();
    await until('the end', async () => (await end(other())).status === 204);
    const there = await pair.standby.query(`select 1 from subscriptions where id = '${id}' and state = 'ended'`);
    assert.equal(there.length, 1);
    assert.equal((await press()).status, 303);
  });

  test('kassa subscription end, killed while it waits, tells of the end only when the standby has it', async () => {
    const id = await subscribe(client, 'scheduled');
    const end = () => runCommand(['subscription', 'end', id, '--yes'], { env: { DATABASE_URL: pair.primary.url } });
    await pair.standby.stop();
    const killed = end();
    await waitsWith('update subscriptions');
    await pair.primary.query(KILL_WAITING);
    assert.equal((await killed).code, 1);
    const again = end();
    await waitsWith('pg_logical_emit_message');
    await comeBack();
    // Where it takes long to come back, the wait was given up.
    const waited = await again;
    const { code, out, err } = waited.code === 0 ? waited : await end();
    assert.deepEqual([code, out, err], [0, `Subscription ${id} was already ended by the merchant.\n`, '']);
    assert.equal(
      (await pair.standby.query(`select 1 from subscriptions where id = '${id}' and state = 'ended'`)).length,
      1,
    );
    // A wait that was cancelled is a commit that may be lost.
    const next = await subscribe(client, 'scheduled');
    await pair.standby.stop();
    const cancelled = runCommand(['subscription', 'end', next, '--yes'], { env: { DATABASE_URL: pair.primary.url } });
    await waitsWith('update subscriptions');
    await pair.primary.query(CANCEL_WAITING);
    assert.match((await cancelled).err, /^kassa: A synchronous standby is unavailable, so the outcome is unknown/);
    await comeBack();
  });

  test('a refused charge of a subscription is answered only when the standby has what it follows from', async () => {
    const id = await subscribe(client, 'scheduled', undefined, { interval: 30 });
    const refused = (by: Client, headers?: Record<string, string>): Promise<Reply> =>
      by.post(`/v1/subscriptions/${id}/charges`, { order: anOrder(1_000) }, headers);
    await pair.standby.stop();
    for (const headers of [{}, { 'idempotency-key': 'refused' }]) {
      const reply = await refused(client, headers);
      assert.equal(reply.status, 503, reply.text);
    }
    await comeBack();
    for (const headers of [{}, { 'idempotency-key': 'refused' }])
      await until('a refusal', async () => (await refused(other(), headers)).body?.code === '1031');
  });

  // decision: readiness, a-synchronous-standby-that-is-away
  test('while it is away, writes are refused at once, reads go on, no connections pile up, and it passes by itself', async () => {
    const connections = "select 1 from pg_stat_activity where application_name like 'kassa%'";
    await pair.standby.stop();
    const first = await client.post('/v1/payments', aCreate(1_234));
    assert.equal(first.status, 503);
    assert.match(first.body.message, /^A standby that has to confirm it is away, and it is not known/);
    const readiness = () => (services[0] as Service).client().get('/readyz');
    const unready = await readiness();
    assert.equal(unready.status, 503);
    assert.deepEqual(unready.body, { status: 'not ready', reason: 'the database does not commit in time' });
    const some = (await pair.primary.query(connections)).length;
    for (let n = 0; n < 50; n += 1) {
      const { status, headers, body } = await client.post('/v1/payments', aCreate(1_235));
      assert.deepEqual([status, headers.get('retry-after')], [503, '5']);
      assert.match(body.message, /^A standby of the database is away; nothing was done\./);
    }
    assert.equal((await client.payment(paymentId)).paymentId, paymentId);
    // What both services do now and then waits as well, each on a connection of its own; the fifty requests do not.
    const now = (await pair.primary.query(connections)).length;
    assert.ok(now <= some + 10, `${now} connections instead of ${some}`);
    await comeBack();
    await until('a write', async () => (await client.post('/v1/payments', aCreate(1_236))).status === 201);
    await until('readiness', async () => (await readiness()).status === 200);
    const made = await pair.standby.query('select amount from payments where amount between 1234 and 1236 order by 1');
    assert.deepEqual(made, [{ amount: 1234 }, { amount: 1236 }]);
  });

  // Whoever has read an event counts on its position, and whoever reads on asks for those after it.
  test('an event has its position when the standby has it, however long that takes', async (t) => {
    const nothing = () => {};
    const observer = { onGroup: nothing, onConflicts: nothing, onRunAlone: nothing, onLookUp: nothing };
    const store = await openStore(pair.primary.url, observer);
    t.after(() => store.close());
    const { promise: trouble, resolve } = Promise.withResolvers<unknown>();
    store.publisher.onTrouble(resolve);
    await pair.standby.stop();
    const [event] = await pair.primary.query(`
      with unreplicated as materialized (select set_config('synchronous_commit', 'local', true))
      insert into events (part, subject_id, version, ordinal, merchant_id, name, happened_at, recorded_at)
      select part, subject_id, 1000000, 0, merchant_id, name, happened_at, now() from events, unreplicated
      where subject_id = '${paymentId}' limit 1 returning merchant_id`);
    store.publisher.add({ id: paymentId, merchantId: Number(event?.['merchant_id']) });
    assert.ok((await trouble) instanceof WaitsForStandby);
    const position = async (): Promise<unknown> => {
      const found = `select position from events where subject_id = '${paymentId}' and version = 1000000`;
      return (await pair.primary.query(found))[0]?.['position'];
    };
    assert.equal(await position(), null);
    await comeBack();
    await until('its position', async () => (await position()) !== null);
    await pair.primary.query(`delete from events where subject_id = '${paymentId}' and version = 1000000`);
  });

  // decision: a-commit-with-unknown-outcome
  test('what was answered is there when the primary is lost and the standby promoted', async () => {
    const answered = [];
    for (const key of ['1', '2']) answered.push((await untilTaken(key)).body.chargeId);
    await pair.standby.stop();
    const reply = charge('last');
    await waits();
    await pair.primary.query(KILL_WAITING);
    const last = await reply;
    await pair.primary.stop('SIGKILL');
    await pair.standby.start();
    await pair.promote();
    const [first, second] = services as [Service, Service];
    await Promise.all([first.stop(), second.stop()]);
    const promoted = await startService({ databaseUrl: pair.standby.url, env: { KASSA_DELIVERIES: 'off' } });
    services = [promoted];
    client = promoted.client(secretKey);
    const { charges } = await client.payment(paymentId);
    const there = new Set(charges.map(({ chargeId }: { chargeId: string }) => chargeId));
    if (last.status === 201) answered.push(last.body.chargeId);
    for (const chargeId of answered) assert.ok(there.has(chargeId), 'a charge that was answered is lost');
    const again = await charge('last');
    assert.equal(again.status, 201, again.text);
    const count = Object.keys(interruptions).length + 3;
    assert.equal((await client.payment(paymentId)).summary.chargedAmount, count * 1_000);
    assert.deepEqual((await verifyBooks(promoted.pool)).differences, []);
  });
});
