// What needs attention at a merchant: bounded counts, each by an index.
import type { Merchant } from '../../domain/merchant.ts';
import { firstIdAt } from '../../domain/id.ts';
import { OPEN_RESERVATION } from './facets/facets.ts';
import { findFresh } from './facets/fresh.ts';
import { SIMULATOR } from '../../domain/merchant.ts';
import { firstIdWithin } from '../statements/payment-state.ts';
import type { Pool } from '../connections/pool.ts';
import { listOutcomes } from '../books/reconcile-outcomes.ts';
import type { ReconcileOutcome } from '../books/reconcile-outcomes.ts';

export type Attention = {
  /** Movements whose outcome has not been known for a while. */
  readonly longPending: number;
  /** Payments with a reservation that expires soon. */
  readonly expiring: number;
  readonly failingWebhooks: number;
  readonly disabledWebhooks: number;
  /** The results of the last reconciliations with acquirers. */
  readonly differences: readonly ReconcileOutcome[];
};

/** The maximum count: with more, the merchant has the same thing to do. */
export const MOST_COUNTED = 1_000;
// How many rows are searched for it.
const MOST_LOOKED_AT = 10_000;
const LONG = `interval '10 minutes'`;
export const SOON_DAYS = 2;
const DAY_MS = 86_400_000;

/**
 * $1 merchant, $2 its parts, $3 and $4 the ids between which reservations expire soon, by their creation time, $5 payments
 * that are not in the facets yet.
 */
const ATTENTION = `with pending as materialized (
    -- There are few at any time, and they have an index of their own.
    select part, payment_id, created_at from movements
    where state = 'pending' and acquirer <> '${SIMULATOR}' limit ${MOST_LOOKED_AT}
  )
  select
    (select count(*)::int from (
      select 1 from pending
      cross join lateral (
        select * from payments where payments.part = pending.part and payments.id = pending.payment_id limit 1
      ) as payment
      where pending.part = any ($2::smallint[]) and payment.merchant_id = $1 and pending.created_at < now() - ${LONG}
      limit ${MOST_COUNTED}
    ) as long) as "longPending",
    (select count(*)::int from (
      select 1 from (
        (select payment_id from payment_facets
         where merchant_id = $1 and reservation_id between $3::uuid and $4::uuid and payment_id <> all ($5::uuid[])
         order by reservation_id limit ${MOST_LOOKED_AT})
        union all
        select unnest($5::uuid[])
      ) as found (id)
      cross join lateral (
        select * from payments where payments.merchant_id = $1 and payments.id = found.id limit 1
      ) as payment
      where ${OPEN_RESERVATION} between $3::uuid and $4::uuid
      limit ${MOST_COUNTED}
    ) as expiring) as expiring,
    (select count(*)::int from webhooks
     where part = ($2::smallint[])[1] and merchant_id = $1 and failing_since is not null and disabled_at is null
    ) as "failingWebhooks",
    (select count(*)::int from webhooks
     where part = ($2::smallint[])[1] and merchant_id = $1 and disabled_reason in ('gone', 'failing')
    ) as "disabledWebhooks"`;

export async function findAttention(
  pool: Pool,
  merchant: Pick<Merchant, 'id' | 'parts'>,
  atMs: number,
  reservationMs: number,
): Promise<Attention> {
  // A reservation expires by the time in its id, as charges do.
  const madeAt = Math.max(0, atMs - reservationMs);
  const values = [
    merchant.id,
    merchant.parts,
    firstIdWithin(reservationMs, atMs),
    firstIdAt(madeAt + SOON_DAYS * DAY_MS),
    // Where there are too many, only what the walk has met is counted.
    (await findFresh(pool, merchant.id)) ?? [],
  ];
  const [row] = await pool.query<Omit<Attention, 'differences'>>(ATTENTION, values);
  return {
    ...(row as Omit<Attention, 'differences'>),
    differences: await listOutcomes(pool, merchant),
  };
}
