// Bulks: lists of charges or verifications, as rows that any process works off. Each entry is claimed with a lease, so a
// process that dies loses nothing of it, and merchants get their entries done in turn.
import { partOf } from '../domain/id.ts';
import type { Order, WebHook } from '../domain/payment.ts';
import type { SubscriptionKind } from '../domain/agreement.ts';
import { plainId } from './payment-row.ts';
import type { Pool } from './pool.ts';

export type BulkPurpose = 'charge' | 'verification';

export type NewBulk = {
  readonly id: string;
  readonly merchantId: number;
  readonly kind: SubscriptionKind;
  readonly purpose: BulkPurpose;
  /** The merchant's own name of it. */
  readonly externalId?: string;
  /** The Idempotency-Key of the request. */
  readonly key?: string;
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

/** The bulk that was there before, under the same name or key. */
export type FoundBulk = { readonly id: string; readonly isSameRequest: boolean };

/** Undefined when it was made; otherwise the one that was in its way. */
export async function createBulk(pool: Pool, bulk: NewBulk): Promise<FoundBulk | undefined> {
  const { id, merchantId, kind, purpose, externalId = null, key = null, request, webHooks, entries } = bulk;
  const rows = entries.map(({ subscriptionId, paymentId, order, myReference }, place) => ({
    place,
    subscription_id: subscriptionId,
    payment_id: paymentId,
    purchase: order,
    my_reference: myReference,
  }));
  const made = await pool.query(
    `with made as (
       insert into bulks (part, id, merchant_id, kind, purpose, external_id, key, request, web_hooks, entry_count)
       values ($1, $2, $3, $4, $5, $6, $7, decode($8, 'hex'), $9, $10)
       on conflict do nothing
       returning part, id, merchant_id
     ), entries as (
       insert into bulk_entries
         (part, bulk_id, place, merchant_id, subscription_id, payment_id, purchase, my_reference, next_try_at)
       select part, id, place, merchant_id, subscription_id, payment_id, purchase, my_reference, now()
       from made cross join json_to_recordset($11) as entry (
         place integer, subscription_id uuid, payment_id uuid, purchase json, my_reference text
       )
     )
     select 1 from made`,
    [
      partOf(id),
      id,
      merchantId,
      kind,
      purpose,
      externalId,
      key,
      request,
      webHooks ? JSON.stringify(webHooks) : null,
      entries.length,
      JSON.stringify(rows),
    ],
  );
  if (made.length > 0) return undefined;
  const [found] = await pool.query<{ id: string; request: string }>(
    `select id, encode(request, 'hex') as request from bulks
     where part = $1 and merchant_id = $2 and kind = $3 and purpose = $4 and (external_id = $5 or key = $6)
     order by external_id = $5 desc nulls last limit 1`,
    [partOf(id), merchantId, kind, purpose, externalId, key],
  );
  if (found === undefined) throw new Error(`the bulk ${id} met one that is not there`);
  return { id: plainId(found.id), isSameRequest: found.request === request };
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
    `select entry_count as count, not exists (
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

export type DueEntry = {
  readonly bulkId: string;
  readonly place: number;
  readonly merchantId: number;
  readonly kind: SubscriptionKind;
  readonly purpose: BulkPurpose;
  readonly subscriptionId: string;
  readonly paymentId: string;
  readonly order?: Order;
  readonly myReference?: string;
  readonly webHooks?: readonly WebHook[];
  readonly tries: number;
};

export type ClaimOptions = {
  readonly most: number;
  readonly ofMerchant: number;
  /** For so long nobody else takes it up. */
  readonly leaseMs: number;
  /** Only of this bulk. */
  readonly bulkId?: string;
};

// Of each merchant who has something due, a few; a subscription that is in a bulk twice has its turns in order.
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
    where owner.merchant_id is not null
    order by entry.rank limit $1
  )
  update bulk_entries
  set next_try_at = now() + interval '1 millisecond' * $3::float8, tries = tries + 1
  from due
  join bulks on bulks.part = due.part and bulks.id = due.bulk_id
  where bulk_entries.part = due.part and bulk_entries.bulk_id = due.bulk_id and bulk_entries.place = due.place
  returning bulk_entries.bulk_id, bulk_entries.place, bulk_entries.merchant_id, kind, purpose, subscription_id,
    payment_id, purchase, my_reference, web_hooks, tries`;

type DueRow = {
  bulk_id: string;
  place: number;
  merchant_id: string;
  kind: SubscriptionKind;
  purpose: BulkPurpose;
  subscription_id: string;
  payment_id: string;
  purchase: Order | null;
  my_reference: string | null;
  web_hooks: readonly WebHook[] | null;
  tries: number;
};

export async function claimEntries(
  pool: Pool,
  { most, ofMerchant, leaseMs, bulkId }: ClaimOptions,
): Promise<DueEntry[]> {
  const rows = await pool.query<DueRow>(CLAIM, [most, ofMerchant, leaseMs, bulkId ?? null]);
  return rows.map((row) => ({
    bulkId: plainId(row.bulk_id),
    place: row.place,
    merchantId: Number(row.merchant_id),
    kind: row.kind,
    purpose: row.purpose,
    subscriptionId: plainId(row.subscription_id),
    paymentId: plainId(row.payment_id),
    ...(row.purchase && { order: row.purchase }),
    ...(row.my_reference !== null && { myReference: row.my_reference }),
    ...(row.web_hooks && { webHooks: row.web_hooks }),
    tries: row.tries,
  }));
}

export type EntryEnd = {
  readonly state: Exclude<EntryState, 'pending'>;
  readonly chargeId?: string;
  readonly code?: string;
  readonly message?: string;
  readonly source?: string;
};

type EntryName = Pick<DueEntry, 'bulkId' | 'place'>;

/** Writes down what came of it, once; its order is in its payment now. */
export async function finishEntry(pool: Pool, { bulkId, place }: EntryName, end: EntryEnd): Promise<void> {
  await pool.query(
    `update bulk_entries
     set state = $4, charge_id = $5, code = $6, message = $7, source = $8, next_try_at = null, purchase = null
     where part = $1 and bulk_id = $2 and place = $3 and state = 'pending'`,
    [
      partOf(bulkId),
      bulkId,
      place,
      end.state,
      end.chargeId ?? null,
      end.code ?? null,
      end.message ?? null,
      end.source ?? null,
    ],
  );
}

/** Whoever comes next takes it up after the pause. */
export async function postponeEntry(pool: Pool, { bulkId, place }: EntryName, pauseMs: number): Promise<void> {
  await pool.query(
    `update bulk_entries set next_try_at = now() + interval '1 millisecond' * $4::float8
     where part = $1 and bulk_id = $2 and place = $3 and state = 'pending'`,
    [partOf(bulkId), bulkId, place, pauseMs],
  );
}

/** How many entries of all merchants are to be done. */
export async function countDueEntries(pool: Pool): Promise<number> {
  const [row] = await pool.query<{ count: number }>(
    `select count(*)::int as count from bulk_entries where state = 'pending'`,
  );
  return row?.count ?? 0;
}
