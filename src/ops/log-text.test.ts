// Lines of the log as people read them at a terminal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOfEntry } from './log-text.ts';

const entry = (fields: object): string => JSON.stringify({ level: 30, time: '2026-11-15T21:02:18.123Z', ...fields });

const lines: readonly (readonly [what: string, fields: object, text: string])[] = [
  [
    'a request in columns',
    { msg: 'request', reqId: 'a', method: 'POST', route: '/v1/payments', status: 201, ms: 4.2, merchant: 123456789 },
    '21:02:18  201  POST /v1/payments  4.2 ms  merchant 123456789',
  ],
  [
    'a request of nobody',
    { msg: 'request', method: 'GET', route: 'unknown', status: 404, ms: 1 },
    '21:02:18  404  GET unknown  1 ms',
  ],
  [
    'the start, without its settings',
    { msg: 'started', version: '1.2.3', settings: { PORT: 1 } },
    '21:02:18  started  version=1.2.3',
  ],
  [
    'a warning with its particulars, also those one level down',
    { level: 40, msg: 'odd', why: 'no answer', attempts: { delivered: 2 }, names: ['a', 'b'], none: null },
    '21:02:18  WARN  odd  why="no answer"  attempts.delivered=2  names=["a","b"]',
  ],
  [
    'a warning with an error: what it says, and not where',
    { level: 40, msg: 'it failed', err: { message: 'broken', stack: 'Error: broken\n    at x' } },
    '21:02:18  WARN  it failed: broken',
  ],
  [
    'a defect: also where',
    { level: 50, msg: 'request failed', err: { message: 'broken', stack: 'Error: broken\n    at x' } },
    '21:02:18  ERROR  request failed: broken\n          Error: broken\n              at x',
  ],
];
for (const [what, fields, text] of lines)
  test(what, () => {
    assert.equal(textOfEntry(entry(fields)), `${text}\n`);
  });

test('what is no entry is left as it is', () => {
  assert.equal(textOfEntry('oops\n'), 'oops\n');
});
