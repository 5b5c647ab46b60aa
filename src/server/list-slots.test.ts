// Goal: reads of lists share their slots also where nobody waits for their answers. Method: the slots themselves.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ListSlots } from './list-slots.ts';

describe('slots of lists', () => {
  test('who leaves while its answer is made keeps its place until it is made', async () => {
    const slots = new ListSlots({ underWay: 2, ofMerchant: 1, waiting: 8 });
    const first = await slots.take(1);
    let begun = 0;
    const others = Array.from({ length: 3 }, async () => {
      const slot = await slots.take(1);
      begun += 1;
      return slot;
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
      const slot = await next;
      slot.finish();
      slot.leave();
    }
    assert.equal(begun, 3);
  });
});
