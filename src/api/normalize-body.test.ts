// Goal: what real clients send untidily is put in order before the check, and nothing else is touched. Method: a schema
// with each kind of field, bodies before and after.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { BadRequest } from '../server/problem.ts';
import { MoveSchema } from './schemas/movement.ts';
import { CreateSchema } from './schemas/payment-request.ts';
import { compileNormalizer } from './normalize-body.ts';

const schema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    amount: { type: 'integer' },
    object: { type: 'object', properties: { inner: { type: 'object', properties: { text: { type: 'string' } } } } },
    reference: { type: 'string', 'x-number-as-text': true },
    items: {
      type: 'array',
      maxItems: 3,
      items: { type: 'object', properties: { reference: { type: 'string', 'x-number-as-text': true } } },
    },
    countries: {
      type: 'array',
      items: { type: 'object', properties: { code: { type: 'string' } }, 'x-text-as': 'code' },
    },
    texts: { type: 'array', maxItems: 2, items: { type: 'string' } },
  },
};

const normalize = compileNormalizer(schema) ?? assert.fail();

const cases: readonly [name: string, body: unknown, normalized: unknown][] = [
  [
    'a null is the same as absent, at any depth',
    { text: null, object: { inner: { text: null } } },
    { object: { inner: {} } },
  ],
  ['[] in place of an object is the same as absent', { object: [], items: [] }, { items: [] }],
  ['[] in place of an inner object, too', { object: { inner: [] } }, { object: {} }],
  ['an array that is not empty stays, and the check refuses it', { object: [1] }, { object: [1] }],
  ['a whole number where a reference is a text becomes that text', { reference: 42 }, { reference: '42' }],
  ['a negative whole number, too', { reference: -1 }, { reference: '-1' }],
  ['a fraction stays, and the check refuses it', { reference: 1.5 }, { reference: 1.5 }],
  ['a number too large to be whole stays', { reference: 2 ** 53 }, { reference: 2 ** 53 }],
  [
    'the items of an array are normalized one by one',
    { items: [{ reference: 7 }, { reference: null }] },
    { items: [{ reference: '7' }, {}] },
  ],
  ['an item that is no object stays', { items: [null, 1, 'x'] }, { items: [null, 1, 'x'] }],
  [
    'a text in place of an object is the field that the schema names',
    { countries: ['SWE', { code: 'NOR' }, 7, null] },
    { countries: [{ code: 'SWE' }, { code: 'NOR' }, 7, null] },
  ],
  ['a number where the schema has another text stays', { text: 42 }, { text: 42 }],
  ['fields that the schema does not know stay as they are', { other: null, more: [] }, { other: null, more: [] }],
  ['what is no object at all stays', [1], [1]],
];

describe('normalize body', () => {
  for (const [name, body, normalized] of cases) test(name, () => assert.deepEqual(normalize(body, ''), normalized));

  test('an array that is too long is refused at once, by its path and length', () => {
    const tooLong: readonly [body: unknown, field: string, text: string][] = [
      [{ items: [{}, {}, {}, {}] }, 'items', 'must have at most 3 elements, found 4'],
      [{ texts: ['a', 'b', 'c'] }, 'texts', 'must have at most 2 elements, found 3'],
    ];
    for (const [body, field, text] of tooLong)
      assert.throws(
        () => normalize(body, ''),
        (error) => error instanceof BadRequest && assert.deepEqual(error.problems, [{ field, text }]) === undefined,
      );
  });

  test('a schema without fields needs no tidying', () => {
    assert.equal(compileNormalizer({ type: 'string' }), undefined);
  });

  test('tidying twice is the same as tidying once, for any JSON and our own schemas', () => {
    const known = fc.constantFrom('order', 'checkout', 'items', 'amount', 'reference', 'consumer', 'orderItems', 'url');
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'medium' },
        fc.constant(null),
        fc.integer(),
        fc.string(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(known, tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    for (const each of [CreateSchema, MoveSchema]) {
      const run = compileNormalizer(each) ?? assert.fail();
      fc.assert(
        fc.property(json, (value) => {
          const once = run(structuredClone(value), '');
          assert.deepEqual(run(structuredClone(once), ''), once);
        }),
      );
    }
  });
});
