// Goal: the console stays quick on a slow line: all that its pages load is small. Method: the bundle as it is sent, in the
// larger of the two compressions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { bundle } from './assets.ts';

const MOST_BYTES = 60_000;

test('scripts and styles of the console are less than 60 KB compressed, together', async () => {
  await bundle.make();
  const sizes = Array.from(bundle.assets(), ([name, { text }]) => [name, gzipSync(text).length] as const);
  assert.ok(sizes.some(([name]) => name.endsWith('.js')));
  const whole = sizes.reduce((sum, [, size]) => sum + size, 0);
  assert.ok(whole < MOST_BYTES, `${whole} bytes: ${JSON.stringify(sizes)}`);
});
