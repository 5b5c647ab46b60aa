// How a database stands to the migrations that this program knows: which it lacks, and whether the two fit together at
// all. It only reads, so that whoever would migrate and whoever only looks are told the same.
import type { PoolClient } from 'pg';
import { DatabaseMisfit, UnreleasedSchema } from './database-misfit.ts';
import { checksumOf } from './migration-files.ts';
import type { Migration } from './migration-files.ts';
import { TIMELINE_FUNCTIONS } from '../connections/timeline.ts';

// Postgres 15 is the oldest that the statements were tried on.
const OLDEST_SERVER = 150_000;

async function refuseOldServer(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
  if (Number(rows[0]?.server_version_num) < OLDEST_SERVER)
    throw new DatabaseMisfit('Kassa needs Postgres 15 or later.');
}

/** Everybody has these rights unless somebody took them away; then not one payment could be read. */
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

/** The earliest development versions kept their migrations in a table of another name. */
async function refuseEarliestSchema(client: PoolClient): Promise<void> {
  const { rows } = await client.query(`select 1 where to_regclass('migrations') is not null
    and exists (select 1 from pg_attribute where attrelid = to_regclass('migrations') and attname = 'applied_at')
    and to_regclass('payments') is not null`);
  if (rows.length > 0) throw new UnreleasedSchema();
}

/** Throws where no migration could be applied, whichever. */
export async function refuseMisfit(client: PoolClient): Promise<void> {
  await refuseOldServer(client);
  await refuseMissingRights(client);
  await refuseEarliestSchema(client);
}

type AppliedRow = Pick<Migration, 'number' | 'name'> & { readonly checksum: string; readonly runs_with: number };

export type Standing = { readonly version: number; readonly lacking: readonly Migration[] };

/** Of a database that has the table of migrations. */
export async function readStanding(client: PoolClient, migrations: readonly Migration[]): Promise<Standing> {
  const { rows } = await client.query<AppliedRow>(
    'select number, name, checksum, runs_with from schema_migrations order by number',
  );
  for (const row of rows) {
    const known = migrations.find(({ number }) => number === row.number);
    if (known === undefined || checksumOf(known) === row.checksum) continue;
    // No release changes the first schema.
    if (row.number === 1) throw new UnreleasedSchema();
    throw new DatabaseMisfit(
      `Migration ${row.number} (${row.name}) was applied by another build of Kassa with different content: use that ` +
        'build, or start over with an empty database.',
    );
  }
  const version = rows.at(-1)?.number ?? 0;
  const newest = migrations.at(-1)?.number ?? 0;
  // The version before goes on, and can be started again, on the schema after.
  if (rows.some(({ number, runs_with: needed }) => number > newest && needed > newest))
    throw new DatabaseMisfit(
      `The database is at version ${version}, but this Kassa only supports up to ${newest}: use a newer Kassa.`,
    );
  return { version, lacking: migrations.filter(({ number }) => number > version) };
}
