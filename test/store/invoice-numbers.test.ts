// Goal: a merchant's invoices and credit notes have numbers from 1, without gaps and each once, whoever charges at once,
// whoever dies in between; what was known of the seller is kept with each. Method: two services on one database; a
// publisher that is run by hand.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { KASSA } from '../../src/domain/audit.ts';
import { changeMerchant } from '../../src/merchants/merchants.ts';
import { createKey } from '../../src/store/merchants/keys.ts';
import { createMerchant } from '../../src/store/merchants/merchants.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { publishSubjects } from '../../src/store/events/publish.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import type { Client } from '../support/client.ts';
import { until } from '../support/kassa.ts';
import { spawnService, startService } from '../support/service.ts';
import type { Service, Shop, SpawnedService } from '../support/service.ts';

const SETTINGS = {
  name: 'Invoices',
  dialect: 'spec',
  strictItems: false,
  reserveOnDemand: false,
  acquirer: 'simulator',
} as const;

const PAYMENTS = 10;

describe('numbers of invoices', () => {
  let first: Service;
  let second: SpawnedService;
  let pool: Pool;
  before(async () => {
    first = await startService();
    second = await spawnService({ databaseUrl: first.databaseUrl });
    pool = openPool(first.databaseUrl, { size: 4 });
  });
  after(async () => {
    await pool.close();
    await second.kill();
    await first.stop();
  });

  const openShop = async (parts = 1): Promise<Shop> => {
    const merchant = await createMerchant(pool, false, SETTINGS, { parts });
    const { secret } = await createKey(pool, merchant);
    return { merchant, secretKey: secret, client: first.client(secret) };
  };
  const invoiced = async (client: Client): Promise<string> => {
    const paymentId = await client.create();
    await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, { paymentType: 'INVOICE' });
    return paymentId;
  };
  const numbersOf = async ({ merchant }: Shop): Promise<number[]> => {
    const rows = await pool.query<{ number: number }>(
      'select number::int from invoice_numbers where merchant_id = $1 order by number',
      [merchant.id],
    );
    return rows.map(({ number }) => number);
  };
  const counterOf = async ({ merchant }: Shop): Promise<number | undefined> =>
    (
      await pool.query<{ count: number }>('select invoices::int as count from event_counters where merchant_id = $1', [
        merchant.id,
      ])
    )[0]?.count;
  const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);
  const isSound = async (): Promise<void> => assert.deepEqual((await verifyBooks(pool)).differences, []);

  // decision: invoice-series
  test('charged and refunded at once through two processes, also of a merchant in several parts', async () => {
    for (const parts of [1, 3]) {
      const shop = await openShop(parts);
      const clients = [first.client(shop.secretKey), second.client(shop.secretKey)] as const;
      const made = await Promise.all(
        Array.from({ length: PAYMENTS }, async (_, index) => {
          const client = clients[index % 2] as Client;
          const paymentId = await invoiced(client);
          const charges = await Promise.all([
            client.must(201, 'POST', `/v1/payments/${paymentId}/charges`, { amount: 100 }),
            clients[(index + 1) % 2]?.must(201, 'POST', `/v1/payments/${paymentId}/charges`, { amount: 200 }),
          ]);
          await client.refund(charges[0]?.chargeId, 50);
          return charges.map((charge) => charge.chargeId as string);
        }),
      );
      await until('all have a number', async () => (await numbersOf(shop)).length === 3 * PAYMENTS);
      assert.deepEqual(await numbersOf(shop), upTo(3 * PAYMENTS));
      assert.equal(await counterOf(shop), 3 * PAYMENTS);
      const shown = await Promise.all(
        made.flat().map(async (id) => (await clients[0].must(200, 'GET', `/v1/charges/${id}`)).invoiceDetails.number),
      );
      assert.equal(new Set(shown).size, 2 * PAYMENTS);
      await isSound();
    }
  });

  // decision: invoice-series
  test('a card has none, and neither has what was declined', async () => {
    const shop = await openShop();
    const { client } = shop;
    await client.charge(await client.createReserved(), 100);
    const paymentId = await invoiced(client);
    await client.must(402, 'POST', `/v1/payments/${paymentId}/charges`, { amount: 10_000_000 });
    await client.charge(paymentId, 100);
    await client.payment(paymentId);
    assert.deepEqual(await numbersOf(shop), [1]);
  });

  // decision: invoice-series
  test('each merchant in a part has a series of its own', async () => {
    const one = await first.openShop();
    const shops = [one, await first.openShop({ beside: one })];
    for (const { client } of shops) {
      const paymentId = await invoiced(client);
      await client.charge(paymentId, 100);
      await client.payment(paymentId);
    }
    for (const shop of shops) assert.deepEqual(await numbersOf(shop), [1]);
    await isSound();
  });

  // decision: invoice-series
  test('what a process left behind that died after its commit is numbered once, by whoever looks first', async () => {
    const shop = await openShop();
    const { client } = shop;
    const paymentId = await invoiced(client);
    const { chargeId } = await client.must(201, 'POST', `/v1/payments/${paymentId}/charges`, { amount: 100 });
    await client.payment(paymentId);
    // As if nobody had published it: neither its place nor its number.
    await pool.query('delete from invoice_numbers where movement_id = $1', [chargeId]);
    await pool.query('update event_counters set invoices = 0 where merchant_id = $1', [shop.merchant.id]);
    await pool.query('delete from deliveries where subject_id = $1', [paymentId]);
    await pool.query(
      `update events set position = null, recorded_at = now() - interval '1 minute'
       where movement_id = $1 and name = 'payment.charge.created'`,
      [chargeId],
    );
    const subject = { id: paymentId, merchantId: shop.merchant.id };
    await Promise.all([...upTo(8)].map(() => publishSubjects(pool, [subject])));
    await until('it has a number', async () => (await numbersOf(shop)).length === 1);
    assert.deepEqual(await numbersOf(shop), [1]);
    const { invoiceDetails } = await client.must(200, 'GET', `/v1/charges/${chargeId}`);
    assert.equal(invoiceDetails.number, 1);
    await isSound();
  });

  // decision: seller-on-an-invoice
  test('each keeps the seller of the day on which it was issued', async () => {
    const shop = await openShop();
    const { client } = shop;
    const paymentId = await invoiced(client);
    await client.charge(paymentId, 100);
    await client.payment(paymentId);
    const seller = { country: 'FIN', iban: 'FI2112345600000785' };
    const changed = await changeMerchant(pool, KASSA, shop.merchant.id, { settings: { name: 'Later' }, seller });
    assert.equal(changed.kind, 'changed');
    const printed = (await client.payment(paymentId)).paymentDetails.invoiceDetails;
    assert.match(printed.ocr, /^\d{25}$/, 'as it was printed');
    await client.charge(paymentId, 100);
    const latest = (await client.payment(paymentId)).paymentDetails.invoiceDetails;
    assert.match(latest.ocr, /^1\d{7}$/, 'a Finnish reference');
    const rows = await pool.query<{ seller: object }>(
      'select seller from invoice_numbers where payment_id = $1 order by number',
      [paymentId],
    );
    assert.deepEqual(
      rows.map((row) => row.seller),
      [{ name: shop.merchant.name }, { name: 'Later', ...seller }],
    );
  });

  // decision: invoice-series
  test('killed in the middle of many charges: each has one number, and none is missing', async () => {
    const shop = await openShop(2);
    const dying = second.client(shop.secretKey);
    const ids = await Promise.all(Array.from({ length: 30 }, () => invoiced(dying)));
    let answered = 0;
    const charging = Promise.allSettled(
      ids.map(async (id) => {
        for (let count = 0; count < 5; count += 1) {
          await dying.charge(id, 100);
          answered += 1;
        }
      }),
    );
    await until('some are charged', async () => answered >= 40);
    await second.kill();
    await charging;
    const made = async (): Promise<number> =>
      (
        await pool.query<{ count: number }>(
          `select count(*)::int as count from movements where kind = 'charge' and state = 'approved' and payment_id = any ($1)`,
          [ids],
        )
      )[0]?.count ?? 0;
    assert.ok((await made()) >= answered);
    await until('all that was made has a number', async () => (await numbersOf(shop)).length === (await made()));
    assert.deepEqual(await numbersOf(shop), upTo(await made()));
    await isSound();
  });
});
