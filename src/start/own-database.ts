// The database of the service: the configured one, or an embedded one that its supervisor or the service itself started.
import { startEmbeddedDatabase } from '../database/embedded.ts';
import type { EmbeddedStep } from '../database/embedded.ts';
import { UserError } from '../ops/user-error.ts';
import type { Database } from '../store/connections/servers.ts';
import { databaseOf, isWithoutDatabase } from './database.ts';
import { explainListenError } from './explain.ts';
import { requireFreePort } from './free-port.ts';
import type { Opened } from './process.ts';

// Logged, since the first start can take half a minute on a slow machine.
const STEPS: Readonly<Record<EmbeddedStep['kind'], string>> = {
  'copy programs': 'unpacking Postgres',
  create: 'creating a new database',
  launch: 'starting Postgres',
};

/** Returns its address. */
export async function openOwnDatabase({ config, log, shutdown, openings, link }: Opened): Promise<Database> {
  if (config.databaseUrl !== undefined) return databaseOf(config, config.databaseUrl);
  if (link?.embeddedUrl !== undefined) return link.embeddedUrl;
  // Report a port in use before creating a database.
  if (isWithoutDatabase(config))
    await requireFreePort(config).catch((error: unknown) => {
      throw explainListenError(error, config);
    });
  const onEnded = ({ message }: Error): void => shutdown.fail(new UserError(message));
  const onStep = ({ kind, folder }: EmbeddedStep): void => log.logger.info({ folder }, STEPS[kind]);
  const embedded = await startEmbeddedDatabase({ dataDir: config.dataDir, onEnded, onStep });
  openings.add('embedded postgres', () => embedded.stop());
  return embedded.url;
}
