// Goal: a change that may be committed is never reported as not done. Method: the groups' commit, on a database with
// scripted answers.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Payment } from '../../domain/payment.ts';
import { commitGroup } from './commit.ts';
import type { CommitRequest } from './commit-request.ts';
import { DatabaseAway, DatabaseBusy, NotConnected, OutcomeUnknown, StandbyAway } from '../connections/pool.ts';
import type { Pool, TextRow } from '../connections/pool.ts';

const requestOf = (n: number): CommitRequest => {
  const payment = {
    id: `0000000000000000000000000000000${n}`,
    merchantId: 1,
    version: 1,
    order: { amount: 1, currency: 'SEK', items: [] },
    checkout: {},
    consumer: {},
    totals: {},
    movements: [],
  } as unknown as Payment;
  return {
    change: { payment, moved: [{ id: `${n}`.repeat(32), sequence: 1, updatedAt: 0 }], events: [] },
    before: payment,
  } as never;
};

const locked = (): Error => new DatabaseBusy('locked', { cause: { code: '55P03' } });

describe('a commit', () => {
  test('whose connection broke is taken for done only where it is found and made sure of on one and the same server', async () => {
    const request = requestOf(1);
    const asked: string[] = [];
    const timelines = ['00000001', '00000002', '00000002', '00000002'];
    const run = async ({ name }: { readonly name: string }): Promise<TextRow[]> => {
      asked.push(name);
      if (asked.length === 1) throw new DatabaseAway('the connection to the database broke');
      if (name.startsWith('commit')) return [];
      const timeline = timelines.shift() as string;
      return name === 'find_marks' ? [[request.change.payment.id, timeline]] : [[timeline, '']];
    };
    const pool = { run } as unknown as Pool;
    const commit = commitGroup({ grouped: pool, lockWaiters: pool }, { onRunAlone: () => {}, onLookUp: () => {} });
    assert.deepEqual(await commit([request]), ['committed']);
    const lookUp = ['commit_moves', 'find_marks', 'replicate'];
    assert.deepEqual(asked, ['commit_moves', ...lookUp, ...lookUp]);
  });

  test('of a group that is run again has no known outcome when a standby keeps it from being looked up', async () => {
    const requests = [1, 2, 3, 4].map(requestOf);
    const idOf = (n: number): string => requests[n]?.change.payment.id as string;
    let commits = 0;
    const run = async ({ name }: { readonly name: string }): Promise<TextRow[]> => {
      if (name === 'find_free') return requests.map((_, n) => [idOf(n)]);
      if (name.startsWith('commit')) commits += 1;
      if (commits === 1) throw locked();
      // Of the first half, one is committed and one lost to another process.
      if (commits === 2 && name.startsWith('commit')) return [[idOf(0)]];
      throw new StandbyAway('commits wait for a standby that is away');
    };
    const pool = { run } as unknown as Pool;
    const commit = commitGroup({ grouped: pool, lockWaiters: pool }, { onRunAlone: () => {}, onLookUp: () => {} });
    const [first, second, ...rest] = await commit(requests);
    assert.ok(first instanceof OutcomeUnknown, 'it is committed, and was said not to be');
    assert.ok(second instanceof OutcomeUnknown);
    for (const other of rest) assert.ok(other instanceof StandbyAway, 'nothing was asked for it');
  });

  /** A change that creates no id: its gate rejects it, after the given errors. */
  const commitUnmarked = async (first: () => Error) => {
    const request = { ...requestOf(1), change: { ...requestOf(1).change, moved: [] } };
    let commits = 0;
    const run = async ({ name }: { readonly name: string }): Promise<TextRow[]> => {
      if (name.startsWith('commit')) commits += 1;
      if (name.startsWith('commit') && commits === 1) throw first();
      return [];
    };
    const pool = { run } as unknown as Pool;
    const commit = commitGroup({ grouped: pool, lockWaiters: pool }, { onRunAlone: () => {}, onLookUp: () => {} });
    return (await commit([request]))[0];
  };

  test('without a mark is unclear where it was sent and no answer came, and a conflict where it was not let in', async () => {
    assert.equal(await commitUnmarked(() => new DatabaseAway('the connection to the database broke')), 'unclear');
    assert.equal(await commitUnmarked(() => new NotConnected('no connection')), 'conflict');
    assert.equal(await commitUnmarked(locked), 'conflict');
    assert.equal(await commitUnmarked(() => new DatabaseBusy('deadlock', { cause: { code: '40P01' } })), 'conflict');
  });

  test('without a mark is unclear where others of its group could not be looked up after it was let in', async () => {
    const requests = [1, 2, 3].map(requestOf).map((request, n) =>
      // The first creates no id, and is committed.
      n === 0 ? { ...request, change: { ...request.change, moved: [] } } : request,
    );
    const idOf = (n: number): string => requests[n]?.change.payment.id as string;
    let commits = 0;
    const run = async ({ name }: { readonly name: string }): Promise<TextRow[]> => {
      if (name === 'find_free') return requests.map((_, n) => [idOf(n)]);
      if (name === 'find_marks') throw Object.assign(new Error('could not read block 1'), { code: '58030' });
      commits += 1;
      if (commits === 1) throw locked();
      return commits === 2 ? [[idOf(0)]] : [];
    };
    const pool = { run } as unknown as Pool;
    const commit = commitGroup({ grouped: pool, lockWaiters: pool }, { onRunAlone: () => {}, onLookUp: () => {} });
    const [first] = await commit(requests);
    assert.equal(first, 'unclear', 'it is committed, and must not be called a conflict');
  });
});
