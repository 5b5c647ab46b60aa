// The filters of a list of payments, as SQL conditions. Those that an index answers lead the walk; the others are
// checked for each payment.
import { currenciesWith, exponentOf } from '../../../domain/currency.ts';
import type { Lifetimes } from '../../../domain/payment.ts';
import type { PaymentState } from '../../../domain/state.ts';
import { stateAt } from '../../statements/payment-state.ts';
import type { Condition, Put } from '../../statements/put.ts';
import type { Order } from './walk.ts';

export type Filters = {
  readonly state?: PaymentState;
  /** CARD or INVOICE, or the name of a method. */
  readonly method?: string;
  readonly currency?: string;
  /** In major units of any currency, as entered: "99.50". */
  readonly least?: string;
  readonly most?: string;
  readonly myReference?: string;
};

const DECIMALS = [0, 2, 3, 4] as const;

/** In minor units with this many decimals, rounded towards the inside of the range. */
function minorUnits(text: string, decimals: number, rounding: 'up' | 'down'): number {
  const [whole = '0', part = ''] = text.split(/[.,]/);
  const amount = Number(whole + part.slice(0, decimals).padEnd(decimals, '0'));
  return rounding === 'up' && /[^0]/.test(part.slice(decimals)) ? amount + 1 : amount;
}

function amountBound(text: string, isLeast: boolean, currency: string | undefined): Condition {
  const [sign, rounding] = isLeast ? (['>=', 'up'] as const) : (['<=', 'down'] as const);
  const bound = (put: Put, decimals: number): string => `${put(minorUnits(text, decimals, rounding))}::bigint`;
  if (currency !== undefined) return (put) => `amount ${sign} ${bound(put, exponentOf(currency))}`;
  return (put) => {
    const others = DECIMALS.filter((decimals) => decimals !== 2).map(
      (decimals) =>
        `when currency in (${currenciesWith(decimals)
          .map((code) => `'${code}'`)
          .join()}) then ${bound(put, decimals)}`,
    );
    return `amount ${sign} case ${others.join(' ')} else ${bound(put, 2)} end`;
  };
}

/** In the order of amounts, what is smaller or larger in every currency is skipped. */
function amountLeads({ least, most, currency }: Filters): Condition[] {
  const all = currency === undefined ? DECIMALS : [exponentOf(currency)];
  const leads: Condition[] = [];
  if (least !== undefined)
    leads.push((put) => `amount >= ${put(Math.min(...all.map((each) => minorUnits(least, each, 'up'))))}::bigint`);
  if (most !== undefined)
    leads.push((put) => `amount <= ${put(Math.max(...all.map((each) => minorUnits(most, each, 'down'))))}::bigint`);
  return leads;
}

/** By a method, or by all of a kind. */
export function isPaidBy(method: string): Condition {
  const field = method === 'CARD' || method === 'INVOICE' ? 'paymentType' : 'paymentMethod';
  return (put) => `method ->> '${field}' = ${put(method)}`;
}

export function conditionsOf(
  filters: Filters,
  order: Order,
  atMs: number,
  lifetimes: Lifetimes,
): { readonly leads: readonly Condition[]; readonly filters: readonly Condition[] } {
  const { state, method, currency, least, most, myReference } = filters;
  const leads: Condition[] = order.by === 'amount' ? amountLeads(filters) : [];
  const asked: Condition[] = [];
  const isLed = order.by === 'time' && myReference !== undefined;
  if (myReference !== undefined) (isLed ? leads : asked).push((put) => `my_reference = ${put(myReference)}`);
  if (state !== undefined) {
    // Terminated payments have an index of their own.
    if (state === 'terminated' && order.by === 'time' && !isLed) leads.push(() => 'terminated_at is not null');
    if (state !== 'terminated' || leads.length === 0)
      asked.push((put) => `${stateAt(put, atMs, lifetimes)} = ${put(state)}`);
  }
  if (currency !== undefined) asked.push((put) => `currency = ${put(currency)}`);
  if (method !== undefined) asked.push(isPaidBy(method));
  if (least !== undefined) asked.push(amountBound(least, true, currency));
  if (most !== undefined) asked.push(amountBound(most, false, currency));
  return { leads, filters: asked };
}
