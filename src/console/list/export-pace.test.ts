// Goal: an export that its browser does not take in time is ended. Method: a clock of the test's own.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { LONGEST_PAUSE_MS, paced } from './export-pace.ts';

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
