// What a commit asks about its changes when it did not go through at once: which had been committed before, and whose
// payments somebody else has locked.
import { partOf } from '../../domain/id.ts';
import type { CommitRequest } from './commit-request.ts';
import { plainId } from '../statements/payment-row.ts';
import type { Pool, TextRow } from '../connections/pool.ts';
import { SYNCHRONOUS_TIMELINE } from '../connections/timeline.ts';
import type { Timeline } from '../connections/timeline.ts';

/**
 * Ids that only this change can have written: where they stand, it was committed. Its movements have ids of their own; the
 * id of a new payment counts only where there are none, since the payment of a bulk's entry is the same whoever tries.
 */
function marksOf({ change, before }: CommitRequest): string[] {
  const made = change.moved.filter(({ sequence }) => sequence > (before?.movements.length ?? 0)).map(({ id }) => id);
  return before === undefined && made.length === 0 ? [change.payment.id] : made;
}

/** Whether it can be told of a change that it was committed. */
export const hasMarks = (request: CommitRequest): boolean => marksOf(request).length > 0;

/** Those of some changes that had been committed, and the timeline on which they were found. */
type Marked = { readonly ids: readonly string[]; readonly timeline: Timeline | null };

/** Of changes that were not let in: those that had been committed before, by the ids they made. */
export async function findMarked(pool: Pool, requests: readonly CommitRequest[]): Promise<Marked | undefined> {
  const marks = requests.flatMap((request) =>
    marksOf(request).map((id) => ({ part: partOf(id), id, payment_id: request.change.payment.id })),
  );
  if (marks.length === 0) return undefined;
  const rows: TextRow[] = await pool.run(FIND_MARKS, [JSON.stringify(marks)]);
  const [first] = rows;
  return first && { ids: rows.map(([id]) => plainId(id as string)), timeline: first[1] ?? null };
}

/** Of payments that are to be changed: those that nobody has locked, as far as can be told without waiting. */
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

// Two joins and not two EXISTS with an OR: those would be hashed, which reads both tables from end to end.
const MARKS = 'json_to_recordset($1) as mark (part smallint, id uuid, payment_id uuid)';
export const FIND_MARKS = {
  name: 'find_marks',
  text: `select mark.payment_id, ${SYNCHRONOUS_TIMELINE} from ${MARKS}
    join payments on payments.part = mark.part and payments.id = mark.id
    union all
    select mark.payment_id, ${SYNCHRONOUS_TIMELINE} from ${MARKS}
    join movements on movements.part = mark.part and movements.id = mark.id`,
};
