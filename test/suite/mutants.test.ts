// Goal: a defect that proof:mutants plants is the one that it names, at its place, also in a file that has grown since.
// Method: small texts of SQL, whose merchant checks need no compiler; what a compiler finds is tried by the proof itself.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { merchantChecksOf } from '../../proof/mutants/merchant-checks.ts';
import { describeMutant, mutantOf, plant } from '../../proof/mutants/mutant.ts';

const FILE = 'src/store/statements/load.sql';
const TEXT = `-- where merchant_id = $1
select id from payments
where merchant_id = $1
select id from refunds
where merchant_id = $1
`;

const mutantsOf = (text: string) => merchantChecksOf(text).map((change) => mutantOf(FILE, text, change));

describe('merchant checks in SQL', () => {
  const cases: readonly (readonly [sql: string, planted: string | undefined])[] = [
    ['where merchant_id = $1', 'where (merchant_id = $1 or true)'],
    ['and p.merchant_id = any ($2)', 'and (p.merchant_id = any ($2) or true)'],
    ['on (a.merchant_id = b.merchant_id)', 'on ((a.merchant_id = b.merchant_id or true))'],
    ['where merchant_id = $1::bigint and id = $2', 'where (merchant_id = $1::bigint or true) and id = $2'],
    ['and merchant_id = coalesce(a, b)', undefined],
    ['update keys set merchant_id = $1', undefined],
    ['-- where merchant_id = $1', undefined],
  ];
  for (const [sql, planted] of cases) {
    test(sql, () => {
      const [mutant] = mutantsOf(sql);
      assert.equal(mutant && plant(sql, mutant), planted);
    });
  }
});

describe('a planted defect', () => {
  const [first, second] = mutantsOf(TEXT);
  assert.ok(first !== undefined && second !== undefined);

  test('stands where it was found', () => {
    const lines = plant(TEXT, second)?.split('\n');
    assert.deepEqual(lines?.[2], 'where merchant_id = $1');
    assert.deepEqual(lines?.[4], 'where (merchant_id = $1 or true)');
  });

  test('is another one than the same change elsewhere', () => assert.notEqual(first.id, second.id));

  test('is found again by its lines in a file that has grown above it', () => {
    const grown = `-- more\n${TEXT}`;
    assert.equal(plant(grown, first), grown.replace('\nwhere merchant_id = $1', '\nwhere (merchant_id = $1 or true)'));
  });

  test('is not planted where its lines have changed, or are there more often', () => {
    assert.equal(plant(TEXT.replaceAll('where', 'where true and'), first), undefined);
    assert.equal(plant(TEXT + TEXT, first), undefined);
  });

  test('is told in a line', () => {
    assert.equal(
      describeMutant(first),
      `${FILE}:3 merchant: merchant_id = $1 → (merchant_id = $1 or true)   in: where merchant_id = $1`,
    );
  });
});
