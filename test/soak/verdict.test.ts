// Goal: a soak that grows cannot pass. Method: samples by hand that are flat, that grow, and that settle first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sample } from '../../proof/soak/sampling.ts';
import { judgeSamples } from '../../proof/soak/verdict.ts';

const MEBIBYTE = 2 ** 20;

const verdictOn = (name: string, values: readonly number[]): string | undefined =>
  judgeSamples(values.map((value): Sample => new Map([[name, value]])))[0]?.is;

const over = (sizeAt: (n: number) => number): number[] => Array.from({ length: 40 }, (_, n) => sizeAt(n));

test('what stays as it is is flat, also when it grew at first', () => {
  assert.equal(
    verdictOn(
      'events',
      over(() => 50 * MEBIBYTE),
    ),
    'flat',
  );
  assert.equal(
    verdictOn(
      'events',
      over((n) => Math.min(n, 9) * 10 * MEBIBYTE),
    ),
    'flat',
  );
  assert.equal(
    verdictOn(
      'rows of events',
      over((n) => 60_000 + (n % 2) * 5_000),
    ),
    'flat',
  );
});

test('what grows all the time is growing, a table as well as an index, rows and memory', () => {
  for (const name of ['events', 'lanes_pkey', 'resident memory'])
    assert.equal(
      verdictOn(
        name,
        over((n) => (50 + n) * MEBIBYTE),
      ),
      'growing',
      name,
    );
  assert.equal(
    verdictOn(
      'rows of deliveries',
      over((n) => 1_000 * n),
    ),
    'growing',
  );
});

test('what is tiny does not count, nor do the books, which are kept', () => {
  assert.equal(
    verdictOn(
      'merchants',
      over((n) => n * 8_192),
    ),
    'flat',
  );
  for (const name of ['payments', 'movements_pkey', 'rows of payments'])
    assert.equal(
      verdictOn(
        name,
        over((n) => n * 10 * MEBIBYTE),
      ),
      'kept',
      name,
    );
});
