// A whole Postgres, as Debian has it: also with the programs that copy it and wind it back, which the embedded one lacks.
import { existsSync, globSync } from 'node:fs';
import { requireProgram } from '../test/support/debian-package.ts';

/** The folder of its programs. */
export async function requirePostgres(neededBy: string): Promise<string> {
  const program = await requireProgram({
    find: () =>
      globSync('/usr/lib/postgresql/*/bin/pg_rewind')
        .toSorted()
        .findLast((path) => existsSync(path.replace('pg_rewind', 'postgres'))),
    packages: ['postgresql', 'postgresql-15'],
    neededBy,
  });
  return program.replace('/pg_rewind', '');
}
