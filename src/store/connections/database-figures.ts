// What a user of the database can know of it as a whole, for the figures: each a look at the catalogue or at a few rows,
// however much is stored.
import type { DatabaseFigures, ReconcileFigures } from '../../ops/database-metrics.ts';
import type { Pool } from './pool.ts';

// Who has more watches them by an exporter.
const MOST_STANDBYS = 16;
const MOST_ACQUIRERS = 100;

/** The size is asked of the file system, file by file, each of a gigabyte at most. */
export async function readDatabaseFigures(pool: Pool): Promise<Omit<DatabaseFigures, 'disk'>> {
  const [size] = await pool.query<{ bytes: number }>(`select pg_database_size(current_database())::float8 as bytes`);
  // A copy that is being made is no standby. Who may not see how far one is behind sees its name alone.
  const standbys = await pool.query<{ name: string; lagSeconds: number | null }>(
    `select coalesce(nullif(application_name, ''), 'unnamed') as name,
       max(case when state is not null then coalesce(extract(epoch from replay_lag), 0) end)::float8 as "lagSeconds"
     from pg_stat_replication where application_name not like 'pg\\_basebackup%'
     group by pid, 1 order by 1 limit ${MOST_STANDBYS}`,
  );
  return { bytes: size?.bytes ?? 0, standbys };
}

/** The folder of the embedded database, whose superuser we are. */
export async function findDataDirectory(pool: Pool): Promise<string> {
  const [row] = await pool.query<{ folder: string }>(`select current_setting('data_directory') as folder`);
  return row?.folder ?? '';
}

/** Of acquirers whose book was compared at least once. */
export async function readReconcileFigures(pool: Pool): Promise<ReconcileFigures[]> {
  return pool.query<ReconcileFigures>(
    `select name as acquirer, difference_count as differences,
       greatest(0, extract(epoch from now() - reconciled_at))::float8 as "ageSeconds"
     from acquirers where reconciled_at is not null and difference_count is not null
     order by name limit ${MOST_ACQUIRERS}`,
  );
}
