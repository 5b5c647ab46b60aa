// Debian's Postgres, Patroni and etcd: where they are, of which version, and who they run as.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { choosePostgresUser } from '../../src/database/postgres-user.ts';
import type { PostgresUser } from '../../src/database/postgres-user.ts';
import { requireProgram } from '../../test/support/debian-package.ts';
import { requirePostgres } from '../debian-postgres.ts';

export type Programs = {
  readonly postgres: string;
  readonly patroni: string;
  readonly etcd: string;
  /** Postgres does not run as root; undefined: as the user we are. */
  readonly user: PostgresUser;
  /** What they are, for the table. */
  readonly versions: string;
};

const firstLineOf = (program: string): string =>
  execFileSync(program, ['--version'], { encoding: 'utf8' }).trim().split('\n')[0] ?? '';

export async function requirePrograms(): Promise<Programs> {
  const neededBy = 'npm run proof:ha needs';
  const require = (path: string, name: string, others: readonly string[] = []): Promise<string> =>
    requireProgram({
      find: () => (existsSync(path) ? path : undefined),
      packages: [name],
      with: others,
      neededBy,
    });
  const postgres = await requirePostgres(neededBy);
  const etcd = await require('/usr/bin/etcd', 'etcd-server');
  const patroni = await require('/usr/bin/patroni', 'patroni', ['python3-etcd']);
  return {
    postgres,
    patroni,
    etcd,
    user: await choosePostgresUser('/nowhere'),
    versions: [`${postgres}/postgres`, patroni, etcd].map(firstLineOf).join(', '),
  };
}
