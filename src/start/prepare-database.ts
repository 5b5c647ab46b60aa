// Prepares the database for the service or the worker: waits for it, checks its configuration, and migrates it.
import { migrate } from '../store/schema/migrate.ts';
import { directOf } from '../store/connections/servers.ts';
import type { Database } from '../store/connections/servers.ts';
import { requireOneDatabase, requireSessions } from './check-sessions.ts';
import { sessionConfigOf, withPool } from './database.ts';
import { explainDatabaseError } from './explain.ts';
import type { Opened } from './process.ts';
import { whenDatabaseIsThere } from './wait-for-database.ts';
import type { Waiting } from './wait-for-database.ts';

/** Runs before everything else, so that an unavailable database is reported or waited for first. */
export async function prepareDatabase(opened: Opened, database: Database): Promise<void> {
  const { config, log, shutdown } = opened;
  // Errors name the setting of the connection they concern.
  const sessions = sessionConfigOf(config);
  const waiting: Waiting = {
    shutdown: shutdown.requested,
    onWait: (why) => log.logger.warn({ why, atMostMs: config.databaseWaitMs }, 'waiting for the database'),
  };
  const onWait = (why: string): void => log.logger.warn({ why }, 'waiting for the database');
  const onBegin = (migrations: number): void => log.logger.info({ migrations }, 'migrating the database');
  try {
    await whenDatabaseIsThere(sessions, waiting, () => requireSessions(config));
    await whenDatabaseIsThere(config, waiting, () => requireOneDatabase(config)).catch((error: unknown) => {
      throw explainDatabaseError(error, config);
    });
    await whenDatabaseIsThere(sessions, waiting, () =>
      withPool(directOf(database), (pool) => migrate(pool, undefined, onWait, onBegin)),
    );
  } catch (error) {
    throw explainDatabaseError(error, sessions);
  }
}
