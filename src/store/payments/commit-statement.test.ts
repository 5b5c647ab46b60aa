// The statement for a group of changes: a part of commit.sql is omitted with its parameters, and nothing else is.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { commitOf } from './commit-statement.ts';
import { valuesOf } from './commit-rows.ts';
import { readStatement } from '../statements/statement.ts';

/** The parameters of commit.sql, with distinct text in these and nothing in the others. */
const given = (...parameters: number[]): string[] =>
  valuesOf([]).map((nothing, place) => (parameters.includes(place + 1) ? `["${place + 1}"]` : nothing));

const whole = readStatement('commit');
const uses = (text: string, parameter: number): number => text.split(new RegExp(`\\$${parameter}\\b`)).length - 1;

/** The parameters of each statement, by their names in the whole one. */
const PLAIN = [
  { kind: 'creates', parameters: [1, 5, 6] },
  { kind: 'moves', parameters: [2, 3, 4, 5, 7] },
];

describe('the statement of a group', () => {
  for (const { kind, parameters } of PLAIN) {
    test(`of ${kind} takes these and nothing else, each as often as the whole one does`, () => {
      const { statement, values } = commitOf(given(...parameters));
      assert.equal(statement.name, `commit_${kind}`);
      assert.deepEqual(
        values.map((value) => Number(JSON.parse(value)[0])).toSorted((a, b) => a - b),
        parameters,
      );
      for (const [index, value] of values.entries()) {
        const written = statement.text.replaceAll(/--.*/g, '');
        assert.equal(uses(written, index + 1), uses(whole.text.replaceAll(/--.*/g, ''), JSON.parse(value)[0]), value);
      }
    });

    test(`of ${kind} with anything else is the whole one`, () => {
      const others = valuesOf([]).map((_, place) => place + 1);
      for (const other of others.filter((number) => !parameters.includes(number))) {
        const all = given(...parameters, other);
        assert.deepEqual(commitOf(all), { statement: whole, values: all }, `$${other}`);
      }
    });
  }
});
