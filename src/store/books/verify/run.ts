// Runs the pieces of walks, several at once, and keeps what a later run needs to resume: for each walk, up to where all
// pieces are done, and earlier pieces with differences. Those are checked again, so a difference is found again while
// it exists, and need not be saved itself.
import { plainId } from '../../statements/payment-row.ts';
import { NO_QUERY_TIMEOUT } from '../../connections/pool.ts';
import type { Pool } from '../../connections/pool.ts';
import { withLongStatements } from './long-statements.ts';
import { queriesOf } from './ranges.ts';
import type { Range } from './ranges.ts';
import type { Piece, Place, Walk } from './walks.ts';

/** Without a payment, it is about a merchant's sums. */
export type Difference = { readonly paymentId?: string; readonly difference: string };

export type Reached = { readonly to?: Place; readonly again: readonly Range[] };

// Beyond that, the walk resumes at the first one that is not saved.
const MOST_AGAIN = 1_000;

type Underway = { readonly next: Place; isDone: boolean; unsound?: Range };

/** The progress of a walk. */
class Progress {
  #to: Place | undefined;
  #again: Range[] = [];
  #isStuck = false;
  readonly #underway: Underway[] = [];
  readonly redo: readonly Range[];

  constructor(from: Reached | undefined) {
    this.#to = from?.to;
    this.redo = from?.again ?? [];
    this.#again = [...this.redo];
  }

  get reached(): Reached {
    return { ...(this.#to && { to: this.#to }), again: this.#again };
  }

  begin({ next }: Piece): Underway {
    const begun = { next, isDone: false };
    this.#underway.push(begun);
    return begun;
  }

  end(piece: Underway, unsound: Range | undefined): void {
    piece.isDone = true;
    if (unsound) piece.unsound = unsound;
    for (let first = this.#underway[0]; first?.isDone && !this.#isStuck; first = this.#underway[0]) {
      // A list of ids is not saved: it is long, and would identify people.
      if (first.unsound && (first.unsound.kind === 'some' || this.#again.length >= MOST_AGAIN)) this.#isStuck = true;
      else {
        if (first.unsound) this.#again.push(first.unsound);
        this.#to = first.next;
        this.#underway.shift();
      }
    }
    // Pieces after a gap are not saved.
    if (this.#isStuck) this.#underway.length = Math.min(this.#underway.length, 1);
  }

  /** Differences found before may have been repaired. */
  endAgain(range: Range, isSound: boolean): void {
    if (isSound) this.#again = this.#again.filter((other) => other !== range);
  }
}

type Task = {
  readonly range: Range;
  readonly payments: number;
  readonly end: (isSound: boolean) => void;
};

export type Running = {
  readonly parallel: number;
  readonly from: Readonly<Record<string, Reached>>;
  readonly onFound: (differences: readonly Difference[]) => void;
  readonly onReached: (reached: Readonly<Record<string, Reached>>, task: Pick<Task, 'range' | 'payments'>) => void;
};

async function look(pool: Pool, range: Range): Promise<Difference[]> {
  return pool.withClient((client) =>
    withLongStatements(client, async () => {
      const found: Difference[] = [];
      for (const { isHashed = false, ...query } of queriesOf(range)) {
        await client.query(`set enable_nestloop = ${isHashed ? 'off' : 'on'}`);
        const { rows } = await client.query<{ id: string | null; difference: string }>({
          ...query,
          ...NO_QUERY_TIMEOUT,
        });
        for (const { id, difference } of rows) found.push({ ...(id && { paymentId: plainId(id) }), difference });
      }
      return found;
    }),
  );
}

export async function runWalks(pool: Pool, walks: readonly Walk[], running: Running): Promise<void> {
  const { parallel, from, onFound, onReached } = running;
  const progress = new Map(walks.map(({ name }) => [name, new Progress(from[name])]));
  const reached = (): Record<string, Reached> =>
    Object.fromEntries([...progress].map(([name, one]) => [name, one.reached]));

  async function* tasks(): AsyncGenerator<Task> {
    for (const { name, pieces } of walks) {
      const one = progress.get(name) as Progress;
      for (const range of one.redo) yield { range, payments: 0, end: (isSound) => one.endAgain(range, isSound) };
      for await (const piece of pieces(one.reached.to)) {
        const begun = one.begin(piece);
        yield {
          range: piece.range,
          payments: piece.payments,
          end: (isSound) => one.end(begun, isSound ? undefined : piece.range),
        };
      }
    }
  }

  const all = tasks();
  const failed = new AbortController();
  const work = async (): Promise<void> => {
    try {
      while (!failed.signal.aborted) {
        const { value: task, done } = await all.next();
        if (done) return;
        const found = await look(pool, task.range);
        onFound(found);
        task.end(found.length === 0);
        onReached(reached(), task);
      }
    } catch (error) {
      failed.abort();
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: parallel }, work));
  await all.return(undefined);
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason;
}
