// Walks a merchant's payments by their facets: the branches of a filter are merged in the order of the list, so that a page
// reads about what it shows. What they lead to is asked of the payments themselves, so what has changed since is not shown;
// what is too new for the facets is found apart, and merged with it.
import type { Filters } from '../listing/filters.ts';
import { comesBefore, findMet, LAST_ID } from '../listing/walk.ts';
import type { Position, Walk, Walked } from '../listing/walk.ts';
import { NO_ID } from '../../../domain/id.ts';
import { plainId } from '../../statements/payment-row.ts';
import type { Pool } from '../../connections/pool.ts';
import { findFacetBranches, isNarrowed } from './branches.ts';
import type { Branches } from './branches.ts';
import { findFresh } from './fresh.ts';
import { findEmpty, openReader, readOn, takeInOrder } from './readers.ts';
import { isShort, spansOf } from './spans.ts';

// How many rows a page looks at: some ten milliseconds.
const MOST_LOOKED_AT = 10_000;
const MOST_SORTED = 450;

const firstOf = ({ order }: Walk, positions: readonly Position[]): Position | undefined =>
  positions.toSorted((one, other) => (comesBefore(order, one, other) ? -1 : 1))[0];

/** One payment more than asked for, where there is one. */
async function walkBranches(pool: Pool, walk: Walk, { by, branches }: Branches): Promise<Walked> {
  const most = walk.limit + 1;
  const take = Math.max(1, Math.min(most, Math.ceil((2 * most) / Math.max(1, branches.length))));
  const readers = branches.map((branch) => openReader(branch, take));
  const payments = [];
  let taken: Position[] = [];
  for (let lookedAt = 0; ;) {
    const empty = findEmpty(readers, walk);
    if (empty.length > 0) {
      if (lookedAt >= MOST_LOOKED_AT) {
        const horizon = firstOf(
          walk,
          empty.flatMap(({ last }) => last ?? []),
        );
        return { payments: [...payments, ...(await check(pool, walk, taken))], ...(horizon && { horizon }) };
      }
      lookedAt += await readOn(pool, walk, by, empty);
    }
    taken.push(...takeInOrder(readers, walk, most - payments.length - taken.length));
    const isOver = readers.every(({ isDone, rows }) => isDone && rows.length === 0);
    if (!isOver && payments.length + taken.length < most) continue;
    payments.push(...(await check(pool, walk, taken)));
    taken = [];
    if (isOver || payments.length >= most) return { payments };
  }
}

/** Those of the payments that are what was asked for, now, in the order of the list. */
async function check(pool: Pool, walk: Walk, positions: readonly Position[]): Promise<Walked['payments']> {
  if (positions.length === 0) return [];
  const ids = positions.map(({ id }) => id);
  return findMet(pool, { ...walk, ...among(walk, ids), limit: ids.length });
}

/** Asked of these payments alone. */
const among = (walk: Walk, ids: readonly string[]): Pick<Walk, 'leads' | 'filters'> => ({
  leads: [(put) => `id = any (${put(`{${ids.join()}}`)}::uuid[])`],
  filters: [...walk.leads, ...walk.filters],
});

const hasPeriod = ({ from, to }: Walk): boolean => from !== NO_ID || to !== LAST_ID;

/** Whether a walk is led by facets: what narrows it has no index of its own. */
function isByFacets(filters: Filters, walk: Walk): boolean {
  const { state, myReference, ...others } = filters;
  const { order } = walk;
  if (myReference !== undefined) return false;
  if (order.by === 'amount' && hasPeriod(walk)) return true;
  return isNarrowed(others) || (state !== undefined && (state !== 'terminated' || order.by === 'amount'));
}

/** All of a period, where they are few: those are put in the order of their amounts here. */
async function findFewOfPeriod(pool: Pool, { merchantId, from, to }: Walk): Promise<string[] | undefined> {
  const text = `select id from payments where merchant_id = $1::bigint and id >= $2::uuid and id < $3::uuid
    order by id limit ${MOST_SORTED + 1}`;
  const rows = await pool.run({ name: '', text }, [merchantId, from, to]);
  return rows.length > MOST_SORTED ? undefined : rows.map(([id]) => plainId(id as string));
}

/** What is found by facets, and what is too new for them; undefined where they do not lead, or are not there yet. */
export async function walkByFacets(pool: Pool, filters: Filters, walk: Walk): Promise<Walked[] | undefined> {
  if (!isByFacets(filters, walk)) return undefined;
  const sortFew = async (): Promise<Walked[] | undefined> => {
    const few = walk.order.by === 'amount' && hasPeriod(walk) ? await findFewOfPeriod(pool, walk) : undefined;
    return few && [{ payments: await findMet(pool, { ...walk, ...among(walk, few) }) }];
  };
  const isOfSpans = !isNarrowed(filters) && !isShort(walk) && spansOf(walk) !== undefined;
  const few = isOfSpans ? undefined : await sortFew();
  if (few) return few;
  // Before anything else: what is not among them has the facets that are kept of it.
  const fresh = await findFresh(pool, walk.merchantId);
  if (fresh === undefined) return isOfSpans ? sortFew() : undefined;
  const branches = await findFacetBranches(pool, filters, walk);
  if (branches === undefined) return undefined;
  const listed = await walkBranches(pool, walk, branches);
  if (fresh.length === 0) return [listed];
  return [listed, { payments: await findMet(pool, { ...walk, ...among(walk, fresh) }) }];
}
