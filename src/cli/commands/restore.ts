// `kassa restore`: restores the embedded database from a file of `kassa backup`. It overwrites nothing, and starts the
// database once, since only that shows that the backup is good.
import { resolve } from 'node:path';
import { restoreBackup } from '../../database/backup.ts';
import { print } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { withEmbedded, withPool } from '../../start/database.ts';
import { explainDatabaseError } from '../../start/explain.ts';
import { JSON_OPTION, printJson } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';
import { openProgress } from '../terminal/progress.ts';
import { requireEmbedded } from './backup.ts';

const SHOW_EVERY_MS = 5_000;
const MEGABYTE = 1_000_000;

const NEWEST = `select (select max(number) from schema_migrations) as version,
  (select max(recorded_at) from events) as "newestEventAt"`;
type Newest = { readonly version: number; readonly newestEventAt: Date | null };

export const restoreCommand: Command = {
  usage: 'FILE [--json]',
  more:
    'The data folder, KASSA_DATA_DIR, must not contain a database: stop Kassa and move the old folder away first.\n' +
    'Afterwards run kassa verify and, for each acquirer, kassa reconcile.',
  positionals: ['FILE'],
  options: { json: JSON_OPTION },
  run: async ({ config, options, positionals: [file = ''] }) => {
    requireEmbedded(config, 'restore');
    const progress = openProgress({ noun: 'MB', step: 'Restoring', showEveryMs: SHOW_EVERY_MS });
    const note = await restoreBackup({ dataDir: config.dataDir, file: resolve(file) }, (bytes) =>
      progress.show(Math.round(bytes / MEGABYTE), undefined),
    )
      .catch((error: unknown) => {
        throw explainDatabaseError(error, config);
      })
      .finally(() => progress.end());
    const rows = await withEmbedded(config, (url) => withPool(url, (pool) => pool.query<Newest>(NEWEST), 1));
    const newest = rows[0];
    if (newest === undefined) throw new UserError(`The database of ${file} is empty.`);
    const folder = resolve(config.dataDir);
    const newestEventAt = newest.newestEventAt?.toISOString() ?? null;
    if (options['json']) printJson({ folder, takenAt: note.takenAt, version: newest.version, newestEventAt });
    else {
      const last = newestEventAt === null ? 'It has no events' : `Its newest event is from ${newestEventAt}`;
      print(`Restored ${folder} to ${note.takenAt}. ${last}; its schema version is ${newest.version}.`);
      print('Before you start Kassa, run kassa verify and, for each acquirer, kassa reconcile.');
    }
    return 0;
  },
};
