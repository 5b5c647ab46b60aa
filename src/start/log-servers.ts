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
  servers.onStateChange((address, state) => {
    const server = placeOf(address);
    if (state === 'away') logger.warn({ server }, 'a database server does not respond');
    else if (state === 'read-only') logger.info({ server }, 'a database server is a standby, or read-only');
    else if (state < newest)
      logger.warn({ server, timeline: state, newest }, 'ignoring a writable database server on an older timeline');
    else {
      newest = state;
      logger.info({ server, timeline: state }, 'a database server is the primary');
    }
  });
  servers.onMove(() => logger.warn({ server: placeOf(servers.current()) }, 'failover to another database server'));
  return servers;
}
