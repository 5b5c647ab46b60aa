// Bulks: lists of charges or verifications, written as a whole under a name that is unique to the merchant for 30 days,
// and read in pages. A repeated request finds the existing bulk.
import { partOf } from '../../domain/id.ts';
import type { Order, WebHook } from '../../domain/payment.ts';
import type { SubscriptionKind } from '../../domain/agreement.ts';
import { plainId } from '../statements/payment-row.ts';
import type { Pool } from '../connections/pool.ts';
import { sealOf } from '../statements/seals.ts';
import { SYNCHRONOUS_TIMELINE } from '../connections/timeline.ts';
import type { Timeline } from '../connections/timeline.ts';
import type { Write } from './write.ts';

export type BulkPurpose = 'charge' | 'verification';

export type NewBulk = {
  readonly id: string;
  readonly merchantId: number;
  readonly kind: SubscriptionKind;
  readonly purpose: BulkPurpose;
  /** The merchant's name for it. */
  readonly externalId?: string;
  /** The Idempotency-Key of the request. */
  readonly key?: string;
  /** The id of the merchant's key that requested it. */
  readonly createdBy?: string;
  /** SHA-256 of the request's JSON, in hex. */
  readonly request: string;
  readonly webHooks?: readonly WebHook[];
  readonly entries: readonly NewBulkEntry[];
};

export type NewBulkEntry = {
  readonly subscriptionId: string;
  readonly paymentId: string;
  readonly order?: Order;
  readonly myReference?: string;
};

/** The existing bulk with the same name or key. */
export type FoundBulk = { readonly id: string; readonly isSameRequest: boolean };

export type CreatedBulk = 'made' | 'too_many_wait' | FoundBulk;

/** Pending entries of a merchant: days of work for one process, and cheap to count. */
export const MOST_WAITING_ENTRIES = 50_000;
/** And the stored size of their orders: five times that of as many ordinary ones. */
export const MOST_WAITING_BYTES = 268_435_456;

export type MostWaiting = { readonly entries: number; readonly bytes: number };
const MOST_WAITING: MostWaiting = { entries: MOST_WAITING_ENTRIES, bytes: MOST_WAITING_BYTES };

const CREATE = {
  name: 'create_bulk',
  text: `with waiting as (
      select count(*) as entries, coalesce(sum(bytes), 0) + octet_length($11::json::text) as bytes from (
        select pg_column_size(purchase) as bytes from bulk_entries
        where merchant_id = $3::bigint and state = 'pending' limit $12::int
      ) as counted
    ), freed as (
      -- Plugins choose names from a small range, and reuse old ones. A bulk that is still pending is the same one.
      update bulks set external_id = null
      where part = $1::smallint and merchant_id = $3::bigint and kind = $4 and purpose = $5 and external_id = $6
        and created_at < now() - interval '30 days' and not exists (
          select 1 from bulk_entries
          where bulk_entries.part = bulks.part and bulk_entries.bulk_id = bulks.id and state = 'pending'
        )
      returning 1
    ), made as (
      insert into bulks (part, id, merchant_id, kind, purpose, external_id, key, request, web_hooks, entry_count,
        created_by, seal)
      select bulk.*, ${sealOf('bulks', 'bulk')}
      from (
        select $1::smallint as part, $2::uuid as id, $3::bigint as merchant_id, $4::text as kind, $5::text as purpose,
          $6::text as external_id, $7::text as key, decode($8, 'hex') as request, $9::json as web_hooks,
          $10::int as entry_count, $14::text as created_by
      ) as bulk
      cross join waiting where waiting.entries + $10::int <= $12::int and waiting.bytes <= $13::bigint
        -- Runs first, so that the name is free.
        and (select count(*) from freed) >= 0
      on conflict do nothing
      returning part, id, merchant_id
    ), entries as (
      insert into bulk_entries
        (part, bulk_id, place, merchant_id, subscription_id, payment_id, purchase, my_reference, next_try_at, seal)
      select part, id, place, merchant_id, subscription_id, payment_id, purchase, my_reference, now(),
        ${sealOf('bulk_entries', 'entry', { part: 'part', bulk_id: 'id', merchant_id: 'merchant_id' })}
      from made cross join json_to_recordset($11::json) as entry (
        place integer, subscription_id uuid, payment_id uuid, purchase json, my_reference text
      )
    )
    select (select count(*) from made), entries + $10::int > $12::int or bytes > $13::bigint from waiting`,
};

type FoundRow = { id: string; request: string; timeline: Timeline | null };

/** An existing bulk is only reported once a synchronous standby has it as well. */
async function findBulk(store: BulkStore, bulk: NewBulk): Promise<FoundBulk | undefined> {
  const { id, merchantId, kind, purpose, externalId = null, key = null, request } = bulk;
  const [found] = await store.pool.query<FoundRow>(
    `select id, encode(request, 'hex') as request,
       ${SYNCHRONOUS_TIMELINE} as timeline
     from bulks
     where part = $1 and merchant_id = $2 and kind = $3 and purpose = $4 and (external_id = $5 or key = $6)
     order by external_id = $5 desc nulls last limit 1`,
    [partOf(id), merchantId, kind, purpose, externalId, key],
  );
  if (found === undefined) return undefined;
  if (found.timeline !== null) await store.confirm(found.timeline);
  return { id: plainId(found.id), isSameRequest: found.request === request };
}

type BulkStore = { readonly pool: Pool; readonly write: Write; confirm(found?: Timeline): Promise<void> };

export async function createBulk(store: BulkStore, bulk: NewBulk, most = MOST_WAITING): Promise<CreatedBulk> {
  const { id, merchantId, kind, purpose, externalId = null, key = null, request, webHooks, entries } = bulk;
  const rows = entries.map(({ subscriptionId, paymentId, order, myReference }, place) => ({
    place,
    subscription_id: subscriptionId,
    payment_id: paymentId,
    purchase: order,
    my_reference: myReference,
  }));
  const hooks = webHooks ? JSON.stringify(webHooks) : null;
  const name = [partOf(id), id, merchantId, kind, purpose, externalId, key, request];
  const bounds = [most.entries, most.bytes];
  const values = [...name, hooks, entries.length, JSON.stringify(rows), ...bounds, bulk.createdBy ?? null];
  const [row] = await store.write({ merchantId, statement: CREATE, values });
  if (row?.[0] === '1') return 'made';
  const found = await findBulk(store, bulk);
  if (found) return found;
  if (row?.[1] === 't') return 'too_many_wait';
  throw new Error(`the bulk ${id} met one that is not there`);
}

export type EntryState = 'pending' | 'succeeded' | 'failed';

export type BulkEntry = {
  readonly subscriptionId: string;
  readonly paymentId: string;
  readonly state: EntryState;
  readonly chargeId?: string;
  readonly code?: string;
  readonly message?: string;
  readonly source?: string;
};

export type BulkPage = { readonly entries: readonly BulkEntry[]; readonly count: number; readonly isDone: boolean };

export type BulkQuery = {
  readonly merchantId: number;
  readonly kind: SubscriptionKind;
  readonly purpose: BulkPurpose;
  readonly id: string;
  readonly skip: number;
  readonly take: number;
};

type EntryRow = {
  subscription_id: string;
  payment_id: string;
  state: EntryState;
  charge_id: string | null;
  code: string | null;
  message: string | null;
  source: string | null;
};

const readEntry = (row: EntryRow): BulkEntry => ({
  subscriptionId: plainId(row.subscription_id),
  paymentId: plainId(row.payment_id),
  state: row.state,
  ...(row.charge_id !== null && { chargeId: plainId(row.charge_id) }),
  ...(row.code !== null && { code: row.code }),
  ...(row.message !== null && { message: row.message }),
  ...(row.source !== null && { source: row.source }),
});

export async function readBulk(pool: Pool, query: BulkQuery): Promise<BulkPage | undefined> {
  const { merchantId, kind, purpose, id, skip, take } = query;
  const place = [partOf(id), id];
  const [bulk] = await pool.query<{ count: number; is_done: boolean }>(
    `select case when forgotten_at is null then entry_count else 0 end as count, not exists (
       select 1 from bulk_entries
       where bulk_entries.part = bulks.part and bulk_entries.bulk_id = bulks.id and state = 'pending'
     ) as is_done
     from bulks where part = $1 and id = $2 and merchant_id = $3 and kind = $4 and purpose = $5`,
    [...place, merchantId, kind, purpose],
  );
  if (bulk === undefined) return undefined;
  const rows = await pool.query<EntryRow>(
    `select subscription_id, payment_id, state, charge_id, code, message, source from bulk_entries
     where part = $1 and bulk_id = $2 and place >= $3 order by place limit $4`,
    [...place, skip, take],
  );
  return { entries: rows.map(readEntry), count: bulk.count, isDone: bulk.is_done };
}
