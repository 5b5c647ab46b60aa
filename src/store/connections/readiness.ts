// Checks whether the database accepts writes, by writing: a commit that leaves nothing behind but is as durable as any
// other, and a page of a temporary table. A database that answers reads may be a standby, be read-only, be out of disk
// space, or wait for a standby that is away. One check serves all callers for a second.
import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseRefusal } from '../../ops/database-metrics.ts';
import { codeOf, DatabaseBusy, NotReplicated, openPool, READ_ONLY } from './pool.ts';
import type { Pool } from './pool.ts';
import type { Database } from './servers.ts';

export type DatabaseReadiness = {
  /** Undefined if it accepts writes; otherwise why not. */
  refusal(): Promise<DatabaseRefusal | undefined>;
  /** The same as text. */
  reasonNotReady(): Promise<string | undefined>;
  close(): Promise<void>;
};

const FRESH_MS = 1_000;
// Callers do not wait for longer; a load balancer considers that unready, too.
const TIMEOUT_MS = 5_000;
// A check that no one waits for is abandoned with its connection: no server timeout ends a wait for a standby.
const GIVE_UP_MS = 8_000;

// A commit that no one reads: flushed to disk and, with synchronous replication, to the standby. Only this transaction
// is that durable: see below.
const COMMIT = `
  select set_config('synchronous_commit', case reset_val when 'remote_apply' then reset_val else 'on' end, true),
    pg_logical_emit_message(true, 'kassa', '')
  from pg_settings where name = 'synchronous_commit' and current_setting('transaction_read_only') = 'off'`;
// The file grows by a page and is truncated again, which a full disk refuses first. Postgres drops the table at the end
// of the session, in a commit that cannot be interrupted: if that waited for a standby that is away, the server could
// not be shut down. So the session's own commits wait for no standby.
const GROW = `
  set synchronous_commit = local;
  create temporary table if not exists kassa_room (page int) on commit delete rows;
  insert into kassa_room values (1);
`;
// A pooler gives the session to others, so nothing is left in it.
const GROW_IN_SHARED = `
  set local synchronous_commit = local;
  create temporary table kassa_room_once (page int) on commit drop;
  insert into kassa_room_once values (1);
`;

const OUT_OF_ROOM = '53100';
// A role may lack the right to create temporary tables; then disk space is not checked.
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

/** On a connection of its own, so that it measures the database and not the load of the pools. */
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
