// What a crew does with processes that end: whom it starts again, and when it gives up. Method: processes that are played,
// and a clock that the test moves.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { openLog } from '../../ops/log.ts';
import { Crew } from './crew.ts';
import type { Ended, Life } from './life.ts';

const ADDRESS = { url: 'http://localhost:1' };

type Played = Life & { readonly end: (how: Ended) => void; readonly serve: () => void };

function play(number: number): Played {
  const [ready, ended] = [Promise.withResolvers<typeof ADDRESS | undefined>(), Promise.withResolvers<Ended>()];
  let since: number | undefined;
  const end = (how: Ended): void => {
    since = undefined;
    ready.resolve(undefined);
    ended.resolve(how);
  };
  return {
    number,
    pid: 1,
    ready: ready.promise,
    ended: ended.promise,
    readySince: () => since,
    isServing: () => since !== undefined,
    stop: () => end({ code: 0, signal: null }),
    kill: () => end({ code: null, signal: 'SIGKILL' }),
    askFigures: async () => undefined,
    lastFigures: () => undefined,
    sendSum: () => {},
    end,
    serve: () => {
      since = performance.now();
      ready.resolve(ADDRESS);
    },
  };
}

async function open(t: TestContext, size: number) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const begun: Played[] = [];
  const deaths: boolean[] = [];
  let hopeless = 0;
  const crew = new Crew({
    size,
    log: openLog({ logLevel: 'silent', logFormat: 'json' }),
    begin: (number) => {
      const life = play(number);
      begun.push(life);
      return life;
    },
    onEnded: (_life, isDeath) => void deaths.push(isDeath),
    onHopeless: () => void (hopeless += 1),
    replaceWithinMs: 5_000,
  });
  const first = crew.startFirst();
  begun[0]?.serve();
  await first;
  const others = crew.startOthers();
  for (const life of begun.slice(1)) life.serve();
  await others;
  const pass = async (ms: number): Promise<void> => {
    await setImmediate();
    t.mock.timers.tick(ms);
    await setImmediate();
  };
  return { crew, begun, deaths, hopeless: () => hopeless, pass };
}

const KILLED = { code: null, signal: 'SIGKILL' };

test('who dies is started again at once, then later and later, for as long as another serves', async (t) => {
  const { begun, deaths, hopeless, pass } = await open(t, 2);
  begun[1]?.end(KILLED);
  await pass(0);
  assert.equal(begun.length, 3);
  for (let death = 2; death <= 12; death += 1) {
    begun.at(-1)?.end(KILLED);
    await pass(999);
    assert.equal(begun.length, death + 1, 'not within a second');
    await pass(29_001);
    assert.equal(begun.length, death + 2);
  }
  assert.ok(begun.slice(2).every(({ number }) => number === 2));
  assert.deepEqual(new Set(deaths), new Set([true]));
  assert.equal(hopeless(), 0);
});

test('where none serves, ten deaths in a row are the last', async (t) => {
  const { begun, hopeless, pass } = await open(t, 2);
  begun[0]?.end(KILLED);
  for (let death = 1; death <= 10; death += 1) {
    begun.findLast(({ number }) => number === 2)?.end(KILLED);
    await pass(30_000);
  }
  assert.equal(hopeless(), 1);
});

// The timer of a pause is all that keeps a supervisor alive then, and the runner of tests keeps itself alive.
test('while all wait to be started again, for the second time and later, the supervisor stays', async () => {
  const program = `
    import { openLog } from ${JSON.stringify(import.meta.resolve('../../ops/log.ts'))};
    import { Crew } from ${JSON.stringify(import.meta.resolve('./crew.ts'))};
    let begun = 0;
    const begin = (number) => {
      begun += 1;
      if (begun === 5) process.exit(55);
      const ended = Promise.resolve({ code: null, signal: 'SIGKILL' });
      const ready = Promise.resolve(${JSON.stringify(ADDRESS)});
      return { number, pid: begun, ready, ended, readySince: () => undefined, isServing: () => false };
    };
    const log = openLog({ logLevel: 'silent', logFormat: 'json' });
    const crew = new Crew({ size: 2, log, begin, onEnded: () => {}, onHopeless: () => {}, replaceWithinMs: 1 });
    await crew.startFirst();
    await crew.startOthers();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' });
  assert.deepEqual(await once(child, 'exit'), [55, null]);
});

test('who ends as it was told by a signal of its own is started again and is no death', async (t) => {
  const { begun, deaths, pass } = await open(t, 2);
  begun[1]?.end({ code: 0, signal: null });
  await pass(0);
  assert.equal(begun.length, 3);
  assert.deepEqual(deaths, [false]);
});

test('one after the other is replaced, each once the new one serves', async (t) => {
  const { crew, begun, deaths, pass } = await open(t, 2);
  const replaced = crew.replaceAll();
  await pass(0);
  assert.equal(begun.length, 3, 'one at a time');
  assert.equal(begun[0]?.isServing(), true, 'it serves on until then');
  begun[2]?.serve();
  await pass(0);
  assert.equal(begun[0]?.isServing(), false);
  assert.equal(begun.length, 4);
  assert.equal(begun[1]?.isServing(), true);
  begun[3]?.serve();
  await replaced;
  assert.deepEqual(crew.lives(), [begun[2], begun[3]]);
  assert.deepEqual(deaths, [false, false]);
});

for (const [what, fail] of [
  ['ends before it serves', (life: Played) => life.end({ code: 1, signal: null })],
  ['does not serve in time', () => {}],
] as const)
  test(`a new one that ${what} leaves the old ones as they are`, async (t) => {
    const { crew, begun, pass } = await open(t, 2);
    const replaced = crew.replaceAll();
    await pass(0);
    fail(begun[2] as Played);
    await pass(5_000);
    await replaced;
    assert.deepEqual(crew.lives(), [begun[0], begun[1]]);
    assert.equal(begun.length, 3);
  });

test('none is started again once all are to stop', async (t) => {
  const { crew, begun, pass } = await open(t, 2);
  begun[1]?.end(KILLED);
  await pass(0);
  begun[2]?.end(KILLED);
  await pass(0);
  await crew.stop({ signal: 'SIGTERM' });
  await pass(60_000);
  assert.equal(begun.length, 3);
});
