// Logs the state of the servers of DATABASE_URL, if it has several, at the start and on changes: primary, standby or down.
// Otherwise a misspelt host would only be noticed in an emergency.
import { placeOf } from '../config/database-url.ts';
import type { Logger } from 'pino';
import { directOf, openServers } from '../store/connections/servers.ts';
import type { Database, Servers } from '../store/connections/servers.ts';

/** The caller must close it. */
export function logServers(database: Database, logger: Logger): Pick<Servers, 'close'> {
  const servers = openServers(directOf(database));
  let newest = 0;
  servers.onStanding((address, standing) => {
    const server = placeOf(address);
    if (standing === 'away') logger.warn({ server }, 'a database server does not respond');
    else if (standing === 'read-only') logger.info({ server }, 'a database server is a standby, or read-only');
    else if (standing < newest)
      logger.warn({ server, timeline: standing, newest }, 'ignoring a writable database server on an older timeline');
    else {
      newest = standing;
      logger.info({ server, timeline: standing }, 'a database server is the primary');
    }
  });
  servers.onMove(() => logger.warn({ server: placeOf(servers.current()) }, 'failover to another database server'));
  return servers;
}
