// What is looked at again and again: the size and the rows of every table, the size of every index, and the memory of
// the service.
import { figureIn } from '../bench/service.ts';
import type { Pool } from '../../src/store/connections/pool.ts';

/** One figure by name at one moment. */
export type Sample = ReadonlyMap<string, number>;

const SIZES = `
  select relation.relname as name,
    case relation.relkind when 'i' then pg_relation_size(relation.oid) else pg_table_size(relation.oid) end as bytes
  from pg_class as relation
  join pg_namespace as namespace on namespace.oid = relation.relnamespace
  where namespace.nspname = 'public' and relation.relkind in ('r', 'i')
  order by relation.relname`;
const ROWS = `select relname as name, n_live_tup as rows from pg_stat_user_tables where schemaname = 'public'`;

export const ROWS_OF = 'rows of ';

export async function takeSample(pool: Pool, serviceUrl: string): Promise<Sample> {
  const sizes = await pool.query<{ name: string; bytes: string }>(SIZES);
  const rows = await pool.query<{ name: string; rows: string }>(ROWS);
  const page = await (await fetch(`${serviceUrl}/metrics`)).text();
  return new Map([
    ...sizes.map(({ name, bytes }) => [name, Number(bytes)] as const),
    ...rows.map((row) => [ROWS_OF + row.name, Number(row.rows)] as const),
    ['resident memory', figureIn(page, 'process_resident_memory_bytes')] as const,
    ['used heap', figureIn(page, 'nodejs_heap_size_used_bytes')] as const,
  ]);
}
