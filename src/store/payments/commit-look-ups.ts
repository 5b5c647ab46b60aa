// Queries about changes that were not committed at once: which had been committed before, and which payments are
// locked.
import { partOf } from '../../domain/id.ts';
import type { CommitRequest } from './commit-request.ts';
import { plainId } from '../statements/payment-row.ts';
import type { Pool, TextRow } from '../connections/pool.ts';
import { SYNCHRONOUS_TIMELINE } from '../connections/timeline.ts';
import type { Timeline } from '../connections/timeline.ts';

/**
 * Ids that only this change can have written: if they exist, it was committed. Its movements have ids of their own. The
 * id of a new payment counts only without movements, since an entry of a bulk has the same payment id on every try.
 */
function marksOf({ change, before }: CommitRequest): string[] {
  const made = change.moved.filter(({ sequence }) => sequence > (before?.movements.length ?? 0)).map(({ id }) => id);
  return before === undefined && made.length === 0 ? [change.payment.id] : made;
}

/** Whether it can be determined that a change was committed. */
export const hasMarks = (request: CommitRequest): boolean => marksOf(request).length > 0;

/** The changes that had been committed, and the timeline on which they were found. */
type Marked = { readonly ids: readonly string[]; readonly timeline: Timeline | null };

/** Of changes that were rejected: those that had been committed before, by the ids they created. */
export async function findMarked(pool: Pool, requests: readonly CommitRequest[]): Promise<Marked | undefined> {
  const marks = requests.flatMap((request) =>
    marksOf(request).map((id) => ({ part: partOf(id), id, payment_id: request.change.payment.id })),
  );
  if (marks.length === 0) return undefined;
  const rows: TextRow[] = await pool.run(FIND_MARKS, [JSON.stringify(marks)]);
  const [first] = rows;
  return first && { ids: rows.map(([id]) => plainId(id as string)), timeline: first[1] ?? null };
}

/** The payments that are not locked, as far as can be seen without waiting. */
export async function findFree(pool: Pool, requests: readonly CommitRequest[]): Promise<Set<string>> {
  const wanted = requests.map(({ change: { payment } }) => ({ part: partOf(payment.id), id: payment.id }));
  const rows: TextRow[] = await pool.run(FIND_FREE, [JSON.stringify(wanted)]);
  return new Set(rows.map(([id]) => plainId(id as string)));
}

export const FIND_FREE = {
  name: 'find_free',
  text: `select payments.id from json_to_recordset($1) as wanted (part smallint, id uuid)
    join payments on payments.part = wanted.part and payments.id = wanted.id
    for no key update of payments skip locked`,
};

// Two joins instead of two EXISTS with OR, which would be hashed and so read both tables in full.
const MARKS = 'json_to_recordset($1) as mark (part smallint, id uuid, payment_id uuid)';
export const FIND_MARKS = {
  name: 'find_marks',
  text: `select mark.payment_id, ${SYNCHRONOUS_TIMELINE} from ${MARKS}
    join payments on payments.part = mark.part and payments.id = mark.id
    union all
    select mark.payment_id, ${SYNCHRONOUS_TIMELINE} from ${MARKS}
    join movements on movements.part = mark.part and movements.id = mark.id`,
};
