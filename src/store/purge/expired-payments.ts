// Deletes payments that expired or were terminated and never held money, with everything that belongs to them. It walks
// over all payments by creation time, so each is checked once. A payment that could not be deleted, such as one with a
// pending delivery, is left for the next walk, which begins when the previous one is as old as such payments become.
import type { PoolClient } from 'pg';
import type { Pool } from '../connections/pool.ts';
import { IS_HARD_DECLINE } from '../payments/subscriptions.ts';
import { inUnsyncedTransaction } from '../connections/transaction.ts';

const PAGE = 500;

type Range = { readonly from: string; readonly to: string };

/** The next page by age; undefined at the end of the walk. Advances the mark before anything is deleted. */
async function nextPage(client: PoolClient, keptMs: number): Promise<Range | undefined> {
  const { rows } = await client.query<Range>(
    `with walk as (
       select walked_to from housekeeping where job = 'purge' for update
     ),
     page as (
       select max(created_at) as last from (
         select created_at from payments
         where created_at > (select walked_to from walk)
           and created_at < now() - interval '1 millisecond' * $1::float8
         order by created_at limit ${PAGE}
       ) as oldest
     )
     update housekeeping
     set walked_to = page.last,
       purged_before = greatest(purged_before, page.last + interval '1 microsecond')
     from walk, page
     where job = 'purge' and page.last is not null
     returning walk.walked_to::text as from, page.last::text as to`,
    [keptMs],
  );
  return rows[0];
}

async function beginAgain(client: PoolClient, keptMs: number): Promise<void> {
  await client.query(
    `update housekeeping set walked_to = '-infinity', walk_began_at = now()
     where job = 'purge' and walk_began_at < now() - interval '1 millisecond' * $1::float8`,
    [keptMs],
  );
}

const SUBJECTS = 'unnest($1::smallint[], $2::uuid[])';

/**
 * Locks payments that never held money, then everything that refers to them; skips what is being changed or sent right
 * now. A concurrent change waits and then finds that the payment is gone.
 */
async function forget(client: PoolClient, { from, to }: Range): Promise<number> {
  const found = await client.query<{ part: number; id: string }>(
    `select part, id from payments
     where created_at > $1::timestamptz and created_at <= $2::timestamptz and reserved = 0
     order by part, id for update skip locked`,
    [from, to],
  );
  if (found.rows.length === 0) return 0;
  const subjects = [found.rows.map(({ part }) => part), found.rows.map(({ id }) => id)];
  const locked = async (table: 'events' | 'lanes'): Promise<Map<string, number>> => {
    const { rows } = await client.query<{ subject_id: string; count: number }>(
      `select subject_id, count(*)::int as count from (
         select subject_id from ${table} join ${SUBJECTS} as page (part, subject_id) using (part, subject_id)
         order by part, subject_id for update of ${table} skip locked
       ) as free group by subject_id`,
      subjects,
    );
    return new Map(rows.map(({ subject_id: id, count }) => [id, count]));
  };
  const [events, lanes] = [await locked('events'), await locked('lanes')];
  const free = await client.query<{ part: number; id: string; events: number; lanes: number }>(
    `select part, id,
       (select count(*)::int from events where events.part = page.part and events.subject_id = page.id) as events,
       (select count(*)::int from lanes where lanes.part = page.part and lanes.subject_id = page.id) as lanes
     from ${SUBJECTS} as page (part, id)
     where not exists (
         select 1 from movements
         where movements.part = page.part and movements.payment_id = page.id and state <> 'declined'
       )
       and not exists (
         select 1 from events where events.part = page.part and events.subject_id = page.id and position is null
       )
       and not exists (
         select 1 from deliveries
         where deliveries.part = page.part and deliveries.subject_id = page.id and state = 'pending'
       )`,
    subjects,
  );
  const isWhole = ({ id, ...counts }: { id: string; events: number; lanes: number }): boolean =>
    (events.get(id) ?? 0) === counts.events && (lanes.get(id) ?? 0) === counts.lanes;
  const gone = free.rows.filter(isWhole);
  const ofGone = (table: string, column = 'subject_id'): string =>
    `delete from ${table} using gone where ${table}.part = gone.part and ${table}.${column} = gone.id`;
  const { rowCount } = await client.query(
    `with gone as (select * from ${SUBJECTS} as page (part, id)),
     -- Keeps what only a deleted payment shows about a card.
     refused as (
       update subscriptions set state = 'needs_card'
       from gone
       join renewals on renewals.part = gone.part and renewals.payment_id = gone.id
       join movements on movements.part = gone.part and movements.payment_id = gone.id and ${IS_HARD_DECLINE}
       where subscriptions.part = renewals.part and subscriptions.id = renewals.subscription_id
         and subscriptions.payment_id = renewals.card_payment_id and subscriptions.state = 'active'
     ),
     -- What is kept as long as its payment is deleted with it.
     answers_gone as (${ofGone('idempotency_records')} and (status is null or lasting)),
     renewals_gone as (${ofGone('renewals', 'payment_id')}),
     deliveries_gone as (${ofGone('deliveries')}), lanes_gone as (${ofGone('lanes')}),
     events_gone as (${ofGone('events')}), movements_gone as (${ofGone('movements', 'payment_id')}),
     changes_gone as (${ofGone('payment_changes', 'payment_id')})
     ${ofGone('payments', 'id')}`,
    [gone.map(({ part }) => part), gone.map(({ id }) => id)],
  );
  return rowCount ?? 0;
}

/** Yields after each step. */
export async function* purgeExpiredPayments(pool: Pool, keptMs: number): AsyncGenerator<{ payments: number }> {
  for (;;) {
    const range = await inUnsyncedTransaction(pool, (client) => nextPage(client, keptMs));
    if (range === undefined) break;
    yield { payments: await inUnsyncedTransaction(pool, (client) => forget(client, range)) };
  }
  await inUnsyncedTransaction(pool, (client) => beginAgain(client, keptMs));
}
