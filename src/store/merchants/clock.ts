// The clock of a test merchant in the database: its offset, and its moves, each with the answer to its Idempotency-Key.
// The time is always read from the database, so that everyone who moves the clock agrees on it.
import type { Merchant } from '../../domain/merchant.ts';
import { invalidateCaches } from '../connections/invalidate.ts';
import type { RecordedAnswer } from '../statements/recorded-answer.ts';
import type { Pool } from '../connections/pool.ts';

/** In milliseconds: the database's clock, and how far the merchant's is ahead of it. */
export type Clock = { readonly realMs: number; readonly aheadMs: number };

/** Two years, within which every period of a payment or a subscription ends; the table has the same limit. */
export const MOST_AHEAD_MS = 2 * 365 * 86_400_000;

// Longer than making everything due takes; a process that has not finished by then is dead, or needs help.
const PULL_LEASE = `interval '30 seconds'`;

const REAL_MS = `floor(extract(epoch from clock_timestamp()) * 1000)::float8 as "realMs"`;

/** Undefined if there is no such merchant. Within a transaction, locks the clock until its end. */
export async function readClock(pool: Pool, merchantId: number): Promise<Clock | undefined> {
  const lock = pool.afterCommit ? 'for no key update' : '';
  const [clock] = await pool.query<Clock>(
    `select clock_ahead_ms as "aheadMs", ${REAL_MS} from merchants where id = $1 ${lock}`,
    [merchantId],
  );
  return clock;
}

export type KeyedMove = {
  readonly key: string;
  /** SHA-256 of the request, in hex. */
  readonly request: string;
};

/** The recorded response of a key. */
export async function findMove(
  within: Pool,
  { id }: Pick<Merchant, 'id'>,
  key: string,
): Promise<{ readonly request: string; readonly recorded: RecordedAnswer } | undefined> {
  const [row] = await within.query<{ request: string; text: string }>(
    `select encode(request, 'hex') as request, answer as text from clock_moves where merchant_id = $1 and key = $2`,
    [id, key],
  );
  return row && { request: row.request, recorded: { status: 200, text: row.text } };
}

/** Moves the clock, in the transaction that has read it. After the commit, waiting work can be made due. */
export async function writeMove(
  within: Pool,
  merchantId: number,
  aheadMs: number,
  keyed?: KeyedMove & { readonly answer: string },
): Promise<void> {
  await within.query('update merchants set clock_ahead_ms = $2 where id = $1', [merchantId, aheadMs]);
  await within.query(
    `insert into clock_moves (merchant_id, ahead_ms, key, request, answer, next_pull_at)
     values ($1, $2, $3, decode($4, 'hex'), $5, now() + ${PULL_LEASE})`,
    [merchantId, aheadMs, keyed?.key ?? null, keyed?.request ?? null, keyed?.answer ?? null],
  );
  await invalidateCaches(within, merchantId);
}

export type Move = { readonly merchantId: number; readonly aheadMs: number };

/** A move whose follow-up is not complete, though its process has had the time. */
export async function claimMove(pool: Pool): Promise<Move | undefined> {
  const [move] = await pool.query<Move>(
    `update clock_moves set next_pull_at = now() + ${PULL_LEASE}
     where (merchant_id, ahead_ms) = (
       select merchant_id, ahead_ms from clock_moves where next_pull_at <= now()
       order by next_pull_at limit 1 for update skip locked
     )
     returning merchant_id as "merchantId", ahead_ms as "aheadMs"`,
  );
  return move;
}

/** Everything that waited at this move is due. A move without a key is deleted. */
export async function endMove(pool: Pool, { merchantId, aheadMs }: Move): Promise<void> {
  await pool.query(
    `with unkeyed as (delete from clock_moves where merchant_id = $1 and ahead_ms <= $2 and key is null)
     update clock_moves set next_pull_at = null
     where merchant_id = $1 and ahead_ms <= $2 and key is not null and next_pull_at is not null`,
    [merchantId, aheadMs],
  );
}
