// Goal: wherever a process is cut on the way of an entry of a bulk, its subscription is charged once, its card is asked
// about once, and the bulk comes to its end. Method: for every checkpoint of that way an entry whose payment is held there
// for ever; then the process ends by SIGKILL, as often as it takes, since each works on few at once. A service is started
// on the same database and the same bank, the leases of the dead are ended, and the books are held against each other.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CHECKPOINTS, ENTRY_CHECKPOINTS } from '../../src/ops/checkpoints.ts';
import { putAcquirer } from '../../src/store/merchants/acquirers.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { startBank } from '../support/bank.ts';
import type { RunningBank } from '../support/bank.ts';
import { anEntryOf, callEntries, writeBulk } from '../support/bulks.ts';
import type { WrittenEntry } from '../support/bulks.ts';
import { CrashPlan } from '../support/crash-plan.ts';
import type { CrashPoint } from '../support/crash-plan.ts';
import { until } from '../support/kassa.ts';
import { spawnService, startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';
import { subscribe } from '../support/subscriptions.ts';

type Purpose = 'charge' | 'verification';
type Case = CrashPoint & WrittenEntry & { readonly purpose: Purpose };

const ENV = { KASSA_ACQUIRER_TIMEOUT: '3s', KASSA_LOG_LEVEL: 'silent' };
const AMOUNT = 5_000;
// A process has no more under way, and what is held stays under way.
const AT_ONCE = 16;

const once = (checkpoint: CrashPoint['checkpoint']): CrashPoint => ({ checkpoint, nth: 1 });
const again = (checkpoint: CrashPoint['checkpoint']): CrashPoint => ({ checkpoint, nth: 2 });

// The reservation first, then the charge that it brings along; a resolver's checkpoints and that of a kept answer are
// other ways.
const OTHER_WAYS = new Set<string>(['claimed', 'asked', 'resolved', 'answer recorded']);
const OF_CHARGE: readonly CrashPoint[] = [
  ...[...ENTRY_CHECKPOINTS, ...CHECKPOINTS.filter((name) => !OTHER_WAYS.has(name))].map(once),
  ...(['before send', 'after send', 'before settle'] as const).map(again),
];
const OF_VERIFICATION: readonly CrashPoint[] = ENTRY_CHECKPOINTS.map(once);

describe('an entry of a bulk, cut at every checkpoint of its way', () => {
  let service: Service;
  let bank: RunningBank;
  let plan: CrashPlan;
  let shop: Shop;
  const cases: Case[] = [];
  const bulkIds: Partial<Record<Purpose, string>> = {};

  /** One process holds them all, each at its checkpoint, and ends. */
  const cut = async (pool: Pool, databaseUrl: string, some: readonly Case[]): Promise<void> => {
    for (const each of some) await plan.cutAt(each.paymentId, each);
    await callEntries(pool, some);
    const holding = await spawnService({ databaseUrl, env: { ...ENV, ...plan.env }, flags: plan.flags });
    try {
      await plan.held(some.map(({ paymentId }) => paymentId));
    } finally {
      await holding.kill();
    }
  };

  before(async () => {
    [service, bank, plan] = await Promise.all([startService({ env: ENV }), startBank(), CrashPlan.open()]);
    await putAcquirer(service.pool, { name: 'bank', url: bank.url, key: bank.key });
    shop = await service.openShop({ acquirer: 'bank' });
    const { databaseUrl } = service;
    for (const [purpose, points] of [
      ['charge', OF_CHARGE],
      ['verification', OF_VERIFICATION],
    ] as const)
      for (const point of points) {
        cases.push({ ...point, purpose, ...anEntryOf(await subscribe(shop.client, 'scheduled')) });
      }
    await service.stop();
    const pool = openPool(databaseUrl, { size: 1 });
    try {
      for (const purpose of ['charge', 'verification'] as const) {
        const entries = cases.filter((each) => each.purpose === purpose);
        bulkIds[purpose] = await writeBulk(pool, shop, { purpose, entries, amount: AMOUNT });
      }
      for (let from = 0; from < cases.length; from += AT_ONCE)
        await cut(pool, databaseUrl, cases.slice(from, from + AT_ONCE));
      await pool.query(`update bulk_entries set next_try_at = now() where state = 'pending'`);
      await pool.query(`update movements set next_try_at = now() where state = 'pending'`);
    } finally {
      await pool.close();
    }
    service = await startService({ databaseUrl, env: ENV });
  });
  after(async () => {
    await Promise.all([service.stop(), bank.stop(), plan.close()]);
  });

  const readDone = (purpose: Purpose) =>
    until(`the ${purpose} to be done`, async () => {
      const place = purpose === 'charge' ? 'charges' : 'verifications';
      const { body } = await service.client(shop.secretKey).get(`/v1/subscriptions/${place}/${bulkIds[purpose]}`);
      return body?.status === 'Done' && body;
    });

  test('both bulks come to their end, and every entry succeeds', async () => {
    for (const purpose of ['charge', 'verification'] as const) {
      const { page } = await readDone(purpose);
      const own = cases.filter((each) => each.purpose === purpose);
      assert.deepEqual(
        page.map(({ status, subscriptionId }: Record<string, string>) => [subscriptionId, status]),
        own.map(({ subscriptionId }) => [subscriptionId, 'Succeeded']),
      );
    }
  });

  for (const [n, { checkpoint, nth }] of OF_CHARGE.entries())
    test(`charged once, though it was cut at "${checkpoint}"${nth > 1 ? ' for the 2nd time' : ''}`, async () => {
      const { paymentId } = cases[n] as Case;
      const rows = await service.pool.query<{ id: string; kind: string; state: string; amount: number }>(
        `select replace(id::text, '-', '') as id, kind, state, amount from movements where payment_id = $1
         order by sequence`,
        [paymentId],
      );
      const expected = ['reservation', 'charge'].map((kind) => [kind, 'approved', AMOUNT]);
      assert.deepEqual(
        rows.map(({ kind, state, amount }) => [kind, state, amount]),
        expected,
      );
      const ids = new Set(rows.map(({ id }) => id));
      const lines = (await bank.book()).filter(({ id }) => ids.has(id));
      assert.deepEqual(
        lines.map(({ kind, state, amount }) => [kind, state, amount]),
        expected,
      );
    });

  test('the bank has no other line: one reservation and one charge for each, one question for each verification', async () => {
    const book = (await bank.book()).filter(({ amount }) => amount === AMOUNT);
    assert.equal(book.length, 2 * OF_CHARGE.length);
    const asked = new Set(cases.filter(({ purpose }) => purpose === 'verification').map(({ paymentId }) => paymentId));
    const lines = (await bank.book()).filter(({ id }) => asked.has(id));
    assert.equal(lines.length, OF_VERIFICATION.length);
  });

  test('verify finds nothing', async () => {
    assert.deepEqual((await verifyBooks(service.pool)).differences, []);
  });
});
