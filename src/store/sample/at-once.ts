// Inserts millions of rows into empty tables in one transaction: drops the indexes that belong to no constraint before
// and builds them afterwards, which costs a fraction of maintaining them row by row. If it is interrupted, the
// transaction is rolled back, and the tables are empty with all their indexes.
import type { PoolClient } from 'pg';
import { codeOf, NO_QUERY_TIMEOUT } from '../connections/pool.ts';
import type { Pool } from '../connections/pool.ts';

export const SAMPLE_TABLES = ['payments', 'movements', 'events', 'payment_facets', 'idempotency_records'] as const;

/** How much of the rows is indexed, in megabytes of rows, each counted once per index; first called with none. */
export type OnIndexed = (megabytes: number, total: number, isLast: boolean) => void;

/** After all rows: commits them, and gathers the statistics for the planner. */
export type LastStep = 'commit' | 'analyze';

// Lock timeout, or a role that does not own the tables: then rows are inserted one by one.
const NOT_POSSIBLE = new Set<unknown>(['55P03', '42501']);
const LOCK_WITHIN_MS = 5_000;
const MEGABYTE = 1_048_576;

// Memory and workers for sorting.
const SETTINGS = `set local synchronous_commit = off; set local statement_timeout = 0; set local jit = off;
  set local lock_timeout = ${LOCK_WITHIN_MS}; set local work_mem = '64MB'; set local maintenance_work_mem = '256MB';`;

/** Another session that uses these tables and would have to wait. Sessions of other roles show little. */
const IS_ALONE = `select not exists (select 1 from pg_stat_activity where datname = current_database()
  and coalesce(backend_type, 'client backend') = 'client backend' and pid <> pg_backend_pid()) as "isAlone"`;

const ARE_EMPTY = `select ${SAMPLE_TABLES.map((name) => `not exists (select 1 from ${name})`).join(' and ')} as "areEmpty"`;

/** Skips indexes that were moved by hand: their tablespace is not in their definition. */
const INDEXES = `select index.indexrelid::regclass::text as name, pg_get_indexdef(index.indexrelid) as definition,
    index.indrelid::regclass::text as "of"
  from pg_index as index join pg_class on pg_class.oid = index.indexrelid
  where index.indrelid = any ($1::regclass[]) and index.indisvalid and pg_class.reltablespace = 0
    and not exists (select 1 from pg_constraint where conindid = index.indexrelid)
  order by index.indrelid, index.indexrelid`;

type Index = { readonly name: string; readonly definition: string; readonly of: string };

const first = async <Row>(client: PoolClient, text: string): Promise<Row> => (await client.query(text)).rows[0] as Row;

/** References are correct by construction; without the right to disable the check, they are checked. */
async function trustReferences(client: PoolClient): Promise<void> {
  await client.query('savepoint trust');
  try {
    await client.query('set local session_replication_role = replica');
  } catch {
    await client.query('rollback to savepoint trust');
  }
}

/** Locks the tables and drops their indexes; undefined if other sessions use them, or they have rows. */
async function dropIndexes(client: PoolClient): Promise<Index[] | undefined> {
  if (!(await first<{ isAlone: boolean }>(client, IS_ALONE)).isAlone) return undefined;
  await client.query(`lock table ${SAMPLE_TABLES.join(', ')} in access exclusive mode`);
  if (!(await first<{ areEmpty: boolean }>(client, ARE_EMPTY)).areEmpty) return undefined;
  const { rows } = await client.query<Index>(INDEXES, [SAMPLE_TABLES]);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows;
}

async function buildIndexes(client: PoolClient, indexes: readonly Index[], onIndexed: OnIndexed): Promise<void> {
  const { rows } = await client.query<{ name: string; bytes: number }>(
    'select name, pg_table_size(name::regclass) as bytes from unnest($1::text[]) as name',
    [SAMPLE_TABLES],
  );
  const bytesOf = new Map(rows.map(({ name, bytes }) => [name, bytes]));
  const megabytes = (some: readonly Index[]): number =>
    Math.round(some.reduce((sum, index) => sum + (bytesOf.get(index.of) ?? 0), 0) / MEGABYTE);
  const total = megabytes(indexes);
  onIndexed(0, total, false);
  for (const [at, { definition }] of indexes.entries()) {
    await client.query({ text: definition, ...NO_QUERY_TIMEOUT });
    onIndexed(megabytes(indexes.slice(0, at + 1)), total, at === indexes.length - 1);
  }
}

/** False, and nothing is done, if the tables are in use or not empty. */
export function loadAtOnce(
  pool: Pool,
  make: (client: PoolClient) => Promise<void>,
  { onIndexed, onStep }: { readonly onIndexed: OnIndexed; readonly onStep: (step: LastStep) => void },
): Promise<boolean> {
  return pool.withClient(async (client) => {
    await pool.begin(client, SETTINGS);
    try {
      const indexes = await dropIndexes(client).catch((error: unknown) => {
        if (NOT_POSSIBLE.has(codeOf(error))) return undefined;
        throw error;
      });
      if (indexes === undefined) {
        await client.query('rollback');
        return false;
      }
      await trustReferences(client);
      await make(client);
      await buildIndexes(client, indexes, onIndexed);
      onStep('commit');
      await client.query({ text: 'commit', ...NO_QUERY_TIMEOUT });
      return true;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    }
  });
}
