// Goal: reads that hold every connection for reading keep nobody out. Method: a lock on the payments holds the lists of
// several merchants at the database; a merchant whom the service has not met yet asks meanwhile.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../support/kassa.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

// The connections for reads.
const READS = 8;

describe('while lists hold every connection for reads', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const countHeld = async (): Promise<number> => {
    const held = `select 1 from pg_stat_activity
      where datname = current_database() and application_name = 'kassa' and wait_event_type = 'Lock'`;
    return (await service.pool.query(held)).length;
  };

  /** False: it took so long that the database gave the lists up. Nothing is seen then, and it has to be done again. */
  const askBesideLists = async (): Promise<boolean> => {
    const shops = await Promise.all(Array.from({ length: READS }, () => service.openShop()));
    const stranger = await service.openShop();
    let lists: Promise<{ status: number }>[] = [];
    const areHeld = await service.pool.withClient(async (client) => {
      await client.query('begin; lock table payments in access exclusive mode');
      lists = shops.map(({ client: shop }) => shop.get('/v1/payments'));
      // As many as may be: no more of them come.
      let [held, same] = [0, 0];
      while (held === 0 || same < 10) {
        await pause(20);
        const now = await countHeld();
        same = now === held ? same + 1 : 0;
        held = now;
      }
      assert.equal((await stranger.client.get('/v1/paymentmethods')).status, 200);
      assert.equal((await service.client('0'.repeat(32)).get('/v1/paymentmethods')).status, 401);
      const stillHeld = (await countHeld()) >= held;
      await client.query('rollback');
      return stillHeld;
    });
    const statuses = (await Promise.all(lists)).map(({ status }) => status);
    return areHeld && statuses.every((status) => status === 200);
  };

  test('a merchant is known all the same, also one that was never met', async () => {
    await until('lists that are held all the while', askBesideLists);
  });
});
