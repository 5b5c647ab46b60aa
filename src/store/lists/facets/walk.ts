// Walks a merchant's payments by time through their facets, so that a page reads about what it shows. Matches are
// checked against the payments themselves, so outdated ones are not shown; payments that are too new for the facets are
// found separately and merged.
import type { Filters } from '../listing/filters.ts';
import { findMet, LAST_ID } from '../listing/walk.ts';
import type { Walk, Walked } from '../listing/walk.ts';
import { NO_ID } from '../../../domain/id.ts';
import type { Pool } from '../../connections/pool.ts';
import { findBranches, readBranches } from './branches.ts';
import type { Branch } from './branches.ts';
import { findFresh } from './fresh.ts';

// Rows read for a page: some ten milliseconds.
const MOST_LOOKED_AT = 10_000;

/** The payments that match now. */
async function check(pool: Pool, walk: Walk, ids: readonly string[]): Promise<Walked['payments']> {
  if (ids.length === 0) return [];
  const leads: Walk['leads'] = [(put) => `id = any (${put(`{${ids.join()}}`)}::uuid[])`];
  return findMet(pool, { ...walk, leads, filters: [...walk.leads, ...walk.filters] });
}

/** One payment more than requested, if there is one. */
async function walkBranches(pool: Pool, walk: Walk, branches: readonly Branch[]): Promise<Walked> {
  const payments = [];
  let after = walk.after?.id ?? (walk.order.isDescending ? LAST_ID : NO_ID);
  // The fewer match, the more are read.
  for (let [most, lookedAt] = [walk.limit + 1, 0]; ; most = Math.min(2 * most, MOST_LOOKED_AT)) {
    const { ids, isOver } = await readBranches(pool, walk, branches, { after, most });
    payments.push(...(await check(pool, { ...walk, limit: ids.length }, ids)));
    lookedAt += ids.length;
    after = ids.at(-1) ?? after;
    if (isOver || payments.length > walk.limit) return { payments };
    // The amount of a position does not matter in the order of time.
    if (lookedAt >= MOST_LOOKED_AT) return { payments, horizon: { id: after, amount: 0 } };
  }
}

/** Whether facets can answer a filter: it must not ask for more than they contain, or have an index of its own. */
const isByFacets = ({ state, method, currency, myReference }: Filters): boolean =>
  myReference === undefined &&
  state !== 'terminated' &&
  [state, method, currency].some((filter) => filter !== undefined);

/** Matches by facets, and those too new for them; undefined if facets cannot answer, or do not exist yet. */
export async function walkByFacets(pool: Pool, filters: Filters, walk: Walk): Promise<Walked[] | undefined> {
  if (!isByFacets(filters)) return undefined;
  // First of all: payments that are not among them have correct facets.
  const fresh = await findFresh(pool, walk.merchantId);
  if (fresh === undefined) return undefined;
  const branches = await findBranches(pool, filters, walk);
  if (branches === undefined) return undefined;
  return [await walkBranches(pool, walk, branches), { payments: await check(pool, walk, fresh) }];
}
