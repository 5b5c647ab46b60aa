// Goal: a list never holds more than a page's worth of bytes, nor looks at more than a page's worth of rows, and its cursor
// leads on to all the rest; lists of one merchant take turns and leave others alone.
// Method: orders as large as they may be, thousands of rows made in the database, and a lock that holds lists there.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { makeId } from '../../src/domain/id.ts';
import { PAYMENT_COLUMNS } from '../../src/store/statements/payment-row.ts';
import { expectFailure } from '../support/answers.ts';
import { aCreate, anItem } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { until } from '../support/kassa.ts';
import { requestText } from '../support/raw.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

const MEBIBYTE = 1_048_576;
// More than a page looks at.
const MANY = 12_000;

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.stop());

/** All pages, by their cursors, and how many characters the longest had. */
async function pagesOf(client: Client, path: string, name: string, after_: string) {
  const items: { paymentId?: string; id?: string; eventId?: string }[] = [];
  let [cursor, pages, longest]: [string | undefined, number, number] = [undefined, 0, 0];
  do {
    const query: string = cursor === undefined ? '' : `&${after_}=${cursor}`;
    const reply = await client.get(`${path}${query}`);
    assert.equal(reply.status, 200, reply.text);
    items.push(...reply.body[name]);
    longest = Math.max(longest, reply.text.length);
    cursor = reply.body.cursor as string | undefined;
    pages += 1;
  } while (cursor !== undefined);
  return { items, pages, longest };
}

describe('a page of large payments', () => {
  let client: Client;
  const made: string[] = [];
  before(async () => {
    ({ client } = await service.openShop());
    const items = Array.from({ length: 280 }, () => anItem({ grossTotalAmount: 1, name: 'n'.repeat(128) }));
    for (let count = 0; count < 8; count += 1) {
      const body = { ...aCreate(), order: { amount: 280, currency: 'SEK', items } };
      const paymentId = (await client.must(201, 'POST', '/v1/payments', body)).paymentId as string;
      await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
      made.unshift(paymentId);
    }
  });

  // decision: length-of-a-page
  test('ends by bytes, and the cursor leads to the rest', async () => {
    const { items, pages, longest } = await pagesOf(client, '/v1/payments?limit=100', 'payments', 'cursor');
    assert.deepEqual(
      items.map(({ paymentId }) => paymentId),
      made,
    );
    assert.ok(pages > 1 && pages < made.length, `${pages} pages`);
    assert.ok(longest < MEBIBYTE / 2, `a page of ${longest} characters`);
  });

  // decision: length-of-a-page
  test('of events does, too, and a payment that is too large for a group is read all the same', async () => {
    const { items, pages, longest } = await pagesOf(client, '/v1/events?limit=100', 'events', 'after');
    assert.equal(new Set(items.map(({ id }) => id)).size, 4 * made.length);
    assert.ok(pages > 1, `${pages} pages`);
    assert.ok(longest < 2 * MEBIBYTE, `a page of ${longest} characters`);
    const reads = await Promise.all(made.map((paymentId) => client.payment(paymentId)));
    assert.deepEqual(
      reads.map(({ paymentId }) => paymentId),
      made,
    );
  });
});

describe('what is rare', () => {
  // decision: length-of-a-page
  test('is found page by page, and no page looks at more than so many', async () => {
    const { client, merchant } = await service.openShop();
    const part = merchant.parts[0];
    const webhook = makeId(1_000, part, '8'.padEnd(16, '0'));
    const id = `(lpad(to_hex(1763193600000 + n), 12, '0') || '7${part.toString(16).padStart(3, '0')}' || '8'
      || lpad(to_hex(n), 15, '0'))::uuid`;
    const numbers = `generate_series(1, ${MANY}) as n`;
    // The oldest is charged, the first event tells of a failed refund, and its delivery failed.
    await service.pool.withClient(async (session) => {
      await session.query('set session_replication_role = replica');
      await session.query(`insert into payments
        (part, id, merchant_id, version, amount, currency, items, checkout, consumer, reserved, charged, reference)
        select ${part}, ${id}, ${merchant.id}, 1, 100, 'SEK', '[]', '{"integrationType":"EmbeddedCheckout"}', '{}', 100,
          case when n = 1 then 100 else 0 end, 'all' from ${numbers}`);
      await session.query(`insert into events
        (part, subject_id, version, ordinal, merchant_id, name, happened_at, recorded_at, position)
        select ${part}, ${id}, 1, 0, ${merchant.id}, case when n in (1, ${MANY}) then 'payment.created'
          else 'payment.checkout.completed' end, now(), now(), n from ${numbers}`);
      await session.query(`update event_counters set last = ${MANY} where merchant_id = ${merchant.id}`);
      await session.query(`insert into webhooks (part, id, merchant_id, slot, url, after_position, secret)
        values (${part}, '${webhook}', ${merchant.id}, 1, 'https://shop.example', 0, 'whsec_AAAA')`);
      await session.query(`insert into deliveries (part, subject_id, subscriber, version, ordinal, state)
        select ${part}, ${id}, '${webhook}', 1, 0, case when n = 1 then 'failed' else 'delivered' end from ${numbers}`);
      await session.query('reset session_replication_role');
    });
    for (const query of ['state=charged', 'state=charged&reference=all']) {
      const charged = await pagesOf(client, `/v1/payments?${query}`, 'payments', 'cursor');
      assert.deepEqual([charged.items.length, charged.pages], [1, 2], query);
    }
    const events = await pagesOf(client, '/v1/events?type=payment.created', 'events', 'after');
    assert.deepEqual([events.items.length, events.pages], [2, 2]);
    const path = `/v1/webhooks/${webhook}/deliveries?state=failed`;
    const failed = await pagesOf(client, path, 'deliveries', 'before');
    assert.deepEqual([failed.items.length, failed.pages], [1, 3]);
  });
});

describe('answers that are not read', () => {
  // decision: lists-and-unread-answers
  test('are held up to 16 MiB; then a merchant is told to read first, and another one is served', async () => {
    const [lazy, other] = [await service.openShop(), await service.openShop()];
    const paymentId = await lazy.client.createReserved(4_000);
    const orderItems = Array.from({ length: 1_000 }, () => anItem({ grossTotalAmount: 1, name: 'n'.repeat(128) }));
    for (let count = 0; count < 4; count += 1)
      await lazy.client.must(201, 'POST', `/v1/payments/${paymentId}/charges`, { amount: 1_000, orderItems });
    const read = requestText(`GET /v1/payments/${paymentId}`, { Authorization: lazy.secretKey });
    // The system takes the first few megabytes of each connection, and of what is left a connection has one at a time.
    const sockets = Array.from({ length: 24 }, () => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1').pause();
      socket.write(Buffer.concat(Array<Buffer>(30).fill(read)));
      return socket;
    });
    const ask = (client: Client) => client.get('/v1/paymentmethods');
    const refused = await until('too much to be unread', async () => {
      const reply = await ask(lazy.client);
      return reply.status === 429 && reply;
    });
    const message = 'More than 16 MiB of answers to you wait to be read; read them first.';
    expectFailure(refused, { status: 429, code: '1000', message });
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.equal((await ask(other.client)).status, 200);
    for (const socket of sockets) socket.destroy();
    await until('room again', async () => (await ask(lazy.client)).status === 200);
  });
});

describe('lists of one merchant', () => {
  // decision: lists-and-unread-answers
  test('two are under way and eight wait; one more is 429, and another merchant is served', async () => {
    const [greedy, other] = [await service.openShop(), await service.openShop()];
    // Housekeeping waits for the lock as well; of a long statement Postgres shows the beginning.
    const held = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and starts_with(query, 'select ${PAYMENT_COLUMNS.slice(0, 200)}')`;
    const untilHeld = (count: number): Promise<boolean> =>
      until(`${count} lists`, async () => (await service.pool.query(held)).length >= count);
    const lists: Promise<{ status: number }>[] = [];
    await service.pool.withClient(async (session) => {
      await session.query('begin; lock table payments in access exclusive mode');
      lists.push(...Array.from({ length: 10 }, () => greedy.client.get('/v1/payments')));
      await untilHeld(2);
      // Those that wait have come: whoever comes now is one too many.
      let refused = await greedy.client.get('/v1/payments');
      while (refused.status !== 429) refused = await greedy.client.get('/v1/payments');
      const message = 'There are 2 lists of yours under way and up to 8 waiting; read their answers first.';
      expectFailure(refused, { status: 429, code: '1000', message });
      assert.equal(refused.headers.get('retry-after'), '1');
      lists.push(other.client.get('/v1/payments'));
      await untilHeld(3);
      assert.equal((await service.pool.query(held)).length, 3, 'two of the one, one of the other');
      await session.query('rollback');
    });
    assert.deepEqual(new Set((await Promise.all(lists)).map(({ status }) => status)), new Set([200]));
  });
});
