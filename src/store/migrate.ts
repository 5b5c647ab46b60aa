// Brings a database to the shape this program needs: numbered files, each in a transaction of its own, under a lock, so
// that several processes that start at once do it once. A database that is newer than the program is left alone.
import { readdirSync, readFileSync } from 'node:fs';
import type { PoolClient } from 'pg';
import { codeOf, NO_QUERY_TIMEOUT } from './pool.ts';
import type { Pool } from './pool.ts';

const FOLDER = new URL('migrations/', import.meta.url);

export type Migration = { readonly number: number; readonly name: string; readonly text: string };

export class DatabaseTooNew extends Error {
  override readonly name = 'DatabaseTooNew';
}

export class DatabaseTooOld extends Error {
  override readonly name = 'DatabaseTooOld';
}

// Postgres 15 is the oldest that the statements were tried on.
const OLDEST_SERVER = 150_000;

export function readMigrations(): Migration[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sql'));
  return files.toSorted().map((file) => {
    const [, number, name] = /^(\d{3})-(.+)\.sql$/.exec(file) ?? [];
    if (number === undefined || name === undefined) throw new Error(`${file} is not named like 001-payments.sql`);
    return { number: Number(number), name, text: readFileSync(new URL(file, FOLDER), 'utf8') };
  });
}

async function readVersion(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    'select coalesce(max(number), 0)::int as version from migrations',
  );
  return rows[0]?.version ?? 0;
}

export type Migrated = { readonly applied: readonly Migration[]; readonly version: number };

// What the loser of two processes that make the table at once is told; it only says that the table is there.
const TABLE_EXISTS = new Set<unknown>(['23505', '42710', '42P07']);

export async function migrate(pool: Pool, migrations = readMigrations()): Promise<Migrated> {
  return pool.withClient(async (client) => {
    const server = await client.query<{ server_version_num: string }>('show server_version_num');
    if (Number(server.rows[0]?.server_version_num) < OLDEST_SERVER)
      throw new DatabaseTooOld('Kassa needs Postgres 15 or later.');
    await client
      .query('create table if not exists migrations (number int primary key, name text, applied_at timestamptz)')
      .catch((error: unknown) => {
        if (!TABLE_EXISTS.has(codeOf(error))) throw error;
      });
    const applied: Migration[] = [];
    for (;;) {
      const next = await migrateOnce(client, migrations);
      if (typeof next === 'number') return { applied, version: next };
      applied.push(next);
    }
  });
}

/** Applies the next migration, or gives the version when there is none left. */
async function migrateOnce(client: PoolClient, migrations: readonly Migration[]): Promise<Migration | number> {
  const newest = migrations.at(-1)?.number ?? 0;
  await client.query('begin');
  try {
    // A migration takes as long as it takes; the connection goes back to requests, which must not wait like that.
    await client.query('set local statement_timeout = 0');
    // Whoever waited for the lock looks again at what is left to do.
    await client.query({ text: 'lock table migrations in share row exclusive mode', ...NO_QUERY_TIMEOUT });
    const version = await readVersion(client);
    if (version > newest)
      throw new DatabaseTooNew(
        `The database is at version ${version}, this Kassa knows only up to ${newest}: run a newer Kassa.`,
      );
    const next = migrations.find(({ number }) => number > version);
    if (next !== undefined) {
      await client.query({ text: next.text, ...NO_QUERY_TIMEOUT });
      await client.query('insert into migrations values ($1, $2, now())', [next.number, next.name]);
    }
    await client.query('commit');
    return next ?? version;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}
