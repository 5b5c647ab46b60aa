// Compares our movements at an acquirer with the acquirer's book, line by line. Both are walked page by page in about
// the same order, by turns, and a line waits in memory only until its other half comes: that is bounded by what is
// really unmatched, however long the books are and whatever the clocks show. Both sides go on working meanwhile, so what
// is left in the end is looked up here and asked for there before it counts as a difference.
import type { BookLine, NotFound, RemoteAcquirer } from '../acquirers/acquirer.ts';
import { timeOf } from '../domain/id.ts';
import type { Outcome } from '../domain/settle.ts';
import type { OwnBook, OwnLine } from '../store/book.ts';
import { NEVER_HEARD } from './carry-out.ts';

/** By the time at which our movements were made: from this moment on, and before that one. */
export type Period = { readonly fromMs?: number; readonly toMs?: number };

/** The acquirer as it is asked here: what cannot be had is thrown. */
export type TheirBook = Pick<RemoteAcquirer, 'book'> & { find(movementId: string): Promise<Outcome | NotFound> };

const COMPARED = ['kind', 'amount', 'currency', 'state'] as const;
export type Field = (typeof COMPARED)[number];

/** What one side says of a movement; of one that was asked for by its id, the acquirer tells the state alone. */
export type Side = Pick<OwnLine, 'state'> & Partial<Pick<OwnLine, 'kind' | 'amount' | 'currency' | 'at'>>;

export type Difference = {
  readonly movementId: string;
  readonly paymentId?: string;
  readonly difference: 'only_here' | 'only_there' | 'twice_there' | 'different';
  /** In what they differ. */
  readonly fields?: readonly Field[];
  readonly here?: Side;
  readonly there?: Side;
};

export type Reconciled = {
  readonly matched: number;
  /** Done there a moment ago; that our books say so, too, is only a matter of time. */
  readonly inFlight: number;
  /** Pending here, and the acquirer's book has no line of it. */
  readonly pending: number;
  /** Reservations that we gave up as the acquirer had never heard of them: it has no line, and no money moved. */
  readonly neverArrived: number;
  readonly differences: readonly Difference[];
};

// The acquirer's clock is not ours, and it acts some time after the movement was made.
const MARGIN_MS = 600_000;
// What the acquirer did is in our books well within a minute, unless the service died in between.
const IN_FLIGHT_MS = 60_000;
// A movement that was being committed when the walk began is committed by then.
const COMMITTED_MS = 120_000;
const BATCH = 500;
// With more than these missing, something is wrong at large; the acquirer is not asked about each of them.
const MOST_ASKED = 1_000;
const ASKED_AT_ONCE = 16;

type Work = {
  readonly ours: OwnBook;
  readonly theirs: TheirBook;
  readonly period: Period;
  readonly startedAt: number;
  readonly now: () => number;
  /** Lines that wait for their other half. */
  readonly here: Map<string, OwnLine>;
  readonly there: Map<string, BookLine>;
  /** Final there, pending here when it was read. */
  readonly unsettled: Map<string, BookLine>;
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

function differ(work: Work, own: OwnLine, there: Side): void {
  const fields = COMPARED.filter((field) => there[field] !== undefined && there[field] !== own[field]);
  const { movementId, paymentId } = own;
  const here = sideOf(own);
  if (fields.length === 0) work.counts.matched += 1;
  else work.differences.push({ movementId, paymentId, difference: 'different', fields, here, there });
}

/** Two halves of one line. */
function meet(work: Work, own: OwnLine, line: BookLine): void {
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

const isInside = (at: number, { fromMs = 0, toMs = Number.POSITIVE_INFINITY }: Period): boolean =>
  at >= fromMs && at < toMs;

function addTheirs(work: Work, line: BookLine): void {
  const { movementId } = line;
  // Our ids tell when they were made: of the margins, only what was made within the period can have its half here.
  if (!isInside(line.at, work.period) && !isInside(timeOf(movementId), work.period)) return;
  const own = work.here.get(movementId);
  if (own !== undefined) {
    work.here.delete(movementId);
    meet(work, own, line);
  } else if (work.there.has(movementId))
    work.differences.push({ movementId, difference: 'twice_there', there: sideOf(line) });
  else work.there.set(movementId, line);
}

/** Reads on where fewer lines wait: so each side is read about as far as the other. */
async function walk(work: Work): Promise<void> {
  const { fromMs, toMs } = work.period;
  const query = {
    ...(fromMs !== undefined && { fromMs: Math.max(0, fromMs - MARGIN_MS) }),
    ...(toMs !== undefined && { toMs: toMs + MARGIN_MS }),
  };
  let [isOursRead, isTheirsRead] = [false, false];
  let after: string | undefined;
  while (!isOursRead || !isTheirsRead) {
    if (!isOursRead && (isTheirsRead || work.here.size <= work.there.size)) {
      const lines = await work.ours.read();
      isOursRead = lines.length === 0;
      for (const own of lines) addOwn(work, own);
    } else {
      const { lines, next } = await work.theirs.book({ ...query, ...(after !== undefined && { after }) });
      isTheirsRead = next === undefined;
      after = next;
      for (const line of lines) addTheirs(work, line);
    }
  }
}

/** Whether the period beside this one reads such a line as well, in its margin. Beside an open end there is none. */
const isNearEdge = (at: number, { fromMs = Number.NaN, toMs = Number.NaN }: Period): boolean =>
  at < fromMs + MARGIN_MS || at >= toMs - MARGIN_MS;

/** Gives each of the lines with what our books say of it now. */
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

/** A line of theirs whose other half did not come by. */
function judgeTheirs(work: Work, line: BookLine, own: OwnLine | undefined): void {
  const { period, startedAt, differences } = work;
  const { movementId } = line;
  const there = sideOf(line);
  if (own === undefined) differences.push({ movementId, difference: 'only_there', there });
  else if (!isInside(own.at, period)) {
    // Done long after it was made: here it is compared, since the period in which it was made does not read so far.
    if (!isNearEdge(line.at, period)) meet(work, own, line);
  } else if (own.at < startedAt - COMMITTED_MS) {
    const { paymentId } = own;
    differences.push({ movementId, paymentId, difference: 'twice_there', here: sideOf(own), there });
  } else meet(work, own, line);
}

function judgeUnsettled(work: Work, line: BookLine, own: OwnLine | undefined): void {
  if (own === undefined) return judgeTheirs(work, line, own);
  const isYoung = own.state === 'pending' && work.now() - own.at < IN_FLIGHT_MS;
  if (isYoung) work.counts.inFlight += 1;
  else differ(work, own, sideOf(line));
}

function judgeMissing(work: Work, own: OwnLine, found: Outcome | NotFound): void {
  const { movementId, paymentId, kind, state, reason } = own;
  if (found.result !== 'not_found') return differ(work, own, { state: found.result });
  // A reservation is given up when the acquirer does not know it; whatever else we hold for final it has told us.
  if (kind === 'reservation' && state === 'declined' && reason === NEVER_HEARD) work.counts.neverArrived += 1;
  else work.differences.push({ movementId, paymentId, difference: 'only_here', here: sideOf(own) });
}

/** What the acquirer did late, or while we read, its book did not show; it is asked. */
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
    counts: { matched: 0, inFlight: 0, pending: 0, neverArrived: 0 },
    differences: [],
  };
  await walk(work);
  const inside = [...work.there.values()].filter(({ at }) => isInside(at, period));
  await lookUp(work, inside, (line, own) => judgeTheirs(work, line, own));
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
