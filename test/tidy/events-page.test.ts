// Goal: the page of events says what the program sends. Method: the part that is made of the definitions is made again
// and compared; pages that say something else are refused.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { root } from './source.ts';

const PAGE = join(root, 'docs/integrate/events.md');
const folder = mkdtempSync(join(tmpdir(), 'kassa-events-page-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, [join(root, 'scripts/events-page.ts'), ...args], { encoding: 'utf8' });

test('the page of events is as new as their definitions', () => {
  const { status, stderr } = run('--check');
  assert.equal(status, 0, stderr);
});

test('a page that says something else is refused, and made right', () => {
  const page = readFileSync(PAGE, 'utf8');
  const copy = join(folder, 'events.md');
  const wrong = page.replace('"event": "payment.created"', '"event": "payment.crated"');
  assert.notEqual(wrong, page);
  writeFileSync(copy, wrong);
  const { status, stderr } = run('--check', copy);
  assert.equal(status, 1);
  assert.match(stderr, /is older than the definitions/);
  assert.equal(run(copy).status, 0);
  assert.equal(readFileSync(copy, 'utf8'), page);
});
