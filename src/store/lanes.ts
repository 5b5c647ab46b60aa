// Lanes as the deliverer works on them: claimed with a lease, loaded, recorded. Several processes share the work; one
// that dies leaves its lanes to the others when the lease is over.
import type { EventName } from '../domain/decision.ts';
import { eventIdOf, partOf } from '../domain/id.ts';
import type { StoredEvent } from './events.ts';
import { plainId } from './load.ts';
import type { Pool, TextRow } from './pool.ts';
import { readStatement } from './statement.ts';

export type LaneKey = { readonly paymentId: string; readonly subscriber: string };

/** An event on its way. */
export type Due = {
  readonly event: StoredEvent;
  /** Which of the payment's own hooks it is sent for. */
  readonly hook?: number;
  /** How often somebody had asked for it again. */
  readonly asked: number;
  readonly tries: number;
  /** How long it is to wait still, by the clock of the database. */
  readonly waitMs: number;
};

export type Lane = LaneKey & {
  readonly endpoint: string;
  readonly merchantId: number;
  readonly claims: number;
  readonly added: number;
  readonly isEnded: boolean;
  /** Undefined for a payment's own hooks, and for a webhook that is gone. */
  readonly webhook?: { readonly url: string; readonly secrets: readonly string[]; readonly isDisabled: boolean };
  /** In the order in which they happened. */
  readonly due: readonly Due[];
};

export type Attempt = {
  readonly at: string;
  readonly ms: number;
  readonly status?: number;
  readonly error?: string;
  /** The first bytes of what was answered. */
  readonly answer?: string;
};

export type DeliveryResult = {
  readonly due: Due;
  readonly state: 'pending' | 'delivered' | 'failed' | 'dropped';
  /** A pending one's: how long it is to wait. */
  readonly waitMs?: number;
  readonly attempts: readonly Attempt[];
};

export type LaneResult = {
  readonly lane: Lane;
  readonly deliveries: readonly DeliveryResult[];
  /** After which time there is something to do again; undefined: when something is put in. */
  readonly waitMs?: number;
  readonly isEnded: boolean;
  /** What the attempts say of the webhook. */
  readonly seen?: 'ok' | 'failing' | 'gone';
};

const DUE_ENDPOINTS = readStatement('due-endpoints');
const CLAIM = readStatement('claim-lanes');
const LOAD = readStatement('load-lanes');
const RECORD = readStatement('record');

/** How long a lane is left to whoever claimed it. */
export const LEASE_S = 30;
/** A webhook that fails for so long, without a success, is switched off. */
const DAYS_TO_SWITCH_OFF = 3;
/** Endpoints that one look passes. */
const MOST_STEPS = 2_000;

export type DueEndpoints = {
  readonly names: readonly string[];
  /** Where the next look begins; undefined when all were seen. */
  readonly next?: string;
};

/** Endpoints that have something to do, of the next few after one. */
export async function listDueEndpoints(pool: Pool, after: string): Promise<DueEndpoints> {
  const rows = await pool.run(DUE_ENDPOINTS, [after, MOST_STEPS]);
  const names = rows.filter(([, isDue]) => isDue === 't').map(([endpoint]) => endpoint as string);
  const next = rows.length === MOST_STEPS ? rows.at(-1)?.[0] : undefined;
  return { names, ...(next != null && { next }) };
}

type DueRow = [
  version: number,
  ordinal: number,
  hook: number | null,
  asked: number,
  tries: number,
  waitMs: number,
  name: EventName,
  at: string,
  movementId: string | null,
  position: number,
  data: object | null,
];

function readDue(row: DueRow, merchantId: number, paymentId: string): Due {
  const [version, ordinal, hook, asked, tries, waitMs, name, atText, movementId, position, data] = row;
  const at = Date.parse(atText);
  const event: StoredEvent = {
    id: eventIdOf(at, partOf(paymentId), position),
    merchantId,
    position,
    name,
    at,
    subjectId: paymentId,
    version,
    ordinal,
    ...(movementId !== null && { movementId: plainId(movementId) }),
    ...(data !== null && { data }),
  };
  return { event, asked, tries, waitMs, ...(hook !== null && { hook }) };
}

type WebhookRow = [url: string, secret: string, oldSecret: string | null, isDisabled: boolean];

function readLane(row: TextRow): Lane {
  const [, uuid = '', subscriber = '', endpoint = '', merchant, claims, added, isEnded, webhookText, dueText] = row;
  const paymentId = plainId(uuid as string);
  const merchantId = Number(merchant);
  const [url, secret, oldSecret, isDisabled] = JSON.parse(webhookText ?? '[]') as Partial<WebhookRow>;
  const due = (JSON.parse(dueText ?? '[]') as DueRow[]).map((found) => readDue(found, merchantId, paymentId));
  return {
    paymentId,
    subscriber: subscriber as string,
    endpoint: endpoint as string,
    merchantId,
    claims: Number(claims),
    added: Number(added),
    isEnded: isEnded === 't',
    ...(url !== undefined &&
      secret !== undefined && {
        webhook: { url, secrets: oldSecret ? [secret, oldSecret] : [secret], isDisabled: isDisabled === true },
      }),
    due,
  };
}

/** Claims lanes, for each endpoint as many as there is room for. */
export async function claimLanes(pool: Pool, rooms: ReadonlyMap<string, number>): Promise<Lane[]> {
  const wanted = [...rooms].map(([endpoint, room]) => ({ endpoint, room }));
  const claimed = await pool.run(CLAIM, [JSON.stringify(wanted), LEASE_S]);
  if (claimed.length === 0) return [];
  const keys = claimed.map(([part, paymentId, subscriber]) => ({ part, subject_id: paymentId, subscriber }));
  return (await pool.run(LOAD, [JSON.stringify(keys)])).map(readLane);
}

const orderOf = ({ lane }: LaneResult): string => `${partOf(lane.paymentId)} ${lane.paymentId} ${lane.subscriber}`;

/** What was seen of one webhook in several lanes: that it is gone counts most, then that it took something. */
function seenOf(results: readonly LaneResult[]): object[] {
  const seen = new Map<string, LaneResult['seen']>();
  for (const { lane, seen: now } of results) {
    if (now === undefined || lane.webhook === undefined) continue;
    const before = seen.get(lane.subscriber);
    if (before !== 'gone' && !(before === 'ok' && now === 'failing')) seen.set(lane.subscriber, now);
  }
  const sorted = [...seen].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([id, what]) => ({ part: partOf(id), id, ok: what === 'ok', gone: what === 'gone' }));
}

/** Gives the endpoints that have something to do at once. */
export async function recordLanes(pool: Pool, results: readonly LaneResult[]): Promise<string[]> {
  // Sorted, so that two processes lock rows in one order.
  const sorted = results.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  const keyOf = ({ paymentId, subscriber }: Lane) => ({ part: partOf(paymentId), subject_id: paymentId, subscriber });
  const deliveries = sorted.flatMap(({ lane, deliveries: told }) =>
    told.map(({ due, state, waitMs, attempts }) => ({
      ...keyOf(lane),
      version: due.event.version,
      ordinal: due.event.ordinal,
      lease_number: lane.claims,
      redelivery_count: due.asked,
      state,
      wait_ms: state === 'pending' ? (waitMs ?? 0) : undefined,
      attempts,
    })),
  );
  const lanes = sorted.map(({ lane, waitMs, isEnded }) => ({
    ...keyOf(lane),
    lease_number: lane.claims,
    entry_count: lane.added,
    wait_ms: waitMs,
    ended: isEnded,
  }));
  const values = [deliveries, lanes, seenOf(results)].map((rows) => JSON.stringify(rows));
  const rows = await pool.run(RECORD, [...values, DAYS_TO_SWITCH_OFF]);
  return rows.map(([endpoint]) => endpoint as string);
}
