// Goal: what the bank has said it has done, and each id once, whatever becomes of its process. Method: many requests at
// once, with repetitions, while the process is killed again and again; every answer is noted and held against the book.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBank } from '../support/bank.ts';
import type { RunningBank } from '../support/bank.ts';
import { runCommand } from '../support/commands.ts';
import { until } from '../support/kassa.ts';
import { aCharge, anOperation } from './an-operation.ts';
import type { Operation } from '../../src/bank/operation.ts';

const AT_ONCE = 16;

let bank: RunningBank;
before(async () => {
  bank = await startBank();
});
after(() => bank.stop());

test('one id at once from many is done once', async () => {
  const reservation = anOperation({ amount: 100 });
  const charge = aCharge(reservation, { amount: 60 });
  await bank.client.must(200, 'POST', '/operations', reservation);
  const answers = await Promise.all(Array.from({ length: 50 }, () => bank.client.post('/operations', charge)));
  assert.equal(answers.filter(({ headers }) => headers.get('repeated') === null).length, 1);
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  assert.equal((await bank.book()).filter(({ id }) => id === charge.id).length, 1);
});

test('of many that want the last of a reservation, one gets it', async () => {
  const reservation = anOperation({ amount: 100 });
  await bank.client.must(200, 'POST', '/operations', reservation);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => bank.client.post('/operations', aCharge(reservation, { amount: 51 }))),
  );
  assert.equal(answers.filter(({ body }) => body.state === 'approved').length, 1);
});

describe('killed', () => {
  test('between requests: the book and the answers are as they were', async () => {
    const operation = anOperation();
    const first = await bank.client.post('/operations', operation);
    const book = await bank.book();
    await bank.kill();
    await bank.restart();
    assert.deepEqual(await bank.book(), book);
    const again = await bank.client.post('/operations', operation);
    assert.deepEqual([again.text, again.headers.get('repeated')], [first.text, 'true']);
  });

  test('in the middle of requests: nothing that was answered is lost, and nothing is there twice', async () => {
    const answered = new Map<string, string>();
    const sent: Operation[] = [];
    const over = new AbortController();
    const acquirer = bank.acquirer();

    /** As a careful client: the same again, until there is an answer. */
    const insist = async ({ id: movementId, ...rest }: Operation): Promise<string> => {
      for (;;) {
        const { result } = await acquirer.send({ movementId, ...rest });
        if (result !== 'unknown') return result;
        await sleep(20);
      }
    };
    const work = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const reservation = anOperation({ amount: 2 });
        const charge = aCharge(reservation, { amount: 1 });
        for (const operation of [reservation, charge, aCharge(reservation, { amount: 1 })]) {
          sent.push(operation);
          answered.set(operation.id, await insist(operation));
        }
      }
    };
    const workers = Array.from({ length: AT_ONCE }, work);
    const answeredMore = async (): Promise<void> => {
      const soFar = answered.size;
      await until('more answers', () => answered.size > soFar + AT_ONCE);
    };
    for (let times = 0; times < 2; times += 1) {
      await answeredMore();
      await bank.kill();
      await bank.restart();
    }
    await answeredMore();
    over.abort();
    await Promise.all(workers);

    const book = await bank.book();
    const states = new Map<string, string>(book.map(({ id, state }) => [id, state]));
    assert.equal(states.size, book.length, 'each id once');
    assert.ok(answered.size > AT_ONCE);
    for (const { id } of sent) assert.equal(states.get(id), answered.get(id));
    assert.deepEqual(new Set(answered.values()), new Set(['approved']), 'no charge was counted twice');
  });

  test('by itself, right after the commit: the operation is in the book, and is told when asked again', async () => {
    await bank.setFaults({ die: 1 });
    const operation = anOperation();
    await assert.rejects(bank.client.post('/operations', operation));
    await bank.ended();
    const { out, code } = await runCommand(['bank', 'book', '--data', bank.dataDir]);
    assert.equal(code, 0);
    assert.equal((JSON.parse(out) as { id: string }[]).at(-1)?.id, operation.id);
    await bank.restart();
    assert.deepEqual(await bank.client.must(200, 'GET', '/faults'), await bank.client.must(200, 'PUT', '/faults', {}));
    const again = await bank.client.post('/operations', operation);
    assert.deepEqual([again.body.state, again.headers.get('repeated')], ['approved', 'true']);
  });
});
