// Goal: nobody has more exports under way than their share, and what is over makes room; one that its browser does not take
// in time is ended. Method: a table of takes, and a clock of the test's own.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { LONGEST_PAUSE_MS, paced } from './export-pace.ts';
import { ExportSlots } from './export-slots.ts';

const of = (personId: string, merchantId = 1) => ({ personId, merchantId });

test('a person has two at once, however often one is given back', () => {
  const slots = new ExportSlots();
  const first = slots.take(of('ada', 1));
  assert.ok(first && slots.take(of('ada', 2)));
  assert.equal(slots.take(of('ada', 3)), undefined);
  assert.ok(slots.take(of('grace')), 'another person has their own');
  first();
  first();
  assert.ok(slots.take(of('ada')));
  assert.equal(slots.take(of('ada')), undefined);
});

test('a merchant has three at once, and leaves the others theirs', () => {
  const slots = new ExportSlots();
  const taken = ['a', 'b', 'c', 'd'].map((person) => slots.take(of(person)));
  assert.deepEqual(taken.map(Boolean), [true, true, true, false]);
  assert.ok(slots.take(of('e', 2)));
  taken[1]?.();
  assert.ok(slots.take(of('d')));
});

test('a process has eight at once', () => {
  const slots = new ExportSlots();
  const taken = Array.from({ length: 8 }, (_none, n) => slots.take(of(`person ${n}`, n)));
  assert.ok(taken.every(Boolean));
  assert.equal(slots.take(of('one more', 9)), undefined);
  taken[3]?.();
  assert.ok(slots.take(of('one more', 9)));
});

test('each piece is taken in time, the last one too, or the export ends; while it is looked for, no time counts', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    let ended = 0;
    const texts = async function* () {
      yield 'a';
      mock.timers.tick(10 * LONGEST_PAUSE_MS);
      yield 'b';
    };
    const pieces = paced(texts(), () => (ended += 1));
    assert.equal((await pieces.next()).value, 'a');
    mock.timers.tick(LONGEST_PAUSE_MS - 1);
    assert.equal((await pieces.next()).value, 'b');
    assert.equal(ended, 0);
    mock.timers.tick(LONGEST_PAUSE_MS);
    assert.equal(ended, 1, 'not taken in time');
    assert.equal((await pieces.next()).done, true);
    mock.timers.tick(LONGEST_PAUSE_MS);
    assert.equal(ended, 2, 'what is left in the buffers, too');
  } finally {
    mock.timers.reset();
  }
});
