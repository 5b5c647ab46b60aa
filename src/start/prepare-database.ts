// What the service and the worker do with a database before they use it: they wait for it, see that it can be used as it is
// given, and bring it to their version.
import { migrate } from '../store/schema/migrate.ts';
import { directOf } from '../store/connections/servers.ts';
import type { Database } from '../store/connections/servers.ts';
import { requireOneDatabase, requireSessions } from './check-sessions.ts';
import { sessionConfigOf, withPool } from './database.ts';
import { explainDatabaseError } from './explain.ts';
import type { Opened } from './process.ts';
import { whenDatabaseIsThere } from './wait-for-database.ts';
import type { Waiting } from './wait-for-database.ts';

/** On its own, before all the rest: a database that cannot be had is told at once, or awaited. */
export async function prepareDatabase(opened: Opened, database: Database): Promise<void> {
  const { config, log, shutdown } = opened;
  // Each fault is told with the setting that it is of.
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
