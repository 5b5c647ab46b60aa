// Loads payments with their movements and the idempotency record of a request: one statement for a whole group. A large
// payment is detected and loaded separately, so that others do not wait for its bytes.
import type { RecordedAnswer } from '../statements/recorded-answer.ts';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { partOf } from '../../domain/id.ts';
import type { Payment } from '../../domain/payment.ts';
import { placesAfterPayment, plainId, readPayment } from '../statements/payment-row.ts';
import type { Writable } from '../statements/payment-row.ts';
import type { Pool, TextRow } from '../connections/pool.ts';
import { DatabaseBusy, isConnectionError, isLocked } from '../connections/pool.ts';
import { readStatement } from '../statements/statement.ts';
import type { Timeline } from '../connections/timeline.ts';

export type KeyedOperation = 'create' | 'charge' | 'refund' | 'cancel';

export type LoadRequest = {
  /** The merchant that must own it; null, any, is for holders of a secret of the payment itself. */
  readonly merchantId: number | null;
  /** The payment's id, or that of one of its movements. */
  readonly target: string;
  readonly isMovement?: boolean;
  /** For a create, whose target has no part of its own. */
  readonly part?: number;
  readonly operation?: KeyedOperation;
  readonly key?: string;
  /** The version of the payment that the caller has; if it is current, it is not read. */
  readonly known?: Stamp | undefined;
  /** Called with the size to read, if that is more than for an ordinary payment. */
  readonly onLarge?: ((bytes: number) => void) | undefined;
};

/** The record of an Idempotency-Key; without an answer while its outcome is unknown. */
export type IdempotencyRecord = {
  readonly paymentId: string;
  /** SHA-256 of the request's JSON, in hex. */
  readonly request: string;
  readonly recorded?: RecordedAnswer;
  /** The movement whose outcome is the answer, while that is unknown. */
  readonly movementId?: string;
};

/**
 * Identifies the state of a payment. Every change has a new version, and editing its row by hand a new xmin; after a
 * failover or a restore both may repeat, but the start time of the server differs. Anyone who edits movements by hand
 * must raise the version.
 */
export type Stamp = string;

export type Loaded = {
  readonly payment?: Payment;
  readonly stamp?: Stamp;
  /** It is the one that the caller has, and was not read. */
  readonly isKnown?: true;
  readonly record?: IdempotencyRecord;
  /** With a synchronous standby: answers that depend on it must be confirmed on this timeline first. */
  readonly timeline?: Timeline;
};

const LOAD = readStatement('load');

/** What load.sql selects after the payment. */
const AT = placesAfterPayment([
  'n',
  'stamp',
  'unread_bytes',
  'recorded_subject_id',
  'request',
  'status',
  'answer',
  'movement_id',
  'timeline',
]);

/** Payments up to this size are read in groups, larger ones one at a time. */
const SMALL_BYTES = 65_536;
const ANY_BYTES = 2_147_483_647;

/** A read never waits for a row lock; it can wait for a table lock, and then every read does. */
export const LOAD_LOCK_TIMEOUT_MS = 3_000;
// A client waits for 30 s, and a load is followed by a commit: no try begins after this.
const GIVE_UP_AFTER_MS = 8_000;

/** A payment too large to be read with others, and its size. */
export class LargePayment {
  readonly bytes: number;

  constructor(bytes: number) {
    this.bytes = bytes;
  }
}

function readRecord(row: TextRow): IdempotencyRecord {
  const status = row[AT.status];
  const movementId = row[AT.movement_id];
  return {
    paymentId: plainId(row[AT.recorded_subject_id] as string),
    request: (row[AT.request] as string).slice(2),
    ...(status != null && { recorded: { status: Number(status), text: row[AT.answer] ?? '' } }),
    ...(movementId != null && { movementId: plainId(movementId) }),
  };
}

function readLoaded(row: TextRow, mostBytes: number): Loaded | LargePayment {
  const unreadBytes = row[AT.unread_bytes];
  if (unreadBytes != null && Number(unreadBytes) > mostBytes) return new LargePayment(Number(unreadBytes));
  const loaded: Writable<Loaded> = {};
  if (unreadBytes != null) loaded.isKnown = true;
  const payment = readPayment(row);
  if (payment !== undefined) loaded.payment = payment;
  const stamp = row[AT.stamp];
  if (stamp != null) loaded.stamp = stamp;
  if (row[AT.recorded_subject_id] !== null) loaded.record = readRecord(row);
  const timeline = row[AT.timeline];
  if (timeline != null) loaded.timeline = timeline;
  return loaded;
}

/** What identifies equal requests. */
const keyOf = ({ merchantId, target, isMovement, known, operation, key }: LoadRequest): string =>
  `${merchantId ?? ''} ${target} ${isMovement === true} ${known ?? ''} ${operation ?? ''} ${key ?? ''}`;

/** Loads groups: of small payments, or of large ones. */
export function loadGroup(pool: Pool, kind: 'small' | 'any') {
  const mostBytes = kind === 'small' ? SMALL_BYTES : ANY_BYTES;
  const load = async (requests: readonly LoadRequest[], giveUpAt: number): Promise<(Loaded | LargePayment)[]> => {
    const asked = requests.map(({ merchantId, target, isMovement = false, part, operation, key, known }, n) => ({
      n,
      part: part ?? partOf(target),
      target,
      is_movement: isMovement,
      merchant_id: merchantId,
      operation,
      key,
      known,
    }));
    const values = [JSON.stringify(asked), mostBytes];
    const rows = await pool.run(LOAD, values).catch((error: unknown) => {
      // A read can always be retried, and a broken connection says nothing about the next one.
      if (isConnectionError(error) && performance.now() < giveUpAt) return pool.run(LOAD, values);
      throw error;
    });
    const loaded: (Loaded | LargePayment)[] = Array.from({ length: requests.length }, () => ({}));
    for (const row of rows) {
      if (kind === 'any') await othersTurn();
      loaded[Number(row[AT.n])] = readLoaded(row, mostBytes);
    }
    // Building megabytes yields to other work, as does each step of reading them.
    if (kind === 'any') await othersTurn();
    return loaded;
  };

  /** Returns what was loaded, or the error: one request that is too large must not fail the others. */
  const loadOneByOne = async (
    requests: readonly LoadRequest[],
    giveUpAt: number,
  ): Promise<(Loaded | LargePayment | Error)[]> => {
    const loaded: (Loaded | LargePayment | Error)[] = [];
    for (const request of requests) {
      if (performance.now() > giveUpAt) loaded.push(new DatabaseBusy('the database was too slow to try every load'));
      else loaded.push(...(await load([request], giveUpAt).catch((error: Error) => [error])));
    }
    return loaded;
  };

  return async (requests: readonly LoadRequest[]): Promise<readonly (Loaded | LargePayment | Error)[]> => {
    const places = new Map<string, number>();
    const distinct: LoadRequest[] = [];
    // Concurrent requests for one payment share a read.
    const placeOf = requests.map((request) => {
      const key = keyOf(request);
      const known = places.get(key);
      if (known !== undefined) return known;
      places.set(key, distinct.length);
      return distinct.push(request) - 1;
    });
    const giveUpAt = performance.now() + GIVE_UP_AFTER_MS;
    const loaded = await load(distinct, giveUpAt).catch((error: unknown) => {
      if (isConnectionError(error) || isLocked(error) || distinct.length === 1) throw error;
      return loadOneByOne(distinct, giveUpAt);
    });
    return placeOf.map((place) => loaded[place] as Loaded | LargePayment | Error);
  };
}
