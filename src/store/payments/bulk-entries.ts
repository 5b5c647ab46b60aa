// The entries of bulks, as workers process them: claimed with a lease, merchants in turn, and finished once. A claim
// that a crash undoes is repeated, so its commit waits for nothing; a result is durable before it can be read.
import type { SubscriptionKind } from '../../domain/agreement.ts';
import { partOf } from '../../domain/id.ts';
import type { Order, WebHook } from '../../domain/payment.ts';
import type { BulkPurpose, EntryState } from './bulks.ts';
import { plainId } from '../statements/payment-row.ts';
import type { Pool } from '../connections/pool.ts';
import { inUnsyncedTransaction } from '../connections/transaction.ts';
import { SYNCHRONOUS_TIMELINE } from '../connections/timeline.ts';
import type { Timeline } from '../connections/timeline.ts';
import { withinTransaction } from '../connections/transaction.ts';

export type EntryName = { readonly bulkId: string; readonly place: number };

export type DueEntry = EntryName & {
  readonly merchantId: number;
  readonly kind: SubscriptionKind;
  readonly purpose: BulkPurpose;
  readonly subscriptionId: string;
  readonly paymentId: string;
  readonly order?: Order;
  readonly myReference?: string;
  readonly webHooks?: readonly WebHook[];
  /** The key that requested the bulk, if known. */
  readonly keyId?: string;
  readonly tries: number;
  /** The timeline on which it was found, if a synchronous standby may not have it yet. */
  readonly timeline?: Timeline;
};

export type ClaimOptions = {
  readonly most: number;
  readonly ofMerchant: number;
  /** The lease. */
  readonly leaseMs: number;
  /** Only of this bulk. */
  readonly bulkId?: string;
  /** Not of these merchants: they have enough in progress. */
  readonly except?: readonly number[];
};

// A few due entries of each merchant; a subscription that is in a bulk twice is processed in order. A last row without
// a position says when the first pending entry was due, before the claim. Only a claim that finds something has
// anything to commit, and its commit waits for nothing.
const CLAIM = `with recursive owner as (
    (select merchant_id from bulk_entries where state = 'pending' order by merchant_id limit 1)
    union all
    select (
      select merchant_id from bulk_entries
      where state = 'pending' and merchant_id > owner.merchant_id order by merchant_id limit 1
    ) from owner where owner.merchant_id is not null
  ),
  due as (
    select entry.part, entry.bulk_id, entry.place, entry.rank
    from owner cross join lateral (
      select part, bulk_id, place, row_number() over (order by next_try_at, bulk_id, place) as rank
      from (
        select part, bulk_id, place, next_try_at from bulk_entries
        where merchant_id = owner.merchant_id and state = 'pending' and next_try_at <= now()
          and ($4::uuid is null or bulk_id = $4)
          and not exists (
            select 1 from bulk_entries as before
            where before.part = bulk_entries.part and before.bulk_id = bulk_entries.bulk_id
              and before.subscription_id = bulk_entries.subscription_id and before.place < bulk_entries.place
              and before.state = 'pending'
          )
        order by next_try_at, bulk_id, place limit $2 for update skip locked
      ) as free
    ) as entry
    where owner.merchant_id is not null and owner.merchant_id <> all ($5::bigint[])
    order by entry.rank limit $1
  ),
  claimed as (
    update bulk_entries
    set next_try_at = now() + interval '1 millisecond' * $3::float8, tries = tries + 1
    from due
    join bulks on bulks.part = due.part and bulks.id = due.bulk_id
    where bulk_entries.part = due.part and bulk_entries.bulk_id = due.bulk_id and bulk_entries.place = due.place
    returning bulk_entries.bulk_id, bulk_entries.place, bulk_entries.merchant_id, kind, purpose, subscription_id,
      payment_id, purchase, my_reference, web_hooks, created_by, tries, null::float8 as next_in_ms,
      ${SYNCHRONOUS_TIMELINE} as timeline,
      set_config('synchronous_commit', 'off', true)
  )
  select * from claimed
  union all
  select null, null, null, null, null, null, null, null, null, null, null, null, (
    select extract(epoch from min(first.next_try_at) - now()) * 1000
    from owner cross join lateral (
      select next_try_at from bulk_entries where merchant_id = owner.merchant_id and state = 'pending'
      order by next_try_at limit 1
    ) as first
  ), null, null`;

type DueRow = {
  bulk_id: string;
  place: number | null;
  merchant_id: string;
  kind: SubscriptionKind;
  purpose: BulkPurpose;
  subscription_id: string;
  payment_id: string;
  purchase: Order | null;
  my_reference: string | null;
  web_hooks: readonly WebHook[] | null;
  created_by: string | null;
  tries: number;
  next_in_ms: number | null;
  timeline: Timeline | null;
};

export type ClaimedEntries = {
  readonly entries: readonly DueEntry[];
  /** When the first pending one is due; if some were claimed, that is one of them. */
  readonly nextInMs: number;
};

export async function claimEntries(
  pool: Pool,
  { most, ofMerchant, leaseMs, bulkId, except = [] }: ClaimOptions,
): Promise<ClaimedEntries> {
  const rows = await pool.query<DueRow>(CLAIM, [most, ofMerchant, leaseMs, bulkId ?? null, except]);
  const nextInMs = rows.find(({ place }) => place === null)?.next_in_ms ?? Number.POSITIVE_INFINITY;
  return { entries: rows.flatMap(readEntry), nextInMs };
}

function readEntry(row: DueRow): [DueEntry] | [] {
  const { place } = row;
  if (place === null) return [];
  const entry: DueEntry = {
    bulkId: plainId(row.bulk_id),
    place,
    merchantId: Number(row.merchant_id),
    kind: row.kind,
    purpose: row.purpose,
    subscriptionId: plainId(row.subscription_id),
    paymentId: plainId(row.payment_id),
    ...(row.purchase && { order: row.purchase }),
    ...(row.my_reference !== null && { myReference: row.my_reference }),
    ...(row.web_hooks && { webHooks: row.web_hooks }),
    ...(row.created_by !== null && { keyId: row.created_by }),
    tries: row.tries,
    ...(row.timeline !== null && { timeline: row.timeline }),
  };
  return [entry];
}

export type EntryEnd = {
  readonly state: Exclude<EntryState, 'pending'>;
  readonly chargeId?: string;
  readonly code?: string;
  readonly message?: string;
  readonly source?: string;
};

export type EndedEntry = EntryName & { readonly end: EntryEnd };

const columnsOf = ({ bulkId, place, end }: EndedEntry): object => ({
  part: partOf(bulkId),
  bulk_id: bulkId,
  place,
  state: end.state,
  charge_id: end.chargeId,
  code: end.code,
  message: end.message,
  source: end.source,
});

/** Records the result of each, once; its order is in its payment now. */
export async function finishEntries(pool: Pool, ended: readonly EndedEntry[]): Promise<void> {
  const rows = ended.toSorted((a, b) => (a.bulkId === b.bulkId ? a.place - b.place : a.bulkId < b.bulkId ? -1 : 1));
  await pool.query(
    `update bulk_entries
     set state = ended.state, charge_id = ended.charge_id, code = ended.code, message = ended.message,
       source = ended.source, next_try_at = null, purchase = null
     from json_to_recordset($1) as ended (
       part smallint, bulk_id uuid, place integer, state text, charge_id uuid, code text, message text, source text
     )
     where bulk_entries.part = ended.part and bulk_entries.bulk_id = ended.bulk_id
       and bulk_entries.place = ended.place and bulk_entries.state = 'pending'`,
    [JSON.stringify(rows.map(columnsOf))],
  );
}

/** It can be claimed again after the pause. */
export async function postponeEntry(pool: Pool, { bulkId, place }: EntryName, pauseMs: number): Promise<void> {
  await inUnsyncedTransaction(pool, (client) =>
    client.query(
      `update bulk_entries set next_try_at = now() + interval '1 millisecond' * $4::float8
       where part = $1 and bulk_id = $2 and place = $3 and state = 'pending'`,
      [partOf(bulkId), bulkId, place, pauseMs],
    ),
  );
}

/** Whether it is still to be done; called after its subscription was read, so that giving it up cannot be missed. */
export async function isEntryPending(pool: Pool, { bulkId, place }: EntryName): Promise<boolean> {
  const rows = await pool.query(
    `select 1 from bulk_entries where part = $1 and bulk_id = $2 and place = $3 and state = 'pending'`,
    [partOf(bulkId), bulkId, place],
  );
  return rows.length > 0;
}

/**
 * Finishes an entry without its payment, unless the payment exists. Updates its subscription first: waits for a charge
 * in progress, and a charge that was decided before conflicts.
 */
export async function giveUpEntry(
  pool: Pool,
  { bulkId, place, subscriptionId, paymentId }: DueEntry,
  end: EntryEnd,
): Promise<boolean> {
  return withinTransaction(pool, async (within) => {
    await within.query('update subscriptions set version = version + 1 where part = $1 and id = $2', [
      partOf(subscriptionId),
      subscriptionId,
    ]);
    const found = await within.query('select 1 from payments where part = $1 and id = $2', [
      partOf(paymentId),
      paymentId,
    ]);
    if (found.length > 0) return false;
    await finishEntries(within, [{ bulkId, place, end }]);
    return true;
  });
}

/** The number of pending entries of all merchants. */
export async function countDueEntries(pool: Pool): Promise<number> {
  const [row] = await pool.query<{ count: number }>(
    `select count(*)::int as count from bulk_entries where state = 'pending'`,
  );
  return row?.count ?? 0;
}
