// Goal: nobody holds more than their share, and what is given back makes room, once. Method: the claims of an export: of a
// person, of a merchant, of all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Room } from './room.ts';

test('each name has its bound, a claim on several is taken whole or not at all, and is given back once', () => {
  const room = new Room();
  const take = (person: string, merchant: number) =>
    room.take([
      [person, 2],
      [merchant, 3],
      [room, 4],
    ]);
  const first = take('ada', 1);
  assert.ok(first && take('ada', 1));
  assert.equal(take('ada', 2), undefined, 'a person has two');
  assert.equal(room.held(2), 0);
  assert.ok(take('grace', 1));
  assert.equal(take('barbara', 1), undefined, 'a merchant has three');
  assert.ok(take('barbara', 2));
  assert.equal(take('edsger', 3), undefined, 'all have four');
  first();
  first();
  assert.ok(take('ada', 3));
  assert.equal(take('ada', 4), undefined);
  assert.deepEqual([room.held('ada'), room.held(1), room.held(room)], [2, 2, 4]);
});

test('what is larger than one counts as much, and a name that holds nothing is forgotten', () => {
  const room = new Room();
  const first = room.take([[1, 10]], 6);
  const second = room.take([[1, 10]], 6);
  assert.deepEqual([room.held(1), room.isFree(1, 10), room.isFree(2, 10), room.names], [12, false, true, 1]);
  first?.();
  assert.equal(room.held(1), 6);
  second?.();
  assert.equal(room.names, 0);
});
