// Warns at the start about database settings that may be intended but are risky.
import type { Store } from '../store/store.ts';
import type { Opened } from './process.ts';

/** Of one process that serves; docs/operate/run.md says so. */
const CONNECTIONS = 31;

export async function warnOfDatabase({ pool }: Store, { config, log: { logger }, link }: Opened): Promise<void> {
  // Without these, the server can lose committed data.
  const rows = await pool.query<{ name: string }>(
    `select name from pg_settings where name in ('fsync', 'full_page_writes') and setting = 'off'`,
  );
  const off = rows.map(({ name }) => name);
  if (off.length > 0) logger.warn({ off }, 'the database server can lose committed data in a crash');
  if (!link?.isFirst) return;
  const [room] = await pool.query<{ most: number }>(
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`,
  );
  // A rolling restart needs one more.
  const needed = (config.processes + 1) * CONNECTIONS;
  if (room && room.most < needed)
    logger.warn({ needed, ...room }, 'the database allows fewer connections than the processes may need');
}
