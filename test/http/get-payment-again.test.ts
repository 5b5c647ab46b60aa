// Goal: a payment that is read again and again is told as it is, whoever has changed it and however. Method: it is polled
// at a running service before and after each change, and every answer is compared with what its rows make, read apart.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { KASSA } from '../../src/domain/audit.ts';
import { partOf } from '../../src/domain/id.ts';
import { nexi } from '../../src/api/dialects/nexi.ts';
import { spec } from '../../src/api/dialects/spec.ts';
import { changeMerchant } from '../../src/merchants/merchants.ts';
import { eraseConsumer } from '../../src/store/payments/erase.ts';
import { openStore } from '../../src/store/store.ts';
import type { Store } from '../../src/store/store.ts';
import { DIALECTS, expectNoBody } from '../support/answers.ts';
import { anItem } from '../support/client.ts';
import { whileDatabaseIsAway } from '../support/outage.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

const POLLS = 4;
/** Of an invoice. */
const NUMBER = '7'.repeat(24);
const PUBLIC_URL = 'https://kassa.example';
const PRESENTERS = { spec, nexi };
const SILENT = { onGroup: () => {}, onConflicts: () => {}, onRunAlone: () => {}, onLookUp: () => {} };

let service: Service;
let store: Store;
before(async () => {
  service = await startService({ env: { KASSA_PUBLIC_URL: PUBLIC_URL } });
  store = await openStore(service.databaseUrl, SILENT);
});
after(async () => {
  await store.close();
  await service.stop();
});

/** Polls it, and sees that each answer is what is in the database. */
async function poll({ client, merchant }: Shop, paymentId: string): Promise<string> {
  const { payment } = await store.load({ merchantId: merchant.id, target: paymentId });
  assert.ok(payment);
  const context = { publicUrl: PUBLIC_URL, merchant };
  const expected = JSON.stringify({ payment: PRESENTERS[merchant.dialect].payment(payment, context) });
  for (let polls = 0; polls < POLLS; polls += 1) {
    const reply = await client.get(`/v1/payments/${paymentId}`);
    assert.deepEqual([reply.status, reply.text], [200, expected]);
    assert.match(reply.headers.get('content-type') ?? '', /^application\/json/);
  }
  return expected;
}

const placeOf = (paymentId: string): (string | number)[] => [partOf(paymentId), paymentId];

for (const dialect of DIALECTS)
  describe(`a payment that is polled, in the dialect ${dialect}`, () => {
    let shop: Shop;
    before(async () => {
      shop = await service.openShop({ dialect });
    });

    /** Each change is seen by the first read after it. */
    const pollThrough = async (paymentId: string, changes: readonly (() => Promise<unknown>)[]): Promise<void> => {
      let last = await poll(shop, paymentId);
      for (const change of changes) {
        await change();
        const now = await poll(shop, paymentId);
        assert.notEqual(now, last, String(change));
        last = now;
      }
    };

    test('it is reserved, charged, refunded, cancelled, given references and erased', async () => {
      const { client } = shop;
      const paymentId = await client.create();
      const consumer = { email: 'kari@example.test' };
      let chargeId = '';
      await pollThrough(paymentId, [
        () => client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, { consumer }),
        async () => (chargeId = await client.charge(paymentId, 40_000)),
        () => client.refund(chargeId, 100),
        () => client.cancel(paymentId, 60_000),
        () =>
          client.must(204, 'PUT', `/v1/payments/${paymentId}/referenceinformation`, {
            reference: 'another',
            checkoutUrl: 'https://shop.example/checkout',
          }),
        () => client.must(204, 'PUT', `/v1/payments/${paymentId}/myreference`, { myReference: 'mine' }),
        () => eraseConsumer(service.pool, paymentId),
      ]);
    });

    test('its cart is changed, and it is terminated', async () => {
      const { client } = shop;
      const paymentId = await client.create();
      const items = [anItem({ grossTotalAmount: 5_000 })];
      await pollThrough(paymentId, [
        () => client.must(204, 'PUT', `/v1/payments/${paymentId}/orderitems`, { amount: 5_000, items }),
        () => client.must(204, 'PUT', `/v1/payments/${paymentId}/terminate`),
      ]);
    });

    test('somebody writes to its row by hand, without another version', async () => {
      const paymentId = await shop.client.create();
      await pollThrough(paymentId, [
        () =>
          service.pool.query(`update payments set my_reference = 'by hand' where part = $1 and id = $2`, [
            ...placeOf(paymentId),
          ]),
      ]);
    });

    test('it is paid by invoice: every answer has its numbers', async () => {
      const { client } = shop;
      const paymentId = await client.create();
      await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, { paymentType: 'INVOICE' });
      await poll(shop, paymentId);
      await client.charge(paymentId, 40_000);
      const first = await client.payment(paymentId);
      await poll(shop, paymentId);
      assert.deepEqual(await client.payment(paymentId), first);
    });

    test('it is gone: 404', async () => {
      const paymentId = await shop.client.create();
      await poll(shop, paymentId);
      await service.pool.query('delete from payments where part = $1 and id = $2', placeOf(paymentId));
      expectNoBody(await shop.client.get(`/v1/payments/${paymentId}`), 404);
    });

    test('for another merchant there is none, however often its own has asked', async () => {
      const paymentId = await shop.client.create();
      await poll(shop, paymentId);
      const other = await service.openShop({ dialect });
      for (let polls = 0; polls < POLLS; polls += 1)
        expectNoBody(await other.client.get(`/v1/payments/${paymentId}`), 404);
      await poll(shop, paymentId);
    });

    test('the database was away: 503 meanwhile, and not what was told before', async () => {
      const paymentId = await shop.client.create();
      await poll(shop, paymentId);
      const reply = await whileDatabaseIsAway(service, () => shop.client.get(`/v1/payments/${paymentId}`));
      assert.equal(reply.status, 503);
      await poll(shop, paymentId);
    });

    test('many at once, while it is charged: what is told never goes back', async () => {
      const paymentId = await shop.client.createReserved();
      await poll(shop, paymentId);
      let charged = 0;
      const watch = async (): Promise<void> => {
        let seen = 0;
        while (seen < 10) {
          const least = charged;
          const { summary } = await shop.client.payment(paymentId);
          const now = (summary.chargedAmount ?? 0) as number;
          assert.ok(now >= seen && now >= least, `${now} after ${seen}, and ${least} were acknowledged`);
          seen = now;
        }
      };
      const charge = async (): Promise<void> => {
        for (let count = 1; count <= 10; count += 1) {
          await shop.client.charge(paymentId, 1);
          charged = count;
        }
      };
      await Promise.all([charge(), ...Array.from({ length: 8 }, watch)]);
    });
  });

test('its merchant takes another dialect: it is spelled in that', async () => {
  const shop = await service.openShop();
  const paymentId = await shop.client.create();
  const first = await poll(shop, paymentId);
  const changed = await changeMerchant(service.pool, KASSA, shop.merchant.id, { settings: { dialect: 'nexi' } });
  assert.ok(changed.kind === 'changed');
  assert.notEqual(await poll({ ...shop, merchant: changed.merchant }, paymentId), first);
});

describe('what is known is not loaded', () => {
  test('nor spelled anew by the service: a movement that was written by hand shows with the next version', async () => {
    const shop = await service.openShop();
    const paymentId = await shop.client.createReserved();
    const chargeId = await shop.client.charge(paymentId, 100);
    const first = await poll(shop, paymentId);
    const read = async (): Promise<string> => (await shop.client.get(`/v1/payments/${paymentId}`)).text;
    await service.pool.query(`update movements set invoice_number = '${NUMBER}' where part = $1 and id = $2`, [
      partOf(chargeId),
      chargeId,
    ]);
    assert.equal(await read(), first);
    await service.pool.query(
      'update payments set version = version + 1 where part = $1 and id = $2',
      placeOf(paymentId),
    );
    assert.ok((await read()).includes(NUMBER));
  });

  test('not even if it is large', async () => {
    const shop = await service.openShop();
    const paymentId = await shop.client.create();
    await service.pool.query('update payments set bytes = 100000 where part = $1 and id = $2', placeOf(paymentId));
    const asked = { merchantId: shop.merchant.id, target: paymentId };
    const { payment, stamp } = await store.load(asked);
    assert.equal(payment?.id, paymentId);
    assert.deepEqual(await store.load({ ...asked, known: stamp }), { isKnown: true });
    await poll(shop, paymentId);
  });

  test('as long as it is the same, of its merchant, and of a server that has not started since', async () => {
    const shop = await service.openShop();
    const paymentId = await shop.client.create();
    const asked = { merchantId: shop.merchant.id, target: paymentId };
    const { stamp } = await store.load(asked);
    assert.deepEqual(await store.load({ ...asked, known: stamp }), { isKnown: true });
    const [version, xmin, start] = (stamp ?? '').split(' ');
    assert.ok(Number(start) > 1e9);
    for (const other of [`2 ${xmin} ${start}`, `${version} 3 ${start}`, `${version} ${xmin} ${Number(start) + 1}`])
      assert.equal((await store.load({ ...asked, known: other })).payment?.id, paymentId, `${other}, not ${stamp}`);
    assert.deepEqual(await store.load({ ...asked, merchantId: shop.merchant.id + 1, known: stamp }), {});
  });
});
