// Failed sign-in attempts, counted in the database for all processes. A plain counter starts with the first attempt and
// ends ten minutes later. A lock counts attempts that are less than thirty minutes apart, and lasts for thirty minutes
// after the last one. The purge deletes both then.
import { createHash } from 'node:crypto';
import type { Pool } from '../connections/pool.ts';

const WINDOW_MINUTES = 10;
const LOCK_MINUTES = 30;
export const ENDED_TRIES = `began_at < now() - interval '${LOCK_MINUTES} minutes'`;

/** What is counted: the parts of its name, the limit, and whether reaching it locks. */
export type Counted = { readonly what: readonly string[]; readonly most: number; readonly isLock?: boolean };

/** The number of attempts including this one, and until when they count. */
export type CountedTry = { readonly count: number; readonly untilMs: number; readonly seconds: number };

const keyOf = ({ what }: Pick<Counted, 'what'>): Buffer => createHash('sha256').update(JSON.stringify(what)).digest();

/** Counts an attempt before anything is done. If the count exceeds the limit, the attempt must not be made. */
export async function countTry(pool: Pool, { what, most, isLock = false }: Counted): Promise<CountedTry> {
  const [row] = await pool.query<{ count: number; until: Date; seconds: number }>(
    `insert into sign_in_tries as tries (key, count) values ($1, 1)
     on conflict (key) do update set
       count = case when tries.began_at < now() - $3 * interval '1 minute' then 1 else least(tries.count, $2) + 1 end,
       began_at = case
         when tries.began_at < now() - $3 * interval '1 minute' or ($4 and tries.count < $2) then now()
         else tries.began_at end
     returning count, began_at + $3 * interval '1 minute' as until,
       greatest(1, ceil(extract(epoch from began_at + $3 * interval '1 minute' - now())))::int as seconds`,
    [keyOf({ what }), most, isLock ? LOCK_MINUTES : WINDOW_MINUTES, isLock],
  );
  if (row === undefined) throw new Error('a try that was counted is not there');
  return { count: row.count, untilMs: row.until.getTime(), seconds: row.seconds };
}

/** The attempt succeeded, so it does not count; resets a lock. */
export async function uncountTries(pool: Pool, counted: readonly Counted[]): Promise<void> {
  const locks = counted.filter(({ isLock }) => isLock).map(keyOf);
  const keys = counted.filter(({ isLock }) => !isLock).map(keyOf);
  await pool.query(
    `with last as (delete from sign_in_tries where (key = any ($1) and count = 1) or key = any ($2))
     update sign_in_tries set count = count - 1 where key = any ($1) and count > 1`,
    [keys, locks],
  );
}

/** Until when each of these is locked; undefined if it is not. */
export async function findLocks(pool: Pool, locks: readonly Counted[]): Promise<(number | undefined)[]> {
  const rows = await pool.query<{ key: Buffer; count: number; until: Date }>(
    `select key, count, began_at + interval '${LOCK_MINUTES} minutes' as until from sign_in_tries
     where key = any ($1) and not (${ENDED_TRIES})`,
    [locks.map(keyOf)],
  );
  const found = new Map(rows.map((row) => [row.key.toString('hex'), row]));
  return locks.map((lock) => {
    const row = found.get(keyOf(lock).toString('hex'));
    return row !== undefined && row.count >= lock.most ? row.until.getTime() : undefined;
  });
}
