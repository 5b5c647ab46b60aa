// Lists that people have saved under a name, per person and merchant.
import { holdPerson } from './people.ts';
import type { Pool } from '../connections/pool.ts';
import { withinTransaction } from '../connections/transaction.ts';

export type SavedView = { readonly name: string; readonly query: string };
type Owner = { readonly personId: string; readonly merchantId: number };

// More than a row of tabs can show.
const MOST_VIEWS = 30;

export const listViews = (pool: Pool, { personId, merchantId }: Owner): Promise<SavedView[]> =>
  pool.query<SavedView>(
    `select name, query from saved_views where person_id = $1 and merchant_id = $2 order by lower(name), name
     limit ${MOST_VIEWS}`,
    [personId, merchantId],
  );

/** False if there are too many; one of the same name is replaced. Concurrent calls for a person are serialized. */
export async function saveView(pool: Pool, { personId, merchantId }: Owner, view: SavedView): Promise<boolean> {
  return withinTransaction(pool, async (within) => {
    await holdPerson(within, personId);
    const rows = await within.query(
      `insert into saved_views (person_id, merchant_id, name, query)
       select $1, $2, $3::text, $4 where (
         select count(*) from saved_views where person_id = $1 and merchant_id = $2 and name <> $3) < ${MOST_VIEWS}
       on conflict (person_id, merchant_id, name) do update set query = excluded.query returning name`,
      [personId, merchantId, view.name, view.query],
    );
    return rows.length > 0;
  });
}

export async function removeView(pool: Pool, { personId, merchantId }: Owner, name: string): Promise<void> {
  await pool.query('delete from saved_views where person_id = $1 and merchant_id = $2 and name = $3', [
    personId,
    merchantId,
    name,
  ]);
}
