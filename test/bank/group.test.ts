// Goal: operations that are committed together are as right as alone: each sees what those before it did, and when the
// commit fails, none is said to be done. Method: a real book, whose commits are counted and made to fail.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { openBook } from '../../src/bank/book.ts';
import type { Book } from '../../src/bank/book.ts';
import { groupOperations } from '../../src/bank/group.ts';
import { aCharge, anOperation } from './an-operation.ts';

let folder: string;
let book: Book;
let commits = 0;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kassa-bank-group-'));
  book = openBook(join(folder, 'book.sqlite'));
});
beforeEach(() => (commits = 0));
after(async () => {
  book.close();
  await rm(folder, { recursive: true, force: true });
});

const act = groupOperations(
  {
    ...({} as Book),
    act: (group, at) => {
      commits += 1;
      return book.act(group, at);
    },
  },
  Date.now,
);

test('what comes in one turn is one commit, each seeing those before it', async () => {
  const reservation = anOperation({ amount: 10 });
  const [first, second] = [aCharge(reservation, { amount: 6 }), aCharge(reservation, { amount: 6 })];
  const forbidden = anOperation();
  book.forbid(forbidden.id);
  const handled = await Promise.all([reservation, first, first, second, { ...first, amount: 1 }, forbidden].map(act));
  assert.equal(commits, 1);
  assert.deepEqual(
    handled.map((one) => [one.result, 'answer' in one ? one.answer.state : undefined]),
    [
      ['acted', 'approved'],
      ['acted', 'approved'],
      ['repeated', 'approved'],
      ['acted', 'declined'],
      ['other_content', undefined],
      ['forbidden', undefined],
    ],
  );
  assert.equal(book.countLines(), 3);
});

test('when one of them cannot be written, none is, and none is said to be', async () => {
  const lines = book.countLines();
  const good = anOperation();
  // No request becomes such an operation; only the file itself is there to refuse it.
  const impossible = anOperation({ amount: -1 });
  const settled = await Promise.allSettled([good, impossible, anOperation()].map(act));
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  assert.deepEqual([book.countLines(), book.find(good.id)], [lines, undefined]);
  assert.equal((await act(good)).result, 'acted');
});
