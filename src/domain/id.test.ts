// Goal: an id says when it was made and in which part it lives, and there is one spelling of it. Method: properties.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstIdAt, makeId, PARTS, partOf, readId, timeOf } from './id.ts';

const moments = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const parts = fc.integer({ min: 0, max: PARTS - 1 });
const tails = fc.stringMatching(/^[0-9a-f]{16}$/);

// decision: ids
test('an id carries its time and its part, and is a version 7 UUID without dashes', () => {
  fc.assert(
    fc.property(moments, parts, tails, (at, part, tail) => {
      const id = makeId(at, part, tail);
      assert.match(id, /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
      assert.deepEqual([timeOf(id), partOf(id)], [at, part]);
      assert.equal(readId(id), id);
      assert.equal(readId(id.toUpperCase()), id);
    }),
  );
});

test('all of the random tail but the two bits of the variant is in the id', () => {
  const ids = new Set(Array.from({ length: 16 }, (_, n) => makeId(1, 2, `${n.toString(16)}${'0'.repeat(15)}`)));
  assert.equal(ids.size, 4);
  assert.notEqual(makeId(1, 2, `8${'0'.repeat(15)}`), makeId(1, 2, `8${'0'.repeat(14)}1`));
});

test('ids of a later moment sort after those of an earlier one, and the first id of a moment before all of its own', () => {
  fc.assert(
    fc.property(moments, moments, parts, tails, (a, b, part, tail) => {
      const [early, late] = [Math.min(a, b), Math.max(a, b)];
      assert.ok(firstIdAt(late) < makeId(late, part, tail));
      if (early < late) assert.ok(makeId(early, part, tail) < firstIdAt(late));
    }),
  );
});

test('what is no id is not read as one', () => {
  const id = makeId(1_700_000_000_000, 7, '0123456789abcdef');
  const bad = [
    '',
    id.slice(1),
    `${id}0`,
    ` ${id}`,
    `${id}\n`,
    id.replace(/^(.{12})7/, '$14'),
    id.replace(/^(.{16})./, '$1c'),
    `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`,
    'g'.repeat(32),
    '0'.repeat(32),
  ];
  for (const text of bad) assert.equal(readId(text), undefined, text);
});
