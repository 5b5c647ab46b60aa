// A merchant with one of everything that the console has an address for, and what its database holds, to be compared.
import type { Role } from '../../src/domain/role.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { signIn } from './console.ts';
import type { Visitor } from './console.ts';
import { until } from './kassa.ts';
import type { Ids } from './console-routes.ts';
import type { Service, Shop } from './service.ts';

export type World = { readonly shop: Shop; readonly ids: Ids; as(role: Role): Promise<Visitor> };

const LOGGED = `select replace(id::text, '-', '') as id from request_log where merchant_id = $1 limit 1`;

/** Its webhook leads nowhere: start the service without deliveries. `beside`: in the part of that one's shop. */
export async function openWorld(service: Service, beside?: World): Promise<World> {
  const shop = await service.openShop(beside && { beside: beside.shop });
  const { client, merchant } = shop;
  const one = async (text: string, values: readonly unknown[]): Promise<string> =>
    (await service.pool.query<{ id: string }>(text, values))[0]?.id ?? '';
  const { webhookId } = await client.must(201, 'POST', '/v1/webhooks', { url: 'http://127.0.0.1:9/hook' });
  const paymentId = await client.createReserved(1_000);
  const chargeId = await client.charge(paymentId, 500);
  const refundId = await client.refund(chargeId, 100);
  const { events } = await client.must(200, 'GET', `/v1/events?since=${new Date(0).toISOString()}`);
  const since = new Date(Date.now() - 60_000).toISOString();
  const { redeliveryId } = await client.must(202, 'POST', `/v1/webhooks/${webhookId}/redeliver`, { since });
  const visitors = new Map<Role, Visitor>();
  const as = async (role: Role): Promise<Visitor> => {
    const visitor = visitors.get(role) ?? (await signIn(service, merchant.id, role));
    visitors.set(role, visitor);
    return visitor;
  };
  const somebody = await signIn(service, merchant.id, 'viewer');
  const personId = await one('select id from people where email = $1', [somebody.email]);
  const ids = {
    merchantId: String(merchant.id),
    paymentId,
    chargeId,
    refundId,
    webhookId,
    eventId: (events as [{ id: string }])[0].id,
    redeliveryId,
    personId,
    keyId: await one('select id from secret_keys where merchant_id = $1', [merchant.id]),
    sessionId: await one('select id from sessions where person_id = $1', [personId]),
    secret: 'a'.repeat(43),
    version: 'none',
    file: 'console.js',
    // Of a request to the API, which is written within a second or two.
    id: await until('the log of requests', async () => (await one(LOGGED, [merchant.id])) || undefined),
  };
  return { shop, ids, as };
}

// What goes on by itself, whoever asks for what: housekeeping, and the log of the API.
const BY_ITSELF = new Set([
  'housekeeping',
  'facet_walks',
  'figure_walks',
  'figure_waits',
  'daily_figures',
  'payment_facets',
  'payouts',
  'payout_actions',
  'payout_walks',
  'request_log',
  // What was refused is told of; see actsOf.
  'audit_heads',
  'audit_records',
  'request_log_omissions',
]);

/** A digest of the rows of every table, without when somebody was last seen. */
export async function rowsOf(pool: Pool): Promise<Readonly<Record<string, string>>> {
  const tables = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const digests: Record<string, string> = {};
  for (const name of tables.map((table) => table.name).toSorted()) {
    if (BY_ITSELF.has(name)) continue;
    const [row] = await pool.query<{ digest: string }>(
      `select count(*) || ' ' || md5(coalesce(string_agg(row, '' order by row), '')) as digest
       from (select (to_jsonb(it) - '{seen_at,last_used_at}'::text[])::text as row from ${name} as it) as rows`,
    );
    digests[name] = row?.digest ?? '';
  }
  return digests;
}

/** How many records the audit has, but for those of what was refused. */
export const actsOf = (pool: Pool): Promise<unknown[]> =>
  pool.query(
    `select merchant_id, count(*)::int from audit_records
     where action not in ('access.refuse', 'person.sign-in-refused') group by merchant_id order by merchant_id`,
  );
