// Goal: however many endpoints hang, working ones keep their slots; and whatever a merchant's endpoints do, those of
// another get theirs. Pure.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint } from '../store/events/lanes.ts';
import { DeliverySlots } from './delivery-slots.ts';

const HOSTILE = 1;
const OTHER = 2;

const of = (merchantId: number, endpoint: string): Endpoint => ({ merchantId, endpoint });
const a = of(OTHER, 'a');
const many = (count: number, merchantId = HOSTILE): Endpoint[] =>
  Array.from({ length: count }, (_, n) => of(merchantId, `https://hanging-${n}.example`));

const roomOf = (slots: DeliverySlots, endpoint: Endpoint, others: readonly Endpoint[] = []): number => {
  const found = slots.share([...others, endpoint]).find((room) => room.endpoint === endpoint.endpoint);
  return found?.room ?? 0;
};
/** Takes every slot there is for them; returns how many. */
const takeAll = (slots: DeliverySlots, endpoints: readonly Endpoint[]): number => {
  let taken = 0;
  for (const { room, ...endpoint } of slots.share(endpoints))
    for (let n = 0; n < room; n += 1) {
      slots.enter(endpoint);
      taken += 1;
    }
  return taken;
};
const fail = (slots: DeliverySlots, endpoints: readonly Endpoint[]): void => {
  for (const endpoint of endpoints) for (let n = 0; n < 3; n += 1) slots.judge(endpoint, false);
};

describe('slots for deliveries', () => {
  test('a new endpoint gets a few, and many once it has taken something', () => {
    const slots = new DeliverySlots();
    assert.equal(roomOf(slots, a), 4);
    assert.equal(slots.judge(a, true), 'proven');
    assert.equal(slots.judge(a, true), undefined, 'nothing new');
    assert.equal(roomOf(slots, a), 32);
  });

  test('one that fails gets two, and its slots back when it works again', () => {
    const slots = new DeliverySlots();
    assert.deepEqual(
      [slots.judge(a, false), slots.judge(a, false), slots.judge(a, false)],
      [undefined, undefined, 'failing'],
    );
    assert.equal(roomOf(slots, a), 2);
    slots.judge(a, true);
    assert.equal(roomOf(slots, a), 32);
    for (let n = 0; n < 7; n += 1) slots.judge(a, false);
    assert.equal(roomOf(slots, a), 32);
    slots.judge(a, false);
    assert.equal(roomOf(slots, a), 2);
  });

  test('what is under way counts', () => {
    const slots = new DeliverySlots();
    slots.judge(a, true);
    for (let n = 0; n < 30; n += 1) slots.enter(a);
    assert.equal(roomOf(slots, a), 2);
    slots.leave(a);
    assert.equal(roomOf(slots, a), 3);
  });

  test('a standing that was found out before is taken over', () => {
    const slots = new DeliverySlots();
    assert.equal(slots.knows(a), false);
    slots.remember(a, 'failing');
    assert.equal(slots.knows(a), true);
    assert.equal(roomOf(slots, a), 2);
    slots.remember(a, 'proven');
    assert.equal(roomOf(slots, a), 32);
  });

  test('one origin is as many endpoints as merchants use it', () => {
    const slots = new DeliverySlots();
    const origin = 'https://shared.example';
    assert.equal(takeAll(slots, [of(HOSTILE, origin)]), 4);
    fail(slots, [of(HOSTILE, origin)]);
    assert.equal(roomOf(slots, of(OTHER, origin)), 4);
  });

  test('thousands that hang, new or known for it, leave the slots of those who work alone', () => {
    const slots = new DeliverySlots();
    const sound = of(HOSTILE, 'sound');
    slots.judge(sound, true);
    takeAll(slots, many(5_000));
    assert.equal(roomOf(slots, sound, many(5_000)), 32);
    fail(slots, many(5_000));
    takeAll(slots, many(5_000));
    assert.equal(roomOf(slots, sound, many(5_000)), 32);
  });

  test('those that are known to fail leave the slots of new ones alone', () => {
    const slots = new DeliverySlots();
    fail(slots, many(1_000));
    takeAll(slots, many(1_000));
    assert.equal(roomOf(slots, of(HOSTILE, 'new')), 4);
  });

  test('a merchant with 640 hanging addresses leaves another the slots of new, failing and proven ones', () => {
    for (const prepare of [
      () => {},
      fail,
      (slots: DeliverySlots, all: readonly Endpoint[]) => all.forEach((each) => slots.judge(each, true)),
    ]) {
      const slots = new DeliverySlots();
      prepare(slots, [...many(640), a]);
      const alone = roomOf(slots, a);
      for (let n = 0; n < 10; n += 1) takeAll(slots, many(640));
      assert.equal(roomOf(slots, a, many(640)), alone);
    }
  });

  test('merchants who come one after another while all before them hang still get some', () => {
    const slots = new DeliverySlots();
    for (let merchantId = 1; merchantId <= 8; merchantId += 1) {
      const before = Array.from({ length: merchantId }, (_, n) => many(640, n + 1)).flat();
      takeAll(slots, before);
      assert.ok(roomOf(slots, of(1_000 + merchantId, 'new'), before) >= 1, `after ${merchantId} merchants`);
      for (const { room } of slots.share(before)) assert.ok(Number.isSafeInteger(room));
    }
  });

  test('beside hundreds who hold one slot each, a busy merchant gets what nobody else wants', () => {
    const slots = new DeliverySlots();
    for (let merchantId = 1; merchantId <= 300; merchantId += 1) {
      slots.judge(of(merchantId, 'small'), true);
      slots.enter(of(merchantId, 'small'));
    }
    const large = of(1_000, 'large');
    slots.judge(large, true);
    assert.equal(roomOf(slots, large), 32);
  });

  test('what is free is given in turns, to those first who hold least', () => {
    const slots = new DeliverySlots();
    takeAll(slots, many(640, HOSTILE));
    const rooms = slots.share([...many(640, HOSTILE), ...many(640, OTHER), ...many(640, 3)]);
    assert.deepEqual(new Set(rooms.slice(0, 4).map(({ merchantId }) => merchantId)), new Set([OTHER, 3]));
  });
});
