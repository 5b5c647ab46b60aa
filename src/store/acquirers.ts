// Acquirers on other machines: where they are and what we show them, by the name that movements carry.
import type { Pool } from './pool.ts';

export type AcquirerAccess = { readonly name: string; readonly url: string; readonly key: string };

/** A new one, or another address or key for one that is there. */
export async function putAcquirer(pool: Pool, { name, url, key }: AcquirerAccess): Promise<void> {
  await pool.query(
    `insert into acquirers (name, url, key, created_at) values ($1, $2, $3, now())
     on conflict (name) do update set url = excluded.url, key = excluded.key`,
    [name, url, key],
  );
}

export async function listAcquirers(pool: Pool): Promise<AcquirerAccess[]> {
  return pool.query<AcquirerAccess>('select name, url, key from acquirers order by name');
}

export async function findAcquirer(pool: Pool, name: string): Promise<AcquirerAccess | undefined> {
  return (await pool.query<AcquirerAccess>('select name, url, key from acquirers where name = $1', [name]))[0];
}
