// Walks a merchant's payments by their facets: the branches of a filter are merged in the order of the list, each read a
// little at a time, so that a page reads about what it shows. What they lead to is asked of the payments themselves, so
// what has changed since is not shown; what is too new for the facets is found apart, and merged with it.
import type { Filters } from '../listing/filters.ts';
import { comesBefore, findMet, LAST_ID } from '../listing/walk.ts';
import type { Position, Walk, Walked } from '../listing/walk.ts';
import { NO_ID } from '../../domain/id.ts';
import { plainId } from '../payment-row.ts';
import type { Pool } from '../pool.ts';
import { findFacetBranches } from './branches.ts';
import type { Branch, Branches } from './branches.ts';
import { findFresh } from './fresh.ts';

// How many rows a page looks at: some ten milliseconds.
const MOST_LOOKED_AT = 10_000;
const MOST_TAKEN = 512;
const MOST_SORTED = 500;

type Reader = {
  readonly branch: Branch;
  readonly isMet: (position: Position) => boolean;
  /** What was read and not given yet. */
  readonly rows: Position[];
  /** The last that was read. */
  last?: Position;
  take: number;
  isDone: boolean;
};

/** What a step is of. */
const STEP: Partial<Readonly<Record<Branches['by'], string>>> = { 'one amount': 'amount', scale: 'scale' };

/** $1 merchant, $2 branches. Each with a limit that the plan knows, and one of its own within it. */
function readNext(by: Branches['by'], { isDescending }: Walk['order']): string {
  const [sign, direction] = isDescending ? ['<', 'desc'] : ['>', 'asc'];
  const isByAmount = by === 'amount';
  const step = STEP[by] === undefined ? '' : `and facets.${STEP[by]} = branch.step`;
  const after = isByAmount
    ? `and (facets.amount, facets.payment_id) ${sign} (branch.amount, branch.id)
       and facets.amount >= branch.least and facets.amount <= branch.most`
    : `and facets.payment_id ${sign} branch.id and facets.payment_id >= branch.first and facets.payment_id < branch.end`;
  const order = `${isByAmount ? `facets.amount ${direction}, ` : ''}facets.payment_id ${direction}`;
  return `select branch.n, next.payment_id, next.amount from json_to_recordset($2::json) as branch (
      n int, standing text, method text, currency text, step bigint, amount bigint, id uuid, "first" uuid, "end" uuid,
      least bigint, most bigint, take int)
    cross join lateral (
      select * from (
        select facets.payment_id, facets.amount from payment_facets as facets
        where facets.merchant_id = $1::bigint and facets.standing = branch.standing and facets.method = branch.method
          and facets.currency = branch.currency ${step} ${after}
        order by ${order} limit ${MOST_TAKEN}
      ) as ordered limit branch.take
    ) as next`;
}

const FIRST: Position = { amount: -1, id: '0'.repeat(32) };
const LAST: Position = { amount: Number.MAX_SAFE_INTEGER, id: 'f'.repeat(32) };

/** Reads on for those that have nothing left to give; gives how many rows that were. */
async function readOn(pool: Pool, walk: Walk, by: Branches['by'], readers: readonly Reader[]): Promise<number> {
  const start = walk.after ?? (walk.order.isDescending ? LAST : FIRST);
  const asked = readers.map(({ branch, last = start, take }, n) => ({
    n,
    ...branch,
    amount: last.amount,
    id: last.id,
    first: branch.from,
    end: branch.to,
    take,
  }));
  const name = `facets_${by.replace(' ', '_')}_${walk.order.isDescending ? 'down' : 'up'}`;
  const rows = await pool.run({ name, text: readNext(by, walk.order) }, [walk.merchantId, JSON.stringify(asked)]);
  const counts = readers.map(() => 0);
  for (const [n, id, amount] of rows) {
    const reader = readers[Number(n)] as Reader;
    const position = { id: plainId(id as string), amount: Number(amount) };
    if (reader.isMet(position)) reader.rows.push(position);
    reader.last = position;
    counts[Number(n)] = (counts[Number(n)] ?? 0) + 1;
  }
  readers.forEach((reader, n) => {
    reader.isDone = (counts[n] ?? 0) < reader.take;
    reader.take = Math.min(MOST_TAKEN, reader.take * 2);
  });
  return rows.length;
}

/** The one whose next payment comes first. */
function firstReader(readers: readonly Reader[], { order }: Walk): Reader | undefined {
  let first: Reader | undefined;
  for (const reader of readers) {
    const [head] = reader.rows;
    const [best] = first?.rows ?? [];
    if (head && (best === undefined || comesBefore(order, head, best))) first = reader;
  }
  return first;
}

/** Those that may have one before the next: they have nothing to give, and have not looked as far as that. */
function findEmpty(readers: readonly Reader[], walk: Walk): Reader[] {
  const [next] = firstReader(readers, walk)?.rows ?? [];
  const isBehind = ({ last }: Reader): boolean => !next || !last || comesBefore(walk.order, last, next);
  return readers.filter((reader) => !reader.isDone && reader.rows.length === 0 && isBehind(reader));
}

/** The next that all of them agree on; stops where one has to be read on. */
function takeInOrder(readers: readonly Reader[], walk: Walk, most: number): Position[] {
  const taken: Position[] = [];
  while (taken.length < most && findEmpty(readers, walk).length === 0) {
    const next = firstReader(readers, walk)?.rows.shift();
    if (next === undefined) break;
    taken.push(next);
  }
  return taken;
}

function openReader(branch: Branch, take: number): Reader {
  const isMet = ({ id, amount }: Position): boolean =>
    id >= branch.from && id < branch.to && amount >= branch.least && amount <= branch.most;
  return { branch, isMet, rows: [], take, isDone: false };
}

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
  const { standing, method, currency, least, most, myReference } = filters;
  const { order } = walk;
  if (myReference !== undefined) return false;
  if (order.by === 'amount' && hasPeriod(walk)) return true;
  const isNarrowed = [method, currency, least, most].some((filter) => filter !== undefined);
  return isNarrowed || (standing !== undefined && (standing !== 'terminated' || order.by === 'amount'));
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
  const few = walk.order.by === 'amount' && hasPeriod(walk) ? await findFewOfPeriod(pool, walk) : undefined;
  if (few) return [{ payments: await findMet(pool, { ...walk, ...among(walk, few) }) }];
  // Before anything else: what is not among them has the facets that are kept of it.
  const fresh = await findFresh(pool, walk.merchantId);
  if (fresh === undefined) return undefined;
  const branches = await findFacetBranches(pool, filters, walk);
  if (branches === undefined) return undefined;
  const listed = await walkBranches(pool, walk, branches);
  if (fresh.length === 0) return [listed];
  return [listed, { payments: await findMet(pool, { ...walk, ...among(walk, fresh) }) }];
}
