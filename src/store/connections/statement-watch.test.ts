// Goal: a statement that waits for a standby is left waiting for as long as that takes, and one whose state is not
// known any more is dropped. Method: the test says what the server does with it, check by check.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { watchStatement } from './statement-watch.ts';
import type { Doing } from './backends.ts';

const TIMES = { lookAfterMs: 1, lookAgainMs: 1, giveUpAfterMs: 20 };

/**
 * Runs the watch on a statement that is found doing these, one per check, and then the last one again; `looks` counts.
 */
function watch(doings: readonly Doing[], giveUpAfterMs = TIMES.giveUpAfterMs) {
  const { promise: end, resolve } = Promise.withResolvers<string>();
  const seen = { looks: 0, waits: 0 };
  const leave = watchStatement(
    {
      look: async () => doings[Math.min(seen.looks++, doings.length - 1)] as Doing,
      onWaits: () => (seen.waits += 1),
      cut: () => resolve('cut'),
      abandon: () => resolve('abandoned'),
    },
    { ...TIMES, giveUpAfterMs },
  );
  return { seen, end, leave };
}

describe('watchStatement', () => {
  // The watch itself does not keep the process alive.
  let alive: NodeJS.Timeout;
  beforeEach(() => {
    alive = setInterval(() => {}, 1_000);
  });
  afterEach(() => clearInterval(alive));

  test('a statement that runs for too long is ended on the server, but not if its state is unknown', async () => {
    assert.equal(await watch(['works']).end, 'abandoned');
    assert.equal(await watch(['not known']).end, 'cut');
  });

  test('a statement that is gone is dropped', async () => {
    const { seen, end } = watch(['works', 'gone'], 3_600_000);
    assert.equal(await end, 'cut');
    assert.equal(seen.looks, 2);
  });

  // A server without free connections cannot answer the query.
  for (const doings of [['waits for a standby'], ['waits for a standby', 'refused'], ['refused']] as const)
    test(`what waits for a standby waits on, however long: ${doings.join(', ')}`, async () => {
      const { seen, end, leave } = watch(doings);
      const begun = performance.now();
      await new Promise<void>((resolve) => {
        const looked = setInterval(() => {
          if (seen.waits < 3 || performance.now() - begun < 5 * TIMES.giveUpAfterMs) return;
          clearInterval(looked);
          resolve();
        }, 1);
      });
      assert.equal(await Promise.race([end, Promise.resolve('still waits')]), 'still waits');
      leave();
    });

  test('what waited for a standby on a server that is lost is let go of, and never ended', async () => {
    const { seen, end } = watch(['waits for a standby', 'not known']);
    assert.equal(await end, 'cut');
    assert.equal(seen.waits, 1);
  });
});
