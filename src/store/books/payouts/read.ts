// Reads payouts of days that are over and completely gathered: a page of a merchant's payouts, one payout, and a page
// of its actions. Sums and positions are stored, so a read only touches what it shows.
import type { Merchant } from '../../../domain/merchant.ts';
import type { PaymentMethod } from '../../../domain/payment.ts';
import { partOf } from '../../../domain/id.ts';
import { plainId } from '../../statements/payment-row.ts';
import type { Pool } from '../../connections/pool.ts';

export type Payout = {
  readonly id: string;
  /** As 2026-03-18. */
  readonly day: string;
  readonly currency: string;
  readonly charged: number;
  readonly refunded: number;
  readonly chargeCount: number;
  readonly actionCount: number;
};

export type PayoutAction = {
  readonly id: string;
  readonly paymentId: string;
  readonly kind: 'charge' | 'refund';
  readonly method: PaymentMethod;
  readonly at: Date;
  readonly reference: string | null;
  readonly invoiceNumber: string | null;
  readonly amount: number;
  readonly vat: number;
  readonly currency: string;
  readonly subscriptionId: string | null;
};

/** Both days are included. */
export type PayoutQuery = {
  readonly merchant: Pick<Merchant, 'id' | 'parts'>;
  readonly from: string;
  readonly to: string;
  readonly currency?: string;
  readonly skip: number;
  readonly take: number;
};

const COLUMNS = `payouts.id, payouts.day::text as day, payouts.currency, payouts.charged::text as charged,
  payouts.refunded::text as refunded, payouts.charge_count as "chargeCount", payouts.action_count as "actionCount"`;

/** The first day that may be incomplete: all parts of the merchant were walked up to it. */
const OPEN_DAY = `(select case when count(*) = cardinality($2::smallint[]) then min(payout_walks.day) end
  from payout_walks where payout_walks.part = any ($2::smallint[]))`;

const OF_MERCHANT = `payouts.part = ($2::smallint[])[1] and payouts.merchant_id = $1 and payouts.day < ${OPEN_DAY}`;

type Row = Omit<Payout, 'charged' | 'refunded'> & { readonly charged: string; readonly refunded: string };

/** Sums of a day can exceed any amount; as JSON numbers, they are as exact as their reader. */
const readPayout = ({ id, charged, refunded, ...row }: Row): Payout => ({
  ...row,
  id: plainId(id),
  charged: Number(charged),
  refunded: Number(refunded),
});

export async function listPayouts(
  pool: Pool,
  { merchant, from, to, currency, skip, take }: PayoutQuery,
): Promise<{ readonly count: number; readonly payouts: Payout[] }> {
  const isAsked = `${OF_MERCHANT} and payouts.day between $3::date and $4::date${currency === undefined ? '' : ' and payouts.currency = $5'}`;
  const values = [merchant.id, merchant.parts, from, to, ...(currency === undefined ? [] : [currency])];
  // In one statement: a day that becomes visible meanwhile is both on the page and counted, or neither.
  const [row] = await pool.query<{ count: number; page: Row[] }>(
    `with asked as (select ${COLUMNS} from payouts where ${isAsked})
     select (select count(*)::int from asked) as count, coalesce((
       select json_agg(page) from (select * from asked order by day, currency offset ${skip} limit ${take}) as page
     ), '[]') as page`,
    values,
  );
  return { count: row?.count ?? 0, payouts: (row?.page ?? []).map(readPayout) };
}

export async function findPayout(
  pool: Pool,
  merchant: PayoutQuery['merchant'],
  id: string,
): Promise<Payout | undefined> {
  if (partOf(id) !== merchant.parts[0]) return undefined;
  const [row] = await pool.query<Row>(`select ${COLUMNS} from payouts where ${OF_MERCHANT} and payouts.id = $3`, [
    merchant.id,
    merchant.parts,
    id,
  ]);
  return row && readPayout(row);
}

type Page = Pick<PayoutQuery, 'merchant' | 'skip' | 'take'>;

/** Its actions, in the order in which they were written. */
export async function listPayoutActions(
  pool: Pool,
  id: string,
  { merchant, skip, take }: Page,
): Promise<PayoutAction[]> {
  const rows = await pool.query<PayoutAction>(
    `select movement.id, payment.id as "paymentId", movement.kind, payment.method, movement.created_at as at,
       payment.reference, movement.invoice_number as "invoiceNumber", movement.amount, action.vat, payment.currency,
       payment.checkout -> 'subscription' ->> 'id' as "subscriptionId"
     from unnest($1::smallint[]) as home (part)
     cross join generate_series($3::int, $4::int - 1) as wanted (place)
     -- Each by its position, so the number of other days does not matter.
     cross join lateral (
       select * from payout_actions
       where payout_actions.part = home.part and payout_id = $2 and payout_actions.place = wanted.place limit 1
     ) as action
     cross join lateral (
       select * from movements where movements.part = action.part and movements.id = action.movement_id limit 1
     ) as movement
     cross join lateral (
       select * from payments where payments.part = movement.part and payments.id = movement.payment_id limit 1
     ) as payment
     order by action.place`,
    [merchant.parts, id, skip, skip + take],
  );
  return rows.map((row) => ({ ...row, id: plainId(row.id), paymentId: plainId(row.paymentId) }));
}
