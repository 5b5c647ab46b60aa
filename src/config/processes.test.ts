// How many processes a setting asks for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProcesses } from './processes.ts';

test('a number, or one for each core', () => {
  assert.equal(readProcesses('1', false), 1);
  assert.equal(readProcesses('64', false), 64);
  assert.equal(readProcesses('auto', false, 12), 12);
  assert.equal(readProcesses('auto', false, 128), 64);
  for (const text of ['0', '65', '-1', '1.5', 'all', '01', '999'])
    assert.throws(
      () => readProcesses(text, false),
      /KASSA_PROCESSES is ".+"; it must be a number from 1 to 64, or auto/,
    );
});

test('on the embedded Postgres as many as it has room for', () => {
  assert.equal(readProcesses('4', true), 4);
  assert.equal(readProcesses('auto', true, 12), 4);
  assert.throws(() => readProcesses('5', true), {
    message:
      'KASSA_PROCESSES is 5, but the embedded Postgres supports at most 4: set DATABASE_URL to your own Postgres.',
  });
});
