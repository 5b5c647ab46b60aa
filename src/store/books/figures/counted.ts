// How the daily figures count a movement: its day, method and reason. Used by the walk that sums them and by readers of
// newer movements; the check of the books repeats it in its own words.

// An acquirer's reason may be long; a short prefix is enough.
const LONGEST_REASON = 64;

/** Columns of a figure from `movement` and its `payment`. */
export const FIGURE = `payment.merchant_id, (movement.created_at at time zone 'UTC')::date as day, payment.currency,
  movement.kind, movement.state,
  case movement.state when 'approved' then coalesce(payment.method ->> 'paymentMethod', '') else '' end as method,
  case movement.state when 'declined' then left(movement.reason, ${LONGEST_REASON}) else '' end as reason,
  count(*)::int as count, sum(movement.amount)::bigint as amount`;

/** By position, since some have the name of a column. */
export const BY_FIGURE = '1, 2, 3, 4, 5, 6, 7';

export const OF_PAYMENT =
  'join payments as payment on payment.part = movement.part and payment.id = movement.payment_id';
