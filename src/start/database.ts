// Opens the configured database: an external one, or the embedded one of the data folder, beside a running service or
// alone.
import { readdirSync } from 'node:fs';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import { tellsOfDatabase } from '../database/data-folder.ts';
import { useEmbeddedDatabase } from '../database/embedded.ts';
import type { EmbeddedDatabase, EmbeddedStep } from '../database/embedded.ts';
import { migrate } from '../store/schema/migrate.ts';
import type { Migrated } from '../store/schema/migrate.ts';
import { openPool } from '../store/connections/pool.ts';
import type { Pool } from '../store/connections/pool.ts';
import type { Database } from '../store/connections/servers.ts';
import { remark } from '../ops/print.ts';
import { UserError } from '../ops/user-error.ts';
import { requireSessions } from './check-sessions.ts';
import { ECHO_MS } from './signals.ts';
import { explainDatabaseError } from './explain.ts';

const POOL_SIZE = 4;

// Steps that can take seconds, or half a minute on a slow machine.
const STEPS: Readonly<Partial<Record<EmbeddedStep['kind'], (folder: string) => void>>> = {
  'copy programs': (folder) => remark(`Unpacking Postgres for ${folder}.`),
  create: () => remark('Creating a new database, which can take half a minute.'),
};

/** The database for long-running processes: through its pooler, if it has one. */
export const databaseOf = ({ databaseDirectUrl: direct }: Config, url: string): Database =>
  direct === undefined ? url : { pooled: url, direct };

/** For work that needs a session: migrations and commands. */
export const sessionConfigOf = (config: Config): Config => ({
  ...config,
  databaseUrl: config.databaseDirectUrl ?? config.databaseUrl,
});

/** Opens a pool for the duration of the work. */
export async function withPool<Result>(
  url: string,
  use: (pool: Pool) => Promise<Result>,
  size = POOL_SIZE,
): Promise<Result> {
  const pool = openPool(url, { size });
  try {
    return await use(pool);
  } finally {
    await pool.close();
  }
}

/** Opens the embedded Postgres for a command. A Ctrl-C stops a Postgres that this command started. */
async function openEmbedded(dataDir: string): Promise<EmbeddedDatabase> {
  const opening = useEmbeddedDatabase({ dataDir, onStep: ({ kind, folder }) => STEPS[kind]?.(folder) });
  let askedAt: number | undefined;
  const leave = async (signal: NodeJS.Signals): Promise<void> => {
    if (askedAt !== undefined && performance.now() - askedAt < ECHO_MS) return;
    const isFirst = askedAt === undefined;
    askedAt ??= performance.now();
    if (isFirst) await opening.then((embedded) => embedded.stop()).catch(() => {});
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void leave(signal));
  return opening;
}

/** Whether there is no embedded database yet. An unreadable folder is reported when it is used. */
export function isWithoutDatabase({ databaseUrl, dataDir }: Config): boolean {
  if (databaseUrl !== undefined) return false;
  try {
    return !readdirSync(dataDir).some(tellsOfDatabase);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** Opens the database for a command without migrating it; creates it if necessary. */
export async function withDatabaseAsItIs<Result>(
  config: Config,
  use: (pool: Pool) => Promise<Result>,
  size = POOL_SIZE,
): Promise<Result> {
  const { databaseUrl, dataDir } = sessionConfigOf(config);
  try {
    const embedded = databaseUrl === undefined ? await openEmbedded(dataDir) : undefined;
    try {
      // A hint for someone in the wrong folder.
      if (embedded?.created) remark(`Created a new database in ${resolve(dataDir)}.`);
      return await withPool(databaseUrl ?? (embedded?.url as string), use, size);
    } finally {
      await embedded?.stop();
    }
  } catch (error) {
    throw explainDatabaseError(error, sessionConfigOf(config));
  }
}

/** Opens and migrates the database for a command; creates it if necessary. */
export const withMigratedDatabase = <Result>(
  config: Config,
  use: (pool: Pool, migrated: Migrated) => Promise<Result>,
  migrateIn: (pool: Pool) => Promise<Migrated> = async (pool) => {
    await requireSessions(config);
    return migrate(pool, undefined, remark);
  },
  size = POOL_SIZE,
): Promise<Result> => withDatabaseAsItIs(config, async (pool) => use(pool, await migrateIn(pool)), size);

/** For commands that make no sense in a new database: they were probably run in the wrong folder. */
export function requireDatabase(config: Config): void {
  if (!isWithoutDatabase(config)) return;
  const folder = resolve(config.dataDir);
  throw new UserError(`There is no database in ${folder}; run this in Kassa's folder, or set KASSA_DATA_DIR.`);
}

/** Opens the embedded database for a command without migrating it; it must exist. */
export async function withEmbedded<Result>(config: Config, use: (url: string) => Promise<Result>): Promise<Result> {
  requireDatabase(config);
  try {
    const embedded = await openEmbedded(config.dataDir);
    try {
      return await use(embedded.url);
    } finally {
      await embedded.stop();
    }
  } catch (error) {
    throw explainDatabaseError(error, config);
  }
}

/** Opens and migrates the database for a command; it must exist. */
export async function withDatabase<Result>(
  config: Config,
  use: (pool: Pool) => Promise<Result>,
  size = POOL_SIZE,
): Promise<Result> {
  requireDatabase(config);
  return withMigratedDatabase(config, use, undefined, size);
}
