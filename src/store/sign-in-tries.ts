// Failed tries to sign in, counted in the database, for all processes together. A count begins with the first try and is
// over ten minutes later; the purge takes it away then.
import { createHash } from 'node:crypto';
import type { Pool } from './pool.ts';

const WINDOW = `interval '10 minutes'`;
export const ENDED_TRIES = `began_at < now() - ${WINDOW}`;

/** What is counted: some words that name it, and how many tries it may have. */
export type Counted = { readonly what: readonly string[]; readonly most: number };

const keyOf = ({ what }: Counted): Buffer => createHash('sha256').update(JSON.stringify(what)).digest();

/** Counts a try before anything is done, or gives the seconds until there may be one. */
export async function countTry(pool: Pool, counted: Counted): Promise<number | undefined> {
  const [row] = await pool.query<{ count: number; seconds: number }>(
    `insert into sign_in_tries as tries (key, count) values ($1, 1)
     on conflict (key) do update set
       count = case when tries.${ENDED_TRIES} then 1 else least(tries.count, $2) + 1 end,
       began_at = case when tries.${ENDED_TRIES} then now() else tries.began_at end
     returning count, ceil(extract(epoch from began_at + ${WINDOW} - now()))::int as seconds`,
    [keyOf(counted), counted.most],
  );
  return row !== undefined && row.count > counted.most ? Math.max(1, row.seconds) : undefined;
}

/** The try did not fail, so it is none of those. */
export async function uncountTries(pool: Pool, counted: readonly Counted[]): Promise<void> {
  const keys = counted.map(keyOf);
  await pool.query(
    `with last as (delete from sign_in_tries where key = any ($1) and count = 1)
     update sign_in_tries set count = count - 1 where key = any ($1) and count > 1`,
    [keys],
  );
}
