// `kassa migrate`: migrates the database to this program's version, or shows with --dry-run what that would do. The service
// also migrates at its start.
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

// 1 is the code for errors, as with every command.
const HOLDS_UP = 2;

/** Waits for the database, since this is often the first command after Postgres was started. */
function whenReachable<Result>(config: Config, work: () => Promise<Result>): Promise<Result> {
  const onWait = (why: string): void => remark(`Waiting at most ${config.databaseWaitMs / 1_000} s. ${why}`);
  return whenDatabaseIsThere(sessionConfigOf(config), { onWait }, async () => {
    await requireSessions(config);
    return work();
  });
}

async function foresee(config: Config, asJson: boolean): Promise<number> {
  // Creating the database would be a change.
  requireDatabase(config);
  const foresight = await withDatabaseAsItIs(config, (pool) => whenReachable(config, () => foreseeMigration(pool)));
  if (asJson) printJson(foresight);
  else printForesight(foresight);
  return foresight.holdsUp ? HOLDS_UP : 0;
}

export const migrateCommand: Command = {
  usage: '[--dry-run] [--json]',
  more:
    'Every other command also migrates, the service at its start. It waits for a Postgres that is still starting.\n' +
    'With --dry-run, the exit code is 2 if queries would be blocked for more than a second.',
  options: {
    'dry-run': {
      type: 'boolean',
      what: 'Change nothing: show the migrations, their locks and what they would block.',
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
          const nothing = applied.length === 0 ? '; nothing to do' : '';
          print(`The database is at version ${version}${nothing}.`);
        }
        return 0;
      },
      (pool: Pool): Promise<Migrated> => whenReachable(config, () => migrate(pool, undefined, remark)),
    );
  },
};
