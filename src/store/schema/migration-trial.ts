// Tries migrations without touching any real table: runs all files from the first on temporary tables, which no other
// session sees and which are dropped at the end. After each file of interest it asks Postgres which locks were taken,
// and what was read in full or rewritten. Which locks a statement takes does not depend on the rows.
//
// Checksums identify the files that a database has, so the temporary tables have the same schema.
import type { PoolClient } from 'pg';
import { isOnline, statementsOf } from './migration-files.ts';
import type { Migration } from './migration-files.ts';

/** Postgres lock modes, weakest first. */
export const LOCK_MODES = [
  'AccessShareLock',
  'RowShareLock',
  'RowExclusiveLock',
  'ShareUpdateExclusiveLock',
  'ShareLock',
  'ShareRowExclusiveLock',
  'ExclusiveLock',
  'AccessExclusiveLock',
] as const;
export type LockMode = (typeof LOCK_MODES)[number];

/** What happens to the rows while the lock is held: nothing, all are read, or all are rewritten. */
export type Work = 'none' | 'read' | 'rewrite';

export type TriedTable = { readonly table: string; readonly mode: LockMode; readonly work: Work };
export type Tried = { readonly migration: Migration; readonly tables: readonly TriedTable[] };

// The locks held at the end of a transaction are all that it took. An index counts with its table.
const TRACES = `
  select relation.relname as "table", held.mode, pg_relation_filenode(relation.oid)::int8 as filenode,
    pg_stat_get_xact_numscans(relation.oid) as scans
  from pg_locks held
  join pg_class relation on relation.oid = held.relation
  where held.pid = pg_backend_pid() and held.locktype = 'relation' and held.granted
    and relation.relkind = 'r' and relation.relnamespace = pg_my_temp_schema()
  order by relation.relname`;

// The counters include everything that the session has not reported yet, so only the difference counts.
const BEFORE = `
  select relname as "table", pg_relation_filenode(oid)::int8 as filenode, pg_stat_get_xact_numscans(oid) as scans
  from pg_class where relkind = 'r' and relnamespace = pg_my_temp_schema()`;

type Trace = {
  readonly table: string;
  readonly mode: LockMode;
  readonly filenode: number;
  readonly scans: number;
};

const strongerOf = <Value>(order: readonly Value[], one: Value, other: Value): Value =>
  order.indexOf(one) > order.indexOf(other) ? one : other;

const WORKS: readonly Work[] = ['none', 'read', 'rewrite'];

/** An index cannot be built concurrently within a transaction; outside of one, it would lock its table like this. */
const CONCURRENTLY = /\bconcurrently\b/;
const CONCURRENT_MODE: LockMode = 'ShareUpdateExclusiveLock';

async function tryStatements(
  client: PoolClient,
  text: string,
  isConcurrent: boolean,
  found: Map<string, TriedTable>,
): Promise<void> {
  await client.query('begin');
  const { rows: before } = await client.query<Omit<Trace, 'mode'>>(BEFORE);
  await client.query(isConcurrent ? text.replace(CONCURRENTLY, '') : text);
  const { rows: traces } = await client.query<Trace>(TRACES);
  await client.query('commit');
  const had = new Map(before.map((trace) => [trace.table, trace]));
  for (const { table, mode, filenode, scans } of traces) {
    const own = had.get(table);
    // No one else knows a table that it created itself.
    if (own === undefined) continue;
    const work: Work = own.filenode === filenode ? (scans > own.scans ? 'read' : 'none') : 'rewrite';
    const known = found.get(table) ?? { table, mode: 'AccessShareLock', work: 'none' };
    found.set(table, {
      table,
      mode: strongerOf(LOCK_MODES, known.mode, isConcurrent ? CONCURRENT_MODE : mode),
      work: strongerOf(WORKS, known.work, work),
    });
  }
}

async function tryOne(client: PoolClient, migration: Migration): Promise<Tried> {
  const found = new Map<string, TriedTable>();
  if (isOnline(migration))
    for (const statement of statementsOf(migration))
      await tryStatements(client, statement, CONCURRENTLY.test(statement), found);
  else await tryStatements(client, migration.text, false, found);
  return { migration, tables: [...found.values()].filter(({ mode }) => mode !== 'AccessShareLock') };
}

/** What the files after the version would lock. The session is returned as it was. */
export async function tryMigrations(
  client: PoolClient,
  migrations: readonly Migration[],
  version: number,
): Promise<Tried[]> {
  const tried: Tried[] = [];
  try {
    await client.query('set search_path = pg_temp');
    for (const migration of migrations) {
      const one = await tryOne(client, migration);
      if (migration.number > version) tried.push(one);
    }
    return tried;
  } finally {
    await client.query('rollback').catch(() => {});
    await client.query('discard temp; reset search_path').catch(() => {});
  }
}
