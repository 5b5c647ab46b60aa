// The separate port for the console and /metrics, if one is set, so that these are not reachable with the API and checkout.
import { buildServer } from '../server/server.ts';
import type { ServerOptions } from '../server/server.ts';
import { closeApp } from './close-app.ts';
import { listen } from './listen.ts';
import type { Opened } from './process.ts';

/** Returns its local address; undefined if the console has no port of its own. */
export async function openConsolePort(
  opened: Opened,
  options: Pick<ServerOptions, 'metrics' | 'readiness' | 'publicUrl' | 'metricsElsewhere' | 'routes' | 'tracing'>,
): Promise<string | undefined> {
  const { config, log, shutdown, openings } = opened;
  const { host, consolePort: port } = config;
  if (port === undefined) return undefined;
  const app = await buildServer({
    ...options,
    logger: log.logger,
    isStopping: () => shutdown.isRequested(),
    trustedProxies: config.trustedProxies,
  });
  openings.add('console port', () => closeApp(app, opened));
  return listen(app, { host, port }, 'KASSA_CONSOLE_PORT');
}
