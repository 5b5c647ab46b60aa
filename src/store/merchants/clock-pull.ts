// Follows up a move of a test clock: everything of the merchant that waits for a time is made due, page by page, each
// in its own statement. So workers find due work without considering the clock of each row. Repeating it does no harm:
// what waits for its next try gets it a little early.
import { notifyOfWork } from '../connections/invalidate.ts';
import { claimMove, endMove } from './clock.ts';
import type { Move } from './clock.ts';
import type { Pool } from '../connections/pool.ts';
import { wakeEndpoint } from '../events/webhooks.ts';

const PAGE = 1_000;
// For all merchants; more are pending only while an acquirer is down, and those wait a minute at most.
const MOST_PENDING_LOOKED_AT = 10_000;

async function pullDeliveries(pool: Pool, { merchantId }: Move): Promise<void> {
  for (let after = ''; ;) {
    const [next] = await pool.query<{ endpoint: string }>(
      `select endpoint from lanes where merchant_id = $1 and next_try_at is not null and endpoint > $2
       order by endpoint limit 1`,
      [merchantId, after],
    );
    if (next === undefined) return;
    await wakeEndpoint(pool, merchantId, next.endpoint);
    after = next.endpoint;
  }
}

/** Not those whose first try may still be running: its consumer waits for it. */
const pullMovements = (pool: Pool, { merchantId }: Move): Promise<unknown> =>
  pool.query(
    `update movements set next_try_at = now()
     from (
       select waiting.part, waiting.id from (
         select part, id, payment_id from movements
         where state = 'pending' and tries > 0 and next_try_at > now() limit ${MOST_PENDING_LOOKED_AT}
       ) as waiting
       cross join lateral (
         select merchant_id from payments
         where payments.part = waiting.part and payments.id = waiting.payment_id limit 1
       ) as payment
       where payment.merchant_id = $1
     ) as due
     where movements.part = due.part and movements.id = due.id and movements.state = 'pending'`,
    [merchantId],
  );

/** One that is running may run twice: the second run finds its payment, and charges nothing. */
async function pullEntries(pool: Pool, { merchantId }: Move): Promise<void> {
  for (let count = PAGE; count === PAGE;) {
    const rows = await pool.query(
      `update bulk_entries set next_try_at = now()
       from (
         select part, bulk_id, place from bulk_entries
         where merchant_id = $1 and state = 'pending' and next_try_at > now()
         order by next_try_at limit ${PAGE} for update skip locked
       ) as waiting
       where bulk_entries.part = waiting.part and bulk_entries.bulk_id = waiting.bulk_id
         and bulk_entries.place = waiting.place
       returning 1`,
      [merchantId],
    );
    count = rows.length;
  }
}

/** Makes due what waited when the clock was moved. */
export async function pull(pool: Pool, move: Move): Promise<void> {
  await pullDeliveries(pool, move);
  await pullMovements(pool, move);
  await pullEntries(pool, move);
  await endMove(pool, move);
  await notifyOfWork(pool);
}

/** Completes moves whose processes died. */
export async function pullLeftBehind(pool: Pool, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const move = await claimMove(pool);
    if (move === undefined) return;
    await pull(pool, move);
  }
}
