// The results of the last reconciliation with each acquirer: by merchant for the overview of the console, and in total
// for metrics. The next one replaces it, for whatever period.
import { partOf } from '../../domain/id.ts';
import { plainId } from '../statements/payment-row.ts';
import type { Pool } from '../connections/pool.ts';

// With more, the next step is the same: read the full report.
const MOST_PAYMENTS = 20;
// A payment that does not exist any more has one difference; of this many the count is exact.
const MOST_DIFFERENCES = 100_000;

/** $1 acquirer, $2 the payments with differences, each once: [{part, id}], $3 the total number. */
const KEEP = `with found as (
    select merchants.parts[1] as part, payment.merchant_id, count(*)::int as count,
      (array_agg(distinct payment.id))[1:${MOST_PAYMENTS}] as payment_ids
    from json_to_recordset($2::json) as difference (part smallint, id uuid)
    join payments as payment on payment.part = difference.part and payment.id = difference.id
    join merchants on merchants.id = payment.merchant_id
    group by 1, 2
  ),
  gone as (
    delete from reconcile_outcomes as outcome where acquirer = $1
      and not exists (select 1 from found where found.part = outcome.part and found.merchant_id = outcome.merchant_id)
  ),
  told as (
    update acquirers set reconciled_at = now(), difference_count = $3 where name = $1
  )
  insert into reconcile_outcomes (part, merchant_id, acquirer, difference_count, payment_ids)
  select part, merchant_id, $1, count, payment_ids from found order by part, merchant_id
  on conflict (part, merchant_id, acquirer) do update set difference_count = excluded.difference_count,
    payment_ids = excluded.payment_ids, reconciled_at = excluded.reconciled_at`;

/** Saves the results; a difference without a payment of ours only counts in the total. */
export async function keepOutcome(
  pool: Pool,
  acquirer: string,
  differences: readonly { readonly paymentId?: string }[],
): Promise<void> {
  const ids = differences.flatMap(({ paymentId }) => paymentId ?? []).slice(0, MOST_DIFFERENCES);
  await pool.query(KEEP, [acquirer, JSON.stringify(ids.map((id) => ({ part: partOf(id), id }))), differences.length]);
}

export type ReconcileOutcome = {
  readonly acquirer: string;
  readonly count: number;
  readonly at: Date;
  /** The first payment with a difference. */
  readonly paymentIds: readonly string[];
};

/** For a merchant: the acquirers with differences. */
export async function listOutcomes(
  pool: Pool,
  { id, parts }: { readonly id: number; readonly parts: readonly number[] },
): Promise<ReconcileOutcome[]> {
  const rows = await pool.query<ReconcileOutcome>(
    `select acquirer, difference_count as count, reconciled_at as at, payment_ids as "paymentIds"
     from reconcile_outcomes where part = $1 and merchant_id = $2 order by acquirer limit 10`,
    [parts[0], id],
  );
  return rows.map((row) => ({ ...row, paymentIds: row.paymentIds.map(plainId) }));
}
