// Goal: a test clock is moved for all processes or for none, and what waits for it is made due whoever dies. Method: two
// services on one database; one of them is killed between the move and what follows it, where a lock holds it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { timeOf } from '../../src/domain/id.ts';
import { purgeClockMoves } from '../../src/store/purge/clock-moves.ts';
import { until } from '../support/kassa.ts';
import { keyed } from '../support/keyed-operations.ts';
import { purgeNow } from '../support/purge.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { putOffDeliveries } from '../support/waiting.ts';
import { spawnService, startService } from '../support/service.ts';
import type { Service, SpawnedService } from '../support/service.ts';

const CLOCK = '/v1/sandbox/clock';
const DAY_MS = 86_400_000;

describe('moves of a test clock', () => {
  let one: Service;
  let other: SpawnedService;
  let receiver: Receiver;
  before(async () => {
    one = await startService();
    other = await spawnService({ databaseUrl: one.databaseUrl });
    receiver = await openReceiver();
  });
  after(async () => {
    await other.kill();
    await one.stop();
    await receiver.close();
  });

  // decision: the-test-clock
  test('who is told of a move finds it at every process', async () => {
    const { client, secretKey } = await one.openShop();
    const elsewhere = other.client(secretKey);
    // So that both know the merchant.
    await Promise.all([client.create(), elsewhere.create()]);
    for (let days = 1; days <= 5; days += 1) {
      await client.must(200, 'POST', CLOCK, { advanceSeconds: 86_400 });
      const ahead = timeOf(await elsewhere.create()) - Date.now();
      assert.ok(Math.abs(ahead - days * DAY_MS) < 60_000, `${ahead} ms ahead after ${days} days`);
    }
  });

  test('moves at two processes at once add up', async () => {
    const { client, secretKey } = await one.openShop();
    const clients = [client, other.client(secretKey)];
    const moves = Array.from({ length: 10 }, (_, index) =>
      (clients[index % 2] ?? client).must(200, 'POST', CLOCK, { advanceSeconds: 3_600 }),
    );
    const ahead = (await Promise.all(moves)).map(({ aheadSeconds }) => aheadSeconds as number);
    assert.deepEqual(
      ahead.toSorted((a, b) => a - b),
      Array.from({ length: 10 }, (_, index) => (index + 1) * 3_600),
    );
  });

  // decision: the-test-clock
  test('a process dies between the move and what follows it: another goes on', async () => {
    const { client, secretKey, merchant } = await one.openShop();
    receiver.react(500, 200);
    await client.must(201, 'POST', '/v1/webhooks', { url: receiver.url, events: ['payment.created'] });
    await client.createReserved(100);
    await receiver.until(1);
    await until('the delivery to wait', () => putOffDeliveries(one.pool, [merchant.id], 1));
    const answer = await one.pool.withClient(async (lock) => {
      await lock.query('begin; lock table lanes in access exclusive mode');
      const asked = other.client(secretKey).post(CLOCK, { advanceSeconds: 86_400 }, keyed('dying'));
      const lost = asked.catch(() => 'lost');
      await until('the move to be committed', async () => {
        const moved = await one.pool.query('select 1 from merchants where id = $1 and clock_ahead_ms > 0', [
          merchant.id,
        ]);
        return moved.length > 0;
      });
      await other.kill();
      await lock.query('rollback');
      return lost;
    });
    assert.equal(answer, 'lost');
    const [left] = await one.pool.query(
      'select next_pull_at > now() as leased from clock_moves where merchant_id = $1',
      [merchant.id],
    );
    assert.deepEqual(left, { leased: true }, 'it is left to others');
    // Its time is over sooner than the half minute.
    await one.pool.query('update clock_moves set next_pull_at = now() where merchant_id = $1', [merchant.id]);
    await receiver.until(2);
    const again = await client.post(CLOCK, { advanceSeconds: 86_400 }, keyed('dying'));
    assert.deepEqual([again.status, again.body.aheadSeconds], [200, 86_400]);
    assert.equal((await client.must(200, 'GET', CLOCK)).aheadSeconds, 86_400, 'it was moved once');
    const kept = 'select 1 from clock_moves where merchant_id = $1';
    await purgeNow(purgeClockMoves(one.pool, DAY_MS));
    assert.equal((await one.pool.query(kept, [merchant.id])).length, 1);
    await purgeNow(purgeClockMoves(one.pool, 0));
    assert.equal((await one.pool.query(kept, [merchant.id])).length, 0);
  });
});
