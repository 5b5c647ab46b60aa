// Counts a merchant's reservations that end soon: those of which something is left, by the time in their ids, which is when
// they were made. The facets have them in that order; what may not be as it is kept is asked of the payments.
import type { Merchant } from '../../../domain/merchant.ts';
import type { Pool } from '../../connections/pool.ts';
import { IS_LEFT } from '../../statements/payment-state.ts';
import { OPEN_RESERVATION } from './facets.ts';
import { findFresh } from './fresh.ts';

// How many movements are looked at where facets are not there yet.
const MOST_LOOKED_AT = 10_000;

/** $1 merchant, $2 and $3 ids between which theirs are, $4 payments that facets may not tell of, $5 how many at most. */
const BY_FACETS = `select (
    (select count(*) from (
      select 1 from payment_facets
      where merchant_id = $1 and reservation_id > $2::uuid and reservation_id < $3::uuid
        and payment_id <> all ($4::uuid[])
      order by reservation_id limit $5
    ) as kept) +
    (select count(*) from (
      select ${OPEN_RESERVATION} as reservation_id from payments as payment
      where merchant_id = $1 and id = any ($4::uuid[])
    ) as fresh where reservation_id > $2::uuid and reservation_id < $3::uuid)
  )::int as count`;

/** The same, with the merchant's parts as $4. */
const BY_MOVEMENTS = `select count(*)::int as count from (
    select 1 from unnest($4::smallint[]) as home (part)
    cross join lateral (
      select * from movements where movements.part = home.part and id > $2::uuid and id < $3::uuid
      order by id limit ${MOST_LOOKED_AT}
    ) as movement
    cross join lateral (
      select * from payments where payments.part = movement.part and payments.id = movement.payment_id limit 1
    ) as payment
    where movement.kind = 'reservation' and movement.state = 'approved' and payment.merchant_id = $1
      and ${IS_LEFT}
    limit $5
  ) as expiring`;

export type Expiring = {
  readonly merchant: Pick<Merchant, 'id' | 'parts'>;
  readonly after: string;
  readonly before: string;
  readonly most: number;
};

export async function countExpiring(pool: Pool, { merchant, after, before, most }: Expiring): Promise<number> {
  const fresh = await findFresh(pool, merchant.id);
  const [text, among] = fresh ? [BY_FACETS, fresh] : [BY_MOVEMENTS, merchant.parts];
  const [row] = await pool.query<{ count: number }>(text, [merchant.id, after, before, among, most]);
  return Math.min(most, row?.count ?? 0);
}
