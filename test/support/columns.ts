// Searches a whole database for a text: where something stands that should not, or should stand in one place alone.
import type { Pool } from '../../src/store/connections/pool.ts';

type Column = { readonly table_name: string; readonly column_name: string };

/** The columns, as table.column, that hold the text anywhere. */
export async function findColumns(pool: Pool, text: string): Promise<string[]> {
  const columns = await pool.query<Column>(
    `select table_name, column_name from information_schema.columns
     where table_schema = 'public' order by table_name, column_name`,
  );
  const found: string[] = [];
  for (const { table_name: table, column_name: column } of columns) {
    const value = `replace(${column}::text, '\\/', '/')`;
    const rows = await pool.query(`select 1 from ${table} where strpos(${value}, $1) > 0 limit 1`, [text]);
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return found;
}
