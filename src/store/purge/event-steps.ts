// Deletes one page of a merchant's events, or only of their deliveries. Pending deliveries stay, and so do their
// events. It takes only locks that are free, so it waits for no one, and others wait for one page at most.
import type { PoolClient } from 'pg';
import type { Pool } from '../connections/pool.ts';
import { inUnsyncedTransaction } from '../connections/transaction.ts';

const PAGE = 500;

export type What = 'events' | 'deliveries';
export type PurgedRows = { readonly events: number; readonly deliveries: number; readonly lanes: number };
export type Step = PurgedRows & {
  /** Where the next page begins; undefined if nothing of that age is left. */
  readonly next?: number;
};

type Row = {
  position: number;
  part: number;
  subject_id: string;
  version: number;
  ordinal: number;
  is_old: boolean;
  latest: string;
};

/** The oldest expired events after a position. */
async function findOld(pool: Pool, merchantId: number, after: number, keptMs: number): Promise<Row[]> {
  const rows = await pool.query<Row>(
    `select position, part, subject_id, version, ordinal,
       recorded_at < now() - interval '1 millisecond' * $3::float8 as is_old,
       max(recorded_at) over (order by position)::text as latest
     from (
       select * from events where merchant_id = $1 and position > $2 order by position limit ${PAGE}
     ) as page
     order by position`,
    [merchantId, after, keptMs],
  );
  // Positions follow the recording time closely but not exactly: events after one that stays are deleted later.
  const firstToStay = rows.findIndex(({ is_old: isOld }) => !isOld);
  return firstToStay < 0 ? rows : rows.slice(0, firstToStay);
}

/**
 * Recorded before deleting, so that readers do not take deleted events for missing ones. In its own transaction, as it
 * may wait for the counter.
 */
async function mark(client: PoolClient, what: What, merchantId: number, { position, latest }: Row): Promise<void> {
  const forgotten = (each: What): string => `${each}_purged_to = greatest(${each}_purged_to, $2),
    ${each}_purged_before = greatest(${each}_purged_before, date_trunc('milliseconds', $3::timestamptz) + interval '1 ms')`;
  const both = what === 'events' ? `${forgotten('events')},` : '';
  await client.query(
    `update event_counters set ${both} ${forgotten('deliveries')} where merchant_id = $1 and ${what}_purged_to < $2`,
    [merchantId, position, latest],
  );
}

const KEYS = 'select * from unnest($1::smallint[], $2::uuid[], $3::int[], $4::smallint[])';
const SUBJECTS = 'select distinct part, subject_id from unnest($1::smallint[], $2::uuid[]) as page (part, subject_id)';

async function forget(client: PoolClient, what: What, page: readonly Row[]): Promise<PurgedRows> {
  const subjects = [page.map(({ part }) => part), page.map(({ subject_id: id }) => id)];
  const keys = [...subjects, page.map(({ version }) => version), page.map(({ ordinal }) => ordinal)];
  const run = async (text: string, values: unknown[]): Promise<Record<string, unknown>[]> =>
    (await client.query<Record<string, unknown>>(text, values)).rows;
  const of = (rows: Record<string, unknown>[], column: string): unknown[] => rows.map((row) => row[column]);

  // A redelivery references its row: from here on it waits, and it has not been seen before.
  const held =
    what === 'deliveries'
      ? []
      : await run(
          `select event.part, event.subject_id, event.version, event.ordinal from events as event
           join (${KEYS}) as page (part, subject_id, version, ordinal) using (part, subject_id, version, ordinal)
           order by 1, 2, 3, 4 for update of event skip locked`,
          keys,
        );
  const lanes = await run(
    `select lane.part, lane.subject_id, lane.subscriber from lanes as lane
     join (${SUBJECTS}) as page using (part, subject_id)
     order by 1, 2, 3 for update of lane skip locked`,
    subjects,
  );
  const laneKeys = ['part', 'subject_id', 'subscriber'].map((column) => of(lanes, column));
  // Paired here, so that the database looks each up by its key instead of joining two lists.
  const byLane = Map.groupBy(lanes, (lane) => lane['subject_id']);
  const pairs = page.flatMap((event) =>
    (byLane.get(event.subject_id) ?? []).map(({ subscriber }) => ({ ...event, subscriber })),
  );
  const deliveries = await run(
    `delete from deliveries using
       unnest($1::smallint[], $2::uuid[], $3::text[], $4::int[], $5::smallint[])
         as page (part, subject_id, subscriber, version, ordinal)
     where deliveries.part = page.part and deliveries.subject_id = page.subject_id
       and deliveries.subscriber = page.subscriber and deliveries.version = page.version
       and deliveries.ordinal = page.ordinal and deliveries.state <> 'pending'
     returning 1`,
    (['part', 'subject_id', 'subscriber', 'version', 'ordinal'] as const).map((column) =>
      pairs.map((row) => row[column]),
    ),
  );
  const events = await run(
    `delete from events using (${KEYS}) as page (part, subject_id, version, ordinal)
     where events.part = page.part and events.subject_id = page.subject_id and events.version = page.version
       and events.ordinal = page.ordinal and not exists (
         select 1 from deliveries
         where deliveries.part = page.part and deliveries.subject_id = page.subject_id
           and deliveries.version = page.version and deliveries.ordinal = page.ordinal
       )
     returning 1`,
    ['part', 'subject_id', 'version', 'ordinal'].map((column) => of(held, column)),
  );
  const emptied = await run(
    `delete from lanes using unnest($1::smallint[], $2::uuid[], $3::text[]) as page (part, subject_id, subscriber)
     where lanes.part = page.part and lanes.subject_id = page.subject_id and lanes.subscriber = page.subscriber
       and lanes.next_try_at is null and not lanes.leased
       and not exists (
         select 1 from deliveries
         where deliveries.part = page.part and deliveries.subject_id = page.subject_id
           and deliveries.subscriber = page.subscriber
       )
       -- A lane that ended shows why later events were not delivered; it stays as long as they do.
       and (lanes.ended_at is null or not exists (
         select 1 from events where events.part = page.part and events.subject_id = page.subject_id
       ))
     returning 1`,
    laneKeys,
  );
  return { events: events.length, deliveries: deliveries.length, lanes: emptied.length };
}

/** Deletes the merchant's next page after a position. */
export async function purgePage(
  pool: Pool,
  what: What,
  { merchantId, after, keptMs }: { readonly merchantId: number; readonly after: number; readonly keptMs: number },
): Promise<Step> {
  const page = await findOld(pool, merchantId, after, keptMs);
  const last = page.at(-1);
  if (last === undefined) return { events: 0, deliveries: 0, lanes: 0 };
  await inUnsyncedTransaction(pool, (client) => mark(client, what, merchantId, last));
  const purged = await inUnsyncedTransaction(pool, (client) => forget(client, what, page));
  return { ...purged, ...(page.length === PAGE && { next: last.position }) };
}
