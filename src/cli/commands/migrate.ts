// `kassa migrate`: brings the database to this program's version, and says what was done. The service does the same at
// its start; this is for those who want to do it before.
import { migrate } from '../../store/migrate.ts';
import type { Migrated } from '../../store/migrate.ts';
import type { Pool } from '../../store/pool.ts';
import { print, remark } from '../../ops/print.ts';
import { JSON_OPTION, printJson } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';
import { withMigratedDatabase } from '../../start/database.ts';
import { whenDatabaseIsThere } from '../../start/wait-for-database.ts';

export const migrateCommand: Command = {
  usage: '[--json]',
  more: 'Every other command does so as well, the service at its start. It waits for a Postgres that is still starting.',
  options: { json: JSON_OPTION },
  run: ({ config, options }) => {
    // It is often the first that is run beside a Postgres that has just been started.
    const onWait = (why: string): void => remark(`Waiting at most ${config.databaseWaitMs / 1_000} s. ${why}`);
    const whenReachable = (pool: Pool): Promise<Migrated> =>
      whenDatabaseIsThere(config, { onWait }, () => migrate(pool, undefined, remark));
    return withMigratedDatabase(
      config,
      async (_pool, { applied, version }) => {
        if (options['json']) printJson({ applied: applied.map(({ number, name }) => ({ number, name })), version });
        else {
          for (const { number, name } of applied) print(`Applied ${String(number).padStart(3, '0')}-${name}.`);
          const nothing = applied.length === 0 ? '; there was nothing to do' : '';
          print(`The database is at version ${version}${nothing}.`);
        }
        return 0;
      },
      whenReachable,
    );
  },
};
