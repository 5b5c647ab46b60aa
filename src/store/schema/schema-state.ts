// The state of a database's schema: which migrations it lacks, and whether this program can work with it. It only
// reads, so that a migration and a dry run report the same.
import type { PoolClient } from 'pg';
import { DatabaseMisfit, UnreleasedSchema } from './database-misfit.ts';
import { checksumOf } from './migration-files.ts';
import type { Migration } from './migration-files.ts';
import { TIMELINE_FUNCTIONS } from '../connections/timeline.ts';

// Postgres 15 is the oldest version that the statements are tested on.
const OLDEST_SERVER = 150_000;

async function refuseOldServer(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
  if (Number(rows[0]?.server_version_num) < OLDEST_SERVER)
    throw new DatabaseMisfit('Kassa needs Postgres 15 or later.');
}

/** Public rights by default; if they were revoked, no payment could be read. */
async function refuseMissingRights(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ name: string; role: string }>(
    `select name, current_user as role from unnest($1::text[]) as name where not has_function_privilege(name, 'execute')`,
    [TIMELINE_FUNCTIONS],
  );
  const [first] = rows;
  if (first === undefined) return;
  const names = rows.map(({ name }) => name).join(', ');
  throw new DatabaseMisfit(
    `The role ${first.role} may not call ${names}, which Kassa needs to identify the server: run ` +
      `"grant execute on function ${names} to ${first.role}" in this database.`,
  );
}

/** The earliest development versions used another name for the migrations table. */
async function refuseEarliestSchema(client: PoolClient): Promise<void> {
  const { rows } = await client.query(`select 1 where to_regclass('migrations') is not null
    and exists (select 1 from pg_attribute where attrelid = to_regclass('migrations') and attname = 'applied_at')
    and to_regclass('payments') is not null`);
  if (rows.length > 0) throw new UnreleasedSchema();
}

/** Throws if no migration at all could be applied. */
export async function refuseMisfit(client: PoolClient): Promise<void> {
  await refuseOldServer(client);
  await refuseMissingRights(client);
  await refuseEarliestSchema(client);
}

type AppliedRow = Pick<Migration, 'number' | 'name'> & { readonly checksum: string; readonly runs_with: number };

export type SchemaState = { readonly version: number; readonly lacking: readonly Migration[] };

/** The database must have the migrations table. */
export async function readSchemaState(client: PoolClient, migrations: readonly Migration[]): Promise<SchemaState> {
  const { rows } = await client.query<AppliedRow>(
    'select number, name, checksum, runs_with from schema_migrations order by number',
  );
  for (const row of rows) {
    const known = migrations.find(({ number }) => number === row.number);
    if (known === undefined || checksumOf(known) === row.checksum) continue;
    // No release changes the first migration.
    if (row.number === 1) throw new UnreleasedSchema();
    throw new DatabaseMisfit(
      `Migration ${row.number} (${row.name}) was applied by another build of Kassa with different content: use that ` +
        'build, or start over with an empty database.',
    );
  }
  const version = rows.at(-1)?.number ?? 0;
  const newest = migrations.at(-1)?.number ?? 0;
  // During an upgrade the previous version still runs, and can be restarted, on the new schema.
  if (rows.some(({ number, runs_with: needed }) => number > newest && needed > newest))
    throw new DatabaseMisfit(
      `The database is at version ${version}, but this Kassa only supports up to ${newest}: use a newer Kassa.`,
    );
  return { version, lacking: migrations.filter(({ number }) => number > version) };
}
