// Goal: wherever the process is cut while a pending refund is cancelled, the refund ends once: cancelled where the bank had
// not heard of it, completed where it had acted; and the books agree. Method: refunds are left pending, a service that
// cancels them is held at a checkpoint for each and ended by SIGKILL, another one finishes.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Checkpoint } from '../../src/ops/checkpoints.ts';
import { putAcquirer } from '../../src/store/merchants/acquirers.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { startBank } from '../support/bank.ts';
import type { RunningBank } from '../support/bank.ts';
import { CrashPlan } from '../support/crash-plan.ts';
import { until } from '../support/kassa.ts';
import { spawnService, startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

const ENV = { KASSA_ACQUIRER_TIMEOUT: '3s', KASSA_LOG_LEVEL: 'silent' };
const POINTS: readonly Checkpoint[] = [
  'intent committed',
  'before send',
  'after send',
  'before settle',
  'settled',
  'before answer',
];

type Case = { readonly checkpoint: Checkpoint; readonly hasActed: boolean; paymentId: string; refundId: string };

const cases: Case[] = [true, false].flatMap((hasActed) =>
  POINTS.map((checkpoint) => ({ checkpoint, hasActed, paymentId: '', refundId: '' })),
);

describe('the cancel of a pending refund, cut at every checkpoint of its way', () => {
  let service: Service;
  let bank: RunningBank;
  let plan: CrashPlan;
  let shop: Shop;
  before(async () => {
    [service, bank, plan] = await Promise.all([startService({ env: ENV }), startBank(), CrashPlan.open()]);
    await putAcquirer(service.pool, { name: 'bank', url: bank.url, key: bank.key });
    shop = await service.openShop({ acquirer: 'bank' });
    await leavePending();
    const { databaseUrl } = service;
    await service.stop();
    await bank.setFaults({});
    for (const each of cases) await plan.cutAt(each.paymentId, { checkpoint: each.checkpoint, nth: 1 });
    const cut = await spawnService({ databaseUrl, env: { ...ENV, ...plan.env }, flags: plan.flags });
    const asked = cases.map(({ refundId }) =>
      cut
        .client(shop.secretKey)
        .post(`/v1/pending-refunds/${refundId}/cancel`)
        .catch(() => undefined),
    );
    await plan.held(cases.map(({ paymentId }) => paymentId));
    await cut.kill();
    assert.deepEqual(
      (await Promise.all(asked)).filter((reply) => reply !== undefined),
      [],
    );
    service = await startService({ databaseUrl, env: ENV });
    await setDue('now');
    await until('nothing to be pending', async () => (await countPending()) === 0);
  });
  after(async () => {
    await Promise.all([service.stop(), bank.stop(), plan.close()]);
  });

  const setDue = (when: 'infinity' | 'now') =>
    service.pool.query(`update movements set next_try_at = $1::text::timestamptz, tries = 0 where state = 'pending'`, [
      when,
    ]);

  const countPending = async (): Promise<number> => {
    const text = `select count(*)::int as count from movements where state = 'pending'`;
    return (await service.pool.query<{ count: number }>(text))[0]?.count ?? 0;
  };

  /** Of some the bank has done its part and said nothing, of others it has heard nothing. */
  async function leavePending(): Promise<void> {
    const charges = await Promise.all(
      cases.map(async (each) => {
        each.paymentId = await shop.client.createReserved(1_000);
        return shop.client.charge(each.paymentId, 600);
      }),
    );
    const refund = (hasActed: boolean): Promise<void>[] =>
      cases.map(async (each, index) => {
        if (each.hasActed === hasActed) each.refundId = await shop.client.refund(charges[index] ?? '', 500);
      });
    const lines = (await bank.book()).length;
    await bank.setFaults({ hangAfter: 1 });
    const acted = refund(true);
    await until('the bank to act', async () => (await bank.book()).length === lines + POINTS.length);
    await bank.setFaults({ hang: 1 });
    const unheard = refund(false);
    await until('all to be pending', async () => (await countPending()) === cases.length);
    await setDue('infinity');
    await Promise.all([...acted, ...unheard]);
  }

  for (const each of cases)
    // decision: cancelling-a-pending-refund
    test(`cut at "${each.checkpoint}"; the bank ${each.hasActed ? 'acted' : 'never heard of it'}`, async () => {
      const { refundId, hasActed } = each;
      const { client } = { client: service.client(shop.secretKey) };
      const { state } = await client.must(200, 'GET', `/v1/refunds/${refundId}`);
      assert.equal(state, hasActed ? 'Completed' : 'Cancelled');
      assert.equal((await bank.book()).filter(({ id }) => id === refundId).length, hasActed ? 1 : 0);
      const again = await client.post(`/v1/pending-refunds/${refundId}/cancel`);
      assert.deepEqual([again.status, again.body?.code], hasActed ? [405, '1023'] : [204, undefined]);
    });

  // decision: cancelling-a-pending-refund
  test('the check of the books finds nothing', async () => {
    assert.deepEqual((await verifyBooks(service.pool)).differences, []);
  });
});
