// Opens the database that the configuration names: the given one, or the embedded one of the data folder, beside a
// running service or alone.
import { constants } from 'node:os';
import type { Config } from '../config.ts';
import { useEmbeddedDatabase } from '../database/embedded.ts';
import type { EmbeddedDatabase } from '../database/embedded.ts';
import { migrate } from '../store/migrate.ts';
import type { Migrated } from '../store/migrate.ts';
import { openPool } from '../store/pool.ts';
import type { Pool } from '../store/pool.ts';
import { remark } from './command.ts';
import { explainDatabaseError } from './explain.ts';

const POOL_SIZE = 4;

/** Lends a pool for as long as the work takes. */
export async function withPool<Result>(url: string, use: (pool: Pool) => Promise<Result>): Promise<Result> {
  const pool = openPool(url, { size: POOL_SIZE });
  try {
    return await use(pool);
  } finally {
    await pool.close();
  }
}

/** Opens the embedded Postgres for a command. A Ctrl-C leaves none running that this command had started. */
async function openEmbedded(dataDir: string): Promise<EmbeddedDatabase> {
  const opening = useEmbeddedDatabase({ dataDir });
  const leave = async (signal: NodeJS.Signals): Promise<void> => {
    await opening.then((embedded) => embedded.stop()).catch(() => {});
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void leave(signal));
  return opening;
}

/** Lends a command the database, brought to the program's version, for as long as it runs. */
export async function withMigratedDatabase<Result>(
  config: Config,
  use: (pool: Pool, migrated: Migrated) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl, dataDir } = config;
  try {
    const embedded = databaseUrl === undefined ? await openEmbedded(dataDir) : undefined;
    try {
      // Somebody in the wrong folder would wonder where everything is.
      if (embedded?.created) remark(`A new database was made in ${dataDir}.`);
      return await withPool(databaseUrl ?? (embedded?.url as string), async (pool) => use(pool, await migrate(pool)));
    } finally {
      await embedded?.stop();
    }
  } catch (error) {
    throw explainDatabaseError(error, config);
  }
}

export const withDatabase = <Result>(config: Config, use: (pool: Pool) => Promise<Result>): Promise<Result> =>
  withMigratedDatabase(config, use);
