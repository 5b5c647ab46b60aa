// The charges of a subscription, as its consumer sees them: the latest, and whether there are more.
import { partOf } from '../../domain/id.ts';
import { plainId } from '../statements/payment-row.ts';
import type { Pool } from '../connections/pool.ts';

export type PastCharge = {
  readonly paymentId: string;
  /** The UTC day on which it was requested. */
  readonly day: string;
  readonly amount: number;
  readonly currency: string;
  readonly refunded: number;
  readonly state: 'charged' | 'pending' | 'declined';
};

type Row = {
  payment_id: string;
  day: string;
  amount: number;
  currency: string;
  charged: number;
  refunded: number;
  is_pending: boolean;
};

function readCharge(row: Row): PastCharge {
  const unpaid = row.is_pending ? 'pending' : 'declined';
  return {
    paymentId: plainId(row.payment_id),
    day: row.day,
    amount: row.amount,
    currency: row.currency,
    refunded: row.refunded,
    state: row.charged > 0 ? 'charged' : unpaid,
  };
}

/** The newest first. */
export async function listCharges(
  pool: Pool,
  subscriptionId: string,
  most: number,
): Promise<{ readonly charges: readonly PastCharge[]; readonly more: boolean }> {
  const rows = await pool.query<Row>(
    `select renewal.payment_id, renewal.day::text as day, amount, currency, charged, refunded,
       exists (
         select 1 from movements
         where movements.part = renewal.part and movements.payment_id = renewal.payment_id and state = 'pending'
       ) as is_pending
     from (
       select part, payment_id, day from renewals
       where part = $1 and subscription_id = $2
       order by day desc, payment_id desc limit $3
     ) as renewal
     join payments on payments.part = renewal.part and payments.id = renewal.payment_id
     order by day desc, payment_id desc`,
    [partOf(subscriptionId), subscriptionId, most + 1],
  );
  return { charges: rows.slice(0, most).map(readCharge), more: rows.length > most };
}
