// Tells in the log how the servers of DATABASE_URL stand, where it names several: which is written to, which follows, which
// does not answer; at the start and whenever that changes. A host that is misspelt would be found on the day it is needed.
import { placeOf } from '../config/database-url.ts';
import type { Logger } from 'pino';
import { directOf, openServers } from '../store/connections/servers.ts';
import type { Database, Servers } from '../store/connections/servers.ts';

/** To be closed by whoever opened it. */
export function logServers(database: Database, logger: Logger): Pick<Servers, 'close'> {
  const servers = openServers(directOf(database));
  let newest = 0;
  servers.onStanding((address, standing) => {
    const server = placeOf(address);
    if (standing === 'away') logger.warn({ server }, 'a server of the database does not answer');
    else if (standing === 'read-only') logger.info({ server }, 'a server of the database is a standby, or read-only');
    else if (standing < newest)
      logger.warn(
        { server, timeline: standing, newest },
        'a server takes writes on an older timeline, and is not used',
      );
    else {
      newest = standing;
      logger.info({ server, timeline: standing }, 'a server of the database takes writes');
    }
  });
  servers.onMove(() =>
    logger.warn({ server: placeOf(servers.current()) }, 'another server of the database has taken over'),
  );
  return servers;
}
