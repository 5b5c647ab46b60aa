// Goal: many changes of one payment at once, from two processes, never move more than there is, and every one that was
// acknowledged is there. Method: two services on one database, all requests in flight together; then the payment, its
// rows and the books are compared with the answers.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { verifyBooks } from '../../src/store/books/verify.ts';
import type { Client, Reply } from '../support/client.ts';
import { anItem } from '../support/client.ts';
import { countOutcomes, sendAtOnce, startTwoServices } from '../support/two-services.ts';
import type { Service } from '../support/service.ts';
import type { TwoServices } from '../support/two-services.ts';

const AMOUNT = 100_000;
const SLICE = AMOUNT / 100;
const REFUNDS = 40;

const summaryOf = (charged: number, refunded: number, cancelled: number) => ({
  reservedAmount: AMOUNT,
  chargedAmount: charged,
  refundedAmount: refunded,
  cancelledAmount: cancelled,
});

const idsOf = (replies: readonly Reply[], name: 'chargeId' | 'refundId'): string[] =>
  replies.filter(({ status }) => status === 201).map(({ body }) => body[name]);

async function countConflicts(service: Service): Promise<number> {
  const { text } = await service.client().get('/metrics');
  return Number(/^kassa_conflicts_total (\d+)$/m.exec(text)?.[1]);
}

describe('one payment', () => {
  let services: TwoServices;
  let clients: readonly [Client, Client];
  before(async () => {
    services = await startTwoServices();
    clients = await services.openShop();
  });
  after(() => services.stop());

  // decision: limits-on-totals
  test('of 200 charges at once, each a hundredth, exactly 100 succeed and 100 are refused with 1001', async () => {
    const paymentId = await clients[0].createReserved(AMOUNT);
    const path = `/v1/payments/${paymentId}/charges`;
    const replies = await sendAtOnce(clients, 200, (client) => client.post(path, { amount: SLICE }));
    assert.deepEqual(countOutcomes(replies), { '201': 100, '402 1001': 100 });
    const payment = await clients[1].payment(paymentId);
    assert.deepEqual(payment.summary, summaryOf(AMOUNT, 0, 0));
    const told = idsOf(replies, 'chargeId');
    assert.deepEqual(payment.charges.map(({ chargeId }: { chargeId: string }) => chargeId).toSorted(), told.toSorted());
    assert.equal(new Set(replies.map(({ body }) => body.invoice?.invoiceNumber)).size, 101, 'one number each');
    // They line up: were all to decide anew whenever one has won, they would lose twenty thousand times.
    const lost = await Promise.all([services.first, services.second].map((each) => countConflicts(each)));
    assert.ok((lost[0] ?? 0) + (lost[1] ?? 0) < 1_000, `${lost.join(' and ')} conflicts`);
  });

  test('in one process nobody loses: each is decided on what the one before has left', async () => {
    const paymentId = await clients[0].createReserved(AMOUNT);
    const lost = await countConflicts(services.first);
    const replies = await sendAtOnce([clients[0], clients[0]], 100, (client, n) =>
      client.post(
        `/v1/payments/${paymentId}/charges`,
        { amount: SLICE },
        n % 2 === 0 ? { 'idempotency-key': `k${n}` } : {},
      ),
    );
    assert.deepEqual(countOutcomes(replies), { '201': 100 });
    assert.equal(await countConflicts(services.first), lost);
    assert.equal((await clients[1].payment(paymentId)).charges.length, 100);
  });

  test('of refunds of one charge at once, each a part of it, as many succeed as there are parts, and all others are refused', async () => {
    const paymentId = await clients[0].createReserved(AMOUNT);
    const path = `/v1/charges/${await clients[0].charge(paymentId, AMOUNT)}/refunds`;
    const replies = await sendAtOnce(clients, 2 * REFUNDS, (client) => client.post(path, { amount: AMOUNT / REFUNDS }));
    assert.deepEqual(countOutcomes(replies), { '201': REFUNDS, '400': REFUNDS });
    for (const { status, body } of replies) assert.equal(status === 400, body.errors?.amount !== undefined);
    const payment = await clients[1].payment(paymentId);
    assert.deepEqual(payment.summary, summaryOf(AMOUNT, AMOUNT, 0));
    const told = idsOf(replies, 'refundId');
    assert.deepEqual(payment.refunds.map(({ refundId }: { refundId: string }) => refundId).toSorted(), told.toSorted());
  });

  test('refunds that name only the payment never take more of a charge than it has', async () => {
    const paymentId = await clients[0].createReserved(AMOUNT);
    const sizes = [10, 20, 30, 40].map((hundredths) => hundredths * SLICE);
    for (const size of sizes) await clients[0].charge(paymentId, size);
    const path = `/v1/payments/${paymentId}/refunds`;
    const replies = await sendAtOnce(clients, 60, (client) => client.post(path, { amount: 4 * SLICE }));
    // 2, 5, 7 and 10 times four hundredths fit into the four charges.
    assert.deepEqual(countOutcomes(replies), { '201': 24, '400': 36 });
    assert.deepEqual((await clients[1].payment(paymentId)).summary, summaryOf(AMOUNT, 96 * SLICE, 0));
  });

  // decision: limits-on-totals
  test('cancels against charges: together they never exceed the reservation, and all acknowledged ones are there', async () => {
    const paymentId = await clients[0].createReserved(AMOUNT);
    const send = (client: Client, n: number): Promise<Reply> =>
      client.post(`/v1/payments/${paymentId}/${n % 4 < 2 ? 'charges' : 'cancels'}`, { amount: SLICE * (1 + (n % 5)) });
    const replies = await sendAtOnce(clients, 100, send);
    const sumOf = (status: number): number =>
      replies.reduce((sum, reply, n) => sum + (reply.status === status ? SLICE * (1 + (n % 5)) : 0), 0);
    const [charged, cancelled] = [sumOf(201), sumOf(204)];
    assert.ok(charged + cancelled <= AMOUNT);
    // Whatever was refused asked for at most five hundredths, so less than that can be left.
    assert.ok(charged + cancelled > AMOUNT - 5 * SLICE, `${charged} and ${cancelled}`);
    assert.deepEqual((await clients[1].payment(paymentId)).summary, summaryOf(charged, 0, cancelled));
    for (const { status } of replies) assert.ok([201, 204, 400, 402, 405].includes(status), String(status));
  });

  // decision: two-reservations
  test('reservations at once: one is made, the others hear that it is', async () => {
    const paymentId = await clients[0].create(AMOUNT);
    const path = `/v1/sandbox/payments/${paymentId}/reserve`;
    const replies = await sendAtOnce(clients, 20, (client) => client.post(path, {}));
    assert.deepEqual(countOutcomes(replies), { '201': 1, '405 1004': 19 });
  });

  test('a payment is reserved or terminated or gets another cart, in some order that explains every answer', async () => {
    for (let round = 0; round < 10; round += 1) {
      const paymentId = await clients[0].create(AMOUNT);
      const path = `/v1/payments/${paymentId}`;
      const [reserve, terminate, cart] = await Promise.all([
        clients[0].post(`/v1/sandbox/payments/${paymentId}/reserve`, {}),
        clients[1].put(`${path}/terminate`),
        clients[round % 2 === 0 ? 0 : 1].put(`${path}/orderitems`, { items: [anItem({ grossTotalAmount: 7 })] }),
      ]);
      assert.deepEqual([reserve.status, terminate.status], reserve.status === 201 ? [201, 405] : [405, 204]);
      const payment = await clients[0].payment(paymentId);
      const amount = cart.status === 204 ? 7 : AMOUNT;
      assert.equal(payment.orderDetails.amount, amount);
      assert.equal(payment.summary.reservedAmount, reserve.status === 201 ? amount : 0);
      assert.equal(payment.terminated !== undefined, terminate.status === 204);
    }
  });

  test('a charge at once with a reservation on demand reserves once', async () => {
    const shop = await services.openShop({ reserveOnDemand: true });
    const paymentId = await shop[0].create(AMOUNT);
    const path = `/v1/payments/${paymentId}/charges`;
    const replies = await sendAtOnce(shop, 20, (client) => client.post(path, { amount: AMOUNT / 10 }));
    assert.deepEqual(countOutcomes(replies), { '201': 10, '402 1001': 10 });
    assert.deepEqual((await shop[1].payment(paymentId)).summary, summaryOf(AMOUNT, 0, 0));
  });

  test('the books balance after all of it, and there was no deadlock', async () => {
    const { pool } = services.first;
    assert.deepEqual((await verifyBooks(pool)).differences, []);
    const rows = await pool.query('select deadlocks from pg_stat_database where datname = current_database()');
    assert.deepEqual(rows, [{ deadlocks: 0 }]);
  });
});
