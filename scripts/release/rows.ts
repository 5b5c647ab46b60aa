// The rows of a database as lines of JSON, and back: what a release leaves behind for the tests of later ones. Postgres
// itself spells and reads the values; tables come in the order in which they refer to each other.
import type { Pool } from '../../src/store/connections/pool.ts';

// What the migrations themselves have written down.
const MIGRATIONS = 'schema_migrations';

// Of what is long and much alike a few rows tell as much as all.
const FEW: Readonly<Record<string, number>> = { request_log: 5 };

type Line = { readonly table: string; readonly row: unknown };

async function readTables(pool: Pool): Promise<string[]> {
  const tables = await pool.query<{ name: string; needs: string[] }>(
    `select relation.relname as name,
       array(select other.relname::text from pg_constraint reference join pg_class other on other.oid = reference.confrelid
             where reference.conrelid = relation.oid and reference.contype = 'f' and other.oid <> relation.oid) as needs
     from pg_class relation
     where relation.relkind = 'r' and relation.relnamespace = 'public'::regnamespace order by relation.relname`,
  );
  const ordered: string[] = [];
  while (ordered.length < tables.length) {
    const ready = tables.filter(
      ({ name, needs }) => !ordered.includes(name) && needs.every((n) => ordered.includes(n)),
    );
    if (ready.length === 0) throw new Error('the tables refer to each other in a circle');
    ordered.push(...ready.map(({ name }) => name));
  }
  return ordered;
}

export async function readRows(pool: Pool): Promise<string> {
  const lines: string[] = [];
  for (const table of await readTables(pool)) {
    // What is left out is null when it is read. Seals cover the very text of a value, which JSON.parse would lose.
    const rows = await pool.query<{ row: string }>(
      `select (select json_object_agg(key, value)::text from json_each(row_to_json(one)) where value::text <> 'null') as row
       from ${table} one order by 1`,
    );
    for (const { row } of rows.slice(0, FEW[table])) lines.push(`{"table":"${table}","row":${row}}\n`);
  }
  return lines.join('');
}

/** Into tables that have the shape of those rows, and nothing but what migrations have put there. */
export async function writeRows(pool: Pool, text: string): Promise<void> {
  const tables = (await readTables(pool)).filter((table) => table !== MIGRATIONS);
  await pool.query(`truncate ${tables.join(', ')}`);
  const byTable = Map.groupBy(
    text.split('\n').filter((line) => line !== ''),
    (line) => (JSON.parse(line) as Line).table,
  );
  for (const table of tables) {
    const rows = (byTable.get(table) ?? []).map((line) => line.slice(line.indexOf('"row":') + '"row":'.length, -1));
    await pool.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`, [
      `[${rows.join(',')}]`,
    ]);
  }
}

/** The migrations that had been applied, by number, name and checksum. */
export const migrationsIn = (text: string): { number: number; name: string; checksum: string }[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`{"table":"${MIGRATIONS}"`))
    .map((line) => (JSON.parse(line) as { row: { number: number; name: string; checksum: string } }).row)
    .toSorted((one, other) => one.number - other.number);
