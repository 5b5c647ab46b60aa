// Goal: bodies are laid out as people read JSON, also when they are cut or break off. Method: compared with what Node makes
// of whole ones, and by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut } from './pretty.ts';

test('whole bodies look as JSON does with two spaces', () => {
  const values = [
    {},
    [],
    { a: 1, b: [true, null, 'x'], c: { d: {}, e: [] } },
    { 'a,b:{}': 'quotes " and \\ and {[,:]}' },
    [[1], { a: [{}] }],
    'alone',
  ];
  for (const value of values) assert.equal(layOut(JSON.stringify(value)), JSON.stringify(value, null, 2));
});

test('what breaks off is laid out up to there', () => {
  assert.equal(layOut('{"a":[1,"b'), '{\n  "a": [\n    1,\n    "b');
  assert.equal(layOut('{"a":⟨not'), '{\n  "a": ⟨not');
  assert.equal(layOut('}]'), '\n}\n]');
});
