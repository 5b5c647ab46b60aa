// Brings a database to the shape this program needs: numbered files, each once, under a lock, so that several processes
// that start at once do it once. A database that is newer than the program is left alone.
//
// A file runs in one transaction. What would hold up writers for long (an index of a large table, the check of a
// constraint) goes into a file that begins with `-- online`: its statements run one by one, outside a transaction, and can
// all be run again, so a cut in the middle costs nothing. docs/internals/store.md has the rules, and a test holds them.
import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { DatabaseMisfit } from './database-misfit.ts';
import { checksumOf, isOnline, readMigrations, runsWith, statementsOf } from './migration-files.ts';
import type { Migration } from './migration-files.ts';
import { readStanding, refuseMisfit } from './migration-standing.ts';
import { codeOf, NO_QUERY_TIMEOUT } from '../connections/pool.ts';
import type { Pool } from '../connections/pool.ts';
import { LIMIT_STATEMENTS } from '../connections/session-settings.ts';

// What only one session at a time may hold, so that two do not build one index; nothing else hangs on it.
const ONLINE_LOCK = 7_365_001;
const ASK_AGAIN_MS = 50;
const LOCK_WITHIN_MS = 1_000;
const PAUSE_MS = 1_000;
const LONGEST_WAIT_MS = 300_000;
// A lock that was not had in time, and a deadlock.
const LOCKED = new Set<unknown>(['55P03', '40P01']);

export type Migrated = { readonly applied: readonly Migration[]; readonly version: number };

// What the loser of two processes that make the table at once is told; it only says that the table is there.
const TABLE_EXISTS = new Set<unknown>(['23505', '42710', '42P07']);

/** Told why a migration waits for others, once for each. */
type OnWait = (why: string) => void;
type Notes = { readonly onWait: OnWait; readonly onBegin: (count: number) => void };

/** `onBegin`: told once how many are to be applied, before the first. */
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

/** Gives the next migration, applied unless it is online, or the version when there is none left. */
async function applyNext(
  client: PoolClient,
  migrations: readonly Migration[],
  onBegin: Notes['onBegin'],
): Promise<Migration | number> {
  await client.query('begin');
  try {
    // A migration takes as long as it takes; the connection goes back to requests, which must not wait like that.
    await client.query('set local statement_timeout = 0');
    // Whoever waited for the lock looks again at what is left to do.
    await client.query({ text: 'lock table schema_migrations in share row exclusive mode', ...NO_QUERY_TIMEOUT });
    const { version, lacking } = await readStanding(client, migrations);
    const next = lacking[0] ?? version;
    if (lacking.length > 0) onBegin(lacking.length);
    if (typeof next === 'object' && !isOnline(next)) {
      // Whoever comes after one that waits for a whole table waits as well, readers too: so it never waits for long.
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

/** Again and again while others hold what it needs; between two tries they, and all who wait for them, go on. */
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

/** Applies the next migration, or gives the version when there is none left. */
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
 * Asked for again and again: a statement that waits has a snapshot, which whoever builds an index concurrently would wait
 * for, and each would wait for the other.
 */
async function lockOnline(client: PoolClient): Promise<void> {
  const ask = `select pg_try_advisory_lock(${ONLINE_LOCK}) as is_ours`;
  while ((await client.query<{ is_ours: boolean }>(ask)).rows[0]?.is_ours !== true) await sleep(ASK_AGAIN_MS);
}

/** Statement by statement, while others go on writing. An index that an earlier try left half built is built anew. */
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
