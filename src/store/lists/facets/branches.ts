// Which parts of the facets a filter asks for: each is a range of one index, in the order of the list. Payments of a
// merchant are of a few kinds (a state, a method, a currency), and those that a filter means are merged. A range of
// amounts in the order of time is, of each kind, the few amounts that there are within it, or the steps of its scale; a
// period in the order of amounts is the spans of time that it touches, of all kinds.
import { exponentOf } from '../../../domain/currency.ts';
import type { LastingState, PaymentState } from '../../../domain/state.ts';
import { minorUnits } from '../listing/filters.ts';
import type { Filters } from '../listing/filters.ts';
import type { Walk } from '../listing/walk.ts';
import { LAST_ID } from '../listing/walk.ts';
import { firstIdWithin } from '../../statements/payment-state.ts';
import type { Pool } from '../../connections/pool.ts';
import { isMethod, scaleOf } from './facets.ts';
import { spansOf } from './spans.ts';
import type { SpanLength } from './spans.ts';

type Kind = { readonly standing: string; readonly method: string; readonly currency: string };

/** A range of one index: ids and amounts from the first on, and up to the last. */
export type Branch = Partial<Kind> & {
  /** Amounts of one step, or one amount alone. */
  readonly step?: number;
  /** How the ids of a span of time begin: all kinds of it. */
  readonly span?: string;
  readonly from: string;
  readonly to: string;
  readonly least: number;
  readonly most: number;
};

export type Branches = {
  readonly by: 'time' | 'amount' | 'one amount' | 'scale' | SpanLength;
  readonly branches: readonly Branch[];
};

// A page of fifty may read five hundred rows: of each branch one, and then those that it shows.
const MOST_KINDS = 300;
const MOST_AMOUNTS = 100;
const MOST_STEPS = 300;
const MOST_AMOUNT = 1_000_000_000_000;
// A payment is reserved while it is open; two clocks may have said so.
const CLOCKS_DIFFER_MS = 2 * 86_400_000;

/** $1 merchant. One step in the index for each, however many payments it has. */
const KINDS = `with recursive kinds (standing, method, currency) as (
    (select standing, method, currency from payment_facets where merchant_id = $1::bigint
     order by standing, method, currency limit 1)
    union all
    select next.* from kinds cross join lateral (
      select standing, method, currency from payment_facets
      where merchant_id = $1::bigint
        and (standing, method, currency) > (kinds.standing, kinds.method, kinds.currency)
      order by standing, method, currency limit 1) as next
  )
  select standing, method, currency from kinds limit ${MOST_KINDS + 1}`;

/** $1 merchant, $2 ranges of kinds: [{standing, method, currency, first, last}]. */
const stepsBy = (column: 'amount' | 'scale', most: number): string => `with recursive steps as (
    select kind.*, first.step from json_to_recordset($2::json) as kind (
      n int, standing text, method text, currency text, first bigint, last bigint)
    cross join lateral (
      select ${column} as step from payment_facets
      where merchant_id = $1::bigint and standing = kind.standing and method = kind.method
        and currency = kind.currency and ${column} >= kind.first and ${column} <= kind.last
      order by ${column} limit 1) as first
    union all
    select steps.n, steps.standing, steps.method, steps.currency, steps.first, steps.last, next.step
    from steps cross join lateral (
      select ${column} as step from payment_facets
      where merchant_id = $1::bigint and standing = steps.standing and method = steps.method
        and currency = steps.currency and ${column} > steps.step and ${column} <= steps.last
      order by ${column} limit 1) as next
  )
  select n, step from steps limit ${most + 1}`;

const STEPS = {
  amount: { name: 'facet_amounts', text: stepsBy('amount', MOST_AMOUNTS), most: MOST_AMOUNTS },
  scale: { name: 'facet_scales', text: stepsBy('scale', MOST_STEPS), most: MOST_STEPS },
} as const;

async function findKinds(pool: Pool, merchantId: number): Promise<Kind[] | undefined> {
  const rows = await pool.run({ name: 'facet_kinds', text: KINDS }, [merchantId]);
  if (rows.length > MOST_KINDS) return undefined;
  return rows.map(([standing, method, currency]) => ({ standing, method, currency }) as Kind);
}

type Period = Pick<Branch, 'from' | 'to'>;

/** What is kept of payments in a state, and the ids for which they can be in it. */
function keptOf(
  state: PaymentState,
  { atMs, lifetimes: { paymentMs, reservationMs } }: Walk,
): readonly [LastingState, Partial<Period>] {
  const firstWithin = (lifetimeMs: number): string => firstIdWithin(lifetimeMs, atMs);
  switch (state) {
    case 'created':
      return ['unpaid', { from: firstWithin(paymentMs) }];
    case 'expired':
      return ['unpaid', { to: firstWithin(paymentMs) }];
    case 'reserved':
      return ['reserved', { from: firstWithin(reservationMs + paymentMs + CLOCKS_DIFFER_MS) }];
    case 'reservation expired':
      return ['reserved', { to: firstWithin(reservationMs) }];
    default:
      return [state, {}];
  }
}

const later = (one: string, other = ''): string => (one > other ? one : other);
const earlier = (one: string, other = LAST_ID): string => (one < other ? one : other);

function branchOf(kind: Kind, { state, method, currency, least, most }: Filters, walk: Walk): Branch | undefined {
  if (currency !== undefined && kind.currency !== currency) return undefined;
  if (method !== undefined && !isMethod(kind.method, method)) return undefined;
  const [kept, period] = state === undefined ? [kind.standing, {}] : keptOf(state, walk);
  if (kept !== kind.standing) return undefined;
  const decimals = exponentOf(kind.currency);
  return {
    ...kind,
    from: later(walk.from, period.from),
    to: earlier(walk.to, period.to),
    least: least === undefined ? 0 : minorUnits(least, decimals, 'up'),
    most: most === undefined ? MOST_AMOUNT : Math.min(MOST_AMOUNT, minorUnits(most, decimals, 'down')),
  };
}

/** Whether a filter is there that facets answer. */
export const isNarrowed = ({ state, method, currency, least, most }: Filters): boolean =>
  [state, method, currency, least, most].some((filter) => filter !== undefined);

/** One branch for each amount that there is, or for each step; undefined when there are too many. */
async function split(
  pool: Pool,
  merchantId: number,
  branches: readonly Branch[],
  column: 'amount' | 'scale',
): Promise<Branch[] | undefined> {
  const { name, text, most } = STEPS[column];
  const kinds = branches.map((branch, n) => ({
    n,
    standing: branch.standing,
    method: branch.method,
    currency: branch.currency,
    first: column === 'amount' ? branch.least : scaleOf(branch.least),
    last: column === 'amount' ? branch.most : scaleOf(branch.most),
  }));
  const rows = await pool.run({ name, text }, [merchantId, JSON.stringify(kinds)]);
  if (rows.length > most) return undefined;
  return rows.map(([n, step]) => ({ ...(branches[Number(n)] as Branch), step: Number(step) }));
}

/** A period that nothing else narrows, in the order of amounts. */
function findSpans(filters: Filters, walk: Walk): Branches | undefined {
  const found = isNarrowed(filters) || walk.order.by !== 'amount' ? undefined : spansOf(walk);
  const all = { from: walk.from, to: walk.to, least: 0, most: MOST_AMOUNT };
  return found && { by: found.by, branches: found.spans.map((span) => ({ ...all, span })) };
}

/** What is to be merged for a walk; undefined when that would be too much. */
export async function findFacetBranches(pool: Pool, filters: Filters, walk: Walk): Promise<Branches | undefined> {
  const { merchantId, order } = walk;
  const spans = findSpans(filters, walk);
  if (spans) return spans;
  const kinds = await findKinds(pool, merchantId);
  if (kinds === undefined) return undefined;
  const branches = kinds.flatMap((kind) => branchOf(kind, filters, walk) ?? []);
  if (order.by === 'amount') return { by: 'amount', branches };
  if (filters.least === undefined && filters.most === undefined) return { by: 'time', branches };
  const amounts = await split(pool, merchantId, branches, 'amount');
  if (amounts) return { by: 'one amount', branches: amounts };
  const steps = await split(pool, merchantId, branches, 'scale');
  // So wide a range is most of what there is: the walk looks at all, and takes those within it.
  return steps ? { by: 'scale', branches: steps } : { by: 'time', branches };
}
