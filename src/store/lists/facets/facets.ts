// The facets of a payment: what the console filters lists and counts by, except what depends on the time. A walk keeps them
// in a separate table, so that no commit writes them. This is the only place that defines them.
import { IS_LEFT, LASTING_STATE, reservation } from '../../statements/payment-state.ts';

const METHOD = `case when method is null then ''
  else coalesce(method ->> 'paymentType', '') || '/' || coalesce(method ->> 'paymentMethod', '') end`;

// A termination is not a movement, so the walk would miss it. Terminated payments have an index of their own.
const STANDING = `coalesce(nullif(${LASTING_STATE}, 'terminated'), 'unpaid')`;

/** Whether a method matches a filter: CARD or INVOICE, or the name of a method. */
export const isMethod = (facet: string, asked: string): boolean =>
  asked === 'CARD' || asked === 'INVOICE' ? facet.startsWith(`${asked}/`) : facet.endsWith(`/${asked}`);

/** The reservation of `payment` of which something is left. */
export const OPEN_RESERVATION = `case when ${IS_LEFT} then ${reservation('movements.id')} end`;

export const FACETS = ['standing', 'method', 'currency', 'reservation_id'] as const;

/** Facet columns of `payment`, in the order of the table. */
export const FACETS_OF_PAYMENT = `part, id, merchant_id, version, ${STANDING}, ${METHOD}, currency,
  ${OPEN_RESERVATION}`;
