// The facets of a payment: what the console filters and counts by, without what hangs on the hour. They are kept apart from
// payments by a walk, so that no commit writes them; the one place that says what each is.
import { IS_LEFT, LASTING_STATE, reservation } from '../../statements/payment-state.ts';

const METHOD = `case when method is null then ''
  else coalesce(method ->> 'paymentType', '') || '/' || coalesce(method ->> 'paymentMethod', '') end`;

// A termination is no movement, so the walk would not meet it. Terminated payments have an index of their own.
const STANDING = `coalesce(nullif(${LASTING_STATE}, 'terminated'), 'unpaid')`;

/** Whether the facet of a method is what a filter asks for: CARD or INVOICE, or the name of a method. */
export const isMethod = (facet: string, asked: string): boolean =>
  asked === 'CARD' || asked === 'INVOICE' ? facet.startsWith(`${asked}/`) : facet.endsWith(`/${asked}`);

/** The reservation of `payment` of which something is left. */
export const OPEN_RESERVATION = `case when ${IS_LEFT} then ${reservation('movements.id')} end`;

export const FACETS = ['standing', 'method', 'currency', 'reservation_id'] as const;

/** Columns of the facets of `payment`, in the order of the table. */
export const FACETS_OF_PAYMENT = `part, id, merchant_id, version, ${STANDING}, ${METHOD}, currency,
  ${OPEN_RESERVATION}`;
