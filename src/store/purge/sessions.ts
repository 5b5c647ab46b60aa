// Deletes expired sessions, unused expired links, and old failed sign-in attempts. There is no setting for it, since
// none of them is useful after its time.
import type { Pool } from '../connections/pool.ts';
import { ENDED_SESSION } from '../people/sessions.ts';
import { ENDED_TRIES } from '../people/sign-in-tries.ts';
import { inUnsyncedTransaction } from '../connections/transaction.ts';

const STEP = 1_000;

const OVER = {
  sessions: { key: 'hash', isOver: ENDED_SESSION },
  sign_in_links: { key: 'hash', isOver: 'expires_at < now()' },
  link_requests: { key: 'id', isOver: 'expires_at < now()' },
  sign_in_tries: { key: 'key', isOver: ENDED_TRIES },
} as const;

/** Yields after each step. */
export async function* purgeSessions(pool: Pool): AsyncGenerator<Readonly<Record<string, number>>> {
  for (const [table, { key, isOver }] of Object.entries(OVER))
    for (let count = STEP; count === STEP;) {
      const text = `delete from ${table} where ${key} in (
        select ${key} from ${table} where ${isOver} limit ${STEP} for update skip locked
      )`;
      const { rowCount } = await inUnsyncedTransaction(pool, (client) => client.query(text));
      count = rowCount ?? 0;
      yield { [table]: count };
    }
}
