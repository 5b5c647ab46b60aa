// Goal: each fault does what its description says: before acting nothing is written, after acting everything is, and
// only the answer is missing. Method: each is set for certain on a running bank; chances and distributions are drawn
// with a known randomness.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRateLimit, drawFate, FAULTS, readFaults } from '../../src/bank/faults.ts';
import { startBank } from '../support/bank.ts';
import type { RunningBank } from '../support/bank.ts';
import { readDocument } from '../start/documents.ts';
import { until } from '../support/kassa.ts';
import { anOperation } from './an-operation.ts';
import type { Operation } from '../../src/bank/operation.ts';

// How long somebody waits who expects an answer, however slow the machine is, and somebody who expects none.
const TIMEOUT_MS = 60_000;
const SILENCE_MS = 1_500;

let bank: RunningBank;
before(async () => {
  bank = await startBank();
});
afterEach(() => bank.setFaults({}));
after(() => bank.stop());

type Seen = number | 'cut' | 'silence';

/** Sends it, and says what came back within the time. */
async function send(operation: Operation, timeoutMs = TIMEOUT_MS): Promise<Seen> {
  try {
    const response = await fetch(`${bank.url}/operations`, {
      method: 'POST',
      headers: { authorization: bank.key },
      body: JSON.stringify(operation),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return response.status;
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? 'silence' : 'cut';
  }
}

const isWritten = async ({ id }: Operation): Promise<boolean> => (await bank.book()).some((line) => line.id === id);

describe('for certain', () => {
  const cases: readonly (readonly [name: string, seen: Seen, written: boolean])[] = [
    ['hang', 'silence', false],
    ['loseBefore', 'cut', false],
    ['errorBefore', 500, false],
    ['loseAfter', 'cut', true],
    ['hangAfter', 'silence', true],
    ['errorAfter', 500, true],
  ];
  for (const [name, seen, written] of cases)
    test(`${name}: ${seen}, ${written ? 'written' : 'nothing written'}`, async () => {
      await bank.setFaults({ [name]: 1 });
      const operation = anOperation();
      assert.equal(await send(operation, seen === 'silence' ? SILENCE_MS : TIMEOUT_MS), seen);
      if (written) await until('it to be written', () => isWritten(operation));
      else assert.equal(await isWritten(operation), false);
      await bank.setFaults({});
      assert.equal(await send(operation), 200);
      assert.equal(await isWritten(operation), true);
    });

  test('an error says the same before and after acting', async () => {
    const bodies = [];
    for (const name of ['errorBefore', 'errorAfter']) {
      await bank.setFaults({ [name]: 1 });
      bodies.push((await bank.client.post('/operations', anOperation())).text);
    }
    assert.equal(bodies[0], bodies[1]);
  });

  test('what befalls a question as well: silence, cuts and errors; and what does not', async () => {
    const operation = anOperation();
    await send(operation);
    const ask = async (timeoutMs = TIMEOUT_MS) => (await bank.acquirer({ timeoutMs }).find(operation.id)).result;
    for (const name of ['hang', 'loseBefore', 'errorBefore']) {
      await bank.setFaults({ [name]: 1 });
      assert.equal(await ask(name === 'hang' ? SILENCE_MS : TIMEOUT_MS), 'unknown', name);
    }
    await bank.setFaults({ die: 1, loseAfter: 1, hangAfter: 1, errorAfter: 1, twice: 1 });
    assert.equal(await ask(), 'approved');
  });

  test('twice: the second time changes nothing', async () => {
    await bank.setFaults({ twice: 1 });
    const operation = anOperation();
    assert.equal(await send(operation), 200);
    await until('the second time', () => bank.err().includes(`${operation.id}  asked again`));
    assert.equal((await bank.book()).filter(({ id }) => id === operation.id).length, 1);
  });

  test('latency: an answer takes its time, and what was asked is done though the asker has gone', async () => {
    await bank.setFaults({ latency: { kind: 'fixed', ms: 300 } });
    const startedAt = performance.now();
    assert.equal(await send(anOperation()), 200);
    assert.ok(performance.now() - startedAt >= 299);
    const abandoned = anOperation();
    await assert.rejects(
      fetch(`${bank.url}/operations`, {
        method: 'POST',
        headers: { authorization: bank.key },
        body: JSON.stringify(abandoned),
        signal: AbortSignal.timeout(100),
      }),
    );
    await until('it to be done', () => isWritten(abandoned));
  });

  test('actsLateMs: it acts late, also when its asker has gone; questions it answers at once', async () => {
    await bank.setFaults({ actsLateMs: 600_000 });
    const never = anOperation();
    const sending = send(never, SILENCE_MS).catch(() => undefined);
    assert.equal((await bank.client.get(`/operations/${never.id}`)).status, 404);
    await bank.setFaults({ actsLateMs: 300 });
    const [done, forbidden] = [anOperation(), anOperation()];
    const late = Promise.all([done, forbidden].map((operation) => send(operation)));
    assert.equal((await bank.client.get(`/operations/${done.id}`)).status, 404);
    assert.equal((await bank.client.post(`/operations/${forbidden.id}/forbid`, {})).body.state, 'forbidden');
    assert.deepEqual(await late, [200, 410]);
    assert.deepEqual([await isWritten(done), await isWritten(forbidden)], [true, false]);
    await bank.restart();
    await sending;
    assert.equal(await isWritten(never), false);
  });

  test('ratePerSecond: beyond it 429 with Retry-After, and nothing is written', async () => {
    await bank.setFaults({ ratePerSecond: 2 });
    const operations = Array.from({ length: 10 }, () => anOperation());
    const answers = await Promise.all(operations.map((operation) => bank.client.post('/operations', operation)));
    const refused = answers.filter(({ status }) => status === 429);
    assert.ok(refused.length >= 6, `${refused.length} of 10`);
    assert.equal(refused[0]?.headers.get('retry-after'), '1');
    for (const [index, operation] of operations.entries())
      assert.equal(await isWritten(operation), answers[index]?.status === 200);
    assert.equal((await bank.client.get('/book')).status, 200, 'the book is always to be had');
  });

  test('clockOffsetMs: lines go by the clock of the bank', async () => {
    const hourMs = 3_600_000;
    const [ahead, behind] = [anOperation(), anOperation()];
    await bank.setFaults({ clockOffsetMs: hourMs });
    assert.equal(await send(ahead), 200);
    await bank.setFaults({ clockOffsetMs: -hourMs });
    assert.equal(await send(behind), 200);
    const [first, second] = (await bank.book()).slice(-2);
    assert.deepEqual([first?.id, second?.id], [ahead.id, behind.id], 'in the order of what was done');
    const now = Date.now();
    assert.ok(Math.abs((first?.at ?? 0) - hourMs - now) < 30_000);
    assert.ok(Math.abs((second?.at ?? 0) + hourMs - now) < 30_000);
  });
});

describe('PUT /faults', () => {
  test('answers with all of them; what is not named is off', async () => {
    const { status, body } = await bank.client.put('/faults', { loseAfter: 0.5, latency: { kind: 'fixed', ms: 1 } });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).toSorted(), Object.keys(FAULTS).toSorted());
    assert.equal(body.loseAfter, 0.5);
    assert.deepEqual((await bank.client.get('/faults')).body, body);
    const { body: off } = await bank.client.put('/faults', { hang: 0.1 });
    assert.deepEqual([off.loseAfter, off.latency, off.hang], [0, { kind: 'none' }, 0.1]);
  });

  test('refuses what it does not know or cannot be, and leaves the rest as it was', async () => {
    await bank.setFaults({ twice: 0.25 });
    const bad: readonly (readonly [field: string, faults: unknown])[] = [
      ['body', []],
      ['body', 'nonsense'],
      ['loseafter', { loseafter: 1 }],
      ['hang', { hang: 1.01 }],
      ['hang', { hang: -0.1 }],
      ['hang', { hang: '1' }],
      ['hang', { hang: null }],
      ['latency.kind', { latency: 100 }],
      ['latency.kind', { latency: { kind: 'normal' } }],
      ['latency.ms', { latency: { kind: 'fixed' } }],
      ['latency.ms', { latency: { kind: 'fixed', ms: 600_001 } }],
      ['ms', { latency: { kind: 'none', ms: 1 } }],
      ['latency.maxMs', { latency: { kind: 'uniform', minMs: 2, maxMs: 1 } }],
      ['latency.p99Ms', { latency: { kind: 'lognormal', medianMs: 10, p99Ms: 9 } }],
      ['ratePerSecond', { ratePerSecond: 0.5 }],
      ['clockOffsetMs', { clockOffsetMs: 1e300 }],
    ];
    for (const [field, faults] of bad) {
      const { status, body } = await bank.client.put('/faults', faults);
      assert.deepEqual([status, body.field], [400, field], JSON.stringify(faults));
    }
    assert.equal((await bank.client.get('/faults')).body.twice, 0.25);
  });

  test('the page for shops has every fault with its meaning, and no other', () => {
    const { text } = readDocument('docs/integrate/bank.md');
    const rows = Object.entries(FAULTS).map(([name, what]) => `| \`${name}\` | ${what} |`);
    assert.ok(text.includes(`${rows.join('\n')}\n\n`), rows.join('\n'));
  });
});

describe('drawn', () => {
  /** The same random-looking numbers every time. */
  function randomOf(seed: number): () => number {
    let state = seed;
    return () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
  }

  const DRAWS = 20_000;
  const fatesOf = (faults: object) => {
    const random = randomOf(7);
    const read = readFaults(faults);
    return Array.from({ length: DRAWS }, () => drawFate(read, random));
  };
  const waitsOf = (latency: object): number[] =>
    fatesOf({ latency })
      .map(({ waitBeforeMs, waitAfterMs }) => waitBeforeMs + waitAfterMs)
      .toSorted((a, b) => a - b);
  const isNear = (value: number | undefined, expected: number): boolean =>
    Math.abs((value ?? 0) - expected) < expected * 0.1;

  test('no fault, no fate', () => {
    for (const fate of fatesOf({})) assert.deepEqual(fate, { waitBeforeMs: 0, waitAfterMs: 0, twice: false });
  });

  test('each as often as its chance says', () => {
    const fates = fatesOf({ errorBefore: 0.2, loseAfter: 0.3, twice: 0.4 });
    const share = (holds: (fate: (typeof fates)[number]) => boolean): number => fates.filter(holds).length / DRAWS;
    assert.ok(
      isNear(
        share(({ before: mishap }) => mishap === 'error'),
        0.2,
      ),
    );
    assert.ok(
      isNear(
        share(({ after: mishap }) => mishap === 'lose'),
        0.3,
      ),
    );
    assert.ok(
      isNear(
        share(({ twice }) => twice),
        0.4,
      ),
    );
  });

  test('uniform between its ends, lognormal by its median and its 99th percentile', () => {
    const uniform = waitsOf({ kind: 'uniform', minMs: 100, maxMs: 200 });
    assert.ok((uniform[0] ?? 0) >= 100 && (uniform.at(-1) ?? 0) <= 200 && isNear(uniform[DRAWS / 2], 150));
    const lognormal = waitsOf({ kind: 'lognormal', medianMs: 50, p99Ms: 1_000 });
    assert.ok(isNear(lognormal[DRAWS / 2], 50), String(lognormal[DRAWS / 2]));
    assert.ok(isNear(lognormal[DRAWS * 0.99], 1_000), String(lognormal[DRAWS * 0.99]));
  });

  test('a rate gives so many at once and then as many a second, and no limit again when it is off', () => {
    let nowMs = 0;
    const take = createRateLimit(() => nowMs);
    const granted = (perSecond: number, tries: number): number =>
      Array.from({ length: tries }, () => take(perSecond)).filter((seconds) => seconds === 0).length;
    assert.equal(granted(5, 20), 5);
    assert.equal(take(5), 1);
    nowMs += 400;
    assert.equal(granted(5, 20), 2);
    assert.equal(granted(0, 100), 100);
    assert.equal(granted(5, 20), 5);
  });
});

test('a good day comes back after a bad one', async () => {
  await bank.setFaults({ loseBefore: 0.2, loseAfter: 0.2, errorBefore: 0.2, errorAfter: 0.2, twice: 0.5 });
  const operations = Array.from({ length: 60 }, () => anOperation());
  const acquirer = bank.acquirer();
  const insist = async ({ id: movementId, ...rest }: Operation): Promise<string> => {
    for (;;) {
      const { result } = await acquirer.send({ movementId, ...rest });
      if (result !== 'unknown') return result;
      await sleep(5);
    }
  };
  assert.deepEqual(new Set(await Promise.all(operations.map(insist))), new Set(['approved']));
  const ids = (await bank.book()).map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const { id } of operations) assert.ok(ids.includes(id));
});
