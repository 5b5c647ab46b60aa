// `kassa migrate`: brings the database to this program's version, and says what was done. The service does the same at
// its start; this is for those who want to do it before, and with --dry-run for those who want to know before.
import type { Config } from '../../config.ts';
import { foreseeMigration } from '../../store/schema/foresee-migration.ts';
import { migrate } from '../../store/schema/migrate.ts';
import type { Migrated } from '../../store/schema/migrate.ts';
import type { Pool } from '../../store/connections/pool.ts';
import { print, remark } from '../../ops/print.ts';
import { JSON_OPTION, printJson } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';
import { requireSessions } from '../../start/check-sessions.ts';
import { requireDatabase, sessionConfigOf, withDatabaseAsItIs, withMigratedDatabase } from '../../start/database.ts';
import { whenDatabaseIsThere } from '../../start/wait-for-database.ts';
import { fileOf, printForesight } from './migrate-foresight.ts';

// 1 is the code of what was refused or could not be looked at, as of every command.
const HOLDS_UP = 2;

/** It is often the first that is run beside a Postgres that has just been started. */
function whenReachable<Result>(config: Config, work: () => Promise<Result>): Promise<Result> {
  const onWait = (why: string): void => remark(`Waiting at most ${config.databaseWaitMs / 1_000} s. ${why}`);
  return whenDatabaseIsThere(sessionConfigOf(config), { onWait }, async () => {
    await requireSessions(config);
    return work();
  });
}

async function foresee(config: Config, asJson: boolean): Promise<number> {
  // A database that is made by looking at it would be a change.
  requireDatabase(config);
  const foresight = await withDatabaseAsItIs(config, (pool) => whenReachable(config, () => foreseeMigration(pool)));
  if (asJson) printJson(foresight);
  else printForesight(foresight);
  return foresight.holdsUp ? HOLDS_UP : 0;
}

export const migrateCommand: Command = {
  usage: '[--dry-run] [--json]',
  more:
    'Every other command does so as well, the service at its start. It waits for a Postgres that is still starting.\n' +
    'With --dry-run the exit code is 2 where somebody would wait for longer than a moment.',
  options: {
    'dry-run': {
      type: 'boolean',
      what: 'Change nothing: say what would be applied, what it locks and who would wait.',
    },
    json: JSON_OPTION,
  },
  run: ({ config, options }) => {
    if (options['dry-run']) return foresee(config, options['json'] === true);
    return withMigratedDatabase(
      config,
      async (_pool, { applied, version }) => {
        if (options['json']) printJson({ applied: applied.map(({ number, name }) => ({ number, name })), version });
        else {
          for (const migration of applied) print(`Applied ${fileOf(migration)}.`);
          const nothing = applied.length === 0 ? '; there was nothing to do' : '';
          print(`The database is at version ${version}${nothing}.`);
        }
        return 0;
      },
      (pool: Pool): Promise<Migrated> => whenReachable(config, () => migrate(pool, undefined, remark)),
    );
  },
};
