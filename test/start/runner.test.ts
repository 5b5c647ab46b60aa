// Goal: whatever is worked on in the background, no more is under way than may be, nothing is lost where a piece fails, and
// at the end all that is under way is waited for. Method: the runner, on pieces that the test holds. Pure.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { startRunner } from '../../src/ops/jobs.ts';
import type { LeasedWork } from '../../src/ops/jobs.ts';

type Piece = { readonly name: string; readonly held: PromiseWithResolvers<void> };

const NEVER_MS = 3_600_000;
const notices = { onWork: () => () => {}, areHeard: true };

const piecesOf = (...names: string[]): Piece[] => names.map((name) => ({ name, held: Promise.withResolvers<void>() }));

/** A runner that claims these pieces, one at a time and again at once while there are some; and what came of it. */
function start(waiting: Piece[], options: Partial<LeasedWork<Piece>> = {}) {
  const [begun, troubles, runs]: [string[], unknown[], string[]] = [[], [], []];
  const observer = {
    onRun: (job: string) => void runs.push(job),
    onTrouble: (_job: string, error: unknown) => void troubles.push(error),
  };
  const runner = startRunner<Piece>(observer, notices, {
    name: 'try',
    everyMs: NEVER_MS,
    claim: async ({ isTimeToLook }) => {
      const pieces = waiting.splice(0, 1);
      if (!isTimeToLook) return { pieces };
      return pieces.length > 0 ? { pieces, look: 'found', leastMs: 0 } : { look: 'nothing' };
    },
    work: async ({ name, held }) => {
      begun.push(name);
      await held.promise;
    },
    isWokenBy: () => true,
    ...options,
  });
  return { runner, begun, troubles, runs };
}

/** Until everything has happened that waits for nothing but this process. */
async function settle(): Promise<void> {
  for (let n = 0; n < 5; n += 1) await turn();
}

describe('the runner of leased work', () => {
  test('no more are under way than may be; the end of one lets the next begin', async () => {
    const [a, b, c] = piecesOf('a', 'b', 'c') as [Piece, Piece, Piece];
    const { runner, begun } = start([a, b, c], { mostAtOnce: 2 });
    await settle();
    assert.deepEqual(begun, ['a', 'b']);
    b.held.resolve();
    await settle();
    assert.deepEqual(begun, ['a', 'b', 'c']);
    for (const { held } of [a, c]) held.resolve();
    await runner.stop();
  });

  test('a failure is reported, and the others go on', async () => {
    const [a, b] = piecesOf('a', 'b') as [Piece, Piece];
    const { runner, begun, troubles } = start([a, b], { mostAtOnce: 1 });
    await settle();
    const error = new Error('it failed');
    a.held.reject(error);
    await settle();
    assert.deepEqual([begun, troubles], [['a', 'b'], [error]]);
    b.held.resolve();
    await runner.stop();
  });

  test('woken before it is time to look, it claims, and counts no run', async () => {
    const waiting: Piece[] = [];
    const { runner, begun, runs } = start(waiting);
    await settle();
    const [a] = piecesOf('a') as [Piece];
    waiting.push(a);
    await settle();
    assert.deepEqual(begun, []);
    runner.wake();
    await settle();
    assert.deepEqual([begun, runs], [['a'], ['try']]);
    a.held.resolve();
    await runner.stop();
  });

  test('at the end what is under way is waited for, and nothing more is claimed', async () => {
    const [a, b] = piecesOf('a', 'b') as [Piece, Piece];
    const waiting = [a];
    const { runner, begun } = start(waiting);
    await settle();
    waiting.push(b);
    let isOver = false;
    const over = runner.stop().then(() => (isOver = true));
    await settle();
    assert.equal(isOver, false);
    a.held.resolve();
    await over;
    assert.deepEqual(begun, ['a']);
  });
});
