// A dry run of a migration: which files would be applied, what each locks, who would wait for about how long, and which
// sessions block it now. It changes nothing and locks no table of Kassa's: the files run on temporary tables, and sizes
// and locks come from the catalogue.
import type { PoolClient } from 'pg';
import { isOnline, readMigrations } from './migration-files.ts';
import type { Migration } from './migration-files.ts';
import { readSchemaState, refuseMisfit } from './schema-state.ts';
import type { SchemaState } from './schema-state.ts';
import { LOCK_MODES, tryMigrations } from './migration-trial.ts';
import type { LockMode, TriedTable, Work } from './migration-trial.ts';
import { codeOf } from '../connections/pool.ts';
import type { Pool } from '../connections/pool.ts';

/** Who waits while a lock is held. */
export type Waits = 'nothing' | 'writes to the same rows' | 'writes' | 'reads and writes';

/** Another session that has held a lock that a migration needs for longer than a moment. */
export type Holder = { readonly pid: number | null; readonly name: string; readonly seconds: number | null };

export type ForeseenLock = {
  readonly table: string;
  readonly mode: LockMode;
  readonly waits: Waits;
  readonly work: Work;
  /** How much is read or rewritten. */
  readonly bytes: number;
  /** About how long that takes; 0 if it is only a moment. */
  readonly seconds: number;
  readonly heldBy: readonly Holder[];
};

export type Foreseen = {
  readonly number: number;
  readonly name: string;
  readonly online: boolean;
  readonly locks: readonly ForeseenLock[];
};

export type Foresight = {
  readonly version: number;
  readonly migrations: readonly Foreseen[];
  /** Whether anyone would wait for longer than a moment. */
  readonly holdsUp: boolean;
};

// If a table is locked for longer, its size is the one that the last vacuum recorded.
const LOCK_WITHIN_MS = 500;
const LOCKED = '55P03';
// What an ordinary disk reads when nothing of the table is cached; rewriting a table rebuilds its indexes, too.
const READ_BYTES_PER_S = 100_000_000;
const REWRITTEN_BYTES_PER_S = 25_000_000;
// Anything shorter is a moment: everyone waits that long anyway behind a migration that tries to get its lock.
const MOMENT_S = 1;
const MOST_HOLDERS = 5;

/** Which lock modes each mode conflicts with. */
const WAITS_FOR: Readonly<Record<LockMode, readonly LockMode[]>> = {
  AccessShareLock: LOCK_MODES.slice(7),
  RowShareLock: LOCK_MODES.slice(6),
  RowExclusiveLock: LOCK_MODES.slice(4),
  ShareUpdateExclusiveLock: LOCK_MODES.slice(3),
  ShareLock: ['RowExclusiveLock', 'ShareUpdateExclusiveLock', ...LOCK_MODES.slice(5)],
  ShareRowExclusiveLock: LOCK_MODES.slice(2),
  ExclusiveLock: LOCK_MODES.slice(1),
  AccessExclusiveLock: LOCK_MODES,
};

export function waitsFor(mode: LockMode): Waits {
  const isHeldUp = (other: LockMode): boolean => WAITS_FOR[other].includes(mode);
  if (isHeldUp('AccessShareLock')) return 'reads and writes';
  if (isHeldUp('RowExclusiveLock')) return 'writes';
  return mode === 'RowExclusiveLock' ? 'writes to the same rows' : 'nothing';
}

/** About how long it takes to read or rewrite this much; 0 if it is only a moment. */
export function secondsFor(work: Work, bytes: number): number {
  const seconds = bytes / (work === 'read' ? READ_BYTES_PER_S : REWRITTEN_BYTES_PER_S);
  return seconds < MOMENT_S ? 0 : Math.round(seconds);
}

/** A read covers only the heap; a rewrite covers the indexes as well. */
async function measure(client: PoolClient, table: string, work: Work): Promise<{ bytes: number; seconds: number }> {
  if (work === 'none') return { bytes: 0, seconds: 0 };
  const size = work === 'read' ? 'pg_relation_size' : 'pg_total_relation_size';
  const ask = async (expression: string): Promise<number> => {
    const { rows } = await client.query<{ bytes: number }>(
      `select (${expression})::int8 as bytes from pg_class where oid = to_regclass($1)`,
      [table],
    );
    return rows[0]?.bytes ?? 0;
  };
  const bytes = await ask(`${size}(oid)`).catch((error: unknown) => {
    if (codeOf(error) !== LOCKED) throw error;
    return ask("relpages::int8 * current_setting('block_size')::int8");
  });
  return { bytes, seconds: secondsFor(work, bytes) };
}

// Without special rights, a session of another role shows only its pid. A prepared transaction has no session.
// Autovacuum yields to anyone who waits for it.
const HOLDERS = `
  select distinct held.pid, coalesce(nullif(activity.application_name, ''), activity.backend_type, 'a prepared transaction')
      as name,
    extract(epoch from clock_timestamp() - activity.xact_start)::float8 as seconds
  from pg_locks held
  left join pg_stat_activity activity on activity.pid = held.pid
  where held.locktype = 'relation' and held.relation = to_regclass($1) and held.granted and held.mode = any ($2)
    and held.database = (select oid from pg_database where datname = current_database())
    and held.pid is distinct from pg_backend_pid() and activity.backend_type is distinct from 'autovacuum worker'
    -- Without a state: prepared transactions, and sessions that we may not see. An idle session has released its locks.
    and (activity.state is null or activity.xact_start < clock_timestamp() - interval '1 second')
    and (held.pid is null or activity.pid is not null)
  order by seconds desc nulls last
  limit ${MOST_HOLDERS}`;

async function findHolders(client: PoolClient, table: string, mode: LockMode): Promise<Holder[]> {
  const { rows } = await client.query<{ pid: number | null; name: string; seconds: number | null }>(HOLDERS, [
    table,
    WAITS_FOR[mode],
  ]);
  return rows.map(({ pid, name, seconds }) => ({ pid, name, seconds: seconds === null ? null : Math.round(seconds) }));
}

async function foreseeLock(client: PoolClient, { table, mode, work }: TriedTable): Promise<ForeseenLock> {
  const waits = waitsFor(mode);
  const size = await measure(client, table, work);
  return { table, mode, waits, work, ...size, heldBy: await findHolders(client, table, mode) };
}

/** Existing tables: no one waits for a table that the migration creates. */
async function readTables(client: PoolClient): Promise<Set<string>> {
  const { rows } = await client.query<{ table: string }>(
    `select relname as "table" from pg_class where relkind = 'r' and pg_table_is_visible(oid)
       and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`,
  );
  return new Set(rows.map(({ table }) => table));
}

async function readSchemaStateOf(client: PoolClient, migrations: readonly Migration[]): Promise<SchemaState> {
  const { rows } = await client.query("select 1 where to_regclass('schema_migrations') is not null");
  return rows.length > 0 ? readSchemaState(client, migrations) : { version: 0, lacking: migrations };
}

const holdsUp = ({ waits, seconds, heldBy }: ForeseenLock): boolean =>
  waits !== 'nothing' && (seconds > 0 || heldBy.length > 0);

async function foresee(client: PoolClient, migrations: readonly Migration[]): Promise<Foresight> {
  const { version, lacking } = await readSchemaStateOf(client, migrations);
  const tried = lacking.length === 0 ? [] : await tryMigrations(client, migrations, version);
  const tables = await readTables(client);
  const foreseen: Foreseen[] = [];
  for (const { migration, tables: touched } of tried) {
    const locks: ForeseenLock[] = [];
    const inOrder = touched.toSorted((one, other) => (one.table < other.table ? -1 : 1));
    for (const lock of inOrder) if (tables.has(lock.table)) locks.push(await foreseeLock(client, lock));
    const { number, name } = migration;
    foreseen.push({ number, name, online: isOnline(migration), locks });
  }
  return { version, migrations: foreseen, holdsUp: foreseen.some(({ locks }) => locks.some(holdsUp)) };
}

/** The version of a database and the migrations that it lacks, without trying them. */
export async function readSchema(pool: Pool, migrations = readMigrations()): Promise<SchemaState> {
  return pool.withClient(async (client) => {
    await refuseMisfit(client);
    return readSchemaStateOf(client, migrations);
  });
}

export async function foreseeMigration(pool: Pool, migrations = readMigrations()): Promise<Foresight> {
  return pool.withClient(async (client) => {
    await refuseMisfit(client);
    await client.query(`set lock_timeout = ${LOCK_WITHIN_MS}`);
    try {
      return await foresee(client, migrations);
    } finally {
      await client.query('reset lock_timeout').catch(() => {});
    }
  });
}
