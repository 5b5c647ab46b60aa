// Lanes as the deliverer works on them: claimed with a lease, loaded, recorded. Several processes share the work; one
// that dies leaves its lanes to the others when the lease is over.
import type { EventName } from '../../domain/decision.ts';
import { eventIdOf, partOf } from '../../domain/id.ts';
import type { StoredEvent } from './events.ts';
import { plainId } from '../statements/payment-row.ts';
import type { Pool, TextRow } from '../connections/pool.ts';
import { readStatement } from '../statements/statement.ts';

/** Whose lanes must not hold up those of others: a webhook, or the origin of payments' own hooks, of one merchant. */
export type Endpoint = { readonly merchantId: number; readonly endpoint: string };
/** How many lanes of it can be taken now, and since when it was looked through. */
export type Room = Endpoint & { readonly room: number; readonly since?: string | undefined };

export const endpointKey = ({ merchantId, endpoint }: Endpoint): string => `${merchantId} ${endpoint}`;

export type LaneKey = { readonly paymentId: string; readonly subscriber: string };

/** An event on its way. */
export type Due = {
  readonly event: StoredEvent;
  /** Which of the payment's own hooks it is sent for. */
  readonly hook?: number;
  /** How often somebody had asked for it again. */
  readonly redeliveryCount: number;
  readonly tries: number;
  /** How long it is to wait still, by the clock of the database. */
  readonly waitMs: number;
};

export type Lane = LaneKey &
  Endpoint & {
    /** Of the claim by which it is held: a later one has another. */
    readonly leaseNumber: number;
    /** How many were put into it by then. */
    readonly entryCount: number;
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
const DUE_AGAIN = readStatement('due-again');
const CLAIM = readStatement('claim-lanes');
const LOAD = readStatement('load-lanes');
const RECORD = readStatement('record-lanes');

/** How long a lane is left to whoever claimed it. */
export const LEASE_S = 30;
/** A webhook that fails for so long, without a success, is switched off. */
const DAYS_TO_SWITCH_OFF = 3;
/** What one look passes: so many merchants, and so many endpoints of each. */
const MOST_MERCHANTS = 100;
const MOST_ENDPOINTS = 40;
/** By then everything is there that was under way: no statement takes longer, unless a standby is away. */
const OVERLAP_S = 15;
/** Of a delivery's attempts, from the first and from the last on; all are counted. */
const MOST_ATTEMPTS = 20;

export type Look = {
  /** Endpoints that have something to do, and for how long. */
  readonly due: readonly (Endpoint & { readonly lateS: number })[];
  /** In how long the next of the others has. */
  readonly nextInMs: number;
  /** Whether the next look begins with the first merchant again. */
  readonly isRoundOver: boolean;
};

/** Looks for endpoints that have something to do, so many of each merchant at a time, and goes on where it was. */
export function openSweep(pool: Pool, mostEndpoints = MOST_ENDPOINTS): () => Promise<Look> {
  let after = 0;
  /** Where to go on with merchants of whom not all were seen. */
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
    // Whoever has nothing after its place is not in the answer, and begins anew.
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

/** Which of these have something to do, each from where it was looked through last. */
export async function findDueAgain(pool: Pool, endpoints: readonly ClaimedUntil[]): Promise<Endpoint[]> {
  const wanted = endpoints.map(({ merchantId, ...rest }) => ({ merchant_id: merchantId, ...rest }));
  const rows = await pool.run(DUE_AGAIN, [JSON.stringify(wanted), OVERLAP_S]);
  return rows.map(([merchant, endpoint]) => ({ merchantId: Number(merchant), endpoint: endpoint ?? '' }));
}

export type Claimed = {
  readonly lanes: readonly Lane[];
  /** When that was, by the database's clock and in its spelling. */
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
export async function recordLanes(pool: Pool, results: readonly LaneResult[]): Promise<Endpoint[]> {
  // A lane whose first run comes back late is here twice, each time with a lease of its own: one after the other.
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
  const deliveries = results.flatMap(({ lane, deliveries: told }) =>
    told.map(({ due, state, waitMs, attempts }) => ({
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
