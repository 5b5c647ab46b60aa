// Goal: the spellings of existing clients are understood, and nothing else is touched. Method: a schema with each kind
// of field, with bodies before and after; random JSON for our own schemas.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { BadRequest } from '../server/problem.ts';
import { compileGenerousReading } from './read-generously.ts';
import { MoveSchema } from './schemas/movement.ts';
import { CreateSchema } from './schemas/payment-request.ts';

const text = { type: 'string', format: 'text' };
const schema = {
  type: 'object',
  properties: {
    amount: { type: 'integer' },
    quantity: { type: 'number' },
    charge: { type: 'boolean' },
    reference: text,
    country: { type: 'string', format: 'country' },
    contact: { type: 'object', properties: { firstName: text, lastName: text } },
    items: { type: 'array', maxItems: 2, items: { type: 'object', properties: { amount: { type: 'integer' } } } },
    appearance: { type: 'object', properties: {} },
    kind: { type: 'string', enum: ['B2C', 'B2B'] },
    kinds: { type: 'array', items: { type: 'string', enum: ['B2C', 'B2B'] } },
    webHooks: { type: 'array', items: text },
    webhooks: { type: 'array', items: text },
  },
};

const read = compileGenerousReading(schema);

function expectRead(body: object, meant: object): void {
  read(body);
  assert.deepEqual(body, meant);
}

const TAKEN: readonly [name: string, body: object, meant: object][] = [
  ['a text that spells a whole number', { amount: '6000', quantity: '1' }, { amount: 6_000, quantity: 1 }],
  ['a negative one, as of a discount', { amount: '-1000' }, { amount: -1_000 }],
  ['nothing at all, with or without a sign', { amount: '0', quantity: '-0' }, { amount: 0, quantity: 0 }],
  ['the largest that is exact', { amount: '9007199254740991' }, { amount: 9_007_199_254_740_991 }],
  ['decimals where they may be', { quantity: '1.50' }, { quantity: 1.5 }],
  ['six decimals of a large one', { quantity: '999999999.999999' }, { quantity: 999_999_999.999_999 }],
  ['a rounding error of a double', { amount: 19.99 * 100 }, { amount: 1_999 }],
  ['the same above it, and around nothing', { amount: 0.000_001, Amount: -1e-9 }, { amount: 0 }],
  ['a word of a list in any case', { kind: 'b2c', kinds: ['B2b', 'B2C'] }, { kind: 'B2C', kinds: ['B2B', 'B2C'] }],
  ['true and false as texts', { charge: 'true' }, { charge: true }],
  ['as several languages write them', { charge: 'False' }, { charge: false }],
  ['1 for true', { charge: 1 }, { charge: true }],
  ['0 for false', { charge: 0 }, { charge: false }],
  ['a whole number for a text', { reference: 4_711, webHooks: [7] }, { reference: '4711', webHooks: ['7'] }],
  ['in an array of objects', { items: [{ amount: '1' }, { AMOUNT: 2 }] }, { items: [{ amount: 1 }, { amount: 2 }] }],
  ['lower-case names', { contact: { firstname: 'A', lastname: 'B' } }, { contact: { firstName: 'A', lastName: 'B' } }],
  ['names in PascalCase, at any depth', { Contact: { FirstName: 'A' } }, { contact: { firstName: 'A' } }],
  ['a name and a value at once', { Amount: '6000' }, { amount: 6_000 }],
  ['two spellings that mean the same', { amount: 1, Amount: '1', AMOUNT: 1 }, { amount: 1 }],
  ['a spelling that is null yields to the other', { amount: null, Amount: 1 }, { amount: 1 }],
  ['also when it comes second', { amount: 1, Amount: null }, { amount: 1 }],
  ['a name that has two spellings of ours', { WEBHOOKS: ['a'] }, { webHooks: ['a'] }],
  ['the one of them that is there', { webhooks: ['a'], WEBHOOKS: ['a'] }, { webhooks: ['a'] }],
];

const UNTOUCHED: readonly object[] = [
  { amount: 1_998.999_9 },
  { amount: 1e20, quantity: 1.000_000_1 },
  { kind: 'B2' },
  { kind: 'B2C ' },
  { amount: 1, quantity: 1.5, charge: true, reference: 'a', contact: { firstName: 'A' }, items: [{ amount: 1 }] },
  ...[' 1', '1 ', '+1', '01', '1e3', '0x1', '1.0', '1,000', '', '1_000', '٣', 'NaN', 'Infinity', true, null].map(
    (amount) => ({ amount }),
  ),
  ...['9007199254740992', '12345678901234567890', '-9007199254740993'].map((amount) => ({ amount })),
  ...['1.', '.5', '1.1234567', '1000000000.5', '1e-1', '00.5', 'one', '1/2'].map((quantity) => ({ quantity })),
  ...['yes', 'on', '1', '0', '', ' true', 'tRUE', 2, -1, 0.5, null].map((charge) => ({ charge })),
  ...[1.5, 2 ** 53, true, null, ['a']].map((reference) => ({ reference })),
  { country: 752 },
  { other: '1', Amounts: '1', appearance: { Amount: '1', charge: 'true' } },
  { items: [{ amount: '1' }, { amount: '2' }, { amount: '3' }] },
  { webHooks: ['a'], webhooks: ['b'] },
  { constructor: '1', toString: 1, hasOwnProperty: { amount: '1' } },
];

describe('read generously', () => {
  for (const [name, body, meant] of TAKEN) test(name, () => expectRead(body, meant));

  for (const body of UNTOUCHED) test(`${JSON.stringify(body)} stays`, () => expectRead(structuredClone(body), body));

  // decision: case-of-field-names-in-nexi
  test('two spellings with different values are refused, by the names that were sent', () => {
    const refused: readonly [body: object, field: string, text: string][] = [
      [{ amount: 1, Amount: 2 }, 'amount', 'is given as amount and as Amount, with different values'],
      [{ Amount: 1, AMOUNT: '2' }, 'amount', 'is given as Amount and as AMOUNT, with different values'],
      [
        { contact: { firstname: 'A', firstName: 'B' } },
        'contact.firstName',
        'is given as firstName and as firstname, with different values',
      ],
      [
        { items: [{}, { Amount: 1, amount: 2 }] },
        'items[1].amount',
        'is given as amount and as Amount, with different values',
      ],
      [{ webhooks: ['b'], WebHooks: ['a'] }, 'webhooks', 'is given as webhooks and as WebHooks, with different values'],
    ];
    for (const [body, field, problem] of refused)
      assert.throws(
        () => read(body),
        (error) =>
          error instanceof BadRequest && assert.deepEqual(error.problems, [{ field, text: problem }]) === undefined,
      );
  });

  test('a body in many thousand spellings is read in one walk', () => {
    const spell = (index: number): string =>
      Array.from('reference', (letter, at) => ((index >> at) & 1 ? letter.toUpperCase() : letter)).join('');
    const names = new Set(Array.from({ length: 512 }, (_, index) => spell(index)));
    const unknown = Array.from({ length: 60_000 }, (_, index) => [`field${index}`, index] as const);
    const body = Object.fromEntries([...Array.from(names, (name) => [name, 7] as const), ...unknown]);
    read(body);
    assert.deepEqual(body, { reference: '7', ...Object.fromEntries(unknown) });
  });

  test('reading twice is the same as reading once, for any JSON and our own schemas', () => {
    const known = fc.constantFrom('order', 'Checkout', 'items', 'AMOUNT', 'reference', 'charge', 'orderItems', 'Url');
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'medium' },
        fc.constantFrom(null, true, 'true', '1', '-0', 1, 0),
        fc.integer(),
        fc.string(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(known, tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    for (const each of [CreateSchema, MoveSchema]) {
      const run = compileGenerousReading(each);
      fc.assert(
        fc.property(json, (value) => {
          const body = structuredClone(value);
          run(body);
          const once = structuredClone(body);
          run(body);
          assert.deepEqual(body, once);
        }),
      );
    }
  });
});
