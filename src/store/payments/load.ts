// Loads payments with their movements and the idempotency record a request asks for: one statement for a whole group. A
// payment that is large is found to be so, and loaded apart: nobody waits for its bytes.
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
  /** Whose payment it must be; null, anybody's, is for who holds a secret of the payment itself. */
  readonly merchantId: number | null;
  /** The payment's id; of a movement, when it is the movement's payment that is meant. */
  readonly target: string;
  readonly isMovement?: boolean;
  /** For a create, whose target has no part of its own. */
  readonly part?: number;
  readonly operation?: KeyedOperation;
  readonly key?: string;
  /** Of the payment as it is known already: if it is still that, it is not read. */
  readonly known?: Stamp | undefined;
  /** Told how much has to be read for it, where that is more than for an ordinary payment. */
  readonly onLarge?: ((bytes: number) => void) | undefined;
};

/** What belongs to a request with an Idempotency-Key; without an answer while its outcome is unknown. */
export type IdempotencyRecord = {
  readonly paymentId: string;
  /** SHA-256 of the request's JSON, in hex. */
  readonly request: string;
  readonly recorded?: RecordedAnswer;
  /** The movement whose outcome is the answer, while that is not known. */
  readonly movementId?: string;
};

/**
 * By which a payment as it was read is told from what it becomes. Every change makes another version, and whoever writes to
 * its row by hand another xmin; a server that has taken over or was set back, which may give both once more, has started at
 * another moment. Who writes to its movements by hand raises the version.
 */
export type Stamp = string;

export type Loaded = {
  readonly payment?: Payment;
  readonly stamp?: Stamp;
  /** It is the one that is known, and was not read. */
  readonly isKnown?: true;
  readonly record?: IdempotencyRecord;
  /** Of a database with a synchronous standby: what is answered because it was found there is confirmed first. */
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

/** Payments up to this size are read in groups; those that are larger one after the other. */
const SMALL_BYTES = 65_536;
const ANY_BYTES = 2_147_483_647;

/** A read waits for nobody's row; what it waits for is a table that somebody changes, and then every read does. */
export const LOAD_LOCK_TIMEOUT_MS = 3_000;
// A client waits for 30 s, and a load is followed by a commit: no other try is begun after this.
const GIVE_UP_AFTER_MS = 8_000;

/** A payment that is too large to be read with others, and what it holds. */
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

/** What makes two requests ask for the same. */
const keyOf = ({ merchantId, target, isMovement, known, operation, key }: LoadRequest): string =>
  `${merchantId ?? ''} ${target} ${isMovement === true} ${known ?? ''} ${operation ?? ''} ${key ?? ''}`;

/** Loads groups: of small payments, or of those that were found to be large. */
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
      // A read can always be asked again, and a connection that was found broken says nothing of the next one.
      if (isConnectionError(error) && performance.now() < giveUpAt) return pool.run(LOAD, values);
      throw error;
    });
    const loaded: (Loaded | LargePayment)[] = Array.from({ length: requests.length }, () => ({}));
    for (const row of rows) {
      if (kind === 'any') await othersTurn();
      loaded[Number(row[AT.n])] = readLoaded(row, mostBytes);
    }
    // What is made of megabytes comes after whatever else has come meanwhile, as does each step of reading them.
    if (kind === 'any') await othersTurn();
    return loaded;
  };

  /** Gives what was loaded, or why it could not be: one request that is too much must not fail its neighbours. */
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
    // Many who ask for one payment at once share one reading of it.
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
