// Goal: a tenant gets no more than its share, waits for a bounded time only, and leaves nothing behind. Method: work
// that ends when the test says so, named by its tenant and its number.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { FairQueue, NoTurn, Together } from './fair-queue.ts';
import type { QueueLimits } from './fair-queue.ts';

const NO_TURN = 'had no turn';
const ofCount = (count: number) => ({ ofTenant: { count, bytes: 100 } });

function open(limits: Partial<QueueLimits<string>> = {}, together?: Together<string>) {
  const queue = new FairQueue<string>({ waiting: ofCount(8), ...limits }, together);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  /** `a1` belongs to tenant a. Returns its name, or that it had no turn. */
  const ask = (name: string, options: { bytes?: number; signal?: AbortSignal } = {}): Promise<string> =>
    queue
      .run({ tenant: name.charAt(0), ...options }, () => {
        begun.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      })
      .catch((error: unknown) => (error instanceof NoTurn ? NO_TURN : assert.fail(String(error))));
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await turn();
  };
  return { queue, begun, ask, end };
}

type Kind = ReturnType<typeof open>;

describe('a fair queue', () => {
  test('begins at once what is free, so many in all and of one tenant, and the rest in turn', async () => {
    const { begun, ask, end } = open({ ofAll: 3, ofTenant: 2 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void ask(name);
    assert.deepEqual(begun, ['a1', 'a2', 'b1']);
    for (const name of ['a1', 'b1', 'a2']) await end(name);
    assert.deepEqual(begun.slice(3), ['a3', 'b2', 'c1']);
    await end('b2');
    assert.deepEqual(begun.slice(6), ['a4']);
  });

  test('what fails makes room as what succeeds does', async () => {
    const { queue, ask } = open({ ofAll: 1 });
    await assert.rejects(
      queue.run({ tenant: 'a' }, () => Promise.reject(new Error('broken'))),
      /broken/,
    );
    void ask('a1');
    const second = ask('a2');
    assert.equal(await Promise.race([second, turn('waits')]), 'waits');
  });

  test('refuses who has too much waiting, and begins at once where nothing may wait', async () => {
    const { ask, end } = open({ ofAll: 1, waiting: ofCount(1) });
    const first = ask('a1');
    const second = ask('a2');
    assert.equal(await ask('a3'), NO_TURN);
    await end('a1');
    await end('a2');
    assert.deepEqual(await Promise.all([first, second]), ['a1', 'a2']);
    const none = open({ ofAll: 1, waiting: ofCount(0) });
    const only = none.ask('a1');
    assert.equal(await none.ask('b1'), NO_TURN);
    await none.end('a1');
    assert.equal(await only, 'a1');
  });

  test('forgets who leaves the line, and keeps the place of who leaves what is under way', async () => {
    const { begun, ask, end } = open({ ofAll: 1 });
    const gone = new AbortController();
    void ask('a1', { signal: gone.signal });
    const second = ask('a2', { signal: gone.signal });
    void ask('b1');
    gone.abort();
    assert.equal(await second, NO_TURN);
    assert.deepEqual(begun, ['a1']);
    await end('a1');
    assert.deepEqual(begun, ['a1', 'b1']);
  });

  test('refuses who has waited for too long', async (t) => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { ask } = open({ ofAll: 1, waiting: { ...ofCount(8), forMs: 100 } });
    void ask('a1');
    const late = ask('a2');
    now += 100;
    t.mock.timers.tick(100);
    assert.equal(await late, NO_TURN);
  });

  test('lets in, where all is full, who has less waiting before the last of who has most', async () => {
    const waiting = { ofTenant: { count: 3, bytes: 100 }, ofAll: { count: 4, bytes: 100 }, displaces: true };
    const { ask } = open({ ofAll: 1, waiting });
    void ask('x0');
    const [, , last] = [ask('a1'), ask('a2'), ask('a3'), ask('b1')];
    void ask('c1');
    assert.equal(await last, NO_TURN);
    assert.equal(await ask('a4'), NO_TURN);
    void ask('d1');
    assert.equal(await ask('e1'), NO_TURN, 'nobody has more than one');
  });

  test('begins nothing of a tenant before its time, and others meanwhile', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const free = { a: 50, b: 0 };
    const { begun, ask } = open({ msUntil: (tenant) => free[tenant as 'a' | 'b'] });
    for (const name of ['a1', 'a2', 'b1']) void ask(name);
    assert.deepEqual(begun, ['b1']);
    free.a = 0;
    t.mock.timers.tick(50);
    assert.deepEqual(begun, ['b1', 'a1', 'a2']);
  });

  test('begins all that waits, when it ends', () => {
    const { queue, begun, ask } = open({ ofAll: 1 });
    for (const name of ['a1', 'a2', 'b1']) void ask(name);
    queue.letAllOn();
    assert.deepEqual(begun, ['a1', 'a2', 'b1']);
  });
});

test('queues that count a tenant together give it so many places in all of them, one kind after the other', async () => {
  const together = new Together<string>(1);
  const [lists, prints, views] = [1, 1, 1].map((ofAll) => open({ ofAll }, together)) as [Kind, Kind, Kind];
  for (const kind of [lists, prints, views]) for (const name of ['a1', 'a2']) void kind.ask(name);
  void prints.ask('b1');
  const begun = () => [lists, prints, views].map((kind) => kind.begun.join());
  assert.deepEqual(begun(), ['a1', 'b1', '']);
  await lists.end('a1');
  assert.deepEqual(begun(), ['a1', 'b1', 'a1']);
  await prints.end('b1');
  await views.end('a1');
  assert.deepEqual(begun(), ['a1', 'b1,a1', 'a1']);
  await prints.end('a1');
  assert.deepEqual(begun(), ['a1,a2', 'b1,a1', 'a1']);
});

test('which kind of a tenant comes next does not depend on what others ask for', async () => {
  const together = new Together<string>(1);
  const [lists, pages] = [open({}, together), open({}, together)];
  for (const name of ['a1', 'a2', 'a3']) void lists.ask(name);
  void pages.ask('a1');
  void pages.ask('b1');
  await lists.end('a1');
  assert.deepEqual([lists.begun, pages.begun], [['a1'], ['b1', 'a1']]);
});

test('thousands that are free at once begin, also those that end as they begin', () => {
  let free = 1;
  const queue = new FairQueue<number>({ msUntil: () => free, waiting: { ofTenant: { count: 5_000 } } });
  let begun = 0;
  const begin = (leave: () => void): void => {
    begun += 1;
    leave();
  };
  for (let n = 0; n < 10_000; n += 1) queue.add({ tenant: n % 2, begin, refuse: () => assert.fail() });
  free = 0;
  queue.letOn();
  assert.equal(begun, 10_000);
});

test('work that throws at once gives its place back', async () => {
  const queue = new FairQueue<string>({ ofAll: 1, waiting: ofCount(1) });
  const broken = (): Promise<void> => {
    throw new Error('broken');
  };
  await assert.rejects(queue.run({ tenant: 'a' }, broken), /broken/);
  assert.equal(await queue.run({ tenant: 'a' }, async () => 'next'), 'next');
});
