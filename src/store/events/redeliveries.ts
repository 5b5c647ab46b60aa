// Redeliveries: sending all events since a time to a webhook again. That can be millions, so a redelivery is a row with
// a position in the log, which any process advances in small steps. It can be read and cancelled meanwhile, and
// survives a crash.
import type { EventName } from '../../domain/decision.ts';
import { partOf } from '../../domain/id.ts';
import { lastPosition, positionAfter, positionBefore } from './events.ts';
import { plainId } from '../statements/payment-row.ts';
import type { Pool } from '../connections/pool.ts';
import { readStatement } from '../statements/statement.ts';
import type { Webhook } from './webhooks.ts';

export type RedeliveryState = 'running' | 'completed' | 'cancelled' | 'webhook_disabled' | 'webhook_deleted';

export type Redelivery = {
  readonly id: string;
  readonly merchantId: number;
  readonly webhookId: string;
  readonly sinceMs: number;
  readonly untilMs?: number;
  readonly names?: readonly EventName[];
  readonly onlyFailed: boolean;
  readonly state: RedeliveryState;
  /** How many events it has checked, about how many there are, and how many are sent again. */
  readonly events: number;
  readonly ofEvents: number;
  readonly deliveries: number;
  readonly createdAt: number;
  readonly endedAt?: number;
};

export type NewRedelivery = {
  readonly id: string;
  readonly webhook: Webhook;
  /** Only events from then on. */
  readonly sinceMs: number;
  /** Only events until then. */
  readonly untilMs?: number;
  /** Only these of the webhook's events. */
  readonly names?: readonly EventName[];
  /** Only events that it has not received: failed, pending or never sent. */
  readonly onlyFailed?: boolean;
};

type Row = {
  id: string;
  merchant_id: number;
  webhook_id: string;
  since: Date;
  until: Date | null;
  event_names: EventName[] | null;
  only_failed: boolean;
  state: RedeliveryState;
  first_position: number;
  last_position: number;
  event_count: number;
  delivery_count: number;
  created_at: Date;
  ended_at: Date | null;
};

const readRedelivery = (row: Row): Redelivery => ({
  id: plainId(row.id),
  merchantId: row.merchant_id,
  webhookId: plainId(row.webhook_id),
  sinceMs: row.since.getTime(),
  ...(row.until && { untilMs: row.until.getTime() }),
  ...(row.event_names && { names: row.event_names }),
  onlyFailed: row.only_failed,
  state: row.state,
  events: row.event_count,
  ofEvents: Math.max(row.event_count, row.last_position - row.first_position),
  deliveries: row.delivery_count,
  createdAt: row.created_at.getTime(),
  ...(row.ended_at && { endedAt: row.ended_at.getTime() }),
});

/** Running redeliveries of a merchant; a webhook never has more than one. */
const MOST_REDELIVERIES = 4;
// The request that creates it takes the first steps, and so sees a small one complete; if it dies, others continue
// after this.
const FIRST_STEPS_WITHIN = `interval '5 seconds'`;

/** Undefined if there is one to this webhook, or the merchant has reached the limit. */
export async function createRedelivery(pool: Pool, asked: NewRedelivery): Promise<Redelivery | undefined> {
  const { id, webhook, sinceMs, untilMs, names, onlyFailed = false } = asked;
  const { merchantId } = webhook;
  const after = await positionBefore(pool, merchantId, sinceMs);
  const last = await (untilMs === undefined
    ? lastPosition(pool, merchantId)
    : positionAfter(pool, merchantId, untilMs));
  const rows = await pool.query<Row>(
    `insert into redeliveries
       (part, id, merchant_id, webhook_id, since, until, event_names, only_failed, first_position, position, last_position,
        next_step_at)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $9, greatest($9, $10::bigint), now() + ${FIRST_STEPS_WITHIN}
     where (
       select count(*) from redeliveries where part = $1 and merchant_id = $3 and ended_at is null
     ) < ${MOST_REDELIVERIES}
     on conflict (part, webhook_id) where ended_at is null do nothing
     returning *`,
    [
      partOf(webhook.id),
      id,
      merchantId,
      webhook.id,
      new Date(sinceMs),
      untilMs === undefined ? null : new Date(untilMs),
      names ?? null,
      onlyFailed,
      after,
      last,
    ],
  );
  return rows[0] && readRedelivery(rows[0]);
}

/** Events per step. A step takes milliseconds, and holds its locks for that long. */
const EVENTS_OF_A_STEP = 500;
// Deliveries that may be due before more are added: so new events need not wait for the whole redelivery.
const MOST_DUE = 2_000;
const PAUSE_MS = 100;
const PAUSE_WHEN_ENOUGH_MS = 1_000;

const STEP = readStatement('redeliver');

export type Step = { readonly redelivery: Redelivery; readonly made: number };

/** Advances one: by id, or the next in turn. Undefined if there is none, or other processes have them. */
export async function stepRedelivery(pool: Pool, id?: string): Promise<Step | undefined> {
  const [row] = await pool.query<Row & { made: number }>(STEP.text, [
    id === undefined ? null : partOf(id),
    id ?? null,
    EVENTS_OF_A_STEP,
    MOST_DUE,
    PAUSE_MS,
    PAUSE_WHEN_ENOUGH_MS,
  ]);
  return row && { redelivery: readRedelivery(row), made: row.made };
}

/** A webhook's redelivery with that id. */
export async function findRedelivery(pool: Pool, webhookId: string, id: string): Promise<Redelivery | undefined> {
  const rows = await pool.query<Row>('select * from redeliveries where part = $1 and id = $2 and webhook_id = $3', [
    partOf(webhookId),
    id,
    webhookId,
  ]);
  return rows[0] && readRedelivery(rows[0]);
}

/** The latest of a webhook, newest first. */
export async function listRedeliveries(pool: Pool, webhookId: string, limit: number): Promise<Redelivery[]> {
  const rows = await pool.query<Row>(
    'select * from redeliveries where part = $1 and webhook_id = $2 order by id desc limit $3',
    [partOf(webhookId), webhookId, limit],
  );
  return rows.map(readRedelivery);
}

/** Cancels a running one; deliveries already queued stay. False if it had ended. */
export async function cancelRedelivery(pool: Pool, webhookId: string, id: string): Promise<boolean> {
  const rows = await pool.query(
    `update redeliveries set state = 'cancelled', ended_at = now()
     where part = $1 and id = $2 and webhook_id = $3 and ended_at is null returning id`,
    [partOf(webhookId), id, webhookId],
  );
  return rows.length > 0;
}
