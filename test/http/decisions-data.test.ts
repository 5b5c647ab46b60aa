// Goal: what is kept of a payment and where: no national number at all, nothing of a card that was declined, and every
// id in the part of its payment. Method: real requests; then answers, the log and every column of every table are
// searched.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { partOf } from '../../src/domain/id.ts';
import { partOfKey } from '../../src/payments/ids.ts';
import { DIALECTS } from '../support/answers.ts';
import { aCreate } from '../support/client.ts';
import { createKey } from '../../src/store/merchants/keys.ts';
import { createMerchant } from '../../src/store/merchants/merchants.ts';
import { readEvents } from '../support/events.ts';
import { keyed } from '../support/keyed-operations.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.stop());

/** The columns, as table.column, that hold the text anywhere. */
async function columnsWith(text: string): Promise<string[]> {
  const columns = await service.pool.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns where table_schema = 'public'`,
  );
  const found: string[] = [];
  for (const { table, column } of columns) {
    const rows = await service.pool.query(`select 1 from ${table} where strpos(${column}::text, $1) > 0`, [text]);
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return found;
}

// decision: national-identity-numbers
test('a national number is taken as an unknown field: neither stored nor logged nor shown', async () => {
  const number = '440424-1111';
  const names = ['nationalIdentityNumber', 'nationalId', 'socialSecurityNumber', 'personalNumber', 'ssn'];
  const numbers = Object.fromEntries(names.map((name) => [name, number]));
  const consumer = { email: 'known@example.test', ...numbers, privatePerson: { lastName: 'Known', ...numbers } };
  for (const dialect of DIALECTS) {
    const { client } = await service.openShop({ dialect });
    const body = { ...aCreate(100, { merchantHandlesConsumerData: true, consumer }), ...numbers };
    const created = await client.post('/v1/payments', body, keyed('person'));
    const { paymentId } = created.body;
    await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, { consumer, paymentType: 'INVOICE' });
    const { text } = await client.get(`/v1/payments/${paymentId}`);
    assert.ok(text.includes('known@example.test') && !text.includes(number), text);
  }
  assert.deepEqual(await columnsWith('known@example.test'), ['payments.consumer'], 'the search finds what is there');
  assert.deepEqual(await columnsWith(number), []);
  assert.ok(!service.log().includes(number));
});

// decision: a-declined-charge
test('of a card that was declined, paymentDetails shows nothing', async () => {
  for (const dialect of DIALECTS) {
    const { client } = await service.openShop({ dialect });
    const paymentId = await client.create();
    for (const card of ['4925000000000087', '4000000000009995']) {
      await client.must(402, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, { card });
      const { paymentDetails } = await client.payment(paymentId);
      assert.deepEqual(paymentDetails, { invoiceDetails: {}, cardDetails: {} });
    }
  }
});

// decision: ids
test('charges, refunds and reservations carry the part of their payment in their ids', async () => {
  const { client } = await service.openShop();
  for (let made = 0; made < 5; made += 1) {
    const paymentId = await client.createReserved(100);
    const chargeId = await client.charge(paymentId, 100);
    const refundId = await client.refund(chargeId, 100);
    const told = (await readEvents(service.pool, paymentId)).flatMap(({ movement_id: id }) => id ?? []);
    for (const id of [chargeId, refundId, ...told]) assert.equal(partOf(id), partOf(paymentId));
  }
});

// decision: ids
test('everything of a merchant lives in its part', async () => {
  const { client, merchant } = await service.openShop();
  const { parts } = merchant;
  assert.equal(parts.length, 1);
  const made = [
    await client.createReserved(),
    (await client.post('/v1/payments', aCreate(), keyed('k'))).body.paymentId,
  ];
  const webhook = (await client.post('/v1/webhooks', { url: 'https://shop.example/events' })).body;
  const { events } = (await client.get('/v1/events')).body;
  for (const id of [...made, webhook.webhookId, ...events.map((event: { id: string }) => event.id)])
    assert.equal(partOf(id), parts[0]);
  const rows = await service.pool.query('select part from event_counters where merchant_id = $1', [merchant.id]);
  assert.deepEqual(rows, [{ part: parts[0] }]);
});

// decision: scope-of-an-idempotency-key
test('a create with a key lives in the part that merchant and key choose, and its record with it', async () => {
  const settings = { name: 'Large', dialect: 'spec', strictItems: false, reserveOnDemand: false } as const;
  const merchant = await createMerchant(service.pool, false, { ...settings, acquirer: 'simulator' }, { parts: 64 });
  const client = service.client((await createKey(service.pool, merchant)).secret);
  const parts = new Set<number>();
  for (const key of ['a', 'b', 'c', 'd', 'e']) {
    const { paymentId } = (await client.post('/v1/payments', aCreate(), keyed(key))).body;
    assert.equal(partOf(paymentId), partOfKey(merchant, key));
    assert.ok(merchant.parts.includes(partOf(paymentId)));
    const rows = await service.pool.query<{ part: number }>(
      'select part from idempotency_records where merchant_id = $1 and key = $2',
      [merchant.id, key],
    );
    assert.deepEqual(rows, [{ part: partOf(paymentId) }]);
    parts.add(partOf(paymentId));
  }
  assert.ok(parts.size > 1, 'the key has a say');
});
