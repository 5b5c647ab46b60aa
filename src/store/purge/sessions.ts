// Forgets what let people in and does no longer: sessions that have ended by themselves, and links that nobody used.
// Nothing is set for it, since neither is of any use when its time is over.
import type { Pool } from '../pool.ts';
import { ENDED_SESSION } from '../sessions.ts';
import { inTransaction } from './transaction.ts';

const STEP = 1_000;

const OVER = { sessions: ENDED_SESSION, sign_in_links: 'expires_at < now()' } as const;

/** One yield a step. */
export async function* purgeSessions(pool: Pool): AsyncGenerator<Readonly<Record<string, number>>> {
  for (const [table, isOver] of Object.entries(OVER))
    for (let count = STEP; count === STEP;) {
      const text = `delete from ${table} where hash in (
        select hash from ${table} where ${isOver} limit ${STEP} for update skip locked
      )`;
      const { rowCount } = await inTransaction(pool, (client) => client.query(text));
      count = rowCount ?? 0;
      yield { [table]: count };
    }
}
