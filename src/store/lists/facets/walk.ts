// Walks a merchant's payments in the order of time by their facets, so that a page reads about what it shows. What facets
// lead to is asked of the payments themselves, so what has changed since is not shown; what is too new for the facets is
// found apart, and merged with it.
import type { Filters } from '../listing/filters.ts';
import { findMet, LAST_ID } from '../listing/walk.ts';
import type { Walk, Walked } from '../listing/walk.ts';
import { NO_ID } from '../../../domain/id.ts';
import type { Pool } from '../../connections/pool.ts';
import { findBranches, readBranches } from './branches.ts';
import type { Branch } from './branches.ts';
import { findFresh } from './fresh.ts';

// How many rows a page looks at: some ten milliseconds.
const MOST_LOOKED_AT = 10_000;

/** Those of the payments that are what was asked for, now. */
async function check(pool: Pool, walk: Walk, ids: readonly string[]): Promise<Walked['payments']> {
  if (ids.length === 0) return [];
  const leads: Walk['leads'] = [(put) => `id = any (${put(`{${ids.join()}}`)}::uuid[])`];
  return findMet(pool, { ...walk, leads, filters: [...walk.leads, ...walk.filters] });
}

/** One payment more than asked for, where there is one. */
async function walkBranches(pool: Pool, walk: Walk, branches: readonly Branch[]): Promise<Walked> {
  const payments = [];
  let after = walk.after?.id ?? (walk.order.isDescending ? LAST_ID : NO_ID);
  // The fewer are what was asked for, the more are looked at.
  for (let [most, lookedAt] = [walk.limit + 1, 0]; ; most = Math.min(2 * most, MOST_LOOKED_AT)) {
    const { ids, isOver } = await readBranches(pool, walk, branches, { after, most });
    payments.push(...(await check(pool, { ...walk, limit: ids.length }, ids)));
    lookedAt += ids.length;
    after = ids.at(-1) ?? after;
    if (isOver || payments.length > walk.limit) return { payments };
    // In the order of time the amount of a position is not looked at.
    if (lookedAt >= MOST_LOOKED_AT) return { payments, horizon: { id: after, amount: 0 } };
  }
}

/** Whether facets lead to what a filter asks for: it is more than they know, or has an index of its own. */
const isByFacets = ({ state, method, currency, myReference }: Filters): boolean =>
  myReference === undefined &&
  state !== 'terminated' &&
  [state, method, currency].some((filter) => filter !== undefined);

/** What is found by facets, and what is too new for them; undefined where they do not lead, or are not there yet. */
export async function walkByFacets(pool: Pool, filters: Filters, walk: Walk): Promise<Walked[] | undefined> {
  if (!isByFacets(filters)) return undefined;
  // Before anything else: what is not among them has the facets that are kept of it.
  const fresh = await findFresh(pool, walk.merchantId);
  if (fresh === undefined) return undefined;
  const branches = await findBranches(pool, filters, walk);
  if (branches === undefined) return undefined;
  return [await walkBranches(pool, walk, branches), { payments: await check(pool, walk, fresh) }];
}
