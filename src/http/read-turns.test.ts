// Goal: reads of lists take turns also where nobody waits for their answers. Method: the turns themselves.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ReadTurns } from './read-turns.ts';

describe('turns of reads', () => {
  test('who leaves while its answer is made keeps its place until it is made', async () => {
    const turns = new ReadTurns({ underWay: 2, ofMerchant: 1, waiting: 8 });
    const first = await turns.take(1);
    let begun = 0;
    const others = Array.from({ length: 3 }, async () => {
      const turn = await turns.take(1);
      begun += 1;
      return turn;
    });
    first.leave();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(begun, 0, 'a read that was given up let another one in beside it');
    first.finish();
    const second = await others[0];
    assert.equal(begun, 1);
    second?.finish();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(begun, 1, 'an answer that nobody has read counts');
    second?.leave();
    for (const next of others.slice(1)) {
      const turn = await next;
      turn.finish();
      turn.leave();
    }
    assert.equal(begun, 3);
  });
});
