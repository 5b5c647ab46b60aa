// What a charge, refund or cancel is going to do, said before it is done: the same words with a script and without.
import { showMinor } from './amount.ts';

export type ActKind = 'charge' | 'cancel' | 'refund';

export type Act = {
  readonly kind: ActKind;
  /** What the payment is called. */
  readonly of: string;
  readonly currency: string;
  readonly decimals: number;
  /** What can be moved; of a refund, what is left of its charge. */
  readonly left: number;
};

export const VERBS = { charge: 'Charge', cancel: 'Cancel', refund: 'Refund' } as const;

const RESTS = {
  charge: { some: 'stay reserved.', none: 'Nothing stays reserved.' },
  cancel: { some: 'stay reserved.', none: 'Nothing stays reserved.' },
  refund: { some: 'of the charge can still be refunded.', none: 'Nothing of the charge is left to refund.' },
} as const;

const WHOLE = {
  charge: 'all that is left',
  cancel: 'all that is left',
  refund: 'all that is left of the charge',
} as const;

export const wholeOf = ({ kind }: Pick<Act, 'kind'>): string => WHOLE[kind];

export function describeAct({ kind, of, currency, decimals, left }: Act, amount: number): string {
  const rest = left - amount;
  const what = `${VERBS[kind]} ${showMinor(amount, decimals)} ${currency} of ${of}.`;
  return `${what} ${rest > 0 ? `${showMinor(rest, decimals)} ${currency} ${RESTS[kind].some}` : RESTS[kind].none}`;
}
