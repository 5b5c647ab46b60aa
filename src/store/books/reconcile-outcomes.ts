// What the last comparison of our books with an acquirer's found: by merchant for the overview of the console, and in all
// for the figures. The next one with that acquirer replaces it, whichever period it is of.
import { partOf } from '../../domain/id.ts';
import { plainId } from '../statements/payment-row.ts';
import type { Pool } from '../connections/pool.ts';

// Who has more has the same thing to do: look at the whole report.
const MOST_PAYMENTS = 20;
// One difference is told of a payment that nobody knows any more; of so many the count is right.
const MOST_DIFFERENCES = 100_000;

/** $1 acquirer, $2 the payments of differences, one for each: [{part, id}], $3 how many there are in all. */
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

/** Keeps what a comparison found; a difference without a payment of ours is no merchant's, and counted in all. */
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
  /** The first of the payments that the differences are of. */
  readonly paymentIds: readonly string[];
};

/** Of a merchant: those of acquirers with differences. */
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
