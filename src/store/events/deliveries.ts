// Deliveries as shown to people, with their attempts; and sending an event again.
import { eventIdOf, partOf } from '../../domain/id.ts';
import type { EventName } from '../../domain/decision.ts';
import type { StoredEvent } from './events.ts';
import type { Attempt } from './lanes.ts';
import { plainId } from '../statements/payment-row.ts';
import type { Pool } from '../connections/pool.ts';

export type Delivery = {
  readonly eventId: string;
  readonly name: EventName;
  /** What it is about: a payment or a webhook. */
  readonly subjectId: string;
  /** The webhook; undefined for a payment's own hook. */
  readonly webhookId?: string;
  /** For a payment's own hook: its index in the shop's list. */
  readonly hook?: number;
  readonly state: 'pending' | 'delivered' | 'failed' | 'dropped';
  /** How often redelivery was requested; `tries` restart each time. */
  readonly redeliveries: number;
  readonly tries: number;
  readonly nextTryAt?: number;
  /** The total number; if there are very many, only the first and the last are kept. */
  readonly attemptCount: number;
  readonly attempts: readonly Attempt[];
};

export type DeliveryQuery = {
  readonly merchantId: number;
  /** Newest first, before this position. */
  readonly before?: number;
  readonly state?: Delivery['state'];
  readonly limit: number;
};

type Row = {
  part: number;
  subject_id: string;
  subscriber: string;
  hook: number | null;
  state: Delivery['state'];
  redelivery_count: number;
  tries: number;
  attempt_count: number;
  next_try_at: Date | null;
  attempts: Attempt[];
  name: EventName;
  happened_at: Date;
  position: number;
};

const readDelivery = (row: Row): Delivery => ({
  eventId: eventIdOf(row.happened_at.getTime(), row.part, row.position),
  name: row.name,
  subjectId: plainId(row.subject_id),
  ...(row.hook === null ? { webhookId: row.subscriber } : { hook: row.hook }),
  state: row.state,
  redeliveries: row.redelivery_count,
  tries: row.tries,
  ...(row.next_try_at && { nextTryAt: row.next_try_at.getTime() }),
  attemptCount: row.attempt_count,
  attempts: row.attempts,
});

// Deliveries to a disabled webhook have no time; those to a deleted one are dropped, whether or not a worker has
// reached them.
const COLUMNS = `delivery.part, delivery.subject_id, delivery.subscriber, delivery.hook, delivery.redelivery_count,
  delivery.tries, delivery.attempt_count, delivery.attempts,
  case when delivery.state = 'pending' and delivery.hook is null and webhook.id is null then 'dropped'
    else delivery.state end as state,
  case when delivery.hook is not null or (webhook.id is not null and webhook.disabled_at is null)
    then delivery.next_try_at end as next_try_at,
  event.name, event.happened_at, event.position`;
const WITH_WEBHOOK = `left join webhooks as webhook
  on webhook.id = case when delivery.hook is null then delivery.subscriber::uuid end
  and webhook.part = case
    when delivery.hook is null then ('x' || substr(delivery.subscriber, 14, 3))::bit(12)::int
  end`;

/** All deliveries of one event. */
export async function listDeliveriesOfEvent(pool: Pool, event: StoredEvent): Promise<Delivery[]> {
  const rows = await pool.query<Row>(
    `select ${COLUMNS} from deliveries as delivery
     join events as event on event.part = delivery.part and event.subject_id = delivery.subject_id
       and event.version = delivery.version and event.ordinal = delivery.ordinal
     ${WITH_WEBHOOK}
     where delivery.part = $1 and delivery.subject_id = $2 and delivery.version = $3 and delivery.ordinal = $4
     order by delivery.subscriber`,
    [partOf(event.subjectId), event.subjectId, event.version, event.ordinal],
  );
  return rows.map(readDelivery);
}

export type DeliveryPage = {
  readonly deliveries: readonly Delivery[];
  /** The event position where the next page continues; undefined on the last one. */
  readonly next?: number;
};

// Limits of a page, and of the events searched for it, however rare the matches are.
const PAGE_BYTES = 1_048_576;
const MOST_LOOKED_AT = 5_000;

/**
 * A webhook's deliveries, newest event first. The delivery of each event is looked up by key. A page is limited by
 * count, by bytes, and by the number of events searched.
 */
export async function listDeliveriesOfWebhook(
  pool: Pool,
  webhookId: string,
  { merchantId, before = Number.MAX_SAFE_INTEGER, state, limit }: DeliveryQuery,
): Promise<DeliveryPage> {
  const rows = await pool.query<Row & { found: number }>(
    `select * from (
       select found.*, count(*) over () as found,
         sum(bytes) over (order by position desc rows unbounded preceding) - bytes as before
       from (
         select ${COLUMNS}, octet_length(delivery.attempts::text) as bytes
         from (
           select * from events where merchant_id = $1 and position < $3 order by position desc limit ${MOST_LOOKED_AT}
         ) as event
         cross join lateral (
           select * from deliveries where part = event.part and subject_id = event.subject_id and subscriber = $2
             and version = event.version and ordinal = event.ordinal
           limit 1
         ) as delivery
         ${WITH_WEBHOOK}
         ${state === undefined ? '' : 'where delivery.state = $5'}
         order by event.position desc limit $4
       ) as found
     ) as page
     where page.before < ${PAGE_BYTES} order by position desc`,
    // One more than requested shows whether there is a next page.
    [merchantId, webhookId, before, limit + 1, ...(state === undefined ? [] : [state])],
  );
  const deliveries = rows.slice(0, limit).map(readDelivery);
  const last = rows[deliveries.length - 1];
  if (last !== undefined && last.found > deliveries.length) return { deliveries, next: last.position };
  const [lookedAt] = await pool.query<{ position: number }>(
    `select position from events where merchant_id = $1 and position < $2
     order by position desc offset ${MOST_LOOKED_AT - 1} limit 1`,
    [merchantId, before],
  );
  return { deliveries, ...(lookedAt && { next: lookedAt.position }) };
}

// A redelivery starts over: it is due now, with all its tries, and keeps its earlier attempts.
const REVIVE_LANES = `on conflict (part, subject_id, subscriber) do update set
  entry_count = lanes.entry_count + excluded.entry_count, ended_at = null,
  next_try_at = case when lanes.leased then lanes.next_try_at else excluded.next_try_at end`;
const REVIVE_DELIVERIES = `on conflict (part, subject_id, subscriber, version, ordinal) do update set
  state = 'pending', redelivery_count = deliveries.redelivery_count + 1, tries = 0, next_try_at = excluded.next_try_at`;

/** To one webhook, to one of the payment's own hooks, or to all existing endpoints it was sent to. */
export type Addressee = { readonly webhookId?: string; readonly hook?: number };

/** Sends one event again. Returns the number of endpoints. */
export async function redeliverEvent(
  pool: Pool,
  event: StoredEvent,
  { webhookId, hook }: Addressee = {},
): Promise<number> {
  const key = [partOf(event.subjectId), event.subjectId, event.version, event.ordinal];
  const rows = await pool.query(
    `with kept as materialized (
       -- Waits for a concurrent deletion; then there is nothing to send.
       select from events where part = $1 and subject_id = $2 and version = $3 and ordinal = $4 for key share
     ),
     wanted as (
       select subscriber, hook, endpoint from kept cross join deliveries join lanes using (part, subject_id, subscriber)
       where part = $1 and subject_id = $2 and version = $3 and ordinal = $4 and $5::text is null
         and ($7::int is null or hook = $7)
         -- A deleted or disabled webhook would only drop it.
         and (hook is not null or subscriber in (
           select replace(id::text, '-', '') from webhooks where merchant_id = $6 and disabled_at is null
         ))
       union all select $5, null, $5 from kept where $5::text is not null
     ),
     laned as (
       insert into lanes (part, subject_id, subscriber, merchant_id, endpoint, entry_count, next_try_at)
       select $1, $2, subscriber, $6, endpoint, 1, now() from wanted order by subscriber
       ${REVIVE_LANES}
       returning subscriber
     )
     insert into deliveries (part, subject_id, subscriber, version, ordinal, hook, state, next_try_at)
     select $1, $2, subscriber, $3, $4, hook, 'pending', now() from laned join wanted using (subscriber)
     ${REVIVE_DELIVERIES}
     returning 1`,
    [...key, webhookId ?? null, event.merchantId, hook ?? null],
  );
  return rows.length;
}

export type Undelivered = { readonly count: number; readonly oldest: Date };

/** Deliveries that have been due for this long without a try; undefined if there are none. */
export async function findUndelivered(pool: Pool, seconds: number): Promise<Undelivered | undefined> {
  const [row] = await pool.query<{ count: number; oldest: Date | null }>(
    `select count(*)::int as count, min(delivery.next_try_at) as oldest
     from lanes as lane
     join deliveries as delivery on delivery.part = lane.part and delivery.subject_id = lane.subject_id
       and delivery.subscriber = lane.subscriber and delivery.state = 'pending'
     where lane.next_try_at < now() - make_interval(secs => $1)`,
    [seconds],
  );
  return row?.oldest ? { count: row.count, oldest: row.oldest } : undefined;
}
