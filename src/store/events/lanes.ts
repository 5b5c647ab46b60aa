// Delivery queues (lanes) as workers process them: claimed with a lease, loaded, recorded. Several processes share the
// work; if one dies, others take over when its lease ends.
import type { EventName } from '../../domain/decision.ts';
import { eventIdOf, partOf } from '../../domain/id.ts';
import type { StoredEvent } from './events.ts';
import { plainId } from '../statements/payment-row.ts';
import type { Pool, TextRow } from '../connections/pool.ts';
import { readStatement } from '../statements/statement.ts';

/** The unit of fairness: a webhook, or the origin of payments' own hooks, of one merchant. */
export type Endpoint = { readonly merchantId: number; readonly endpoint: string };
/** How many of its lanes can be claimed now, and when it was last scanned. */
export type Room = Endpoint & { readonly room: number; readonly since?: string | undefined };

export const endpointKey = ({ merchantId, endpoint }: Endpoint): string => `${merchantId} ${endpoint}`;

export type LaneKey = { readonly paymentId: string; readonly subscriber: string };

/** An event in delivery. */
export type Due = {
  readonly event: StoredEvent;
  /** Which of the payment's own hooks it is for. */
  readonly hook?: number;
  /** How often redelivery was requested. */
  readonly redeliveryCount: number;
  readonly tries: number;
  /** How long until the next try, by the clock of the database. */
  readonly waitMs: number;
};

export type Lane = LaneKey &
  Endpoint & {
    /** Identifies the claim that holds it; a later claim has another. */
    readonly leaseNumber: number;
    /** How many deliveries had been added by then. */
    readonly entryCount: number;
    readonly isEnded: boolean;
    /** Undefined for a payment's own hooks, and for a deleted webhook. */
    readonly webhook?: { readonly url: string; readonly secrets: readonly string[]; readonly isDisabled: boolean };
    /** In the order in which they happened. */
    readonly due: readonly Due[];
  };

export type Attempt = {
  readonly at: string;
  readonly ms: number;
  readonly status?: number;
  readonly error?: string;
  /** The first bytes of the response. */
  readonly answer?: string;
};

export type DeliveryResult = {
  readonly due: Due;
  readonly state: 'pending' | 'delivered' | 'failed' | 'dropped';
  /** If pending, how long until the next try. */
  readonly waitMs?: number;
  readonly attempts: readonly Attempt[];
};

export type LaneResult = {
  readonly lane: Lane;
  readonly deliveries: readonly DeliveryResult[];
  /** When it is due again; undefined: when something is added. */
  readonly waitMs?: number;
  readonly isEnded: boolean;
  /** What the attempts show about the webhook. */
  readonly seen?: 'ok' | 'failing' | 'gone';
};

const DUE_ENDPOINTS = readStatement('due-endpoints');
const DUE_AGAIN = readStatement('due-again');
const CLAIM = readStatement('claim-lanes');
const LOAD = readStatement('load-lanes');
const RECORD = readStatement('record-lanes');

/** The lease of a claimed lane. */
export const LEASE_S = 30;
/** A webhook that fails for this long, without a success, is disabled. */
const DAYS_TO_SWITCH_OFF = 3;
/** Limits of one scan: merchants, and endpoints of each. */
const MOST_MERCHANTS = 100;
const MOST_ENDPOINTS = 40;
/** By then, everything that was in progress is committed: no statement takes longer, unless a standby is away. */
const OVERLAP_S = 15;
/** The first and the last attempts that are kept of a delivery; all are counted. */
const MOST_ATTEMPTS = 20;

export type Look = {
  /** Endpoints with due deliveries, and for how long they have been due. */
  readonly due: readonly (Endpoint & { readonly lateS: number })[];
  /** When the next of the others is due. */
  readonly nextInMs: number;
  /** Whether the next scan starts over with the first merchant. */
  readonly isRoundOver: boolean;
};

/** Scans for endpoints with due deliveries, a limited number per merchant, and continues where it stopped. */
export function openSweep(pool: Pool, mostEndpoints = MOST_ENDPOINTS): () => Promise<Look> {
  let after = 0;
  /** Where to continue with merchants whose endpoints were not all scanned. */
  const places = new Map<number, string>();
  return async () => {
    const wanted = [...places].map(([merchantId, place]) => ({ merchant_id: merchantId, after: place }));
    const rows = await pool.run(DUE_ENDPOINTS, [after, MOST_MERCHANTS, mostEndpoints, JSON.stringify(wanted)]);
    const seen = new Map<number, string[]>();
    for (const [merchant, endpoint] of rows) {
      const own = seen.get(Number(merchant)) ?? [];
      own.push(endpoint ?? '');
      seen.set(Number(merchant), own);
    }
    const isLast = seen.size < MOST_MERCHANTS;
    for (const [merchantId, own] of seen) {
      const last = own.at(-1);
      if (own.length === mostEndpoints && last !== undefined) places.set(merchantId, last);
      else places.delete(merchantId);
    }
    // A merchant without further endpoints is not in the result, and starts over.
    for (const merchantId of places.keys()) {
      const isPassed = merchantId > after && (isLast || merchantId <= Math.max(...seen.keys()));
      if (isPassed && !seen.has(merchantId)) places.delete(merchantId);
    }
    after = isLast ? 0 : Math.max(...seen.keys());
    const endpoints = rows.map(([merchant, endpoint, late]) => ({
      merchantId: Number(merchant),
      endpoint: endpoint ?? '',
      lateS: Number(late),
    }));
    const isDue = ({ lateS }: { lateS: number }): boolean => lateS >= 0;
    const nextInMs = Math.min(...endpoints.filter((one) => !isDue(one)).map(({ lateS }) => -lateS * 1_000));
    return { due: endpoints.filter(isDue), nextInMs, isRoundOver: isLast };
  };
}

type DueRow = [
  version: number,
  ordinal: number,
  hook: number | null,
  redeliveryCount: number,
  tries: number,
  waitMs: number,
  name: EventName,
  at: string,
  movementId: string | null,
  position: number,
  data: object | null,
];

function readDue(row: DueRow, merchantId: number, paymentId: string): Due {
  const [version, ordinal, hook, redeliveryCount, tries, waitMs, name, atText, movementId, position, data] = row;
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
  return { event, redeliveryCount, tries, waitMs, ...(hook !== null && { hook }) };
}

type WebhookRow = [url: string, secret: string, oldSecret: string | null, isDisabled: boolean];

function readLane(row: TextRow): Lane {
  const [
    ,
    uuid = '',
    subscriber = '',
    endpoint = '',
    merchant,
    leaseNumber,
    entryCount,
    isEnded,
    webhookText,
    dueText,
  ] = row;
  const paymentId = plainId(uuid as string);
  const merchantId = Number(merchant);
  const [url, secret, oldSecret, isDisabled] = JSON.parse(webhookText ?? '[]') as Partial<WebhookRow>;
  const due = (JSON.parse(dueText ?? '[]') as DueRow[]).map((found) => readDue(found, merchantId, paymentId));
  return {
    paymentId,
    subscriber: subscriber as string,
    endpoint: endpoint as string,
    merchantId,
    leaseNumber: Number(leaseNumber),
    entryCount: Number(entryCount),
    isEnded: isEnded === 't',
    ...(url !== undefined &&
      secret !== undefined && {
        webhook: { url, secrets: oldSecret ? [secret, oldSecret] : [secret], isDisabled: isDisabled === true },
      }),
    due,
  };
}

export type ClaimedUntil = Endpoint & { readonly since: string };

/** Which of these have due deliveries, each scanned from where its last scan stopped. */
export async function findDueAgain(pool: Pool, endpoints: readonly ClaimedUntil[]): Promise<Endpoint[]> {
  const wanted = endpoints.map(({ merchantId, ...rest }) => ({ merchant_id: merchantId, ...rest }));
  const rows = await pool.run(DUE_AGAIN, [JSON.stringify(wanted), OVERLAP_S]);
  return rows.map(([merchant, endpoint]) => ({ merchantId: Number(merchant), endpoint: endpoint ?? '' }));
}

export type Claimed = {
  readonly lanes: readonly Lane[];
  /** When that was, by the database's clock and in its format. */
  readonly at: string;
};

/** Claims lanes, for each endpoint as many as there is room for. */
export async function claimLanes(pool: Pool, rooms: readonly Room[]): Promise<Claimed> {
  const wanted = rooms.map(({ merchantId, endpoint, room, since }) => ({
    merchant_id: merchantId,
    endpoint,
    room,
    since,
  }));
  const rows = await pool.run(CLAIM, [JSON.stringify(wanted), LEASE_S, OVERLAP_S]);
  const at = rows.at(-1)?.[3] ?? '';
  const keys = rows.slice(0, -1).map(([part, subjectId, subscriber]) => ({ part, subject_id: subjectId, subscriber }));
  if (keys.length === 0) return { lanes: [], at };
  return { lanes: (await pool.run(LOAD, [JSON.stringify(keys)])).map(readLane), at };
}

/** Combines what several lanes show of a webhook: that it is gone counts most, then that a delivery succeeded. */
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

/** Returns the endpoints with deliveries that are due immediately. */
export async function recordLanes(pool: Pool, results: readonly LaneResult[]): Promise<Endpoint[]> {
  // A lane whose first run returns late appears twice, each time with its own lease: record one after the other.
  const seen = new Set<string>();
  const [once, later]: [LaneResult[], LaneResult[]] = [[], []];
  for (const result of results) {
    const key = `${result.lane.paymentId} ${result.lane.subscriber}`;
    (seen.has(key) ? later : once).push(result);
    seen.add(key);
  }
  const due = await recordOnce(pool, once);
  return later.length === 0 ? due : [...due, ...(await recordLanes(pool, later))];
}

async function recordOnce(pool: Pool, results: readonly LaneResult[]): Promise<Endpoint[]> {
  const keyOf = ({ paymentId, subscriber }: Lane) => ({ part: partOf(paymentId), subject_id: paymentId, subscriber });
  const deliveries = results.flatMap(({ lane, deliveries: recorded }) =>
    recorded.map(({ due, state, waitMs, attempts }) => ({
      ...keyOf(lane),
      version: due.event.version,
      ordinal: due.event.ordinal,
      redelivery_count: due.redeliveryCount,
      state,
      wait_ms: state === 'pending' ? (waitMs ?? 0) : undefined,
      attempts,
    })),
  );
  const lanes = results.map(({ lane, waitMs, isEnded }) => ({
    ...keyOf(lane),
    lease_number: lane.leaseNumber,
    entry_count: lane.entryCount,
    wait_ms: waitMs,
    ended: isEnded,
  }));
  const values = [deliveries, lanes, seenOf(results)].map((rows) => JSON.stringify(rows));
  const rows = await pool.run(RECORD, [...values, DAYS_TO_SWITCH_OFF, MOST_ATTEMPTS]);
  return rows.map(([merchant, endpoint]) => ({ merchantId: Number(merchant), endpoint: endpoint ?? '' }));
}
