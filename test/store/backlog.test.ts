// Goal: how late deliveries are is told of what could be delivered; one dead endpoint, or the many of one merchant, raises
// no alarm, and is found in a figure of its own. Method: lanes and standings made by hand.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { newId } from '../../src/payments/ids.ts';
import { watchBacklog } from '../../src/store/events/backlog.ts';
import { createMerchant } from '../../src/store/merchants/merchants.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import type { Merchant } from '../../src/domain/merchant.ts';
import { cloneDatabase } from '../support/database.ts';

const SETTINGS = { dialect: 'spec', strictItems: false, reserveOnDemand: false, acquirer: 'simulator' } as const;

describe('backlog', () => {
  let pool: Pool;
  let read: ReturnType<typeof watchBacklog>;
  before(async () => {
    pool = openPool(await cloneDatabase(), { size: 2, lookUpsOnly: true });
  });
  after(() => pool.close());
  beforeEach(async () => {
    await pool.query('delete from lanes');
    read = watchBacklog(pool);
  });

  const aMerchant = (): Promise<Merchant> => createMerchant(pool, false, { name: 'Test shop', ...SETTINGS });
  const aLane = async ({ id, parts }: Merchant, endpoint: string, lateS: number): Promise<void> => {
    await pool.query(
      `insert into lanes (part, subject_id, subscriber, merchant_id, endpoint, entry_count, next_try_at)
       values ($1, $2, 'hook-0', $3, $4, 1, now() - make_interval(secs => $5))`,
      [parts[0], newId(Date.now(), parts[0]), id, endpoint, lateS],
    );
  };
  const stands = async ({ id, parts }: Merchant, endpoint: string, standing: string): Promise<void> => {
    await pool.query('insert into endpoints (part, merchant_id, endpoint, standing) values ($1, $2, $3, $4)', [
      parts[0],
      id,
      endpoint,
      standing,
    ]);
  };
  const figures = async (): Promise<string> => {
    const { lanes, oldestSeconds, oldestFailingSeconds } = await read();
    return `${lanes} ${Math.floor(oldestSeconds / 100) * 100} ${Math.floor(oldestFailingSeconds / 100) * 100}`;
  };

  test('nothing waits; what is to be tried later waits, and is not late', async () => {
    assert.equal(await figures(), '0 0 0');
    await aLane(await aMerchant(), 'https://a.example', -1_000);
    assert.equal(await figures(), '1 0 0');
  });

  test('a dead endpoint is late in a figure of its own, and so are new ones of a merchant that has such', async () => {
    const shop = await aMerchant();
    await stands(shop, 'https://dead.example', 'failing');
    await aLane(shop, 'https://dead.example', 3_650);
    await aLane(shop, 'https://new.example', 7_250);
    assert.equal(await figures(), '2 0 7200');
    await stands(shop, 'https://proven.example', 'proven');
    await aLane(shop, 'https://proven.example', 150);
    assert.equal(await figures(), '3 100 7200');
    await aLane(await aMerchant(), 'https://new.example', 250);
    assert.equal(await figures(), '4 200 7200');
  });

  test('one that is late is found among very many merchants and endpoints', async () => {
    const [hostile, other] = [await aMerchant(), await aMerchant()];
    await stands(hostile, 'https://dead.example', 'failing');
    await pool.query(
      `insert into merchants (id, name, live, dialect, parts, checkout_key)
       select 200000000 + n, 'Many', false, 'spec', array[n % 4096], 'key-of-' || n from generate_series(1, 250) as n`,
    );
    await pool.query(
      `insert into lanes (part, subject_id, subscriber, merchant_id, endpoint, entry_count, next_try_at)
       select 1, gen_random_uuid(), 'hook-0', 200000000 + n, 'https://a.example', 1, now() from generate_series(1, 250) as n
       union all
       select 1, gen_random_uuid(), 'hook-0', $1, 'https://a.example:' || n, 1, now() - interval '1 hour'
       from generate_series(1, 2500) as n`,
      [hostile.id],
    );
    await aLane(other, 'https://late.example', 450);
    assert.equal(await figures(), '2751 400 3600');
  });
});
