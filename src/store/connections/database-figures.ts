// Metrics of the database that an ordinary user can read, each from the catalogue or a few rows, however much is
// stored.
import type { DatabaseFigures, ReconcileFigures } from '../../ops/database-metrics.ts';
import type { Pool } from './pool.ts';

// With more rights, use an exporter.
const MOST_STANDBYS = 16;
const MOST_ACQUIRERS = 100;

/** Reads the size from the file system, file by file, each up to a gigabyte. */
export async function readDatabaseFigures(pool: Pool): Promise<Omit<DatabaseFigures, 'disk'>> {
  const [size] = await pool.query<{ bytes: number }>(`select pg_database_size(current_database())::float8 as bytes`);
  // A base backup is not a standby. Without the right to see the lag, only the name is visible.
  const standbys = await pool.query<{ name: string; lagSeconds: number | null }>(
    `select coalesce(nullif(application_name, ''), 'unnamed') as name,
       max(case when state is not null then coalesce(extract(epoch from replay_lag), 0) end)::float8 as "lagSeconds"
     from pg_stat_replication where application_name not like 'pg\\_basebackup%'
     group by pid, 1 order by 1 limit ${MOST_STANDBYS}`,
  );
  return { bytes: size?.bytes ?? 0, standbys };
}

/** The data folder of the embedded database, where Kassa is superuser. */
export async function findDataDirectory(pool: Pool): Promise<string> {
  const [row] = await pool.query<{ folder: string }>(`select current_setting('data_directory') as folder`);
  return row?.folder ?? '';
}

/** Acquirers that were reconciled at least once. */
export async function readReconcileFigures(pool: Pool): Promise<ReconcileFigures[]> {
  return pool.query<ReconcileFigures>(
    `select name as acquirer, difference_count as differences,
       greatest(0, extract(epoch from now() - reconciled_at))::float8 as "ageSeconds"
     from acquirers where reconciled_at is not null and difference_count is not null
     order by name limit ${MOST_ACQUIRERS}`,
  );
}
