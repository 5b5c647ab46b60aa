// Collects database metrics: whether it is writable, its size, its standbys, free disk space of the embedded one, and the
// results of the last reconciliations.
import { statfs } from 'node:fs/promises';
import type { Job } from '../ops/jobs.ts';
import type { DatabaseFigures, DatabaseMetrics } from '../ops/database-metrics.ts';
import { findDataDirectory, readDatabaseFigures, readReconcileFigures } from '../store/connections/database-figures.ts';
import type { DatabaseReadiness } from '../store/connections/readiness.ts';
import type { Store } from '../store/store.ts';

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
