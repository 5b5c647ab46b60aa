// What is known of endpoints from one process to the next: whether they take what they are sent. Written only when that
// changes; one that is not here is new.
import type { Endpoint } from './lanes.ts';
import type { Pool } from '../connections/pool.ts';

export type Standing = 'proven' | 'new' | 'failing';
export type Known = Endpoint & { readonly standing: Standing };

/** Endpoints in one statement. */
export const MOST_AT_ONCE = 500;

type Row = { merchant_id: number; endpoint: string; standing: Standing };

const rowsOf = (endpoints: readonly Endpoint[]): string =>
  JSON.stringify(endpoints.map(({ merchantId, ...rest }) => ({ merchant_id: merchantId, ...rest })));

/** The standing of each that is asked for. */
export async function findStandings(pool: Pool, endpoints: readonly Endpoint[]): Promise<Known[]> {
  if (endpoints.length === 0) return [];
  const rows = await pool.query<Row>(
    `select wanted.merchant_id, wanted.endpoint, coalesce(known.standing, 'new') as standing
     from json_to_recordset($1) as wanted (merchant_id bigint, endpoint text)
     join merchants as merchant on merchant.id = wanted.merchant_id
     left join endpoints as known on known.part = merchant.parts[1] and known.merchant_id = wanted.merchant_id
       and known.endpoint = wanted.endpoint`,
    [rowsOf(endpoints)],
  );
  return rows.map(({ merchant_id: merchantId, endpoint, standing }) => ({ merchantId, endpoint, standing }));
}

export async function keepStandings(pool: Pool, endpoints: readonly Known[]): Promise<void> {
  if (endpoints.length === 0) return;
  await pool.query(
    `insert into endpoints (part, merchant_id, endpoint, standing)
     select merchant.parts[1], changed.merchant_id, changed.endpoint, changed.standing
     from json_to_recordset($1) as changed (merchant_id bigint, endpoint text, standing text)
     join merchants as merchant on merchant.id = changed.merchant_id
     where changed.standing <> 'new'
     -- In one order, so that two processes do not wait for each other.
     order by changed.merchant_id, changed.endpoint
     on conflict (part, merchant_id, endpoint) do update set standing = excluded.standing, changed_at = now()`,
    [rowsOf(endpoints)],
  );
}
