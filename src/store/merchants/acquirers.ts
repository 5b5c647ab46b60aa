// Remote acquirers: their addresses and keys, by the name that movements carry.
import type { Pool } from '../connections/pool.ts';

export type AcquirerAccess = { readonly name: string; readonly url: string; readonly key: string };

/** Adds an acquirer, or changes its address or key; returns its previous address. */
export async function putAcquirer(pool: Pool, { name, url, key }: AcquirerAccess): Promise<string | undefined> {
  const rows = await pool.query<{ before: string | null }>(
    `insert into acquirers (name, url, key) values ($1, $2, $3)
     on conflict (name) do update set url = excluded.url, key = excluded.key
     returning (select url from acquirers where name = $1) as before`,
    [name, url, key],
  );
  return rows[0]?.before ?? undefined;
}

export type AcquirerUse = Pick<AcquirerAccess, 'name' | 'url'> & {
  /** The number of merchants that reserve there. */
  readonly merchants: number;
};

export async function listAcquirers(pool: Pool): Promise<AcquirerUse[]> {
  return pool.query<AcquirerUse>(
    `select name, url, (select count(*)::int from merchants where acquirer = acquirers.name) as merchants
     from acquirers order by name`,
  );
}

/** Removes it, unless it is in use; returns what uses it. */
export async function removeAcquirer(
  pool: Pool,
  name: string,
): Promise<'removed' | 'missing' | 'has_merchants' | 'has_movements'> {
  const [found] = await pool.query<{ merchants: boolean; movements: boolean }>(
    `with used as (
       select
         exists (select 1 from merchants where merchants.acquirer = acquirers.name) as merchants,
         exists (select 1 from movements where movements.acquirer = acquirers.name) as movements
       from acquirers where name = $1
     ), removed as (
       delete from acquirers using used where acquirers.name = $1 and not used.merchants and not used.movements
     )
     select * from used`,
    [name],
  );
  if (found === undefined) return 'missing';
  if (found.merchants) return 'has_merchants';
  return found.movements ? 'has_movements' : 'removed';
}

export async function findAcquirer(pool: Pool, name: string): Promise<AcquirerAccess | undefined> {
  return (await pool.query<AcquirerAccess>('select name, url, key from acquirers where name = $1', [name]))[0];
}
