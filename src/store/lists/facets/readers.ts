// Readers of the branches of a filter: each reads its range of an index a little at a time, and the next payment is taken
// from whichever comes first, as far as all of them have looked.
import { comesBefore } from '../listing/walk.ts';
import type { Position, Walk } from '../listing/walk.ts';
import { plainId } from '../../statements/payment-row.ts';
import type { Pool } from '../../connections/pool.ts';
import type { Branch, Branches } from './branches.ts';
import { SPAN_DIGITS } from './spans.ts';

const MOST_TAKEN = 256;

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

const OF_KIND = `facets.standing = branch.standing and facets.method = branch.method
          and facets.currency = branch.currency`;
const ofSpan = (digits: number): string => `left(facets.payment_id::text, ${digits}) = branch.span`;

/** What a branch is of. */
const OF: Readonly<Record<Branches['by'], string>> = {
  time: OF_KIND,
  amount: OF_KIND,
  'one amount': `${OF_KIND} and facets.amount = branch.step`,
  scale: `${OF_KIND} and facets.scale = branch.step`,
  span: ofSpan(SPAN_DIGITS.span),
  'long span': ofSpan(SPAN_DIGITS['long span']),
};

/** $1 merchant, $2 branches. Each with a limit that the plan knows, and one of its own within it. */
function readNext(by: Branches['by'], order: Walk['order']): string {
  const [sign, direction] = order.isDescending ? ['<', 'desc'] : ['>', 'asc'];
  const isByAmount = order.by === 'amount';
  const after = isByAmount
    ? `and (facets.amount, facets.payment_id) ${sign} (branch.amount, branch.id)
       and facets.amount >= branch.least and facets.amount <= branch.most`
    : `and facets.payment_id ${sign} branch.id and facets.payment_id >= branch.first and facets.payment_id < branch.end`;
  const inOrder = `${isByAmount ? `facets.amount ${direction}, ` : ''}facets.payment_id ${direction}`;
  return `select branch.n, next.payment_id, next.amount from json_to_recordset($2::json) as branch (
      n int, standing text, method text, currency text, step bigint, span text, amount bigint, id uuid, "first" uuid,
      "end" uuid, least bigint, most bigint, take int)
    cross join lateral (
      select * from (
        select facets.payment_id, facets.amount from payment_facets as facets
        where facets.merchant_id = $1::bigint and ${OF[by]} ${after}
        order by ${inOrder} limit ${MOST_TAKEN}
      ) as ordered limit branch.take
    ) as next`;
}

const FIRST: Position = { amount: -1, id: '0'.repeat(32) };
const LAST: Position = { amount: Number.MAX_SAFE_INTEGER, id: 'f'.repeat(32) };

/**
 * From where to read on. By amount, what is before a period or after it is passed over as far as it has the same amount:
 * many cost the same.
 */
function passOver(position: Position, { from, to }: Branch, { order }: Walk): Position {
  if (order.by !== 'amount') return position;
  if (position.id < from) return { ...position, id: order.isDescending ? FIRST.id : from };
  return position.id < to ? position : { ...position, id: order.isDescending ? to : LAST.id };
}

/** Reads on for those that have nothing left to give; gives how many rows that were. */
export async function readOn(pool: Pool, walk: Walk, by: Branches['by'], readers: readonly Reader[]): Promise<number> {
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
    reader.last = passOver(position, reader.branch, walk);
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
export function findEmpty(readers: readonly Reader[], walk: Walk): Reader[] {
  const [next] = firstReader(readers, walk)?.rows ?? [];
  const isBehind = ({ last }: Reader): boolean => !next || !last || comesBefore(walk.order, last, next);
  return readers.filter((reader) => !reader.isDone && reader.rows.length === 0 && isBehind(reader));
}

/** The next that all of them agree on; stops where one has to be read on. */
export function takeInOrder(readers: readonly Reader[], walk: Walk, most: number): Position[] {
  const taken: Position[] = [];
  while (taken.length < most && findEmpty(readers, walk).length === 0) {
    const next = firstReader(readers, walk)?.rows.shift();
    if (next === undefined) break;
    taken.push(next);
  }
  return taken;
}

export function openReader(branch: Branch, take: number): Reader {
  const isMet = ({ id, amount }: Position): boolean =>
    id >= branch.from && id < branch.to && amount >= branch.least && amount <= branch.most;
  return { branch, isMet, rows: [], take: Math.min(MOST_TAKEN, take), isDone: false };
}
