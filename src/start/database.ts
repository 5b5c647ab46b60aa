// Opens the database that the configuration names: the given one, or the embedded one of the data folder, beside a
// running service or alone.
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

// What can take seconds, and on a slow machine half a minute; a launch alone is quick.
const STEPS: Readonly<Partial<Record<EmbeddedStep['kind'], (folder: string) => void>>> = {
  'copy programs': (folder) => remark(`Unpacking Postgres for ${folder}.`),
  create: () => remark('Making a new database, which can take half a minute.'),
};

/** The given database, as those see it who ask much of it: through its pooler, where it has one. */
export const databaseOf = ({ databaseDirectUrl: direct }: Config, url: string): Database =>
  direct === undefined ? url : { pooled: url, direct };

/** For whoever needs a session of its own: migrations and commands. */
export const sessionConfigOf = (config: Config): Config => ({
  ...config,
  databaseUrl: config.databaseDirectUrl ?? config.databaseUrl,
});

/** Lends a pool for as long as the work takes. */
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

/** Opens the embedded Postgres for a command. A Ctrl-C leaves none running that this command had started. */
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

/** True where the embedded database would have to be made first. A folder that cannot be read tells so when it is used. */
export function isWithoutDatabase({ databaseUrl, dataDir }: Config): boolean {
  if (databaseUrl !== undefined) return false;
  try {
    return !readdirSync(dataDir).some(tellsOfDatabase);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** Lends a command the database as it is, for as long as it runs; makes one where none is. */
export async function withDatabaseAsItIs<Result>(
  config: Config,
  use: (pool: Pool) => Promise<Result>,
  size = POOL_SIZE,
): Promise<Result> {
  const { databaseUrl, dataDir } = sessionConfigOf(config);
  try {
    const embedded = databaseUrl === undefined ? await openEmbedded(dataDir) : undefined;
    try {
      // Somebody in the wrong folder would wonder where everything is.
      if (embedded?.created) remark(`A new database was made in ${resolve(dataDir)}.`);
      return await withPool(databaseUrl ?? (embedded?.url as string), use, size);
    } finally {
      await embedded?.stop();
    }
  } catch (error) {
    throw explainDatabaseError(error, sessionConfigOf(config));
  }
}

/** Lends a command the database, brought to the program's version, for as long as it runs; makes one where none is. */
export const withMigratedDatabase = <Result>(
  config: Config,
  use: (pool: Pool, migrated: Migrated) => Promise<Result>,
  migrateIn: (pool: Pool) => Promise<Migrated> = async (pool) => {
    await requireSessions(config);
    return migrate(pool, undefined, remark);
  },
  size = POOL_SIZE,
): Promise<Result> => withDatabaseAsItIs(config, async (pool) => use(pool, await migrateIn(pool)), size);

/** For who has nothing to do in a new database: they were probably run in the wrong folder. */
export function requireDatabase(config: Config): void {
  if (!isWithoutDatabase(config)) return;
  const folder = resolve(config.dataDir);
  throw new UserError(`There is no database in ${folder}; run this in Kassa's folder, or set KASSA_DATA_DIR.`);
}

/** Lends a command the embedded database alone, as it is, where there is one. */
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

/** Lends a command the database as above, where there is one; over so many connections at most. */
export async function withDatabase<Result>(
  config: Config,
  use: (pool: Pool) => Promise<Result>,
  size = POOL_SIZE,
): Promise<Result> {
  requireDatabase(config);
  return withMigratedDatabase(config, use, undefined, size);
}
