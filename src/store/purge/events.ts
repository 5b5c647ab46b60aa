// Chooses the events to delete next, and earlier than those their deliveries: the oldest of each merchant, a page of
// each in turn, so that a large merchant does not delay the others. Each walk begins with the oldest events left, so it
// checks again what was pending last time. event-steps.ts deletes them; KASSA_RETAIN_EVENTS and KASSA_RETAIN_DELIVERIES
// set how long they are kept.
import type { Pool } from '../connections/pool.ts';
import { purgePage } from './event-steps.ts';
import type { PurgedRows, What } from './event-steps.ts';

const MERCHANTS_AT_ONCE = 500;

type Turn = { readonly merchantId: number; readonly after: number };
type Merchants = { readonly turns: Turn[]; readonly next: number | undefined };

/** The next merchants with expired events, each with where its walk begins. */
async function findMerchants(pool: Pool, what: What, keptMs: number, after: number): Promise<Merchants> {
  const rows = await pool.query<{ merchant_id: number; after: number; is_old: boolean }>(
    `select counter.merchant_id, ${what === 'events' ? '0' : 'counter.deliveries_purged_to'} as after,
       coalesce((
         select recorded_at < now() - interval '1 millisecond' * $2::float8 from events
         where events.merchant_id = counter.merchant_id
           and events.position > ${what === 'events' ? '0' : 'counter.deliveries_purged_to'}
         order by position limit 1
       ), false) as is_old
     from event_counters as counter where counter.merchant_id > $1
     order by counter.merchant_id limit ${MERCHANTS_AT_ONCE}`,
    [after, keptMs],
  );
  const old = rows.filter(({ is_old: isOld }) => isOld);
  return {
    turns: old.map(({ merchant_id: merchantId, after: from }) => ({ merchantId, after: from })),
    next: rows.length === MERCHANTS_AT_ONCE ? rows.at(-1)?.merchant_id : undefined,
  };
}

/** Yields after each page. */
export async function* purgeEvents(pool: Pool, what: What, keptMs: number): AsyncGenerator<PurgedRows> {
  for (let last: number | undefined = 0; last !== undefined;) {
    const { turns, next }: Merchants = await findMerchants(pool, what, keptMs, last);
    while (turns.length > 0) {
      for (const turn of turns.splice(0)) {
        const { next: after, ...purged } = await purgePage(pool, what, { ...turn, keptMs });
        yield purged;
        if (after !== undefined) turns.push({ merchantId: turn.merchantId, after });
      }
    }
    last = next;
  }
}
