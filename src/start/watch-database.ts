// Looks at the database as a whole now and then, for the figures: whether it takes what is written, how large it is, who
// follows it, how full the disk of the embedded one is; and what the last comparisons with acquirers found.
import { statfs } from 'node:fs/promises';
import type { Job } from '../ops/jobs.ts';
import type { DatabaseFigures, DatabaseMetrics } from '../ops/database-metrics.ts';
import { findDataDirectory, readDatabaseFigures, readReconcileFigures } from '../store/connections/database-figures.ts';
import type { DatabaseReadiness } from '../store/connections/readiness.ts';
import type { Store } from '../store/store.ts';

const LOOK_EVERY_MS = 15_000;
const LOOK_WHEN_IDLE_EVERY_MS = 60_000;

async function lookAtDisk(folder: string): Promise<Pick<DatabaseFigures, 'disk'>> {
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
    everyMs: LOOK_EVERY_MS,
    idleMs: LOOK_WHEN_IDLE_EVERY_MS,
    run: async () => {
      metrics.onDatabaseAsked(await readiness.refusal());
      if (isEmbedded) folder ??= await findDataDirectory(queue);
      const disk = folder === undefined ? {} : await lookAtDisk(folder);
      metrics.onDatabase({ ...(await readDatabaseFigures(queue)), ...disk });
      metrics.onReconciled(await readReconcileFigures(queue));
    },
  };
}
