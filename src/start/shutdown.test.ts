// The order in which a process closes what it has; what a signal does to a real one is in test/start/stop.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Openings } from './shutdown.ts';

test('closes from what begins work down to the database, in whichever order it was opened, and once', async () => {
  const openings = new Openings();
  const closed: string[] = [];
  for (const part of ['embedded postgres', 'http', 'store', 'deliverer', 'address file'] as const)
    openings.add(part, async () => closed.push(part));
  await openings.close();
  await openings.close();
  assert.deepEqual(closed, ['address file', 'deliverer', 'http', 'store', 'embedded postgres']);
});

test('goes on when something cannot be closed', async () => {
  const openings = new Openings();
  let isClosed = false;
  openings.add('http', () => Promise.reject(new Error('stuck')));
  openings.add('store', async () => {
    isClosed = true;
  });
  await openings.close();
  assert.equal(isClosed, true);
});
