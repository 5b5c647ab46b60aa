// Goal: an acquirer that hangs holds up its own movements, and nobody else's; and however many are finished, there is
// room for new ones after that.
// Method: a service is killed in the middle of many charges at one bank and one charge at another; a second service
// finds them all, when the one bank takes seconds for a word and the other is well. Then as many as are let in at once.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { putAcquirer } from '../../src/store/merchants/acquirers.ts';
import { startBank } from '../support/bank.ts';
import { until } from '../support/kassa.ts';
import { spawnService, startService } from '../support/service.ts';

// More than the resolver has slots for one acquirer.
const MANY = 40;
// So many the guard of an acquirer lets in at once.
const AS_MANY_AS_ENTER = 128;
// Of those that are only made ready: fewer than are let in.
const AT_ONCE = 32;
const ENV = { KASSA_ACQUIRER_TIMEOUT: '10s' };

describe('the resolver', () => {
  test('a movement is finished before those of a bank that hangs, which came up before it', async (t) => {
    const first = await spawnService({ env: ENV });
    t.after(() => first.kill());
    const slow = await startBank();
    t.after(() => slow.stop());
    const well = await startBank();
    t.after(() => well.stop());
    const openShop = async (name: string, { url, key }: typeof slow) => {
      await putAcquirer(first.pool, { name, url, key });
      return first.openShop({ acquirer: name });
    };
    const [slowShop, wellShop] = [await openShop('slow', slow), await openShop('well', well)];
    const slowPayments = await Promise.all(Array.from({ length: MANY }, () => slowShop.client.createReserved(1_000)));
    const wellPayment = await wellShop.client.createReserved(1_000);

    await Promise.all([slow.setFaults({ hang: 1 }), well.setFaults({ hang: 1 })]);
    const charge = ({ client }: typeof slowShop, paymentId: string) =>
      client.post(`/v1/payments/${paymentId}/charges`, { amount: 600 }).catch(() => {});
    const charges = [...slowPayments.map((id) => charge(slowShop, id)), charge(wellShop, wellPayment)];

    const second = await startService({ databaseUrl: first.databaseUrl, env: ENV });
    t.after(() => second.stop());
    const countIn = async (state: string, acquirer: string): Promise<number> => {
      const rows = await second.pool.query(
        `select 1 from movements where kind = 'charge' and state = $1 and acquirer = $2`,
        [state, acquirer],
      );
      return rows.length;
    };
    await until('the charges', async () => (await countIn('pending', 'slow')) === MANY);
    await until('the last charge', async () => (await countIn('pending', 'well')) === 1);
    await first.kill();
    await Promise.all(charges);

    await Promise.all([slow.setFaults({ latency: { kind: 'fixed', ms: 5_000 } }), well.setFaults({})]);
    await second.pool.query(
      `update movements set next_try_at = now() - interval '1 minute' * (case acquirer when 'slow' then 2 else 1 end)
       where state = 'pending'`,
    );
    await until('the charge at the bank that is well', async () => (await countIn('approved', 'well')) === 1);
    assert.equal(await countIn('approved', 'slow'), 0);

    await slow.setFaults({});
    await until('all others', async () => (await countIn('approved', 'slow')) === MANY);
    assert.equal((await slow.book()).filter(({ kind }) => kind === 'charge').length, MANY);
  });

  test('who has finished as many movements as are let in at once still lets others in', async (t) => {
    const first = await spawnService({ env: ENV });
    t.after(() => first.kill());
    const bank = await startBank();
    t.after(() => bank.stop());
    await putAcquirer(first.pool, { name: 'bank', url: bank.url, key: bank.key });
    const shop = await first.openShop({ acquirer: 'bank' });
    const reserved: string[] = [];
    while (reserved.length < AS_MANY_AS_ENTER)
      reserved.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => shop.client.createReserved(1_000)))));
    await bank.setFaults({ hang: 1 });
    const charges = reserved.map((paymentId) =>
      shop.client.post(`/v1/payments/${paymentId}/charges`, { amount: 600 }).catch(() => {}),
    );
    const second = await startService({ databaseUrl: first.databaseUrl, env: ENV });
    t.after(() => second.stop());
    const countIn = async (state: string): Promise<number> =>
      (await second.pool.query(`select 1 from movements where kind = 'charge' and state = $1`, [state])).length;
    await until('the charges', async () => (await countIn('pending')) === AS_MANY_AS_ENTER);
    await first.kill();
    await Promise.all(charges);

    await bank.setFaults({});
    await second.pool.query(`update movements set next_try_at = now() where state = 'pending'`);
    await until('all of them', async () => (await countIn('approved')) === AS_MANY_AS_ENTER);
    const client = second.client(shop.secretKey);
    await client.charge(reserved[0] as string, 400);
  });
});
