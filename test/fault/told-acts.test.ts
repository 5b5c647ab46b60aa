// Goal: no act of a person with money is without its audit record, nor is what Kassa does by itself, though the process
// ends right after the commit. Method: the merchant's chain is held, so that a record cannot be added, and the process is
// killed while it waits for that; another one finds what is left.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newActKey } from '../../src/console/payment/act.ts';
import type { Merchant } from '../../src/domain/merchant.ts';
import { listAudit } from '../../src/store/audit/audit.ts';
import type { AuditRecord } from '../../src/store/audit/audit.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { withinTransaction } from '../../src/store/connections/transaction.ts';
import { verifyAudit } from '../../src/store/books/verify-audit.ts';
import { signIn } from '../support/console.ts';
import type { Visitor } from '../support/console.ts';
import { until } from '../support/kassa.ts';
import { openReceiver } from '../support/receiver.ts';
import { shareService, spawnService, startService } from '../support/service.ts';

const recordsOf = (pool: Pool, merchant: Merchant, action: string): Promise<AuditRecord[]> =>
  listAudit(pool, merchant, { limit: 1_000 }).then((records) => records.filter((each) => each.action === action));

/** Somebody adds a record to the chain, and has not come to an end. */
const holdChain = (within: Pool, merchant: Merchant): Promise<unknown> =>
  within.query('select 1 from audit_heads where merchant_id = $1 for update', [merchant.id]);

const isAnybodyWaiting = async (within: Pool): Promise<boolean> =>
  (await within.query('select 1 from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))')).length >
  0;

/** As the form sends an amount that was confirmed. */
const sendCharge = (
  operator: Visitor,
  merchant: Merchant,
  paymentId: string,
  amount: number,
  key = newActKey(),
): Promise<Response> =>
  operator.submit(`/console/${merchant.id}/payments/${paymentId}/charge`, {
    key,
    mode: 'amount',
    amount: String(amount / 100),
    whole: '10000',
    sure: String(amount),
  });

describe('acts and their records', () => {
  test('a charge whose process is killed before its record was added has it from another, once', async (t) => {
    const first = await spawnService();
    const pool = openPool(first.databaseUrl, { size: 3 });
    t.after(() => pool.close());
    const { merchant, client } = await first.openShop();
    const operator = await signIn(first, merchant.id, 'operator');
    const paymentId = await client.createReserved(1_000);
    await withinTransaction(pool, async (within) => {
      await holdChain(within, merchant);
      const sent = sendCharge(operator, merchant, paymentId, 400);
      // Answered where the housekeeping was quicker to take the record, which waits all the same.
      const over = sent.catch(() => {});
      await until('the record to wait for the chain', () => isAnybodyWaiting(within));
      await first.kill();
      await over;
    });
    const [charge] = await pool.query<{ id: string; amount: number }>(
      `select replace(id::text, '-', '') as id, amount from movements where payment_id = $1 and kind = 'charge'`,
      [paymentId],
    );
    assert.equal(charge?.amount, 400, 'the money was moved');
    assert.deepEqual(await recordsOf(pool, merchant, 'payment.charge'), []);
    await pool.query(`update audit_waits set at = at - interval '2 hours'`);
    const { differences } = await verifyAudit(pool);
    assert.match(differences.map(({ difference }) => difference).join(), /1 actions .* wait for their records/);

    const second = await startService({ databaseUrl: first.databaseUrl });
    t.after(() => second.stop());
    await until('the record', async () => (await recordsOf(pool, merchant, 'payment.charge')).length > 0);
    const [record, ...more] = await recordsOf(pool, merchant, 'payment.charge');
    assert.deepEqual(more, []);
    assert.deepEqual([record?.actor.name, record?.subject], [operator.email, paymentId]);
    assert.deepEqual(record?.after, { amount: 400, currency: 'SEK', movementId: charge?.id });
    assert.deepEqual(await pool.query('select 1 from audit_waits'), []);
    assert.deepEqual((await verifyAudit(pool)).differences, []);
  });

  test('acts of one payment at once have a record each; what changed nothing has none', async (t) => {
    const service = await startService();
    t.after(() => service.stop());
    const { merchant, client } = await service.openShop();
    const operator = await signIn(service, merchant.id, 'operator');
    const paymentId = await client.createReserved(1_000);
    const send = (amount: number, key?: string): Promise<Response> =>
      sendCharge(operator, merchant, paymentId, amount, key);
    const again = newActKey();
    const answers = await Promise.all([send(100), send(200), send(300), send(50, again), send(50, again), send(5_000)]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303, 303, 303, 303, 422],
    );
    await until('all records', async () => (await recordsOf(service.pool, merchant, 'payment.charge')).length >= 4);
    const told = (await recordsOf(service.pool, merchant, 'payment.charge')).map(({ after }) =>
      Number(after?.['amount']),
    );
    assert.deepEqual(
      told.toSorted((a, b) => a - b),
      [50, 100, 200, 300],
    );
    assert.deepEqual((await verifyAudit(service.pool)).differences, []);
  });

  test('a webhook that Kassa switches off leaves a record', async (t) => {
    const service = shareService();
    const receiver = await openReceiver();
    t.after(() => receiver.close());
    receiver.react(410);
    const { merchant, client } = await service.openShop();
    const { webhookId } = await client.must(201, 'POST', '/v1/webhooks', { url: receiver.url });
    await client.createReserved();
    await receiver.until(1);
    await until('the record', async () => (await recordsOf(service.pool, merchant, 'webhook.disable')).length > 0);
    const records = await recordsOf(service.pool, merchant, 'webhook.disable');
    assert.deepEqual(
      records.map(({ actor, subject, after }) => [actor.kind, subject, after]),
      [['system', webhookId, { url: receiver.url, reason: 'gone' }]],
    );
  });
});
