// The facets of a payment: what the console filters and counts by, without what hangs on the hour. They are kept apart from
// payments by a walk, so that no commit writes them; the one place that says what each is.
import { IS_LEFT, LASTING_STATE, reservation } from '../../statements/payment-state.ts';

// Ten steps within a decade, where people draw the line.
const STEPS = [12, 15, 20, 25, 30, 40, 50, 60, 80] as const;
const STEPS_OF_DECADE = STEPS.length + 1;

/** In which step of which decade an amount is; as SCALE has it. */
export function scaleOf(amount: number): number {
  const digits = String(amount);
  const lead = Number(digits.padEnd(2, '0').slice(0, 2));
  return digits.length * STEPS_OF_DECADE + STEPS.filter((step) => step <= lead).length;
}

/** Of the column `amount`. */
export const SCALE = `length(amount::text) * ${STEPS_OF_DECADE}
  + width_bucket(left(rpad(amount::text, 2, '0'), 2)::int, array[${STEPS.join()}])`;

const METHOD = `case when method is null then ''
  else coalesce(method ->> 'paymentType', '') || '/' || coalesce(method ->> 'paymentMethod', '') end`;

/** Whether the facet of a method is what a filter asks for: CARD or INVOICE, or the name of a method. */
export const isMethod = (facet: string, asked: string): boolean =>
  asked === 'CARD' || asked === 'INVOICE' ? facet.startsWith(`${asked}/`) : facet.endsWith(`/${asked}`);

/** The reservation of `payment` of which something is left. */
export const OPEN_RESERVATION = `case when ${IS_LEFT} then ${reservation('movements.id')} end`;

export const FACETS = ['standing', 'method', 'currency', 'amount', 'scale', 'reservation_id'] as const;

/** Columns of the facets of `payment`, in the order of the table. */
export const FACETS_OF_PAYMENT = `part, id, merchant_id, version, ${LASTING_STATE}, ${METHOD}, currency, amount,
  ${SCALE}, ${OPEN_RESERVATION}`;
