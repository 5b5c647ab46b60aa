// Reads events: a merchant's, in the order of their positions; and those of one payment, for the demo.
import type { EventName } from '../../domain/decision.ts';
import { eventIdOf, partOf, positionOf } from '../../domain/id.ts';
import { plainId } from '../statements/payment-row.ts';
import type { Pool } from '../connections/pool.ts';

export type StoredEvent = {
  readonly id: string;
  readonly merchantId: number;
  readonly position: number;
  readonly name: EventName;
  readonly at: number;
  /** The payment's id; for an event without a payment, the webhook's. */
  readonly subjectId: string;
  readonly version: number;
  readonly ordinal: number;
  readonly movementId?: string;
  /** The content of an event without a payment. */
  readonly data?: object;
};

export type EventQuery = {
  readonly merchantId: number;
  readonly paymentId?: string;
  readonly names?: readonly EventName[];
  /** Only events after this position. */
  readonly after?: number;
  /** Only events recorded then or later. */
  readonly sinceMs?: number;
  readonly limit: number;
};

type Row = {
  merchant_id: number;
  position: number;
  name: EventName;
  happened_at: Date;
  part: number;
  subject_id: string;
  version: number;
  ordinal: number;
  movement_id: string | null;
  data: object | null;
};

const readEvent = (row: Row): StoredEvent => ({
  id: eventIdOf(row.happened_at.getTime(), row.part, row.position),
  merchantId: row.merchant_id,
  position: row.position,
  name: row.name,
  at: row.happened_at.getTime(),
  subjectId: plainId(row.subject_id),
  version: row.version,
  ordinal: row.ordinal,
  ...(row.movement_id !== null && { movementId: plainId(row.movement_id) }),
  ...(row.data !== null && { data: row.data }),
});

const COLUMNS = 'merchant_id, position, name, happened_at, part, subject_id, version, ordinal, movement_id, data';

export type EventPage = {
  readonly events: readonly StoredEvent[];
  /** Where the search stopped, if it reached its limit before the page was full: there may be more after it. */
  readonly lookedTo?: number;
};

// Events searched for a page: some ten milliseconds, however rare the matches are.
const MOST_LOOKED_AT = 10_000;

/**
 * The statement for the given filters: $1 merchant, $2 position, $3 limit, then the others. A payment's events are few
 * and found by key; a merchant's are walked in order, a limited number at a time.
 */
function eventListStatement({ names, sinceMs, paymentId }: EventQuery): { text: string; isWalked: boolean } {
  const filters = [names && 'name = any ($N::text[])', sinceMs !== undefined && 'recorded_at >= $N::timestamptz'];
  const wheres = filters.filter(Boolean).map((filter, index) => String(filter).replace('$N', `$${index + 4}`));
  const where = wheres.length > 0 ? `where ${wheres.join(' and ')}` : '';
  const ofMerchant = `select * from events where merchant_id = $1 and position > $2`;
  if (paymentId !== undefined) {
    const key = `part = $${wheres.length + 4} and subject_id = $${wheres.length + 5}`;
    const text = `with of_payment as materialized (${ofMerchant} and ${key})
      select ${COLUMNS} from of_payment ${where} order by position limit $3`;
    return { text, isWalked: false };
  }
  if (where === '')
    return {
      text: `select ${COLUMNS} from (${ofMerchant} order by position limit $3) as page order by position`,
      isWalked: false,
    };
  const text = `select ${COLUMNS} from (${ofMerchant} order by position limit ${MOST_LOOKED_AT}) as looked_at
    ${where} order by position limit $3`;
  return { text, isWalked: true };
}

/** Published events, oldest first. */
export async function listEvents(pool: Pool, query: EventQuery): Promise<EventPage> {
  const { merchantId, paymentId, names, after = 0, sinceMs, limit } = query;
  const { text, isWalked } = eventListStatement(query);
  const values: unknown[] = [merchantId, after, limit];
  if (names) values.push(names);
  if (sinceMs !== undefined) values.push(new Date(sinceMs));
  if (paymentId !== undefined) values.push(partOf(paymentId), paymentId);
  const events = (await pool.query<Row>(text, values)).map(readEvent);
  if (!isWalked || events.length >= limit) return { events };
  const [last] = await pool.query<{ position: number }>(
    `select position from events where merchant_id = $1 and position > $2
     order by position offset ${MOST_LOOKED_AT - 1} limit 1`,
    [merchantId, after],
  );
  return { events, ...(last && { lookedTo: last.position }) };
}

/** Events of a payment about these movements or, without any, about no movement; oldest first. */
export async function listEventsOfMovements(
  pool: Pool,
  { merchantId, paymentId }: { readonly merchantId: number; readonly paymentId: string },
  movementIds: readonly string[] | 'none',
  limit: number,
): Promise<StoredEvent[]> {
  const which = movementIds === 'none' ? 'movement_id is null' : 'movement_id = any ($5::uuid[])';
  const values = [merchantId, partOf(paymentId), paymentId, limit, ...(movementIds === 'none' ? [] : [movementIds])];
  const rows = await pool.query<Row>(
    `with of_payment as materialized (
       select * from events where part = $2 and subject_id = $3 and merchant_id = $1 and position is not null and ${which}
     ) select ${COLUMNS} from of_payment order by position limit $4`,
    values,
  );
  return rows.map(readEvent);
}

/** The merchant's event with that id. */
export async function findEvent(pool: Pool, merchantId: number, id: string): Promise<StoredEvent | undefined> {
  const rows = await pool.query<Row>(`select ${COLUMNS} from events where merchant_id = $1 and position = $2`, [
    merchantId,
    positionOf(id),
  ]);
  const event = rows[0] && readEvent(rows[0]);
  return event?.id === id ? event : undefined;
}

/** The positions of merchants' latest events; a merchant without events is missing. */
export async function lastPositions(pool: Pool, merchantIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await pool.query<{ merchant_id: number; last: number }>(
    'select merchant_id, last from event_counters where merchant_id = any ($1)',
    [merchantIds],
  );
  return new Map(rows.map(({ merchant_id: merchantId, last }) => [merchantId, last]));
}

export type KeptEvents = {
  readonly last: number;
  /** Events up to this position were deleted, except those still in delivery. */
  readonly purgedTo: number;
  /** Events recorded before then were deleted, and their deliveries; in milliseconds. */
  readonly purgedBefore?: number;
  readonly deliveriesPurgedBefore?: number;
};

/** The retention of a merchant's events. */
export async function readKeptEvents(pool: Pool, merchantId: number): Promise<KeptEvents> {
  const [row] = await pool.query<{ last: number; to: number; before: Date | null; deliveries_before: Date | null }>(
    `select last, events_purged_to as to, events_purged_before as before,
       deliveries_purged_before as deliveries_before
     from event_counters where merchant_id = $1`,
    [merchantId],
  );
  return {
    last: row?.last ?? 0,
    purgedTo: row?.to ?? 0,
    ...(row?.before && { purgedBefore: row.before.getTime() }),
    ...(row?.deliveries_before && { deliveriesPurgedBefore: row.deliveries_before.getTime() }),
  };
}

/** Whether a merchant has an event at this position. */
export const isEventAt = async (pool: Pool, merchantId: number, position: number): Promise<boolean> =>
  (await pool.query('select 1 from events where merchant_id = $1 and position = $2', [merchantId, position])).length >
  0;

/** The merchant's last event at or before a position. */
export async function findEventUpTo(
  pool: Pool,
  merchantId: number,
  position: number,
): Promise<StoredEvent | undefined> {
  const rows = await pool.query<Row>(
    `select ${COLUMNS} from events where merchant_id = $1 and position <= $2 order by position desc limit 1`,
    [merchantId, position],
  );
  return rows[0] && readEvent(rows[0]);
}

/** The position of the merchant's latest event; 0 if there is none. */
export async function lastPosition(pool: Pool, merchantId: number): Promise<number> {
  return (await lastPositions(pool, [merchantId])).get(merchantId) ?? 0;
}

/** Positions follow the recording time closely but not exactly: a commit may take as long as the statement timeout. */
const RECORDING_TAKES_MS = 60_000;

/** The last position recorded before this time, found by binary search. */
async function lastPositionBefore(pool: Pool, merchantId: number, atMs: number): Promise<number> {
  let earlier = 0;
  let later = (await lastPosition(pool, merchantId)) + 1;
  while (later - earlier > 1) {
    const middle = Math.floor((earlier + later) / 2);
    const [event] = await pool.query<{ recorded_at: Date }>(
      `select recorded_at from events where merchant_id = $1 and position <= $2 order by position desc limit 1`,
      [merchantId, middle],
    );
    if (event === undefined || event.recorded_at.getTime() < atMs) earlier = middle;
    else later = middle;
  }
  return earlier;
}

/** A position after which all events recorded then or later come. */
export const positionBefore = (pool: Pool, merchantId: number, atMs: number): Promise<number> =>
  lastPositionBefore(pool, merchantId, atMs - RECORDING_TAKES_MS);

/** A position after which no event recorded then or earlier comes. */
export const positionAfter = (pool: Pool, merchantId: number, atMs: number): Promise<number> =>
  lastPositionBefore(pool, merchantId, atMs + RECORDING_TAKES_MS + 1);

export type EventOfPayment = {
  readonly name: string;
  readonly at: number;
  readonly amount?: number;
  /** Why a movement was declined, for the merchant. */
  readonly reason?: string;
};

type ToldRow = { name: string; at: Date; amount: number | null; reason: string | null };

/** The events of a payment, without duplicates. */
export async function listEventsOfPayment(pool: Pool, paymentId: string): Promise<EventOfPayment[]> {
  const rows = await pool.query<ToldRow>(
    `select event.name, event.happened_at as at, movement.amount, movement.reason
     from events as event
     left join movements as movement on movement.part = event.part and movement.id = event.movement_id
     where event.part = $1 and event.subject_id = $2 and event.name not like '%.v2'
     order by event.version, event.ordinal`,
    [partOf(paymentId), paymentId],
  );
  return rows.map(({ name, at, amount, reason }) => ({
    name,
    at: at.getTime(),
    ...(amount !== null && { amount }),
    ...(reason !== null && { reason }),
  }));
}
