// Migrates a database to the schema that this program needs: numbered files, each applied once, under a lock, so that
// several processes can start at once. A database that is newer than the program is left unchanged.
//
// A file runs in one transaction. What would block writers for long (an index on a large table, validating a
// constraint) goes into a file that begins with `-- online`: its statements run one by one, outside a transaction, and
// can all be repeated, so an interruption does no harm. docs/internals/store.md has the rules, and a test enforces
// them.
import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { DatabaseMisfit } from './database-misfit.ts';
import { checksumOf, isOnline, readMigrations, runsWith, statementsOf } from './migration-files.ts';
import type { Migration } from './migration-files.ts';
import { readSchemaState, refuseMisfit } from './schema-state.ts';
import { codeOf, NO_QUERY_TIMEOUT } from '../connections/pool.ts';
import type { Pool } from '../connections/pool.ts';
import { LIMIT_STATEMENTS } from '../connections/session-settings.ts';

// An advisory lock, so that two sessions do not build the same index.
const ONLINE_LOCK = 7_365_001;
const ASK_AGAIN_MS = 50;
const LOCK_WITHIN_MS = 1_000;
const PAUSE_MS = 1_000;
const LONGEST_WAIT_MS = 300_000;
// Lock timeout and deadlock.
const LOCKED = new Set<unknown>(['55P03', '40P01']);

export type Migrated = { readonly applied: readonly Migration[]; readonly version: number };

// The error that the loser gets when two processes create the table at once; it only means that the table exists.
const TABLE_EXISTS = new Set<unknown>(['23505', '42710', '42P07']);

/** Called with why a migration waits, once for each reason. */
type OnWait = (why: string) => void;
type Notes = { readonly onWait: OnWait; readonly onBegin: (count: number) => void };

/** `onBegin`: called once with the number of migrations to apply, before the first. */
export async function migrate(
  pool: Pool,
  migrations = readMigrations(),
  onWait: OnWait = () => {},
  onBegin: (count: number) => void = () => {},
): Promise<Migrated> {
  return pool.withClient(async (client) => {
    await refuseMisfit(client);
    await client
      .query(
        `create table if not exists schema_migrations (
           number int primary key, name text not null, checksum text not null, runs_with int not null,
           applied_at timestamptz not null default now()
         )`,
      )
      .catch((error: unknown) => {
        if (!TABLE_EXISTS.has(codeOf(error))) throw error;
      });
    const applied: Migration[] = [];
    for (;;) {
      const isFirst = applied.length === 0;
      const next = await migrateOnce(client, migrations, { onWait, onBegin: isFirst ? onBegin : () => {} });
      if (typeof next === 'number') return { applied, version: next };
      applied.push(next);
    }
  });
}

const WRITE_DOWN =
  'insert into schema_migrations (number, name, checksum, runs_with) values ($1, $2, $3, $4) on conflict do nothing';

const writeDown = (client: PoolClient, migration: Migration, migrations: readonly Migration[]): Promise<unknown> =>
  client.query(WRITE_DOWN, [migration.number, migration.name, checksumOf(migration), runsWith(migration, migrations)]);

/** Returns the next migration, already applied unless it is online, or the version if there is none left. */
async function applyNext(
  client: PoolClient,
  migrations: readonly Migration[],
  onBegin: Notes['onBegin'],
): Promise<Migration | number> {
  await client.query('begin');
  try {
    // A migration may take any time; the connection later serves requests, which must not wait like that.
    await client.query('set local statement_timeout = 0');
    // Another process may have migrated while this one waited for the lock, so check again.
    await client.query({ text: 'lock table schema_migrations in share row exclusive mode', ...NO_QUERY_TIMEOUT });
    const { version, lacking } = await readSchemaState(client, migrations);
    const next = lacking[0] ?? version;
    if (lacking.length > 0) onBegin(lacking.length);
    if (typeof next === 'object' && !isOnline(next)) {
      // Everyone, readers included, queues behind a session that waits for a table lock, so never wait for long.
      await client.query(`set local lock_timeout = ${LOCK_WITHIN_MS}`);
      await client.query({ text: next.text, ...NO_QUERY_TIMEOUT });
      await writeDown(client, next, migrations);
    }
    await client.query('commit');
    return next;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** Retries while others hold what it needs; between two tries they, and everyone queued behind, can go on. */
async function whenUnlocked<Result>(onWait: OnWait, work: () => Promise<Result>): Promise<Result> {
  for (let deadline = Infinity; ; await sleep(PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!LOCKED.has(codeOf(error))) throw error;
      const minutes = LONGEST_WAIT_MS / 60_000;
      if (performance.now() >= deadline)
        throw new DatabaseMisfit(
          `The migration failed: other sessions held locks on its tables for ${minutes} minutes. Stop long-running work, ` +
            'such as a backup or an open transaction, and try again.',
        );
      if (deadline === Infinity) {
        onWait(`Waiting up to ${minutes} minutes for table locks held by other sessions.`);
        deadline = performance.now() + LONGEST_WAIT_MS;
      }
    }
  }
}

/** Applies the next migration, or returns the version if there is none left. */
async function migrateOnce(
  client: PoolClient,
  migrations: readonly Migration[],
  { onWait, onBegin }: Notes,
): Promise<Migration | number> {
  const next = await whenUnlocked(onWait, () => applyNext(client, migrations, onBegin));
  if (typeof next === 'object' && isOnline(next)) await applyOnline(client, next, migrations);
  return next;
}

/**
 * Polls instead of waiting: a waiting statement holds a snapshot, which CREATE INDEX CONCURRENTLY would wait for, so
 * the two would deadlock.
 */
async function lockOnline(client: PoolClient): Promise<void> {
  const ask = `select pg_try_advisory_lock(${ONLINE_LOCK}) as is_ours`;
  while ((await client.query<{ is_ours: boolean }>(ask)).rows[0]?.is_ours !== true) await sleep(ASK_AGAIN_MS);
}

/** Runs statement by statement, while others go on writing. Rebuilds an index that an earlier try left invalid. */
async function applyOnline(client: PoolClient, migration: Migration, migrations: readonly Migration[]): Promise<void> {
  const run = (text: string): Promise<unknown> => client.query({ text, ...NO_QUERY_TIMEOUT });
  await run('set statement_timeout = 0');
  try {
    await lockOnline(client);
    for (const statement of statementsOf(migration)) {
      const [, index] = /^create (?:unique )?index concurrently if not exists (\w+)/.exec(statement) ?? [];
      if (index !== undefined) {
        const { rows } = await client.query(
          'select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid',
          [index],
        );
        if (rows.length > 0) await run(`drop index concurrently ${index}`);
      }
      await run(statement);
    }
    await writeDown(client, migration, migrations);
  } finally {
    await client.query(`select pg_advisory_unlock(${ONLINE_LOCK})`).catch(() => {});
    await client.query(LIMIT_STATEMENTS).catch(() => {});
  }
}
