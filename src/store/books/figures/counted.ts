// How a movement is counted in the daily figures: the one place that says by which day, method and reason. Used by the walk
// that adds them up, by whoever reads what was not walked over yet, and, in its own words, by the check of the books.

// What an acquirer says may be long; what few letters tell apart is enough.
const LONGEST_REASON = 64;

/** Columns of a figure from `movement` and its `payment`. */
export const FIGURE = `payment.merchant_id, (movement.created_at at time zone 'UTC')::date as day, payment.currency,
  movement.kind, movement.state,
  case movement.state when 'approved' then coalesce(payment.method ->> 'paymentMethod', '') else '' end as method,
  case movement.state when 'declined' then left(movement.reason, ${LONGEST_REASON}) else '' end as reason,
  count(*)::int as count, sum(movement.amount)::bigint as amount`;

/** By their places: some have the name of a column. */
export const BY_FIGURE = '1, 2, 3, 4, 5, 6, 7';

export const OF_PAYMENT =
  'join payments as payment on payment.part = movement.part and payment.id = movement.payment_id';
