// Our side of the book with an acquirer: the movements sent there, oldest first, and those with an unknown outcome. The
// walk is a cursor: Postgres scans and sorts a million movements once, and only a page of them is in memory. Its
// snapshot is as old as the walk, so what must be judged by its current state is looked up again.
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
  /** When it was created, by our clock, from its id. */
  readonly at: number;
};

export type OwnBook = {
  /** The next page, oldest first; empty at the end. */
  read(): Promise<OwnLine[]>;
  /** The current state of those of these movements that our books have at the acquirer. */
  look(movementIds: readonly string[]): Promise<OwnLine[]>;
};

/** The acquirer; from a time on, and before another. */
export type BookPeriod = { readonly acquirer: string; readonly fromMs?: number; readonly toMs?: number };

type Row = Omit<OwnLine, 'at'>;

const PAGE = 1_000;
const LAST_ID = 'f'.repeat(32);

const LINE = `movement.id as "movementId", movement.payment_id as "paymentId", movement.kind, movement.state,
  movement.amount, movement.reason, payment.currency`;
const OF_PAYMENT = 'payment.part = movement.part and payment.id = movement.payment_id';

// Planned for all rows, not for a fast first page.
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
  // Another book may contain names that were never ours.
  const asked = movementIds.filter((id) => readId(id) === id).map((id) => ({ part: partOf(id), id }));
  return (await pool.query<Row>(LOOK, [JSON.stringify(asked), acquirer])).map(lineOf);
}

async function readPage(client: PoolClient): Promise<OwnLine[]> {
  const { rows } = await client.query<Row>({ text: `fetch ${PAGE} from lines`, ...NO_QUERY_TIMEOUT });
  return rows.map(lineOf);
}

/** Lends our book while `work` runs. */
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
      // A broken connection needs no end; its error is already thrown.
      await client.query('rollback').catch(() => {});
    }
  });
}

export type LongPending = {
  readonly acquirer: string;
  readonly count: number;
  /** When the oldest of them was created. */
  readonly oldest: Date;
};

/**
 * Movements whose outcome has been unknown for longer than that, by acquirer, except those that the simulator left
 * open.
 */
export async function listLongPending(pool: Pool, seconds: number): Promise<LongPending[]> {
  return pool.query<LongPending>(
    `select acquirer, count(*)::int as count, min(created_at) as oldest
     from movements where state = 'pending' and acquirer <> $2 and created_at < now() - interval '1 second' * $1
     group by acquirer order by acquirer`,
    [seconds, SIMULATOR],
  );
}
