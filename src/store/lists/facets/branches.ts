// The ranges of facets for a filter. A merchant's payments are of a few kinds (a state, a method, a currency); each
// kind is a range of one index ordered by time, and the matching ones are read side by side.
import type { LastingState, PaymentState } from '../../../domain/state.ts';
import type { Filters } from '../listing/filters.ts';
import type { Walk } from '../listing/walk.ts';
import { LAST_ID } from '../listing/walk.ts';
import { plainId } from '../../statements/payment-row.ts';
import { firstIdWithin } from '../../statements/payment-state.ts';
import type { Pool } from '../../connections/pool.ts';
import { isMethod } from './facets.ts';

type Kind = { readonly standing: string; readonly method: string; readonly currency: string };
/** Ids of a kind, from the first on, and before the second. */
export type Branch = Kind & { readonly from: string; readonly to: string };

// A page reads a row of each, and some more.
const MOST_KINDS = 300;
// Reserved payments are open; two different clocks may have determined it.
const CLOCKS_DIFFER_MS = 2 * 86_400_000;

/** $1 merchant. One index step per kind, however many payments it has. */
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

type Period = Pick<Branch, 'from' | 'to'>;

/** The stored facet of payments in a state, and the ids for which they can have that state. */
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

function branchOf(kind: Kind, { state, method, currency }: Filters, walk: Walk): Branch | undefined {
  if (currency !== undefined && kind.currency !== currency) return undefined;
  if (method !== undefined && !isMethod(kind.method, method)) return undefined;
  const [kept, period] = state === undefined ? [kind.standing, {}] : keptOf(state, walk);
  if (kept !== kind.standing) return undefined;
  return { ...kind, from: later(walk.from, period.from), to: earlier(walk.to, period.to) };
}

/** The branches for a filter; undefined if there are too many. */
export async function findBranches(pool: Pool, filters: Filters, walk: Walk): Promise<Branch[] | undefined> {
  const rows = await pool.run({ name: 'facet_kinds', text: KINDS }, [walk.merchantId]);
  if (rows.length > MOST_KINDS) return undefined;
  const kinds = rows.map(([standing, method, currency]) => ({ standing, method, currency }) as Kind);
  return kinds.flatMap((kind) => branchOf(kind, filters, walk) ?? []);
}

type Read = {
  /** Ordered by time. */
  readonly ids: readonly string[];
  /** Whether these are all. */
  readonly isOver: boolean;
};

/** The next payments of all branches after a position, up to where all of them were read. */
export async function readBranches(
  pool: Pool,
  { merchantId, order: { isDescending } }: Walk,
  branches: readonly Branch[],
  { after, most }: { readonly after: string; readonly most: number },
): Promise<Read> {
  if (branches.length === 0) return { ids: [], isOver: true };
  // Most branches contribute little to a page. Reading a bit more of each avoids a second query.
  const take = Math.min(most, Math.ceil((4 * most) / branches.length));
  const [sign, direction] = isDescending ? ['<', 'desc'] : ['>', 'asc'];
  const text = `select branch.n, next.payment_id from json_to_recordset($2::json) as branch (
      n int, standing text, method text, currency text, "from" uuid, "to" uuid)
    cross join lateral (
      select payment_id from payment_facets as facets
      where merchant_id = $1::bigint and facets.standing = branch.standing and facets.method = branch.method
        and facets.currency = branch.currency and payment_id ${sign} $3::uuid
        and payment_id >= branch."from" and payment_id < branch."to"
      order by payment_id ${direction} limit ${take}
    ) as next
    order by next.payment_id ${direction} limit ${most}`;
  const asked = JSON.stringify(branches.map((branch, n) => ({ n, ...branch })));
  const rows = await pool.run({ name: '', text }, [merchantId, asked, after]);
  const counts = branches.map(() => 0);
  const ids: string[] = [];
  for (const [n, id] of rows) {
    ids.push(plainId(id as string));
    const count = (counts[Number(n)] ?? 0) + 1;
    counts[Number(n)] = count;
    // After the last row read from a branch, more of it may come before rows of other branches.
    if (count === take || ids.length === most) return { ids, isOver: false };
  }
  return { ids, isOver: true };
}
