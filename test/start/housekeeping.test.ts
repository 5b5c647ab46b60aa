// Goal: what is over is forgotten soon after the start, by the service or by a worker, once for all of them; every job
// shows its runs, its errors and its last success. Method: a database with rows that are made older by SQL; real processes
// beside each other; a table that is taken away and given back.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openPool } from '../../src/store/connections/pool.ts';
import { launchKassa, until } from '../support/kassa.ts';
import { startService } from '../support/service.ts';

const RETAIN = {
  KASSA_RETAIN_EVENTS: '2m',
  KASSA_RETAIN_DELIVERIES: '1m',
  KASSA_RETAIN_IDEMPOTENCY: '1m',
  KASSA_RETAIN_EXPIRED: '1m',
  KASSA_PAYMENT_LIFETIME: '1m',
};

const readFigure = (text: string, name: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1] ?? Number.NaN,
  );

describe('housekeeping', () => {
  const stops: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const stop of stops.toReversed()) await stop();
  });

  test('a service forgets what is over, shows it in its metrics, says when it fails, and goes on', async () => {
    const service = await startService({ env: RETAIN });
    stops.push(() => service.stop());
    await until('the warning', () => service.log().includes('KASSA_RETAIN_IDEMPOTENCY is below the promised 7d'));
    const { client, merchant } = await service.openShop();
    const figure = async (name: string): Promise<number> =>
      readFigure((await service.client().get('/metrics')).text, name);
    const makeOld = async (): Promise<void> => {
      await client.create();
      await client.createReserved();
      await service.pool.query(
        `update events set recorded_at = recorded_at - interval '1 hour' where merchant_id = $1`,
        [merchant.id],
      );
      await service.pool.query(
        `update payments set created_at = created_at - interval '1 hour' where merchant_id = $1`,
        [merchant.id],
      );
    };
    const expectForgotten = async (): Promise<void> => {
      await until('old events and the unpaid payment to be forgotten', async () => {
        const [row] = await service.pool.query<{ events: number; payments: number }>(
          `select (select count(*)::int from events where merchant_id = $1) as events,
             (select count(*)::int from payments where merchant_id = $1 and reserved = 0) as payments`,
          [merchant.id],
        );
        return row?.events === 0 && row.payments === 0;
      });
    };
    await makeOld();
    await expectForgotten();
    await until('the figures of the purge', async () => (await figure('kassa_purged_rows_total{table="events"}')) > 0);
    for (const job of [
      'purge',
      'gather-payouts',
      'gather-figures',
      'pull-clocks',
      'note-keys',
      'log-requests',
      'drain-audit-outbox',
      'write-refusals',
      'count-backlog',
      'count-pending',
      'watch-database',
      'resolve',
      'deliver',
      'publish',
    ]) {
      await until(`a run of ${job}`, async () => (await figure(`kassa_job_runs_total{name="${job}"}`)) > 0);
      assert.equal(await figure(`kassa_job_errors_total{name="${job}"}`), 0, job);
      const succeeded = await figure(`kassa_job_last_success_timestamp_seconds{name="${job}"}`);
      assert.ok(Math.abs(succeeded - Date.now() / 1_000) < 300, job);
    }

    await service.pool.query('alter table housekeeping rename to housekeeping_elsewhere');
    await until('the failure to be counted', async () => (await figure('kassa_job_errors_total{name="purge"}')) > 0);
    await until('the failure to be told', () => /"job":"purge".*a housekeeping job failed/.test(service.log()));
    await service.pool.query('alter table housekeeping_elsewhere rename to housekeeping');
    await makeOld();
    await expectForgotten();

    // One process at a time does it, whoever finds it due; when the service does not, a worker does.
    await service.pool.query(`update housekeeping set next_run_at = now() + interval '1 hour'`);
    await makeOld();
    const worker = launchKassa(['worker'], { env: { DATABASE_URL: service.databaseUrl, ...RETAIN } });
    stops.push(async () => {
      worker.child.kill('SIGTERM');
      await worker.ended;
    });
    await until('the worker to run', () => worker.out().includes('is running on the database'));
    await service.stop();
    const pool = openPool(service.databaseUrl, { size: 1 });
    stops.push(() => pool.close());
    await pool.query(`update housekeeping set next_run_at = now()`);
    await until('the worker to forget', async () => {
      const rows = await pool.query('select 1 from events where merchant_id = $1 limit 1', [merchant.id]);
      return rows.length === 0;
    });
  });
});
