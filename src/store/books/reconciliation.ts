// Our side of the book with an acquirer: the movements that went there, oldest first, and those of which nobody knows
// what came. The walk is a cursor: for a million movements Postgres scans and sorts once, and only a page of them is
// here at a time. Its snapshot is held for as long as the walk takes; what is to be judged as it is now is looked up.
import type { PoolClient } from 'pg';
import { firstIdAt, NO_ID, partOf, readId, timeOf } from '../../domain/id.ts';
import type { Movement } from '../../domain/movement.ts';
import { SIMULATOR } from '../../domain/merchant.ts';
import { plainId } from '../statements/payment-row.ts';
import { NO_QUERY_TIMEOUT } from '../connections/pool.ts';
import type { Pool } from '../connections/pool.ts';

export type OwnLine = Pick<Movement, 'kind' | 'state' | 'amount'> & {
  /** Why it was declined. */
  readonly reason?: string | null;
  readonly movementId: string;
  readonly paymentId: string;
  readonly currency: string;
  /** When it was made, by our clock: its id says it. */
  readonly at: number;
};

export type OwnBook = {
  /** The next page, oldest first; an empty one at the end. */
  read(): Promise<OwnLine[]>;
  /** Those of these movements that are at the acquirer by our books, as they are now. */
  look(movementIds: readonly string[]): Promise<OwnLine[]>;
};

/** Whose movements; from a moment on, and before another. */
export type BookPeriod = { readonly acquirer: string; readonly fromMs?: number; readonly toMs?: number };

type Row = Omit<OwnLine, 'at'>;

const PAGE = 1_000;
const LAST_ID = 'f'.repeat(32);

const LINE = `movement.id as "movementId", movement.payment_id as "paymentId", movement.kind, movement.state,
  movement.amount, movement.reason, payment.currency`;
const OF_PAYMENT = 'payment.part = movement.part and payment.id = movement.payment_id';

// The plan is made for all of it, not for a quick first page.
const BEGIN = 'begin read only; set local statement_timeout = 0; set local cursor_tuple_fraction = 1';

const WALK = `declare lines no scroll cursor for
  select ${LINE}
  from movements as movement
  join payments as payment on ${OF_PAYMENT}
  where movement.acquirer = $1::text and movement.id >= $2::uuid and movement.id < $3::uuid
  order by movement.id`;

const LOOK = `select ${LINE}
  from json_to_recordset($1::json) as asked (part smallint, id uuid)
  join movements as movement on movement.part = asked.part and movement.id = asked.id
  join payments as payment on ${OF_PAYMENT}
  where movement.acquirer = $2::text`;

function lineOf({ movementId, paymentId, ...row }: Row): OwnLine {
  const id = plainId(movementId);
  return { movementId: id, paymentId: plainId(paymentId), ...row, at: timeOf(id) };
}

async function look(pool: Pool, acquirer: string, movementIds: readonly string[]): Promise<OwnLine[]> {
  // Another book may hold names that were never ours.
  const asked = movementIds.filter((id) => readId(id) === id).map((id) => ({ part: partOf(id), id }));
  return (await pool.query<Row>(LOOK, [JSON.stringify(asked), acquirer])).map(lineOf);
}

async function readPage(client: PoolClient): Promise<OwnLine[]> {
  const { rows } = await client.query<Row>({ text: `fetch ${PAGE} from lines`, ...NO_QUERY_TIMEOUT });
  return rows.map(lineOf);
}

/** Lends our book for as long as the work takes. */
export async function withOwnBook<Result>(
  pool: Pool,
  { acquirer, fromMs, toMs }: BookPeriod,
  use: (book: OwnBook) => Promise<Result>,
): Promise<Result> {
  const first = fromMs === undefined ? NO_ID : firstIdAt(fromMs);
  const end = toMs === undefined ? LAST_ID : firstIdAt(toMs);
  return pool.withClient(async (client) => {
    await client.query(BEGIN);
    try {
      await client.query(WALK, [acquirer, first, end]);
      return await use({ read: () => readPage(client), look: (ids) => look(pool, acquirer, ids) });
    } finally {
      // A connection that broke has nothing to end; what broke it is thrown already.
      await client.query('rollback').catch(() => {});
    }
  });
}

export type LongPending = {
  readonly acquirer: string;
  readonly count: number;
  /** When the oldest of them was made. */
  readonly oldest: Date;
};

/** Movements whose outcome is not known for longer than that, by acquirer; not what the simulator has left open. */
export async function listLongPending(pool: Pool, seconds: number): Promise<LongPending[]> {
  return pool.query<LongPending>(
    `select acquirer, count(*)::int as count, min(created_at) as oldest
     from movements where state = 'pending' and acquirer <> $2 and created_at < now() - interval '1 second' * $1
     group by acquirer order by acquirer`,
    [seconds, SIMULATOR],
  );
}
