// Whether the database takes what a request would write, found out by writing: a commit that leaves nothing behind but is
// as durable as any, and a page of a table that nobody else sees. A database that answers reads may be a standby, be
// read-only, be out of room, or wait for a standby that is away. Many ask, so one look serves all for a second.
import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseRefusal } from '../../ops/database-metrics.ts';
import { codeOf, DatabaseBusy, NotReplicated, openPool, READ_ONLY } from './pool.ts';
import type { Pool } from './pool.ts';
import type { Database } from './servers.ts';

export type DatabaseReadiness = {
  /** Undefined when it takes what is written; otherwise why not. */
  refusal(): Promise<DatabaseRefusal | undefined>;
  /** The same in words. */
  reasonNotReady(): Promise<string | undefined>;
  close(): Promise<void>;
};

const FRESH_MS = 1_000;
// Who asks does not wait for longer; a load balancer calls that unready, too.
const TIMEOUT_MS = 5_000;
// A look that nobody waits for any more is given up, and its connection with it: no time-out of the server's ends the wait
// for a standby.
const GIVE_UP_MS = 8_000;

// Nobody reads it, and it is a commit all the same: on disk, and where replication is synchronous on the standby. As
// durable as any of ours, in this transaction alone: see below.
const COMMIT = `
  select set_config('synchronous_commit', case reset_val when 'remote_apply' then reset_val else 'on' end, true),
    pg_logical_emit_message(true, 'kassa', '')
  from pg_settings where name = 'synchronous_commit' and current_setting('transaction_read_only') = 'off'`;
// Its file grows by a page and is cut again: the first thing that a full disk refuses. Postgres drops the table when the
// session ends, by a commit that nothing interrupts: were that to wait for a standby that is away, the server could not
// be shut down. So whatever the session commits by itself waits for no standby.
const GROW = `
  set synchronous_commit = local;
  create temporary table if not exists kassa_room (page int) on commit delete rows;
  insert into kassa_room values (1);
`;
// A session of a pooler is somebody else's a moment later: nothing is left in it.
const GROW_IN_SHARED = `
  set local synchronous_commit = local;
  create temporary table kassa_room_once (page int) on commit drop;
  insert into kassa_room_once values (1);
`;

const OUT_OF_ROOM = '53100';
// A role may be forbidden to make temporary tables; then nothing is known of the room.
const NO_RIGHT = '42501';

const REASONS: Readonly<Record<DatabaseRefusal, string>> = {
  away: 'the database is away',
  full: 'the disk of the database is full',
  read_only: 'the database is read-only',
  slow: 'the database does not commit in time',
};

async function commit(pool: Pool): Promise<DatabaseRefusal | undefined> {
  const rows = await pool.query(COMMIT);
  return rows.length === 0 ? 'read_only' : undefined;
}

const grow = (pool: Pool, text: string): Promise<undefined> =>
  pool.query(text).then(
    () => undefined,
    (error: unknown) => {
      if (codeOf(error) !== NO_RIGHT) throw error;
      return undefined;
    },
  );

function explain(error: unknown): DatabaseRefusal {
  if (error instanceof NotReplicated) return 'slow';
  const code = codeOf(error instanceof DatabaseBusy ? error.cause : error);
  if (code === READ_ONLY) return 'read_only';
  if (code === OUT_OF_ROOM) return 'full';
  if (error instanceof DatabaseBusy) return 'slow';
  return 'away';
}

/** On a connection of its own, so that it tells of the database and not of who else asks. */
export function openReadiness(database: Database): DatabaseReadiness {
  const pool = openPool(database, { size: 1, queryTimeoutMs: GIVE_UP_MS });
  const growText = typeof database === 'string' ? GROW : GROW_IN_SHARED;
  let underWay: { readonly since: number; readonly reason: Promise<DatabaseRefusal | undefined> } | undefined;
  let last: { readonly freshUntil: number; readonly reason: DatabaseRefusal | undefined } | undefined;

  const look = async (): Promise<DatabaseRefusal | undefined> => {
    const reason = await commit(pool)
      .then((found) => found ?? grow(pool, growText))
      .catch(explain);
    last = { reason, freshUntil: performance.now() + FRESH_MS };
    underWay = undefined;
    return reason;
  };

  const refusal = async (): Promise<DatabaseRefusal | undefined> => {
    if (underWay === undefined && last !== undefined && performance.now() < last.freshUntil) return last.reason;
    underWay ??= { since: performance.now(), reason: look() };
    const { since, reason } = underWay;
    const timer = new AbortController();
    const late = sleep(since + TIMEOUT_MS - performance.now(), 'slow' as const, { signal: timer.signal, ref: false });
    late.catch(() => {});
    return Promise.race([reason, late]).finally(() => timer.abort());
  };

  return {
    refusal,
    reasonNotReady: async () => {
      const reason = await refusal();
      return reason && REASONS[reason];
    },
    close: () => pool.close(),
  };
}
