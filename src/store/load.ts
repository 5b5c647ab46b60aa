// Loads payments with their movements and the idempotency record a request asks for: one statement for a whole group.
// The JSON of a payment is parsed only where somebody looks at it, since most reads need little of it.
import { partOf } from '../domain/id.ts';
import type { OrderItem } from '../domain/item.ts';
import type { Movement } from '../domain/movement.ts';
import type { Payment } from '../domain/payment.ts';
import type { Pool, TextRow } from './pool.ts';
import { isConnectionError } from './pool.ts';
import { readStatement } from './statement.ts';

export type KeyedOperation = 'create' | 'charge' | 'refund' | 'cancel';

export type LoadRequest = {
  readonly merchantId: number;
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
};

export type Loaded = { readonly payment?: Payment; readonly kept?: KeptAnswer };

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

function readMovement(row: MovementRow): Movement {
  const [id, kind, state, sequence, amount, items, updatedAt, acquirer, source, chargeId] = row;
  const [refunded, refunding, invoiceNumber, reason] = row.slice(10) as [number, number, string | null, string | null];
  return {
    id: plainId(id),
    kind,
    state,
    sequence,
    amount,
    items,
    updatedAt: Date.parse(updatedAt),
    acquirer,
    refunded,
    refunding,
    ...(source !== null && { source }),
    ...(chargeId !== null && { chargeId: plainId(chargeId) }),
    ...(invoiceNumber !== null && { invoiceNumber }),
    ...(reason !== null && { reason }),
  };
}

/** Parses a JSON text when it is first looked at. */
function lazily<Value>(text: string): () => Value {
  let value: { readonly parsed: Value } | undefined;
  return () => (value ??= { parsed: JSON.parse(text) as Value }).parsed;
}

/** A payment out of the twenty columns that begin with its id. */
export function readPayment(row: TextRow, merchantId: number): Payment {
  const text = row as readonly string[];
  const [id, version, amount, currency, reference, myReference, items, checkoutUrl, checkout, consumer] = row;
  const [method, terminatedAt] = row.slice(10, 12);
  const movements = row[19];
  const itemsOf = lazily<Payment['order']['items']>(items as string);
  const checkoutOf = lazily<Payment['checkout']>(checkout as string);
  const consumerOf = lazily<Payment['consumer']>(consumer as string);
  return {
    id: plainId(id as string),
    merchantId,
    version: Number(version),
    order: {
      amount: Number(amount),
      currency: currency as string,
      ...(reference != null && { reference }),
      get items() {
        return itemsOf();
      },
    },
    get checkout() {
      return checkoutOf();
    },
    get consumer() {
      return consumerOf();
    },
    ...(checkoutUrl != null && { checkoutUrl }),
    ...(myReference != null && { myReference }),
    ...(method != null && { method: JSON.parse(method) as NonNullable<Payment['method']> }),
    ...(terminatedAt != null && { terminatedAt: Date.parse(terminatedAt) }),
    totals: {
      reserved: Number(text[12]),
      charged: Number(text[13]),
      charging: Number(text[14]),
      cancelled: Number(text[15]),
      cancelling: Number(text[16]),
      refunded: Number(text[17]),
      refunding: Number(text[18]),
    },
    movements: movements == null ? [] : (JSON.parse(movements) as MovementRow[]).map(readMovement),
  };
}

function readLoaded(row: TextRow, merchantId: number): Loaded {
  const [recordedPaymentId, request, status, answer] = row.slice(21);
  return {
    ...(row[1] !== null && { payment: readPayment(row.slice(1, 21), merchantId) }),
    ...(request != null && {
      kept: {
        paymentId: plainId(recordedPaymentId as string),
        request: request.slice(2),
        ...(status != null && { status: Number(status) }),
        answer: answer ?? '',
      },
    }),
  };
}

export function loadGroup(pool: Pool) {
  return async (requests: readonly LoadRequest[]): Promise<readonly Loaded[]> => {
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
      const n = Number(row[0]);
      loaded[n] = readLoaded(row, requests[n]?.merchantId as number);
    }
    return loaded;
  };
}
