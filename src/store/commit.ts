// Commits changes: one statement for a whole group. A change that lost its gate (another one moved the payment on, or
// took the key) comes back as a conflict, to be decided again. A group that fails is run again one change at a time, so
// that only the guilty one fails; a connection that breaks leaves the outcome open, and it is looked up before anybody
// is answered.
import type { Change } from '../domain/decision.ts';
import { partOf, timeOf } from '../domain/id.ts';
import type { Movement } from '../domain/movement.ts';
import type { Payment } from '../domain/payment.ts';
import type { KeptAnswer, KeyedOperation } from './load.ts';
import { plainId } from './load.ts';
import { DatabaseAway, isConnectionError } from './pool.ts';
import type { Pool, TextRow } from './pool.ts';
import { readStatement } from './statement.ts';

export type AnswerToKeep = KeptAnswer & {
  readonly operation: KeyedOperation;
  readonly target: string;
  readonly key: string;
  readonly at: number;
};

export type CommitRequest = {
  readonly change: Change;
  /** The payment as it was read; undefined for a create. */
  readonly before?: Payment;
  readonly keep?: AnswerToKeep;
};

export type Committed = 'committed' | 'conflict';

const COMMIT = readStatement('commit');

// Look-ups after a broken connection: the database may be restarting, which takes it a second or two.
const LOOK_UP_PAUSES_MS = [50, 200, 500, 1_000, 2_000, 3_000];

const time = (ms: number): string => new Date(ms).toISOString();

function createdRow({ payment }: Change, keyed: boolean) {
  return {
    part: partOf(payment.id),
    id: payment.id,
    merchant_id: payment.merchantId,
    version: payment.version,
    created_at: time(timeOf(payment.id)),
    amount: payment.order.amount,
    currency: payment.order.currency,
    reference: payment.order.reference,
    my_reference: payment.myReference,
    items: payment.order.items,
    checkout_url: payment.checkoutUrl,
    checkout: payment.checkout,
    consumer: payment.consumer,
    keyed,
  };
}

/** What did not change and is large is left out, and the statement keeps it. */
function alteredRow({ payment }: Change, before: Payment) {
  return {
    part: partOf(payment.id),
    id: payment.id,
    version: before.version,
    amount: payment.order.amount,
    reference: payment.order.reference,
    my_reference: payment.myReference,
    items: payment.order === before.order ? undefined : payment.order.items,
    checkout_url: payment.checkoutUrl,
    checkout: payment.checkout === before.checkout ? undefined : payment.checkout,
    consumer: payment.consumer === before.consumer ? undefined : payment.consumer,
    method: payment.method === before.method ? undefined : payment.method,
    terminated_at: payment.terminatedAt && time(payment.terminatedAt),
    ...payment.totals,
  };
}

const movementRow = (movement: Movement, paymentId: string) => ({
  part: partOf(movement.id),
  id: movement.id,
  payment_id: paymentId,
  sequence: movement.sequence,
  kind: movement.kind,
  state: movement.state,
  amount: movement.amount,
  items: movement.items,
  created_at: time(timeOf(movement.id)),
  updated_at: time(movement.updatedAt),
  acquirer: movement.acquirer,
  source: movement.source,
  charge_id: movement.chargeId,
  refunded: movement.refunded,
  refunding: movement.refunding,
  invoice_number: movement.invoiceNumber,
  reason: movement.reason,
});

const keptRow = (keep: AnswerToKeep) => ({
  part: partOf(keep.paymentId),
  operation: keep.operation,
  target: keep.target,
  key: keep.key,
  payment_id: keep.paymentId,
  request: keep.request,
  status: keep.status,
  answer: keep.answer,
  created_at: time(keep.at),
});

function valuesOf(requests: readonly CommitRequest[]): string[] {
  const [creates, alterations, movements, settlements, events, kept] = [[], [], [], [], [], []] as unknown[][];
  for (const { change, before, keep } of requests) {
    const { payment, moved, happenings } = change;
    const part = partOf(payment.id);
    if (before === undefined) creates?.push(createdRow(change, keep !== undefined));
    else alterations?.push(alteredRow(change, before));
    for (const movement of moved) {
      const isNew = movement.sequence > (before?.movements.length ?? 0);
      (isNew ? movements : settlements)?.push(movementRow(movement, payment.id));
    }
    const version = before === undefined ? payment.version : before.version + 1;
    happenings.forEach(({ name, at, movementId }, ordinal) =>
      events?.push({ part, payment_id: payment.id, version, ordinal, name, at: time(at), movement_id: movementId }),
    );
    if (keep !== undefined) kept?.push({ merchant_id: payment.merchantId, ...keptRow(keep) });
  }
  return [creates, alterations, movements, settlements, events, kept].map((rows) => JSON.stringify(rows));
}

/** Ids that only this change can have written: where they stand, it was committed. */
function marksOf({ change, before }: CommitRequest): string[] {
  if (before === undefined) return [change.payment.id];
  return change.moved.filter(({ sequence }) => sequence > before.movements.length).map(({ id }) => id);
}

export type CommitObserver = { readonly onRunAlone: () => void; readonly onLookUp: () => void };

export function commitGroup(pool: Pool, observer: CommitObserver) {
  const write = async (requests: readonly CommitRequest[]): Promise<Committed[]> => {
    // Sorted, so that two processes lock the rows of their groups in one order.
    const sorted = requests.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    const rows = await pool.run(COMMIT, valuesOf(sorted));
    const written = new Set(rows.map(([id]) => plainId(id as string)));
    // A change that was not let in may be one that an earlier, broken run of this very group had committed.
    const lost = requests.filter(({ change }) => !written.has(change.payment.id));
    for (const id of await findMarked(pool, lost)) written.add(id);
    return requests.map(({ change }) => (written.has(change.payment.id) ? 'committed' : 'conflict'));
  };

  /** Runs the same changes again on a new connection: the gates let each in once, and a late first run not at all. */
  const writeAgain = async (requests: readonly CommitRequest[]): Promise<Committed[]> => {
    observer.onLookUp();
    for (const pauseMs of LOOK_UP_PAUSES_MS) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      try {
        return await write(requests);
      } catch (error) {
        if (!isConnectionError(error)) throw error;
      }
    }
    throw new DatabaseAway('the outcome of a commit could not be looked up');
  };

  const run = async (requests: readonly CommitRequest[]): Promise<readonly (Committed | Error)[]> => {
    try {
      return await write(requests);
    } catch (error) {
      if (isConnectionError(error)) return writeAgain(requests);
      throw error;
    }
  };

  return async (requests: readonly CommitRequest[]): Promise<readonly (Committed | Error)[]> => {
    try {
      return await run(requests);
    } catch (error) {
      if (isConnectionError(error) || requests.length === 1) throw error;
      observer.onRunAlone();
      const outcomes: (Committed | Error)[] = [];
      for (const request of requests) outcomes.push(...(await run([request]).catch((guilty: Error) => [guilty])));
      return outcomes;
    }
  };
}

const orderOf = ({ change: { payment } }: CommitRequest): string => payment.id.slice(13, 16) + payment.id;

/** Of changes that were not let in: those that had been committed before, by the ids they made. */
async function findMarked(pool: Pool, requests: readonly CommitRequest[]): Promise<string[]> {
  const marks = requests.flatMap((request) =>
    marksOf(request).map((id) => ({ part: partOf(id), id, payment_id: request.change.payment.id })),
  );
  if (marks.length === 0) return [];
  const rows: TextRow[] = await pool.run(FIND_MARKS, [JSON.stringify(marks)]);
  return rows.map(([id]) => plainId(id as string));
}

const FIND_MARKS = {
  name: 'find_marks',
  text: `select mark.payment_id
    from json_to_recordset($1) as mark (part smallint, id uuid, payment_id uuid)
    where exists (select 1 from payments where payments.part = mark.part and payments.id = mark.id)
      or exists (select 1 from movements where movements.part = mark.part and movements.id = mark.id)`,
};
