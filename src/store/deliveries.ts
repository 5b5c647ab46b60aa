// Deliveries as people look at them: what was tried, and sending again.
import { eventIdOf, partOf } from '../domain/id.ts';
import type { EventName } from '../domain/decision.ts';
import type { StoredEvent } from './events.ts';
import type { Attempt } from './lanes.ts';
import type { Pool } from './pool.ts';
import type { Webhook } from './webhooks.ts';

export type Delivery = {
  readonly eventId: string;
  readonly name: EventName;
  /** The webhook, or nothing for a payment's own hook. */
  readonly webhookId?: string;
  /** A payment's own hook: its place in the list that the shop gave. */
  readonly hook?: number;
  readonly state: 'pending' | 'delivered' | 'failed' | 'dropped';
  readonly tries: number;
  readonly nextTryAt?: number;
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
  subscriber: string;
  hook: number | null;
  state: Delivery['state'];
  tries: number;
  next_try_at: Date | null;
  attempts: Attempt[];
  name: EventName;
  at: Date;
  position: number;
};

const readDelivery = (row: Row): Delivery => ({
  eventId: eventIdOf(row.at.getTime(), row.part, row.position),
  name: row.name,
  ...(row.hook === null ? { webhookId: row.subscriber } : { hook: row.hook }),
  state: row.state,
  tries: row.tries,
  ...(row.next_try_at && { nextTryAt: row.next_try_at.getTime() }),
  attempts: row.attempts,
});

const COLUMNS = `delivery.part, delivery.subscriber, delivery.hook, delivery.state, delivery.tries,
  delivery.next_try_at, delivery.attempts, event.name, event.at, event.position`;

/** All deliveries of one event. */
export async function listDeliveriesOfEvent(pool: Pool, event: StoredEvent): Promise<Delivery[]> {
  const rows = await pool.query<Row>(
    `select ${COLUMNS} from deliveries as delivery
     join events as event on event.part = delivery.part and event.payment_id = delivery.payment_id
       and event.version = delivery.version and event.ordinal = delivery.ordinal
     where delivery.part = $1 and delivery.payment_id = $2 and delivery.version = $3 and delivery.ordinal = $4
     order by delivery.subscriber`,
    [partOf(event.subjectId), event.subjectId, event.version, event.ordinal],
  );
  return rows.map(readDelivery);
}

/** A webhook's deliveries, newest event first. */
export async function listDeliveriesOfWebhook(
  pool: Pool,
  webhookId: string,
  { merchantId, before, state, limit }: DeliveryQuery,
): Promise<Delivery[]> {
  const rows = await pool.query<Row>(
    `select ${COLUMNS} from events as event
     join deliveries as delivery on delivery.part = event.part and delivery.payment_id = event.payment_id
       and delivery.subscriber = $2 and delivery.version = event.version and delivery.ordinal = event.ordinal
     where event.merchant_id = $1 and event.position is not null and ($3::bigint is null or event.position < $3)
       and ($4::text is null or delivery.state = $4)
     order by event.position desc limit $5`,
    [merchantId, webhookId, before ?? null, state ?? null, limit],
  );
  return rows.map(readDelivery);
}

// What is sent again begins anew: it is due now, with all its tries, and keeps the attempts that there were.
const REVIVE_LANES = `on conflict (part, payment_id, subscriber) do update set
  added = lanes.added + excluded.added, ended_at = null,
  next_try_at = case when lanes.leased then lanes.next_try_at else excluded.next_try_at end`;
const REVIVE_DELIVERIES = `on conflict (part, payment_id, subscriber, version, ordinal) do update set
  state = 'pending', tries = 0, next_try_at = excluded.next_try_at`;

/** Sends one event again: to one webhook, or to all that are there of those it was sent to. Gives to how many. */
export async function redeliverEvent(pool: Pool, event: StoredEvent, webhookId?: string): Promise<number> {
  const key = [partOf(event.subjectId), event.subjectId, event.version, event.ordinal];
  const rows = await pool.query(
    `with wanted as (
       select subscriber, hook, endpoint from deliveries join lanes using (part, payment_id, subscriber)
       where part = $1 and payment_id = $2 and version = $3 and ordinal = $4 and $5::text is null
         -- A webhook that is gone or switched off would only drop it.
         and (hook is not null or subscriber in (
           select replace(id::text, '-', '') from webhooks where merchant_id = $6 and disabled_at is null
         ))
       union all select $5, null, $5 where $5::text is not null
     ),
     laned as (
       insert into lanes (part, payment_id, subscriber, merchant_id, endpoint, added, next_try_at)
       select $1, $2, subscriber, $6, endpoint, 1, now() from wanted
       ${REVIVE_LANES}
     )
     insert into deliveries (part, payment_id, subscriber, version, ordinal, hook, state, next_try_at)
     select $1, $2, subscriber, $3, $4, hook, 'pending', now() from wanted
     ${REVIVE_DELIVERIES}
     returning 1`,
    [...key, webhookId ?? null, event.merchantId],
  );
  return rows.length;
}

const PAGE = 1_000;
// Positions follow the time of their happening closely, not exactly: two processes have two clocks.
const CLOCKS_DIFFER_MS = 300_000;

/** Sends again to a webhook what it wants of all that happened since then. In pages, newest first. Gives how many. */
export async function redeliverSince(pool: Pool, webhook: Webhook, sinceMs: number): Promise<number> {
  let before: number | null = null;
  let count = 0;
  for (;;) {
    const rows: { position: number; at: Date; is_sent: boolean }[] = await pool.query(
      `with page as (
         select * from events
         where merchant_id = $1 and position is not null and ($2::bigint is null or position < $2)
         order by position desc limit ${PAGE}
       ),
       wanted as (
         select * from page where at >= $3 and payment_id <> $4::uuid and ($5::text[] is null or name = any ($5))
       ),
       laned as (
         insert into lanes (part, payment_id, subscriber, merchant_id, endpoint, added, next_try_at)
         select part, payment_id, $6, $1, $6, count(*), now() from wanted group by part, payment_id
         ${REVIVE_LANES}
       ),
       revived as (
         insert into deliveries (part, payment_id, subscriber, version, ordinal, state, next_try_at)
         select part, payment_id, $6, version, ordinal, 'pending', now() from wanted
         ${REVIVE_DELIVERIES}
       )
       select position, at, exists (select 1 from wanted where wanted.position = page.position) as is_sent
       from page order by position desc`,
      [webhook.merchantId, before, new Date(sinceMs), webhook.id, webhook.events ?? null, webhook.id],
    );
    count += rows.filter(({ is_sent: isSent }) => isSent).length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE || last.at.getTime() < sinceMs - CLOCKS_DIFFER_MS) return count;
    before = last.position;
  }
}

export type Backlog = { readonly lanes: number; readonly oldestSeconds: number; readonly unpublished: number };

/** How much is waiting to be delivered, and for how long the oldest of it is due. */
export async function countBacklog(pool: Pool): Promise<Backlog> {
  const [row] = await pool.query<Backlog>(
    `select
       (select count(*)::int from lanes where next_try_at is not null) as lanes,
       (select coalesce(extract(epoch from now() - min(next_try_at)), 0)::float8 from lanes
        where next_try_at <= now()) as "oldestSeconds",
       (select count(*)::int from events where position is null) as unpublished`,
  );
  return row ?? { lanes: 0, oldestSeconds: 0, unpublished: 0 };
}
