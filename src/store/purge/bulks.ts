// Deletes the entries of finished bulks: their results are in their payments. The bulk itself, a name and a digest,
// stays: a repeated request is recognized forever.
import type { PoolClient } from 'pg';
import type { Pool } from '../connections/pool.ts';
import { inUnsyncedTransaction } from '../connections/transaction.ts';

// Each has up to a thousand entries.
const STEP = 2;

type Purged = { readonly bulks: number; readonly entries: number };

async function purgeStep(client: PoolClient, keptMs: number): Promise<Purged> {
  const { rows } = await client.query<Purged>(
    `with done as (
       select part, id from bulks
       where forgotten_at is null and created_at < now() - interval '1 millisecond' * $1::float8
         and not exists (
           select 1 from bulk_entries
           where bulk_entries.part = bulks.part and bulk_entries.bulk_id = bulks.id and state = 'pending'
         )
       order by created_at limit ${STEP} for update skip locked
     ),
     forgotten as (
       update bulks set forgotten_at = now(), web_hooks = null
       from done where bulks.part = done.part and bulks.id = done.id
       returning 1
     ),
     gone as (
       delete from bulk_entries using done where bulk_entries.part = done.part and bulk_entries.bulk_id = done.id
       returning 1
     )
     select (select count(*)::int from forgotten) as bulks, (select count(*)::int from gone) as entries`,
    [keptMs],
  );
  return rows[0] as Purged;
}

/** Yields after each step. */
export async function* purgeBulks(pool: Pool, keptMs: number): AsyncGenerator<{ bulk_entries: number }> {
  for (;;) {
    const { bulks, entries } = await inUnsyncedTransaction(pool, (client) => purgeStep(client, keptMs));
    yield { bulk_entries: entries };
    if (bulks < STEP) return;
  }
}
