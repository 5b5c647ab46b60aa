// Opens the database that the configuration names: the given one, or the embedded one of the data folder.
import type { Config } from '../config.ts';
import { DatabaseUnavailable } from '../database/database-unavailable.ts';
import { useEmbeddedDatabase } from '../database/embedded.ts';
import { migrate } from '../store/migrate.ts';
import type { Migrated } from '../store/migrate.ts';
import { DatabaseAway, openPool } from '../store/pool.ts';
import type { Pool } from '../store/pool.ts';
import { UserError } from './command.ts';

const POOL_SIZE = 4;

/** Says where a given database is, without its password. */
export function describeUrl(url: string): string {
  const { host, pathname, username } = new URL(url);
  return `${username ? `${username}@` : ''}${host}${pathname}`;
}

/** Turns the ways in which a database cannot be had into one sentence. */
export function explainDatabaseError(error: unknown, config: Config): unknown {
  if (error instanceof DatabaseUnavailable) return new UserError(error.message);
  if (!(error instanceof DatabaseAway)) return error;
  const cause = error.cause instanceof Error ? error.cause.message : String(error.cause);
  const where = config.databaseUrl === undefined ? 'the embedded Postgres' : describeUrl(config.databaseUrl);
  return new UserError(`The database ${where} cannot be reached: ${cause || 'no answer'}.`);
}

/** Lends a command the database, brought to the program's version, for as long as it runs. */
export async function withMigratedDatabase<Result>(
  config: Config,
  use: (pool: Pool, migrated: Migrated) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl, dataDir } = config;
  try {
    const embedded = databaseUrl === undefined ? await useEmbeddedDatabase({ dataDir }) : undefined;
    try {
      const pool = openPool(databaseUrl ?? (embedded?.url as string), { size: POOL_SIZE });
      try {
        return await use(pool, await migrate(pool));
      } finally {
        await pool.close();
      }
    } finally {
      await embedded?.stop();
    }
  } catch (error) {
    throw explainDatabaseError(error, config);
  }
}

export const withDatabase = <Result>(config: Config, use: (pool: Pool) => Promise<Result>): Promise<Result> =>
  withMigratedDatabase(config, use);
