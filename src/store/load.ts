// Loads payments with their movements and the idempotency record a request asks for: one statement for a whole group.
// Rows are read into plain objects whose optional fields are set one by one: getters that parse later, or fields spread
// into a literal, cost a request more than all the parsing.
import { partOf } from '../domain/id.ts';
import type { OrderItem } from '../domain/item.ts';
import type { Movement } from '../domain/movement.ts';
import type { Payment } from '../domain/payment.ts';
import type { Pool, TextRow } from './pool.ts';
import { isConnectionError } from './pool.ts';
import { readStatement } from './statement.ts';

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
};

/** The first answer to a request with an Idempotency-Key; without a status while its outcome is unknown. */
export type KeptAnswer = {
  readonly paymentId: string;
  /** SHA-256 of the request's JSON, in hex. */
  readonly request: string;
  readonly status?: number;
  readonly answer: string;
  /** The movement whose outcome is the answer, while that is not known. */
  readonly movementId?: string;
};

export type Loaded = {
  readonly payment?: Payment;
  readonly kept?: KeptAnswer;
  /** The database has a synchronous standby: what is answered because it was found is confirmed first. */
  readonly isSynchronous?: true;
};

const LOAD = readStatement('load');

/** The plain spelling of an id as Postgres prints it. */
export const plainId = (uuid: string): string => uuid.replaceAll('-', '');

type MovementRow = [
  id: string,
  kind: Movement['kind'],
  state: Movement['state'],
  sequence: number,
  amount: number,
  items: OrderItem[] | null,
  updatedAt: string,
  acquirer: string,
  source: string | null,
  chargeId: string | null,
  refunded: number,
  refunding: number,
  invoiceNumber: string | null,
  reason: string | null,
];

/** Data while it is put together. */
type Writable<Data> = { -readonly [Field in keyof Data]: Data[Field] };

function readMovement(row: MovementRow): Movement {
  const [id, kind, state, sequence, amount, items, updatedAt, acquirer, source, chargeId] = row;
  const movement: Writable<Movement> = {
    id: plainId(id),
    kind,
    state,
    sequence,
    amount,
    items,
    updatedAt: Date.parse(updatedAt),
    acquirer,
    refunded: row[10],
    refunding: row[11],
  };
  if (source !== null) movement.source = source;
  if (chargeId !== null) movement.chargeId = plainId(chargeId);
  if (row[12] !== null) movement.invoiceNumber = row[12];
  if (row[13] !== null) movement.reason = row[13];
  return movement;
}

/** A payment out of the 22 columns that begin with its id. */
export function readPayment(row: TextRow, at = 0): Payment {
  const text = (column: number): string => row[at + column] as string;
  const number = (column: number): number => Number(row[at + column]);
  const given = (column: number): string | undefined => row[at + column] ?? undefined;
  const order: Writable<Payment['order']> = {
    amount: number(2),
    currency: text(3),
    items: JSON.parse(text(6)) as Payment['order']['items'],
  };
  const reference = given(4);
  if (reference !== undefined) order.reference = reference;
  const movements = given(19);
  const payment: Writable<Payment> = {
    id: plainId(text(0)),
    merchantId: number(21),
    version: number(1),
    order,
    checkout: JSON.parse(text(8)) as Payment['checkout'],
    consumer: JSON.parse(text(9)) as Payment['consumer'],
    totals: {
      reserved: number(12),
      charged: number(13),
      charging: number(14),
      cancelled: number(15),
      cancelling: number(16),
      refunded: number(17),
      refunding: number(18),
    },
    movements: movements === undefined ? [] : (JSON.parse(movements) as MovementRow[]).map(readMovement),
  };
  const [myReference, checkoutUrl, method, terminatedAt, challenge] = [5, 7, 10, 11, 20].map(given);
  if (myReference !== undefined) payment.myReference = myReference;
  if (checkoutUrl !== undefined) payment.checkoutUrl = checkoutUrl;
  if (method !== undefined) payment.method = JSON.parse(method) as NonNullable<Payment['method']>;
  if (challenge !== undefined) payment.challenge = JSON.parse(challenge) as NonNullable<Payment['challenge']>;
  if (terminatedAt !== undefined) payment.terminatedAt = Date.parse(terminatedAt);
  return payment;
}

function readKept(row: TextRow): KeptAnswer {
  const [paymentId, request, status, answer, movementId] = row.slice(23, 28);
  return {
    paymentId: plainId(paymentId as string),
    request: (request as string).slice(2),
    ...(status != null && { status: Number(status) }),
    answer: answer ?? '',
    ...(movementId != null && { movementId: plainId(movementId) }),
  };
}

function readLoaded(row: TextRow): Loaded {
  const loaded: Writable<Loaded> = {};
  if (row[1] !== null) loaded.payment = readPayment(row, 1);
  if (row[24] !== null) loaded.kept = readKept(row);
  if (row[28] === 't') loaded.isSynchronous = true;
  return loaded;
}

/** What makes two requests ask for the same. */
const keyOf = ({ merchantId, target, isMovement, operation, key }: LoadRequest): string =>
  `${merchantId ?? ''} ${target} ${isMovement === true} ${operation ?? ''} ${key ?? ''}`;

export function loadGroup(pool: Pool) {
  const load = async (requests: readonly LoadRequest[]): Promise<Loaded[]> => {
    const asked = requests.map(({ merchantId, target, isMovement = false, part, operation, key }, n) => ({
      n,
      part: part ?? partOf(target),
      target,
      is_movement: isMovement,
      merchant_id: merchantId,
      operation,
      key,
    }));
    const values = [JSON.stringify(asked)];
    const rows = await pool.run(LOAD, values).catch((error: unknown) => {
      // A read can always be asked again, and a connection that was found broken says nothing of the next one.
      if (isConnectionError(error)) return pool.run(LOAD, values);
      throw error;
    });
    const loaded: Loaded[] = Array.from({ length: requests.length }, () => ({}));
    for (const row of rows) {
      loaded[Number(row[0])] = readLoaded(row);
    }
    return loaded;
  };

  /** Gives what was loaded, or why it could not be: one request that is too much must not fail its neighbours. */
  const loadOneByOne = async (requests: readonly LoadRequest[]): Promise<(Loaded | Error)[]> => {
    const loaded: (Loaded | Error)[] = [];
    for (const request of requests) loaded.push(...(await load([request]).catch((error: Error) => [error])));
    return loaded;
  };

  return async (requests: readonly LoadRequest[]): Promise<readonly (Loaded | Error)[]> => {
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
    const loaded = await load(distinct).catch((error: unknown) => {
      if (isConnectionError(error) || distinct.length === 1) throw error;
      return loadOneByOne(distinct);
    });
    return placeOf.map((place) => loaded[place] as Loaded | Error);
  };
}
