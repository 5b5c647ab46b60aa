// Goal: no event is lost when an endpoint fails half of its answers and workers are killed, and an endpoint that hangs
// holds up nobody else. Method: a short run of `npm run deliveries`; and an endpoint that never answers beside one that
// does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proveArrival } from '../../proof/deliveries/phases.ts';
import { openWorld } from '../../proof/deliveries/world.ts';
import { aCreate } from '../support/client.ts';
import { openReceiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';

test('every event arrives at both endpoints, whatever fails and whoever is killed', async () => {
  const world = await openWorld(2);
  try {
    const { events, kills, endpoints } = await proveArrival(
      { world, seed: 1, payments: 50 },
      { fewestKills: 2, endLeases: true },
    );
    assert.equal(events, 200);
    assert.ok(kills >= 2);
    for (const { manner, arrived, lost, attempts } of endpoints) {
      assert.deepEqual([arrived, lost], [200, 0], manner);
      assert.ok(attempts >= 200);
    }
  } finally {
    await world.close();
  }
});

test('an endpoint that hangs, with more to do than it has room for, holds up nobody else', async () => {
  const service = await startService();
  const [fast, hanging] = await Promise.all([openReceiver(), openReceiver()]);
  hanging.react(() => {});
  try {
    const { client } = await service.openShop();
    for (const { url } of [hanging, fast])
      await client.must(201, 'POST', '/v1/webhooks', { url, events: ['payment.created'] });
    const pay = async (): Promise<void> => {
      const { paymentId } = await client.must(201, 'POST', '/v1/payments', aCreate());
      await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
    };
    await Promise.all(Array.from({ length: 100 }, pay));
    await fast.until(100);
    // Not one of its attempts has come to an end yet, and no more than have room were begun.
    const [ended] = await service.pool.query<{ count: number }>(
      `select count(*)::int as count from deliveries where jsonb_array_length(attempts) > 0 and state = 'pending'`,
    );
    assert.equal(ended?.count, 0);
    assert.ok(hanging.received.length <= 32, String(hanging.received.length));
  } finally {
    await Promise.all([fast.close(), hanging.close()]);
    await service.stop();
  }
});
