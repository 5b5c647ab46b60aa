// `kassa migrate`: brings the database to this program's version, and says what was done. The service does the same at
// its start; this is for those who want to do it before.
import { JSON_OPTION, print, printJson } from './command.ts';
import type { Command } from './command.ts';
import { withMigratedDatabase } from './database.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  summary: "Bring the database to this program's version.",
  usage: '[--json]',
  more: 'Every other command does so as well, the service at its start.',
  options: { json: JSON_OPTION },
  run: ({ config, options }) =>
    withMigratedDatabase(config, async (_pool, { applied, version }) => {
      if (options['json']) printJson({ applied: applied.map(({ number, name }) => ({ number, name })), version });
      else {
        for (const { number, name } of applied) print(`Applied ${String(number).padStart(3, '0')}-${name}.`);
        const nothing = applied.length === 0 ? '; there was nothing to do' : '';
        print(`The database is at version ${version}${nothing}.`);
      }
      return 0;
    }),
};
