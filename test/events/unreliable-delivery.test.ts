// Goal: one bad event, one slow worker or one question at the wrong moment does no harm to the others. Method: a
// payment that cannot be published, an endpoint that holds its answer back, and two workers of which the first comes
// back late.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { claimLanes, recordLanes } from '../../src/store/events/lanes.ts';
import type { Lane } from '../../src/store/events/lanes.ts';
import { aCreate } from '../support/client.ts';
import { until } from '../support/kassa.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

const createReserved = async ({ client }: Shop, notifications?: object): Promise<string> => {
  const { paymentId } = await client.must(201, 'POST', '/v1/payments', { ...aCreate(), notifications });
  await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
  return paymentId as string;
};

describe('delivery that goes wrong', () => {
  let service: Service;
  let shop: Shop;
  let receiver: Receiver;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    shop = await service.openShop();
    receiver = await openReceiver();
  });
  afterEach(() => receiver.close());

  const subscribe = (events = ['payment.created']): Promise<{ webhookId: string }> =>
    shop.client.must(201, 'POST', '/v1/webhooks', { url: receiver.url, events });

  /** The lane of the shop, whoever has it now. */
  async function claimByHand(): Promise<Lane> {
    const { pool } = service;
    const { id: merchantId } = shop.merchant;
    return until('a lane with something in it', async () => {
      await pool.query('update lanes set next_try_at = now(), leased = false where merchant_id = $1', [merchantId]);
      await pool.query(`update deliveries set next_try_at = now() where state = 'pending'`);
      const names = await pool.query<{ endpoint: string }>('select endpoint from lanes where merchant_id = $1', [
        merchantId,
      ]);
      const rooms = names.map(({ endpoint }) => ({ merchantId, endpoint, room: 1 }));
      const { lanes } = await claimLanes(pool, rooms);
      return lanes.find(({ due }) => due.length > 0);
    });
  }

  /** A lane with the leases of two runs. Nobody delivers to an endpoint that rests; the claims are made by hand. */
  async function claimTwice(): Promise<readonly [Lane, Lane]> {
    await subscribe();
    receiver.react(500);
    await createReserved(shop);
    await receiver.until(1);
    return [await claimByHand(), await claimByHand()];
  }

  test('an event that cannot be published holds up nobody else', async () => {
    const { paymentId: bad } = await shop.client.must(201, 'POST', '/v1/payments', aCreate());
    await service.pool.query(
      `update payments set hooks = '[{"event": "payment.created", "lane": "no number"}]' where id = $1`,
      [bad],
    );
    await shop.client.must(201, 'POST', `/v1/sandbox/payments/${bad}/reserve`);
    await subscribe();
    const good = await createReserved(shop);
    const [received] = await receiver.until(1);
    assert.equal(received?.body.data.paymentId, good);
    const { events } = (await shop.client.get(`/v1/events?paymentId=${good}`)).body;
    assert.equal(events.length, 4);
    await service.pool.query('update payments set hooks = null where id = $1', [bad]);
    assert.equal((await receiver.until(2))[1]?.body.data.paymentId, bad);
  });

  test('what is asked for again while it is being sent is sent again', async () => {
    const { webhookId } = await subscribe();
    const held = Promise.withResolvers<ServerResponse>();
    receiver.react((response) => held.resolve(response), 200);
    await createReserved(shop);
    const [first] = await receiver.until(1);
    const reply = await shop.client.post(`/v1/events/${first?.body.id}/redeliver`, { webhookId });
    assert.deepEqual([reply.status, reply.body], [202, { deliveries: 1 }]);
    (await held.promise).writeHead(503, { 'retry-after': '86400' }).end();
    const [, second] = await receiver.until(2);
    assert.equal(second?.body.id, first?.body.id);
  });

  test('a worker that comes back after its lease was over only adds its attempts', async () => {
    const { pool } = service;
    const [late, now] = await claimTwice();
    assert.ok(now.leaseNumber > late.leaseNumber);
    const [delivery] = late.due;
    assert.ok(delivery);
    const attempts = [{ at: new Date().toISOString(), ms: 1, error: 'far too late' }];
    await recordLanes(pool, [
      { lane: late, deliveries: [{ due: delivery, state: 'failed', attempts }], isEnded: false },
    ]);
    const [row] = await pool.query<{ state: string; text: string }>(
      'select state, attempts::text as text from deliveries where subject_id = $1',
      [late.paymentId],
    );
    assert.notEqual(row?.state, 'failed');
    assert.match(row?.text ?? '', /far too late/);
  });

  test('two runs of a lane that are recorded at once count each by its own lease', async () => {
    const { pool } = service;
    const [late, now] = await claimTwice();
    const attemptOf = (error: string) => [{ at: new Date().toISOString(), ms: 1, error }];
    const [once = assert.fail(), again = assert.fail()] = [late.due[0], now.due[0]];
    await recordLanes(pool, [
      {
        lane: late,
        deliveries: [{ due: once, state: 'pending', waitMs: 60_000, attempts: attemptOf('the first run') }],
        isEnded: false,
        waitMs: 60_000,
      },
      {
        lane: now,
        deliveries: [{ due: again, state: 'delivered', attempts: attemptOf('the second run') }],
        isEnded: false,
      },
    ]);
    const [row] = await pool.query<{ state: string; text: string; next: Date | null }>(
      `select state, attempts::text as text, lanes.next_try_at as next from deliveries
       join lanes using (part, subject_id, subscriber) where subject_id = $1`,
      [late.paymentId],
    );
    assert.deepEqual([row?.state, row?.next], ['delivered', null]);
    assert.match(row?.text ?? '', /the first run.*the second run/);
  });

  test('an address that can be read in two ways is refused', async () => {
    for (const url of [
      'https://shop.example\\@other.example/',
      'http://127.0.0.1:1\\x',
      'https://shop.example/\u001B',
    ]) {
      const reply = await shop.client.post('/v1/webhooks', { url });
      assert.equal(reply.status, 400, url);
      const webHooks = [{ eventName: 'payment.created', url, authorization: 'of-the-shop' }];
      const created = await shop.client.post('/v1/payments', { ...aCreate(), notifications: { webHooks } });
      assert.equal(created.status, 400, url);
    }
  });
});
