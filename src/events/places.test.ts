// Goal: however many endpoints hang, those that work keep their places. Pure.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Places } from './places.ts';

const takeAll = (places: Places, names: readonly string[]): Map<string, number> => {
  const rooms = places.share(names);
  for (const [name, room] of rooms) for (let n = 0; n < room; n += 1) places.enter(name);
  return rooms;
};
const many = (count: number): string[] => Array.from({ length: count }, (_, n) => `https://hanging-${n}.example`);

describe('places', () => {
  test('a new endpoint gets a few, and many once it has taken something', () => {
    const places = new Places();
    assert.equal(places.share(['a']).get('a'), 4);
    places.judge('a', true);
    assert.equal(places.share(['a']).get('a'), 32);
  });

  test('one that fails gets two, and its places back when it works again', () => {
    const places = new Places();
    for (let n = 0; n < 3; n += 1) places.judge('a', false);
    assert.equal(places.share(['a']).get('a'), 2);
    places.judge('a', true);
    assert.equal(places.share(['a']).get('a'), 32);
    for (let n = 0; n < 7; n += 1) places.judge('a', false);
    assert.equal(places.share(['a']).get('a'), 32);
    places.judge('a', false);
    assert.equal(places.share(['a']).get('a'), 2);
  });

  test('what is under way counts', () => {
    const places = new Places();
    places.judge('a', true);
    for (let n = 0; n < 30; n += 1) places.enter('a');
    assert.equal(places.share(['a']).get('a'), 2);
    places.leave('a');
    assert.equal(places.share(['a']).get('a'), 3);
  });

  test('thousands that hang, new or known for it, leave the places of those who work alone', () => {
    const places = new Places();
    places.judge('sound', true);
    takeAll(places, many(5_000));
    assert.equal(places.share([...many(5_000), 'sound']).get('sound'), 32);
    for (const name of many(5_000)) for (let n = 0; n < 3; n += 1) places.judge(name, false);
    takeAll(places, many(5_000));
    assert.equal(places.share([...many(5_000), 'sound']).get('sound'), 32);
  });

  test('those that are known to fail leave the places of new ones alone', () => {
    const places = new Places();
    for (const name of many(1_000)) for (let n = 0; n < 3; n += 1) places.judge(name, false);
    takeAll(places, many(1_000));
    assert.equal(places.share(['new']).get('new'), 4);
  });
});
