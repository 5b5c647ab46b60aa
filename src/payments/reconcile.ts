// Compares our movements at an acquirer with the acquirer's book, line by line. Both are read page by page in about the
// same order, and a line stays in memory only until its match is read: memory is bounded by what is really unmatched,
// however long the books are and whatever the clocks show. Both sides keep working meanwhile, so unmatched lines are
// looked up here and there before they count as differences.
import type { BookLine, NotFound, RemoteAcquirer } from '../acquirers/acquirer.ts';
import { REFUND_CANCELLED } from '../domain/cancel-refund.ts';
import { timeOf } from '../domain/id.ts';
import type { Outcome } from '../domain/settle.ts';
import type { OwnBook, OwnLine } from '../store/books/reconciliation.ts';
import { NEVER_HEARD } from './execute-at-acquirer.ts';

/** By the creation time of our movements: from the first, and before the second. */
export type Period = { readonly fromMs?: number; readonly toMs?: number };

/** The acquirer's side; it throws what it cannot get. */
export type TheirBook = Pick<RemoteAcquirer, 'book'> & { find(movementId: string): Promise<Outcome | NotFound> };

const COMPARED = ['kind', 'amount', 'currency', 'state'] as const;
export type Field = (typeof COMPARED)[number];

/** One side of a movement; for a look-up by id, the acquirer only returns the state. */
export type Side = Pick<OwnLine, 'state'> & Partial<Pick<OwnLine, 'kind' | 'amount' | 'currency' | 'at'>>;

export type Difference = {
  readonly movementId: string;
  readonly paymentId?: string;
  readonly difference: 'only_here' | 'only_there' | 'twice_there' | 'different';
  /** The fields that differ. */
  readonly fields?: readonly Field[];
  readonly here?: Side;
  readonly there?: Side;
};

export type Reconciled = {
  readonly matched: number;
  /** Executed there a moment ago; our books will show it soon. */
  readonly inFlight: number;
  /** Pending here, and not in the acquirer's book. */
  readonly pending: number;
  /** What the acquirer has promised never to execute: reservations that we abandoned, refunds that were cancelled. */
  readonly neverArrived: number;
  readonly differences: readonly Difference[];
};

/** The pages of the acquirer's book never end. */
export class BookRepeats extends Error {
  override readonly name = 'BookRepeats';
}

// The acquirer's clock differs from ours, and it acts some time after the movement was created.
const MARGIN_MS = 600_000;
// What the acquirer executed is in our books within a minute, unless the service crashed in between.
const IN_FLIGHT_MS = 60_000;
// A movement that was being committed when the walk began is committed by then.
const COMMITTED_MS = 120_000;
const BATCH = 500;
// If more than this are missing, something is fundamentally wrong; the acquirer is not asked about each of them.
const MOST_ASKED = 1_000;
const ASKED_AT_ONCE = 16;

type Work = {
  readonly ours: OwnBook;
  readonly theirs: TheirBook;
  readonly period: Period;
  readonly startedAt: number;
  readonly now: () => number;
  /** Lines that wait for their match. */
  readonly here: Map<string, OwnLine>;
  readonly there: Map<string, BookLine>;
  /** Final there, pending here when it was read. */
  readonly unsettled: Map<string, BookLine>;
  /** Matched movements so recent that our books may return them twice. */
  readonly metYoung: Set<string>;
  /** Movements that were created outside of the period, but have a line in it. */
  readonly fromOutside: Map<string, OwnLine>;
  readonly counts: { matched: number; inFlight: number; pending: number; neverArrived: number };
  readonly differences: Difference[];
};

const sideOf = ({ kind, state, amount, currency, at }: OwnLine | BookLine): Side => ({
  kind,
  state,
  amount,
  currency,
  at,
});

const isInside = (at: number, { fromMs = 0, toMs = Number.POSITIVE_INFINITY }: Period): boolean =>
  at >= fromMs && at < toMs;

/** Each movement counts in the period in which it was created; a difference is reported wherever it is found. */
function differ(work: Work, own: OwnLine, there: Side): void {
  const fields = COMPARED.filter((field) => there[field] !== undefined && there[field] !== own[field]);
  const { movementId, paymentId } = own;
  const here = sideOf(own);
  if (fields.length > 0) work.differences.push({ movementId, paymentId, difference: 'different', fields, here, there });
  else if (isInside(own.at, work.period)) work.counts.matched += 1;
}

/** Another line with the same id. */
function repeat({ differences }: Work, own: OwnLine, line: BookLine): void {
  const { movementId, paymentId } = own;
  differences.push({ movementId, paymentId, difference: 'twice_there', here: sideOf(own), there: sideOf(line) });
}

const isYoung = ({ startedAt }: Work, own: OwnLine): boolean => own.at >= startedAt - COMMITTED_MS;

/** A matching pair. */
function meet(work: Work, own: OwnLine, line: BookLine): void {
  if (isYoung(work, own)) work.metYoung.add(own.movementId);
  if (own.state !== 'pending') return differ(work, own, sideOf(line));
  const isElseTheSame = COMPARED.every((field) => field === 'state' || own[field] === line[field]);
  if (isElseTheSame) work.unsettled.set(own.movementId, line);
  else differ(work, own, sideOf(line));
}

function addOwn(work: Work, own: OwnLine): void {
  const line = work.there.get(own.movementId);
  if (line === undefined) work.here.set(own.movementId, own);
  else {
    work.there.delete(own.movementId);
    meet(work, own, line);
  }
}

function addTheirs(work: Work, line: BookLine): void {
  const { movementId } = line;
  // Our ids contain their creation time: in the margins, only what was created within the period can match here.
  if (!isInside(line.at, work.period) && !isInside(timeOf(movementId), work.period)) return;
  const own = work.here.get(movementId);
  if (own !== undefined) {
    work.here.delete(movementId);
    meet(work, own, line);
  } else if (work.there.has(movementId))
    work.differences.push({ movementId, difference: 'twice_there', there: sideOf(line) });
  else work.there.set(movementId, line);
}

async function* readTheirs({ theirs }: Work, query: Period): AsyncGenerator<readonly BookLine[], undefined> {
  const seen = new Set<string>();
  for (let after: string | undefined; ;) {
    const { lines, next } = await theirs.book({ ...query, ...(after !== undefined && { after }) });
    yield lines;
    if (next === undefined) return;
    if (seen.has(next)) throw new BookRepeats(`the page after ${next} leads back to one that was read`);
    seen.add(next);
    after = next;
  }
}

/** Reads the side with fewer waiting lines: so both are read about equally far. */
async function walk(work: Work): Promise<void> {
  const { fromMs, toMs } = work.period;
  const pages = readTheirs(work, {
    ...(fromMs !== undefined && { fromMs: Math.max(0, fromMs - MARGIN_MS) }),
    ...(toMs !== undefined && { toMs: toMs + MARGIN_MS }),
  });
  let [isOursRead, isTheirsRead] = [false, false];
  while (!isOursRead || !isTheirsRead) {
    if (!isOursRead && (isTheirsRead || work.here.size <= work.there.size)) {
      const lines = await work.ours.read();
      isOursRead = lines.length === 0;
      for (const own of lines) addOwn(work, own);
    } else {
      const { value: lines = [], done = false } = await pages.next();
      isTheirsRead = done;
      for (const line of lines) addTheirs(work, line);
    }
  }
}

/** Returns each line with its current state in our books. */
async function lookUp<Line extends { readonly movementId: string }>(
  { ours }: Work,
  lines: readonly Line[],
  judge: (line: Line, own: OwnLine | undefined) => void,
): Promise<void> {
  for (let start = 0; start < lines.length; start += BATCH) {
    const batch = lines.slice(start, start + BATCH);
    const found = await ours.look(batch.map(({ movementId }) => movementId));
    const byId = new Map(found.map((own) => [own.movementId, own]));
    for (const line of batch) judge(line, byId.get(line.movementId));
  }
}

/** A line of theirs without a match. */
function judgeTheirs(work: Work, line: BookLine, own: OwnLine | undefined): void {
  const { period, differences, fromOutside, metYoung } = work;
  const { movementId } = line;
  if (own === undefined) {
    // A card verification has a line of 0 there, and no movement here.
    if (line.amount === 0) return;
    // A line that is only there counts by its own time: otherwise the adjacent period reports it.
    if (isInside(line.at, period)) differences.push({ movementId, difference: 'only_there', there: sideOf(line) });
  } else if (!isInside(own.at, period)) {
    // The period in which it was created may not have read this far.
    fromOutside.set(movementId, own);
    meet(work, own, line);
  } else if (isYoung(work, own) && !metYoung.has(movementId)) meet(work, own, line);
  else repeat(work, own, line);
}

/** A movement from before the period that has a line in it may already have had one before. */
async function lookForEarlier(work: Work): Promise<void> {
  const { fromOutside, period } = work;
  const { fromMs = 0 } = period;
  const earliest = Array.from(fromOutside.values(), ({ at }) => at).reduce((a, b) => Math.min(a, b), fromMs);
  if (earliest === fromMs) return;
  for await (const lines of readTheirs(work, { fromMs: Math.max(0, earliest - MARGIN_MS), toMs: fromMs }))
    for (const line of lines) {
      const own = fromOutside.get(line.movementId);
      if (own !== undefined) repeat(work, own, line);
    }
}

function judgeUnsettled(work: Work, line: BookLine, own: OwnLine | undefined): void {
  if (own === undefined) return judgeTheirs(work, line, own);
  const isInFlight = own.state === 'pending' && work.now() - own.at < IN_FLIGHT_MS;
  if (isInFlight) work.counts.inFlight += 1;
  else differ(work, own, sideOf(line));
}

function judgeMissing(work: Work, own: OwnLine, found: Outcome | NotFound): void {
  const { movementId, paymentId, kind, state, reason } = own;
  if (found.result !== 'not_found') return differ(work, own, { state: found.result });
  // A reservation is abandoned if the acquirer does not know it, and so is a refund that its merchant has cancelled;
  // every other final state here came from the acquirer.
  const isGivenUp = kind === 'reservation' && reason?.startsWith(NEVER_HEARD);
  const isCancelled = kind === 'refund' && reason === REFUND_CANCELLED.reason;
  if (state === 'declined' && (isGivenUp || isCancelled)) work.counts.neverArrived += 1;
  else work.differences.push({ movementId, paymentId, difference: 'only_here', here: sideOf(own) });
}

/** Its book may lack what the acquirer executed late, or while we read; so ask. */
async function askForMissing(work: Work, missing: readonly OwnLine[]): Promise<void> {
  const asked = missing.slice(0, MOST_ASKED);
  for (let start = 0; start < asked.length; start += ASKED_AT_ONCE) {
    const batch = asked.slice(start, start + ASKED_AT_ONCE);
    const found = await Promise.all(batch.map(({ movementId }) => work.theirs.find(movementId)));
    for (const [index, own] of batch.entries()) judgeMissing(work, own, found[index] as Outcome | NotFound);
  }
  for (const own of missing.slice(MOST_ASKED)) judgeMissing(work, own, { result: 'not_found' });
}

export async function reconcile(
  ours: OwnBook,
  theirs: TheirBook,
  period: Period,
  now: () => number = Date.now,
): Promise<Reconciled> {
  const work: Work = {
    ours,
    theirs,
    period,
    startedAt: now(),
    now,
    here: new Map(),
    there: new Map(),
    unsettled: new Map(),
    metYoung: new Set(),
    fromOutside: new Map(),
    counts: { matched: 0, inFlight: 0, pending: 0, neverArrived: 0 },
    differences: [],
  };
  await walk(work);
  await lookUp(work, [...work.there.values()], (line, own) => judgeTheirs(work, line, own));
  await lookForEarlier(work);
  await lookUp(work, [...work.unsettled.values()], (line, own) => judgeUnsettled(work, line, own));
  const missing: OwnLine[] = [];
  await lookUp(work, [...work.here.values()], (was, own = was) => {
    if (own.state === 'pending') work.counts.pending += 1;
    else missing.push(own);
  });
  await askForMissing(work, missing);
  const differences = work.differences.toSorted((a, b) => (a.movementId < b.movementId ? -1 : 1));
  return { ...work.counts, differences };
}
