// Goal: requests go to the database in groups, never too early, too late, twice or not at all. Method: the database is
// a function that the test blocks, so that it can produce every order of events.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { Group, Overloaded } from './group.ts';
import type { GroupOptions } from './group.ts';

const MANY = { ofTenant: { count: 1_000, bytes: 1_000 }, ofAll: { count: 1_000, bytes: 1_000 } };
const ofSize = (count: number, bytes = 1_000) => ({ count, bytes });

type Call = { readonly requests: readonly string[]; answer(): void; fail(error: Error): void };

/** A group whose calls wait for the test; a request is answered with itself in upper case. */
function heldGroup(options: Partial<GroupOptions<string, string>> = {}) {
  const calls: Call[] = [];
  const run = (requests: readonly string[]): Promise<readonly string[]> =>
    new Promise((resolve, reject) => {
      const answer = () => resolve(requests.map((request) => request.toUpperCase()));
      calls.push({ requests, answer, fail: reject });
    });
  const group = new Group<string, string>({ run, concurrency: 1, size: ofSize(100), waiting: MANY, ...options });
  return { group, calls, sent: () => calls.map(({ requests }) => requests.join()) };
}

/** Long enough for everything that does not wait for a call: one turn to leave, one for what follows an answer. */
async function settle(): Promise<void> {
  await turn();
  await turn();
}

describe('group', () => {
  test('a lone request leaves at once, at the end of the turn in which it came', async () => {
    const { group, calls, sent } = heldGroup();
    const a = group.add('a');
    assert.deepEqual(sent(), []);
    await turn();
    assert.deepEqual(sent(), ['a']);
    calls[0]?.answer();
    assert.equal(await a, 'A');
  });

  test('requests of one turn leave together, in their order, and each gets its own answer', async () => {
    const { group, calls, sent } = heldGroup();
    const all = Promise.all(['a', 'b', 'c'].map((each) => group.add(each)));
    await turn();
    assert.deepEqual(sent(), ['a,b,c']);
    calls[0]?.answer();
    assert.deepEqual(await all, ['A', 'B', 'C']);
  });

  test('requests that come while a call is under way gather for the next and never join it', async () => {
    const { group, calls, sent } = heldGroup();
    const a = group.add('a');
    await turn();
    const later = [group.add('b'), group.add('c')];
    await settle();
    assert.deepEqual(sent(), ['a']);
    calls[0]?.answer();
    await a;
    await settle();
    assert.deepEqual(sent(), ['a', 'b,c']);
    calls[1]?.answer();
    assert.deepEqual(await Promise.all(later), ['B', 'C']);
  });

  test('a second call takes what comes while the first is under way', async () => {
    const { group, calls, sent } = heldGroup({ concurrency: 2 });
    const a = group.add('a');
    await turn();
    const b = group.add('b');
    await settle();
    const c = group.add('c');
    await settle();
    assert.deepEqual(sent(), ['a', 'b']);
    calls[1]?.answer();
    assert.equal(await b, 'B');
    await settle();
    assert.deepEqual(sent(), ['a', 'b', 'c']);
    calls[0]?.answer();
    calls[2]?.answer();
    assert.deepEqual(await Promise.all([a, c]), ['A', 'C']);
  });

  test('what does not fit in one call goes in the other call, without waiting for the first', async () => {
    const { group, calls, sent } = heldGroup({ concurrency: 2, size: ofSize(2) });
    const all = ['a', 'b', 'c', 'd', 'e'].map((each) => group.add(each));
    await settle();
    assert.deepEqual(sent(), ['a,b', 'c,d']);
    calls[0]?.answer();
    await all[0];
    await settle();
    assert.deepEqual(sent(), ['a,b', 'c,d', 'e']);
    calls.forEach((call) => call.answer());
    assert.deepEqual(await Promise.all(all), ['A', 'B', 'C', 'D', 'E']);
  });

  test('two requests with one key are never under way at once, in whichever call; others overtake them', async () => {
    const keyOf = (request: string): string => request.charAt(0);
    const { group, calls, sent } = heldGroup({ concurrency: 2, keyOf });
    const all = ['x1', 'x2', 'y1', 'x3'].map((each) => group.add(each));
    await settle();
    assert.deepEqual(sent(), ['x1,y1']);
    const z = group.add('z1');
    await settle();
    assert.deepEqual(sent(), ['x1,y1', 'z1']);
    calls[0]?.answer();
    await settle();
    assert.deepEqual(sent(), ['x1,y1', 'z1', 'x2']);
    calls[2]?.fail(new Error('the key is free again after a failure, too'));
    await assert.rejects(all[1] as Promise<string>);
    await settle();
    assert.deepEqual(sent(), ['x1,y1', 'z1', 'x2', 'x3']);
    calls.forEach((call) => call.answer());
    assert.deepEqual(await Promise.all([all[0], all[2], all[3], z]), ['X1', 'Y1', 'X3', 'Z1']);
  });

  test('a failure reaches everyone of its call and nobody else', async () => {
    const { group, calls } = heldGroup();
    const first = [group.add('a'), group.add('b')];
    await turn();
    const second = group.add('c');
    const failure = new Error('cut');
    calls[0]?.fail(failure);
    for (const each of first) await assert.rejects(each, failure);
    await settle();
    calls[1]?.answer();
    assert.equal(await second, 'C');
  });

  test('a run that throws at once fails its call, and the next goes on', async () => {
    let runs = 0;
    const run = (requests: readonly string[]): Promise<readonly string[]> => {
      runs += 1;
      if (runs === 1) throw new Error('at once');
      return Promise.resolve(requests);
    };
    const { group } = heldGroup({ run });
    await assert.rejects(group.add('a'), /at once/);
    assert.equal(await group.add('b'), 'b');
  });

  // decision: database-away-or-overload
  test('one request more than may wait is refused, and there is room again once a call has left', async () => {
    const { group, calls } = heldGroup({ waiting: { ...MANY, ofTenant: { count: 2, bytes: 1_000 } } });
    const a = group.add('a');
    await turn();
    const waiting = [group.add('b'), group.add('c')];
    assert.throws(() => group.add('d'), Overloaded);
    calls[0]?.answer();
    await a;
    await settle();
    const e = group.add('e');
    calls[1]?.answer();
    await Promise.all(waiting);
    await settle();
    calls[2]?.answer();
    assert.equal(await e, 'E');
  });

  /** The tenant is the letter; the size is the length. */
  const tenants = {
    tenantOf: (request: string): number => request.charCodeAt(0),
  };

  test('tenants take turns: one that floods is passed by who comes later, and nobody loses a turn', async () => {
    const { group, calls, sent } = heldGroup({ ...tenants, size: ofSize(3) });
    const flood = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((each) => group.add(each, each.length));
    await turn();
    const others = ['b1', 'b2', 'c1'].map((each) => group.add(each, each.length));
    for (let call = 0; call < 3; call += 1) {
      calls[call]?.answer();
      await settle();
    }
    assert.deepEqual(sent(), ['a1,a2,a3', 'a4,b1,c1', 'a5,b2,a6']);
    assert.equal((await Promise.all([...flood, ...others])).length, 9);
  });

  test('a call ends by bytes as well as by count; one request always fits, and what did not is the next', async () => {
    const { group, calls, sent } = heldGroup({ ...tenants, size: ofSize(10, 6) });
    const all = ['a-----------', 'a1', 'b1', 'c---', 'd1'].map((each) => group.add(each, each.length));
    for (let call = 0; call < 3; call += 1) {
      await settle();
      calls[call]?.answer();
    }
    await Promise.all(all);
    assert.deepEqual(sent(), ['a-----------', 'b1,c---', 'd1,a1']);
  });

  test('who has too much waiting is refused, by count or by bytes, and others are not', async () => {
    const waiting = { ofTenant: { count: 3, bytes: 12 }, ofAll: { count: 1_000, bytes: 1_000 } };
    const { group, calls } = heldGroup({ ...tenants, waiting });
    const first = group.add('a0', 2);
    await turn();
    const held = ['a1', 'a2', 'a3', 'b1', 'b---------'].map((each) => group.add(each, each.length));
    assert.throws(() => group.add('a4', 2), Overloaded);
    assert.throws(() => group.add('b2', 2), Overloaded);
    held.push(group.add('c1', 101), group.add('d1', 2));
    calls[0]?.answer();
    await first;
    await settle();
    calls[1]?.answer();
    assert.equal((await Promise.all(held)).length, 7);
  });

  test('when all that may wait is there, those with less than their share are still let in', async () => {
    const waiting = { ofTenant: { count: 5, bytes: 1_000 }, ofAll: { count: 6, bytes: 1_000 } };
    const { group, calls } = heldGroup({ ...tenants, waiting });
    const first = group.add('a0', 2);
    await turn();
    const held = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1'].map((each) => group.add(each, each.length));
    assert.throws(() => group.add('a6', 2), Overloaded);
    held.push(group.add('b2', 2), group.add('b3', 2));
    assert.throws(() => group.add('b4', 2), Overloaded);
    held.push(group.add('c1', 2));
    calls[0]?.answer();
    await first;
    await settle();
    calls[1]?.answer();
    assert.equal((await Promise.all(held)).length, 9);
  });

  test('who has waited for too long is refused and never sent; who came later has its turn', async (t) => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const pass = (ms: number): void => {
      now += ms;
      t.mock.timers.tick(ms);
    };
    const { group, calls, sent } = heldGroup({ ...tenants, waiting: { ...MANY, forMs: 100 } });
    const first = group.add('a0', 2);
    await turn();
    const late = ['a1', 'a2', 'b1'].map((each) => assert.rejects(group.add(each, 300), Overloaded));
    pass(50);
    const inTime = ['a3', 'c1'].map((each) => group.add(each, 2));
    pass(50);
    // While the call is still running.
    await Promise.all(late);
    pass(49);
    calls[0]?.answer();
    await first;
    await settle();
    assert.deepEqual(sent(), ['a0', 'a3,c1']);
    // Refused requests no longer take up room.
    const more = ['a4', 'b2'].map((each) => group.add(each, 996));
    pass(99);
    calls[1]?.answer();
    await Promise.all(inTime);
    for (const call of [2, 3]) {
      await settle();
      calls[call]?.answer();
    }
    assert.deepEqual(await Promise.all(more), ['A4', 'B2']);
  });

  test('whatever comes in whatever order is answered once, keys in their order, no call too large', async () => {
    const arbitrary = fc.record({
      concurrency: fc.integer({ min: 1, max: 3 }),
      size: fc.integer({ min: 1, max: 4 }),
      batches: fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 8 }), { maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ concurrency, size, batches }) => {
        const underWay = new Set<number>();
        const seen: { key: number; n: number }[] = [];
        const group = new Group<{ key: number; n: number }, number>({
          concurrency,
          size: { count: size, bytes: 5 },
          waiting: MANY,
          keyOf: ({ key }) => String(key),
          tenantOf: ({ key }) => key % 2,
          run: async (requests) => {
            assert.ok(requests.length > 0 && requests.length <= size);
            assert.ok(requests.length === 1 || requests.reduce((sum, { key }) => sum + key, 0) <= 5);
            for (const { key } of requests) {
              assert.ok(!underWay.has(key), 'a key is under way twice');
              underWay.add(key);
            }
            seen.push(...requests);
            await turn();
            for (const { key } of requests) underWay.delete(key);
            return requests.map(({ n }) => n);
          },
        });
        const answers: Promise<number>[] = [];
        for (const batch of batches) {
          for (const key of batch) answers.push(group.add({ key, n: answers.length }, key));
          await turn();
        }
        assert.deepEqual(await Promise.all(answers), [...answers.keys()]);
        for (const key of [0, 1, 2, 3]) {
          const order = seen.filter((each) => each.key === key).map(({ n }) => n);
          assert.deepEqual(
            order,
            order.toSorted((a, b) => a - b),
          );
        }
        assert.equal(seen.length, answers.length);
      }),
      { numRuns: 60 },
    );
  });
});
