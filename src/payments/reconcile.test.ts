// Goal: two books of any length are compared line by line, with no more in memory than waits for its other half. Method:
// books that are made up as they are read, of which one repeats itself, as no real bank of ours does.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BookLine } from '../acquirers/acquirer.ts';
import { makeId } from '../domain/id.ts';
import type { OwnBook, OwnLine } from '../store/book.ts';
import { reconcile } from './reconcile.ts';
import type { TheirBook } from './reconcile.ts';

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

/** Books whose lines are made when they are read; tells by how many lines one side was ever read ahead of the other. */
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

  test('a line that is there twice is told, whether its other half has come by or not', async () => {
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
