// Goal: nobody has more exports under way than their share, and what is over makes room. Method: a table of takes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExportSlots } from './export-slots.ts';

test('a person has two at once, however often one is given back', () => {
  const slots = new ExportSlots();
  const first = slots.take('ada');
  assert.ok(first && slots.take('ada'));
  assert.equal(slots.take('ada'), undefined);
  assert.ok(slots.take('grace'), 'another person has their own');
  first();
  first();
  assert.ok(slots.take('ada'));
  assert.equal(slots.take('ada'), undefined);
});

test('a process has eight at once', () => {
  const slots = new ExportSlots();
  const taken = Array.from({ length: 8 }, (_none, n) => slots.take(`person ${n}`));
  assert.ok(taken.every(Boolean));
  assert.equal(slots.take('one more'), undefined);
  taken[3]?.();
  assert.ok(slots.take('one more'));
});
