// The state of endpoints, shared by processes: whether they accept deliveries. Only changes are written; an endpoint
// without a row is new.
import type { Endpoint } from './lanes.ts';
import type { Pool } from '../connections/pool.ts';

export type EndpointState = 'proven' | 'new' | 'failing';
export type Known = Endpoint & { readonly standing: EndpointState };

/** Endpoints per statement. */
export const MOST_AT_ONCE = 500;

type Row = { merchant_id: number; endpoint: string; standing: EndpointState };

const rowsOf = (endpoints: readonly Endpoint[]): string =>
  JSON.stringify(endpoints.map(({ merchantId, ...rest }) => ({ merchant_id: merchantId, ...rest })));

/** The state of each endpoint; `new` if it has no row. */
export async function findEndpointStates(pool: Pool, endpoints: readonly Endpoint[]): Promise<Known[]> {
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

export async function saveEndpointStates(pool: Pool, endpoints: readonly Known[]): Promise<void> {
  if (endpoints.length === 0) return;
  await pool.query(
    `insert into endpoints (part, merchant_id, endpoint, standing)
     select merchant.parts[1], changed.merchant_id, changed.endpoint, changed.standing
     from json_to_recordset($1) as changed (merchant_id bigint, endpoint text, standing text)
     join merchants as merchant on merchant.id = changed.merchant_id
     where changed.standing <> 'new'
     -- In a fixed order, to avoid deadlocks.
     order by changed.merchant_id, changed.endpoint
     on conflict (part, merchant_id, endpoint) do update set standing = excluded.standing, changed_at = now()`,
    [rowsOf(endpoints)],
  );
}
