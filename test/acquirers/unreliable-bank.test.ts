// Goal: whatever an acquirer does late, says badly or cannot be told at all, both books say the same in the end, and
// who waits has an answer. Method: a real service, with a real bank that acts late, with servers that answer what no
// bank should, with nobody at all, and with a clock that is set back.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { putAcquirer } from '../../src/store/merchants/acquirers.ts';
import { startBank } from '../support/bank.ts';
import type { RunningBank } from '../support/bank.ts';
import type { Reply } from '../support/client.ts';
import { until } from '../support/kassa.ts';
import { isReplayed, keyed } from '../support/keyed-operations.ts';
import { spawnService, startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

const ENV = { KASSA_ACQUIRER_TIMEOUT: '3s' };
const NEVER_HEARD = 'the acquirer never heard of it; it may be approved later';

type Row = { readonly id: string; readonly kind: string; readonly state: string; readonly reason: string | null };

describe('a bank that is unreliable', () => {
  let service: Service;
  let bank: RunningBank;
  let shop: Shop;
  before(async () => {
    [service, bank] = await Promise.all([startService({ env: ENV }), startBank()]);
    await putAcquirer(service.pool, { name: 'bank', url: bank.url, key: bank.key });
    shop = await service.openShop({ acquirer: 'bank' });
  });
  after(async () => {
    await service.stop();
    await bank.stop();
  });

  const rowsOf = (paymentIds: readonly string[]): Promise<Row[]> =>
    service.pool.query<Row>(
      `select replace(id::text, '-', '') as id, kind, state, reason from movements
       where payment_id = any ($1::uuid[]) order by id`,
      [paymentIds],
    );

  const settledRowsOf = (paymentIds: readonly string[]): Promise<Row[]> =>
    until('nothing to be pending', async () => {
      const rows = await rowsOf(paymentIds);
      return rows.every(({ state }) => state !== 'pending') && rows;
    });

  const reserve = ({ client }: Shop, paymentId: string): Promise<Reply> =>
    client.post(`/v1/sandbox/payments/${paymentId}/reserve`, {});

  /** An acquirer that decides by itself what it says of an operation; a shop uses it. */
  const openShopAt = async (t: TestContext, name: string, say: () => object): Promise<Shop> => {
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        const { id = request.url?.split('/')[2] } = JSON.parse(body || '{}') as { id?: string };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id, ...say() }));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      server.close();
      server.closeAllConnections();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await putAcquirer(service.pool, { name, url, key: 'any-key-will-do' });
    return service.openShop({ acquirer: name });
  };

  // decision: reservation-that-the-acquirer-does-not-know
  test('reservations that the bank acts on after they were given up are not done there either', async (t) => {
    t.after(() => bank.setFaults({}));
    const paymentIds = await Promise.all(Array.from({ length: 12 }, () => shop.client.create(1_000)));
    // The requests reach the bank in time and lie there for longer than anybody waits for them.
    const lateMs = 30_000;
    await bank.setFaults({ actsLateMs: lateMs });
    const acted = performance.now() + lateMs;
    const replies = await Promise.all(paymentIds.map((paymentId) => reserve(shop, paymentId)));
    assert.deepEqual(
      new Set(replies.map(({ status, body }) => `${status} ${body.message}`)),
      new Set([`402 The reservation was declined: ${NEVER_HEARD}.`]),
    );
    const rows = await settledRowsOf(paymentIds);
    assert.deepEqual(
      new Set(rows.map(({ state, reason }) => `${state}, ${reason}`)),
      new Set([`declined, ${NEVER_HEARD}`]),
    );
    const refused = () => bank.err().match(/reservation .* refused .* it was forbidden$/gm)?.length;
    await until('the bank to have come to all of them', () => performance.now() > acted && refused() === rows.length);
    const ids = new Set((await bank.book()).map(({ id }) => id));
    assert.deepEqual(
      rows.filter(({ id }) => ids.has(id)),
      [],
    );
    await bank.setFaults({});
    for (const paymentId of paymentIds) assert.equal((await reserve(shop, paymentId)).status, 201);
  });

  test('a reservation that the bank acts on late, but while somebody waits, is approved', async (t) => {
    t.after(() => bank.setFaults({}));
    const paymentId = await shop.client.create(1_000);
    await bank.setFaults({ actsLateMs: 3_400 });
    assert.equal((await reserve(shop, paymentId)).status, 201);
  });

  // decision: acquirer-that-cannot-be-connected-to
  test('nobody at its address: a reservation is declined at once, and the payment can be terminated', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.close();
    await putAcquirer(service.pool, { name: 'nobody', url, key: 'any-key-will-do' });
    const nobody = await service.openShop({ acquirer: 'nobody' });
    const paymentId = await nobody.client.create(1_000);
    const { status, body } = await reserve(nobody, paymentId);
    assert.deepEqual([status, body.message], [402, `The reservation was declined: ${NEVER_HEARD}.`]);
    assert.deepEqual(
      (await rowsOf([paymentId])).map(({ state }) => state),
      ['declined'],
    );
    await nobody.client.must(204, 'PUT', `/v1/payments/${paymentId}/terminate`);
  });

  test('a reason that cannot be stored or is far too long is cut to one that can', async (t) => {
    const reasons = ['a\u0000b', 'half of \uD83D', 'x'.repeat(60_000), '\u0007'];
    const strange = await openShopAt(t, 'strange', () => ({ state: 'declined', reason: reasons[0] }));
    for (const expected of ['a b', 'half of \uFFFD', 'x'.repeat(200), 'declined']) {
      const paymentId = await strange.client.create(1_000);
      const { status, body } = await reserve(strange, paymentId);
      assert.deepEqual([status, body.message], [402, `The reservation was declined: ${expected}.`]);
      assert.deepEqual(
        (await rowsOf([paymentId])).map(({ state, reason }) => [state, reason]),
        [['declined', expected]],
      );
      reasons.shift();
    }
  });

  // decision: declines-that-may-be-approved-later
  test('a decline that may be approved later says so: in the answer, whenever it is given, and in the event', async (t) => {
    const state = { declines: false };
    const patient = await openShopAt(t, 'patient', () =>
      state.declines ? { state: 'declined', reason: 'limit of the day', retryable: true } : { state: 'approved' },
    );
    const paymentId = await patient.client.createReserved(1_000);
    state.declines = true;
    const charge = () => patient.client.post(`/v1/payments/${paymentId}/charges`, { amount: 600 }, keyed('patient'));
    const message = 'The charge was declined: limit of the day; it may be approved later.';
    const [first, second] = [await charge(), await charge()];
    assert.deepEqual([first.status, first.body.message], [402, message]);
    assert.deepEqual([second.text, isReplayed(second)], [first.text, true]);
    await until('the event', async () =>
      (await patient.client.get(`/v1/events?paymentId=${paymentId}`)).text.includes(message),
    );
  });

  // decision: outcome-unknown-in-time
  test('an outcome that cannot be written, for whatever reason, is being determined; the same key gives it later', async (t) => {
    const [charged, refunded] = [await shop.client.createReserved(1_000), await shop.client.createReserved(1_000)];
    const chargeId = await shop.client.charge(refunded, 600);
    await service.pool.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not today'; end $$;
      create trigger refuse before update on movements for each row
        when (old.state = 'pending' and new.state <> 'pending') execute function refuse()`);
    const release = () => service.pool.query('drop function if exists refuse cascade');
    t.after(release);
    const charge = () => shop.client.post(`/v1/payments/${charged}/charges`, { amount: 600 }, keyed('trigger'));
    const refund = () => shop.client.post(`/v1/charges/${chargeId}/refunds`, { amount: 100 }, keyed('trigger'));
    const [first, pending] = [await charge(), await refund()];
    assert.equal(first.status, 500);
    assert.match(first.body.message, /^The outcome of the charge is being determined/);
    assert.equal(pending.status, 201, pending.text);
    await until('the line', () => /"why":"its answer could not be written, not today"/.test(service.log()));
    await release();
    await settledRowsOf([charged, refunded]);
    const again = await charge();
    assert.deepEqual([again.status, isReplayed(again)], [201, true]);
    assert.equal((await shop.client.payment(charged)).summary.chargedAmount, 600);
    assert.equal((await shop.client.payment(refunded)).summary.refundedAmount, 100);
  });

  test('a clock that is set back while somebody waits does not make them wait longer', async (t) => {
    const flags = ['--import', new URL('../support/set-clock-back.ts', import.meta.url).href];
    const other = await spawnService({ databaseUrl: service.databaseUrl, env: ENV, flags });
    t.after(() => other.kill());
    const paymentId = await shop.client.createReserved(1_000);
    t.after(() => bank.setFaults({}));
    await bank.setFaults({ hang: 1 });
    let reply: Reply | undefined;
    const charge = { amount: 600 };
    void other
      .client(shop.secretKey)
      .post(`/v1/payments/${paymentId}/charges`, charge)
      .then((given) => (reply = given))
      .catch(() => {});
    await until('the call', async () => (await rowsOf([paymentId])).some(({ state }) => state === 'pending'));
    process.kill(other.pid, 'SIGUSR2');
    const { status, body } = await until('the answer', () => reply);
    assert.deepEqual([status, /is being determined/.test(body.message)], [500, true]);
    await bank.setFaults({});
    await settledRowsOf([paymentId]);
  });
});
