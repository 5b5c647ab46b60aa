// Collects database metrics: whether it is writable, its size, its standbys, free disk space of the embedded one, and the
// results of the last reconciliations.
import { statfs } from 'node:fs/promises';
import type { Job } from '../ops/jobs.ts';
import type { DatabaseFigures, DatabaseMetrics } from '../ops/database-metrics.ts';
import { findDataDirectory, readDatabaseFigures, readReconcileFigures } from '../store/connections/database-figures.ts';
import type { DatabaseReadiness } from '../store/connections/readiness.ts';
import type { Store } from '../store/store.ts';
import type { Opened } from './process.ts';

const READ_EVERY_MS = 15_000;
const IDLE_MS = 60_000;

async function readDisk(folder: string): Promise<Pick<DatabaseFigures, 'disk'>> {
  const { bsize, blocks, bavail } = await statfs(folder);
  return { disk: { folder, bytes: bsize * blocks, freeBytes: bsize * bavail } };
}

export function watchingDatabase(
  { queue }: Pick<Store, 'queue'>,
  { readiness, metrics, isEmbedded }: { readiness: DatabaseReadiness; metrics: DatabaseMetrics; isEmbedded: boolean },
): Job {
  let folder: string | undefined;
  return {
    name: 'watch-database',
    everyMs: READ_EVERY_MS,
    idleMs: IDLE_MS,
    run: async () => {
      metrics.onDatabaseAsked(await readiness.refusal());
      if (isEmbedded) folder ??= await findDataDirectory(queue);
      const disk = folder === undefined ? {} : await readDisk(folder);
      metrics.onDatabase({ ...(await readDatabaseFigures(queue)), ...disk });
      metrics.onReconciled(await readReconcileFigures(queue));
    },
  };
}

/** Of one process that serves; docs/operate/run.md says so. */
const CONNECTIONS = 31;

/** What an operator must know of a database at the start, and may want all the same. */
export async function warnOfDatabase({ pool }: Store, { config, log: { logger }, link }: Opened): Promise<void> {
  // A server that does not wait for its disk can lose what was answered.
  const rows = await pool.query<{ name: string }>(
    `select name from pg_settings where name in ('fsync', 'full_page_writes') and setting = 'off'`,
  );
  const off = rows.map(({ name }) => name);
  if (off.length > 0) logger.warn({ off }, 'what is answered can be lost when the machine of the database fails');
  if (!link?.isFirst) return;
  const [room] = await pool.query<{ most: number }>(
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`,
  );
  // While they are replaced there is one more.
  const needed = (config.processes + 1) * CONNECTIONS;
  if (room && room.most < needed)
    logger.warn({ needed, ...room }, 'the database allows fewer connections than the processes may need');
}
