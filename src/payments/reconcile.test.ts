// Goal: two books of any length are compared line by line, with only unmatched lines in memory. Method: generated
// books, of which one repeats itself, unlike any real bank of ours; and books with every kind of defect at any time,
// read period by period.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { BookLine } from '../acquirers/acquirer.ts';
import { makeId } from '../domain/id.ts';
import type { OwnBook, OwnLine } from '../store/books/reconciliation.ts';
import { BookRepeats, reconcile } from './reconcile.ts';
import type { Difference, TheirBook } from './reconcile.ts';

const START = Date.UTC(2026, 0, 1);
const LATER = START + 30 * 86_400_000;

const idOf = (index: number): string => makeId(START + index, index % 4096, `8${index.toString(16).padStart(15, '0')}`);

const line = (index: number, clockOffsetMs = 0) =>
  ({
    movementId: idOf(index),
    kind: 'charge',
    state: 'approved',
    amount: 600,
    currency: 'SEK',
    at: START + index + clockOffsetMs,
  }) as const satisfies BookLine;

const own = (index: number): OwnLine => ({ ...line(index), paymentId: idOf(index) });

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

type Made = { readonly ours: OwnBook; readonly theirs: TheirBook; readonly lead: () => number };

/**
 * Books whose lines are generated when they are read; records how many lines one side was ever read ahead of the other.
 */
function makeBooks(mine: number, theirLines: readonly BookLine[] | number, clockOffsetMs = 0): Made {
  let [readHere, readThere, lead] = [0, 0, 0];
  const count = typeof theirLines === 'number' ? theirLines : theirLines.length;
  const watch = (): void => void (lead = Math.max(lead, Math.abs(readHere - readThere)));
  return {
    ours: {
      read: async () => {
        const lines = upTo(Math.min(1_000, mine - readHere)).map((index) => own(readHere + index));
        readHere += lines.length;
        watch();
        return lines;
      },
      look: async (ids) =>
        upTo(mine)
          .map(own)
          .filter(({ movementId }) => ids.includes(movementId)),
    },
    theirs: {
      book: async ({ after = '0' }) => {
        assert.equal(after, String(readThere));
        const lines = upTo(Math.min(500, count - readThere)).map((index) =>
          typeof theirLines === 'number'
            ? line(readThere + index, clockOffsetMs)
            : (theirLines[readThere + index] as BookLine),
        );
        readThere += lines.length;
        watch();
        return { lines, ...(readThere < count && { next: String(readThere) }) };
      },
      find: async () => ({ result: 'not_found' }),
    },
    lead: () => lead,
  };
}

const NONE = { matched: 0, inFlight: 0, pending: 0, neverArrived: 0, differences: [] };

describe('reconcile', () => {
  test('two empty books agree', async () => {
    const { ours, theirs } = makeBooks(0, 0);
    assert.deepEqual(await reconcile(ours, theirs, {}, () => LATER), NONE);
  });

  for (const [what, offsetMs] of [['the same clock', 0] as const, ['a clock that is years off', 1e11] as const])
    test(`of 50,000 lines by ${what} no more than a page waits`, async () => {
      const { ours, theirs, lead } = makeBooks(50_000, 50_000, offsetMs);
      assert.deepEqual(await reconcile(ours, theirs, {}, () => LATER), { ...NONE, matched: 50_000 });
      assert.ok(lead() <= 1_000, String(lead()));
    });

  test('a duplicate line is reported, whether or not its other half was read', async () => {
    const lines = [
      line(0),
      line(0),
      ...upTo(3_000)
        .slice(1)
        .map((index) => line(index)),
      line(7),
    ];
    const { ours, theirs } = makeBooks(3_000, lines);
    const { matched, differences } = await reconcile(ours, theirs, {}, () => LATER);
    assert.equal(matched, 3_000);
    assert.deepEqual(
      differences.map(({ movementId, difference }) => [movementId, difference]),
      [0, 7].map((index) => [idOf(index), 'twice_there']),
    );
  });

  test('a duplicate line is reported for a recent movement, too', async () => {
    for (const state of ['approved', 'pending'] as const) {
      const pages: OwnLine[][] = [[{ ...own(0), state }], []];
      const ours: OwnBook = { read: async () => pages.shift() ?? [], look: async () => [own(0)] };
      const theirs: TheirBook = { ...makeBooks(0, 0).theirs, book: async () => ({ lines: [line(0), line(0)] }) };
      const { matched, differences } = await reconcile(ours, theirs, {}, () => START + 5_000);
      assert.deepEqual([matched, differences.map(({ difference }) => difference)], [1, ['twice_there']], state);
    }
  });

  test('a book that leads back to a page that was read is refused', async () => {
    const { ours, theirs } = makeBooks(0, 0);
    for (const pages of [
      ['a', 'a'],
      ['a', 'b', 'c', 'b'],
    ]) {
      const book: TheirBook['book'] = async () => ({ lines: [], next: pages.shift() ?? assert.fail('it reads on') });
      await assert.rejects(
        reconcile(ours, { ...theirs, book }, {}, () => LATER),
        BookRepeats,
      );
    }
  });

  test('a refund that was cancelled here never arrived; one that is declined for another reason is a difference', async () => {
    const refund = { ...own(0), kind: 'refund', state: 'declined' } as const;
    for (const [reason, neverArrived] of [
      ['cancelled by the merchant', 1],
      ['refused by the issuer', 0],
    ] as const) {
      const pages: OwnLine[][] = [[{ ...refund, reason }], []];
      const ours: OwnBook = { read: async () => pages.shift() ?? [], look: async () => [{ ...refund, reason }] };
      const found = await reconcile(ours, makeBooks(0, 0).theirs, {}, () => LATER);
      assert.deepEqual([found.neverArrived, found.differences.length], [neverArrived, 1 - neverArrived]);
    }
  });

  test('what is missing there is asked for, but not more than a thousand times', async () => {
    const { ours, theirs } = makeBooks(1_500, 0);
    let asked = 0;
    const find: TheirBook['find'] = async () => {
      asked += 1;
      return asked === 1 ? { result: 'approved' } : { result: 'not_found' };
    };
    const { matched, differences } = await reconcile(ours, { ...theirs, find }, {}, () => LATER);
    assert.deepEqual([asked, matched, differences.length], [1_000, 1, 1_499]);
    assert.ok(differences.every(({ difference }) => difference === 'only_here'));
  });

  test('a movement that was committed after the walk began is no line that is there twice', async () => {
    const { theirs } = makeBooks(0, 1);
    const ours: OwnBook = { read: async () => [], look: async () => [own(0)] };
    const soon = (): number => START + 5_000;
    assert.deepEqual(await reconcile(ours, theirs, {}, soon), { ...NONE, matched: 1 });
  });

  test('what was pending when it was read is judged by what it is in the end', async () => {
    const { theirs } = makeBooks(0, 1);
    const pages: OwnLine[][] = [[{ ...own(0), state: 'pending' }], []];
    const ours: OwnBook = { read: async () => pages.shift() ?? [], look: async () => [own(0)] };
    assert.deepEqual(await reconcile(ours, theirs, {}, () => LATER), { ...NONE, matched: 1 });
  });
});

const MINUTE = 60_000;
// The acquirer's clock differs by less, and it acts after the movement was created.
const MARGIN_MS = 10 * MINUTE;
const PERIODS = 4;

type Defect = 'none' | Difference['difference'] | 'amount' | 'state';
type Case = { readonly defect: Defect; readonly made: number; readonly lines: readonly number[] };

/** When a movement was created and when the acquirer executed it, as fractions of the time that the periods cover. */
const caseOf = (periodMs: number) => {
  const endMs = PERIODS * periodMs;
  const edges = fc
    .tuple(fc.integer({ min: 1, max: PERIODS }), fc.constantFrom(-MARGIN_MS, 0, MARGIN_MS), fc.constantFrom(-1, 0, 1))
    .map(([period, marginMs, ms]) => period * periodMs + marginMs + ms);
  const after = (made: number) =>
    fc
      .oneof(edges, fc.integer({ min: made - MARGIN_MS, max: made + MARGIN_MS }), fc.integer({ min: made, max: endMs }))
      .map((at) => Math.min(Math.max(at, made - MARGIN_MS, 0), endMs - 1));
  return fc.integer({ min: 0, max: endMs - 1 }).chain((made) =>
    fc.record({
      defect: fc.constantFrom<Defect>('none', 'only_here', 'only_there', 'twice_there', 'amount', 'state'),
      made: fc.constant(made),
      lines: fc.tuple(after(made), after(made)),
    }),
  );
};

/** The books of all cases, compared period by period; returns the differences of each movement. */
async function judgeByPeriods(periodMs: number, cases: readonly Case[]): Promise<Map<string, Set<string>>> {
  const owns: OwnLine[] = [];
  const lines: BookLine[] = [];
  for (const [index, { defect, made, lines: times }] of cases.entries()) {
    const movementId = makeId(START + made, index, `8${index.toString(16).padStart(15, '0')}`);
    const same = { ...line(0), movementId };
    if (defect !== 'only_there') owns.push({ ...same, paymentId: movementId, at: START + made });
    const changes = {
      ...(defect === 'amount' && { amount: 6 }),
      ...(defect === 'state' && { state: 'declined' as const }),
    };
    const done = times.slice(0, defect === 'only_here' ? 0 : defect === 'twice_there' ? 2 : 1);
    lines.push(...done.map((at) => ({ ...same, ...changes, at: START + at })));
  }
  lines.sort((a, b) => a.at - b.at);
  const reported = new Map<string, Set<string>>();
  let matched = 0;
  for (let fromMs = START; fromMs < START + PERIODS * periodMs; fromMs += periodMs) {
    const pages = [owns.filter(({ at }) => at >= fromMs && at < fromMs + periodMs)];
    const ours: OwnBook = {
      read: async () => pages.shift() ?? [],
      look: async (ids) => owns.filter(({ movementId }) => ids.includes(movementId)),
    };
    const theirs: TheirBook = {
      book: async ({ fromMs: from = 0, toMs = LATER }) => ({
        lines: lines.filter(({ at }) => at >= from && at < toMs),
      }),
      find: async (id) => {
        const found = lines.find(({ movementId }) => movementId === id);
        if (found === undefined) return { result: 'not_found' };
        return found.state === 'approved' ? { result: 'approved' } : { result: 'declined', reason: 'no' };
      },
    };
    const { differences, ...counts } = await reconcile(ours, theirs, { fromMs, toMs: fromMs + periodMs }, () => LATER);
    matched += counts.matched;
    for (const { movementId, difference, fields } of differences) {
      const known = reported.get(movementId) ?? new Set();
      reported.set(movementId, known.add(fields?.join() ?? difference));
    }
  }
  const isRight = ({ defect }: Case): boolean => defect === 'none';
  assert.ok(matched >= cases.filter(isRight).length && matched <= cases.length, 'what is right is matched, once');
  return reported;
}

describe('period by period', () => {
  test('every defect is reported in one period, whatever its time, and there are no false reports', () =>
    fc.assert(
      fc.asyncProperty(
        fc
          .constantFrom(5, 15, 60, 24 * 60)
          .chain((minutes) =>
            fc.tuple(fc.constant(minutes * MINUTE), fc.array(caseOf(minutes * MINUTE), { minLength: 1, maxLength: 6 })),
          ),
        async ([periodMs, cases]) => {
          const reported = await judgeByPeriods(periodMs, cases);
          for (const [index, { defect, made }] of cases.entries()) {
            const movementId = makeId(START + made, index, `8${index.toString(16).padStart(15, '0')}`);
            const found = reported.get(movementId) ?? new Set();
            if (defect === 'none') assert.deepEqual(found, new Set());
            else assert.ok(found.has(defect), `${defect}: ${[...found].join()}`);
          }
        },
      ),
      { numRuns: 2_000 },
    ));
});
