// Pages leave room for others while they are made.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillPage } from './list-page.ts';

async function* repeat(text: string, times: number): AsyncGenerator<string> {
  for (let n = 0; n < times; n += 1) yield text;
}

/** How many turns of the loop others had while something was made. */
async function turnsDuring(make: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    if (isOver) return;
    turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  await make();
  isOver = true;
  return turns;
}

test('others get a turn after each large text, and one before the page is put together', async () => {
  assert.equal(await turnsDuring(() => fillPage(repeat('a'.repeat(70_000), 2))), 3);
});

test('a page that ends by its bytes gives others a turn as well', async () => {
  assert.equal(await turnsDuring(() => fillPage(repeat('a'.repeat(2_000_000), 2))), 1);
});

test('a small page is made at once', async () => {
  assert.equal(await turnsDuring(() => fillPage(repeat('a'.repeat(100), 10))), 0);
});
