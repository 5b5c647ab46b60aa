// What kassa doctor checks in the database: the server, its clock, webhook endpoints and acquirers. It only reads, and
// works on a database that has not been migrated yet.
import type { AcquirerAccess } from '../merchants/acquirers.ts';
import { readSchema } from './foresee-migration.ts';
import type { Pool } from '../connections/pool.ts';

export type DoctorsView = {
  /** How far this machine's clock is ahead of the database's. */
  readonly apartMs: number;
  readonly server: {
    readonly postgres: string;
    readonly schema: number;
    readonly lacking: number;
    readonly unsafe: readonly string[];
    readonly connections: number;
    readonly bytes: number;
  };
  /** Of enabled webhooks. */
  readonly endpoints: readonly { readonly url: string; readonly live: boolean }[];
  readonly acquirers: readonly AcquirerAccess[];
};

const SERVER = `
  select current_setting('server_version') as postgres,
    array(select name from pg_settings where name in ('fsync', 'full_page_writes') and setting = 'off' order by name)
      as unsafe,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as connections,
    pg_database_size(current_database())::float8 as bytes`;

// Half of the round trip is before the moment, and half after it.
async function measureClock(pool: Pool): Promise<number> {
  const before = Date.now();
  const [row] = await pool.query<{ ms: number }>('select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms');
  const after = Date.now();
  return Math.round((before + after) / 2 - (row?.ms ?? after));
}

/** `most`: the maximum number of endpoints. */
export async function readDoctorsView(pool: Pool, most: number): Promise<DoctorsView> {
  const { version, lacking } = await readSchema(pool);
  const [server] = await pool.query<Omit<DoctorsView['server'], 'schema' | 'lacking'>>(SERVER);
  if (server === undefined) throw new Error('no row for the server');
  // The first measurement includes connecting.
  await measureClock(pool);
  const apartMs = await measureClock(pool);
  const isThere = lacking.length === 0;
  const endpoints = isThere
    ? await pool.query<DoctorsView['endpoints'][number]>(
        `select distinct on (host) url, live from (
           select substring(url from '^https://([^/?#]+)') as host, url, merchants.live
           from webhooks join merchants on merchants.id = webhooks.merchant_id
           where webhooks.disabled_at is null and webhooks.url like 'https://%'
         ) as endpoint order by host, live desc limit $1`,
        [most + 1],
      )
    : [];
  const acquirers = isThere
    ? await pool.query<AcquirerAccess>('select name, url, key from acquirers order by name limit $1', [most])
    : [];
  return {
    apartMs,
    server: { ...server, schema: version, lacking: lacking.length },
    endpoints,
    acquirers,
  };
}
