// Whether the database takes what a request would write, found out by writing: a commit that leaves nothing behind but is
// as durable as any, and a page of a table that nobody else sees. A database that answers reads may be a standby, be
// read-only, be out of room, or wait for a standby that is away. Many ask, so one look serves all for a second.
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, DatabaseBusy, NotReplicated, openPool, READ_ONLY } from './pool.ts';
import type { Pool } from './pool.ts';
import type { Database } from './servers.ts';

export type DatabaseReadiness = {
  /** Undefined when it takes what is written; otherwise why not. */
  reasonNotReady(): Promise<string | undefined>;
  close(): Promise<void>;
};

const FRESH_MS = 1_000;
// Who asks does not wait for longer; a load balancer calls that unready, too.
const TIMEOUT_MS = 5_000;
// A look that nobody waits for any more is given up, and its connection with it: no time-out of the server's ends the wait
// for a standby.
const GIVE_UP_MS = 8_000;

// Nobody reads it, and it is a commit all the same: on disk, and where replication is synchronous on the standby.
const COMMIT = `select pg_logical_emit_message(true, 'kassa', '') where current_setting('transaction_read_only') = 'off'`;
// Its file grows by a page and is cut again: the first thing that a full disk refuses.
const GROW = `
  create temporary table if not exists kassa_room (page int) on commit delete rows;
  insert into kassa_room values (1);
`;

const OUT_OF_ROOM = '53100';
// A role may be forbidden to make temporary tables; then nothing is known of the room.
const NO_RIGHT = '42501';

const IS_READ_ONLY = 'the database is read-only';
const IS_SLOW = 'the database does not commit in time';

async function commit(pool: Pool): Promise<string | undefined> {
  const rows = await pool.query(COMMIT);
  return rows.length === 0 ? IS_READ_ONLY : undefined;
}

const grow = (pool: Pool): Promise<undefined> =>
  pool.query(GROW).then(
    () => undefined,
    (error: unknown) => {
      if (codeOf(error) !== NO_RIGHT) throw error;
      return undefined;
    },
  );

function explain(error: unknown): string {
  if (error instanceof NotReplicated) return IS_SLOW;
  const code = codeOf(error instanceof DatabaseBusy ? error.cause : error);
  if (code === READ_ONLY) return IS_READ_ONLY;
  if (code === OUT_OF_ROOM) return 'the disk of the database is full';
  if (error instanceof DatabaseBusy) return IS_SLOW;
  return 'the database is away';
}

/** On a connection of its own, so that it tells of the database and not of who else asks. */
export function openReadiness(database: Database): DatabaseReadiness {
  const pool = openPool(database, { size: 1, queryTimeoutMs: GIVE_UP_MS });
  let underWay: { readonly since: number; readonly reason: Promise<string | undefined> } | undefined;
  let last: { readonly freshUntil: number; readonly reason: string | undefined } | undefined;

  const look = async (): Promise<string | undefined> => {
    const reason = await commit(pool)
      .then((found) => found ?? grow(pool))
      .catch(explain);
    last = { reason, freshUntil: performance.now() + FRESH_MS };
    underWay = undefined;
    return reason;
  };

  return {
    reasonNotReady: async () => {
      if (underWay === undefined && last !== undefined && performance.now() < last.freshUntil) return last.reason;
      underWay ??= { since: performance.now(), reason: look() };
      const { since, reason } = underWay;
      const timer = new AbortController();
      const late = sleep(since + TIMEOUT_MS - performance.now(), IS_SLOW, { signal: timer.signal, ref: false });
      late.catch(() => {});
      return Promise.race([reason, late]).finally(() => timer.abort());
    },
    close: () => pool.close(),
  };
}
