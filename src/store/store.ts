// The store: load and commit, the only two ways to payments for a request, both in groups; and lists, for people.
import { setTimeout as sleep } from 'node:timers/promises';
import { partOf } from '../domain/id.ts';
import { LOCK_WAITER_CONNECTIONS, LOCK_WAITER_TIMEOUT_MS } from './connections/lock-waiters.ts';
import { commitGroup, GROUP_LOCK_TIMEOUT_MS, meetingPointOf } from './payments/commit.ts';
import type { Committed } from './payments/commit.ts';
import type { CommitRequest } from './payments/commit-request.ts';
import { sizeOfCommit } from './payments/commit-size.ts';
import { countedOnly, Group } from './connections/group.ts';
import { listPayments } from './lists/list.ts';
import type { ListQuery, PaymentPage } from './lists/list.ts';
import { LargePayment, LOAD_LOCK_TIMEOUT_MS, loadGroup } from './payments/load.ts';
import type { Loaded, LoadRequest } from './payments/load.ts';
import { KeyUses } from './merchants/key-uses.ts';
import { Refusals } from './audit/refusals.ts';
import { MERCHANT_CONNECTIONS, MerchantCache } from './merchants/merchant-cache.ts';
import { openPool, OutcomeUnknown, StandbyAway } from './connections/pool.ts';
import type { Pool } from './connections/pool.ts';
import { directOf } from './connections/servers.ts';
import type { Database } from './connections/servers.ts';
import { EventPublisher } from './events/publisher.ts';
import { Listener } from './connections/listener.ts';
import { WorkNotices } from './connections/work-notices.ts';
import { openReplication } from './connections/replication.ts';
import { SYNCHRONOUS_TIMELINE } from './connections/timeline.ts';
import type { Timeline } from './connections/timeline.ts';
import { openWriter } from './payments/write.ts';
import type { Write } from './payments/write.ts';
import { finishEntries } from './payments/bulk-entries.ts';
import type { EndedEntry } from './payments/bulk-entries.ts';

import type { Lifetimes } from '../domain/payment.ts';

export type StoreObserver = {
  readonly onGroup: (kind: 'load' | 'commit', size: number, seconds: number) => void;
  readonly onConflicts: (count: number) => void;
  readonly onRunAlone: () => void;
  readonly onLookUp: () => void;
};

export type Store = {
  load(request: LoadRequest): Promise<Loaded>;
  /**
   * Like `load`, for answers that show what was found: after a restart of a database with a synchronous standby,
   * earlier commits may still be lost until the standby has them, so it waits for that.
   */
  read(request: LoadRequest): Promise<Loaded>;
  /** Loads a payment unless it is large; large ones are loaded one at a time, when needed. */
  loadIfSmall(request: LoadRequest): Promise<Loaded | LargePayment>;
  commit(request: CommitRequest): Promise<Committed>;
  /** Writes other than payments that are acknowledged: one at a time, and on the standby. */
  readonly write: Write;
  /** Records the result of an entry of a bulk; if no one waits for it, together with others that end soon. */
  finishEntry(ended: EndedEntry, isAwaited: boolean): Promise<void>;
  /** Returns once the standby has everything that was found on this timeline; for answers that depend on it. */
  confirm(found?: Timeline): Promise<void>;
  list(query: ListQuery, at: number, lifetimes: Lifetimes): Promise<PaymentPage>;
  /** Any other read whose result is shown. Like `read`, it waits until what it found cannot be lost. */
  kept<Found>(find: () => Promise<Found>): Promise<Found>;
  readonly merchants: MerchantCache;
  readonly keyUses: KeyUses;
  /** Refused actions, until they are written to the audit. */
  readonly refusals: Refusals;
  readonly pool: Pool;
  /** For publishing and delivering: restricted to index scans, like payments, and on connections of its own. */
  readonly queue: Pool;
  readonly publisher: EventPublisher;
  /** Notices of new work in this or another process. */
  readonly notices: Pick<WorkNotices, 'areHeard' | 'onWork' | 'notify'>;
  close(): Promise<void>;
};

// Two calls of each kind at once: one can be in the database while the other's answer is read. More would only make
// smaller groups.
const CONCURRENT_CALLS = 2;
// A mebibyte is hundreds of ordinary payments, or one of the largest.
const COMMIT_SIZE = { count: 256, bytes: 1_048_576 };
// Larger ones have a call of their own, so that only others of their kind wait for them.
const LARGE_COMMIT_BYTES = 65_536;
// Loads use smaller groups: with one that holds nearly all requests, the service would be idle while Postgres runs it,
// and Postgres while its answers are sent.
const LOAD_SIZE = { count: 32, bytes: 1_048_576 };
// One merchant may have half of the queue, and those below their share are always accepted. A client waits for 30 s,
// and a commit to a database that hangs takes 20 of them.
const WAITING = {
  ofTenant: { count: 5_000, bytes: 33_554_432 },
  ofAll: { count: 10_000, bytes: 67_108_864 },
  forMs: 10_000,
};
// One more than calls for large ones, one for other writes, and one for confirmations.
const COMMIT_POOL_SIZE = CONCURRENT_CALLS + 3;
// One more for large ones.
const LOAD_POOL_SIZE = CONCURRENT_CALLS + 1;
const POOL_SIZE = 8;
const QUEUE_SIZE = 4;
// More than any process works on at once.
const ENDS_SIZE = 64;
// Each commit delays others that wait for the disk.
const GATHER_ENDS_MS = 100;

// Publishing and recording must not wait long for a locked row: everything waits behind them.
const QUEUE_LOCK_TIMEOUT_MS = 500;
// Requests with ids of all parts must not get a turn for each part.
const LINES_WITHOUT_MERCHANT = 16;

/** A request that holds a secret of a payment is queued by part: its merchant is not known yet. */
const tenantOfLoad = ({ merchantId, target }: LoadRequest): number =>
  merchantId ?? -1 - (partOf(target) % LINES_WITHOUT_MERCHANT);

export async function openStore(database: Database, observer: StoreObserver): Promise<Store> {
  const grouped = openPool(database, { size: LOAD_POOL_SIZE, lookUpsOnly: true, lockTimeoutMs: LOAD_LOCK_TIMEOUT_MS });
  const committing = { lookUpsOnly: true, waitsForStandby: true } as const;
  const commitPools = {
    grouped: openPool(database, { ...committing, size: COMMIT_POOL_SIZE, lockTimeoutMs: GROUP_LOCK_TIMEOUT_MS }),
    lockWaiters: openPool(database, {
      ...committing,
      size: LOCK_WAITER_CONNECTIONS,
      lockTimeoutMs: LOCK_WAITER_TIMEOUT_MS,
    }),
  };
  const pool = openPool(database, { size: POOL_SIZE });
  const queue = openPool(database, { size: QUEUE_SIZE, lookUpsOnly: true, lockTimeoutMs: QUEUE_LOCK_TIMEOUT_MS });
  const keys = openPool(database, { size: MERCHANT_CONNECTIONS });

  const timed = async <Result>(kind: 'load' | 'commit', size: number, run: () => Promise<Result>): Promise<Result> => {
    const start = performance.now();
    try {
      return await run();
    } finally {
      observer.onGroup(kind, size, (performance.now() - start) / 1000);
    }
  };

  const runLoad = loadGroup(grouped, 'small');
  const loads = new Group<LoadRequest, Loaded | LargePayment | Error>({
    concurrency: CONCURRENT_CALLS,
    size: LOAD_SIZE,
    waiting: WAITING,
    tenantOf: tenantOfLoad,
    run: (requests) => timed('load', requests.length, () => runLoad(requests)),
  });
  const replication = openReplication(commitPools.grouped);
  const runLargeLoad = loadGroup(grouped, 'any');
  const largeLoads = new Group<LoadRequest, Loaded | LargePayment | Error>({
    concurrency: 1,
    size: LOAD_SIZE,
    waiting: WAITING,
    tenantOf: tenantOfLoad,
    run: (requests) => timed('load', requests.length, () => runLargeLoad(requests)),
  });
  const loadIfSmall = async (request: LoadRequest): Promise<Loaded | LargePayment> => {
    const loaded = await loads.add(request);
    if (loaded instanceof Error) throw loaded;
    return loaded;
  };
  const runCommit = commitGroup(commitPools, observer);
  const groupCommits = (concurrency: number) =>
    new Group<CommitRequest, Committed | Error | Promise<Committed | Error>>({
      concurrency,
      size: COMMIT_SIZE,
      waiting: WAITING,
      keyOf: meetingPointOf,
      tenantOf: ({ change }) => change.payment.merchantId,
      run: (requests) => timed('commit', requests.length, () => runCommit(requests)),
    });
  const [commits, largeCommits] = [groupCommits(CONCURRENT_CALLS), groupCommits(1)];
  const groupEnds = (gather?: () => Promise<void>) =>
    new Group<EndedEntry, void>({
      concurrency: 1,
      ...countedOnly(ENDS_SIZE, WAITING.ofAll.count),
      ...(gather && { gather }),
      run: async (ended) => {
        await finishEntries(pool, ended);
        return ended.map(() => undefined);
      },
    });
  const [ends, gatheredEnds] = [groupEnds(), groupEnds(() => sleep(GATHER_ENDS_MS))];
  const publisher = new EventPublisher(queue);
  const listener = new Listener(directOf(database));
  const merchants = new MerchantCache(keys, listener);
  const notices = new WorkNotices(queue, listener);
  publisher.onPublished(() => notices.notify());
  const keyUses = new KeyUses(pool);
  const refusals = new Refusals(queue);
  await listener.listen();

  const load = async (request: LoadRequest): Promise<Loaded> => {
    const loaded = await loads.add(request);
    if (loaded instanceof Error) throw loaded;
    if (!(loaded instanceof LargePayment)) return loaded;
    request.onLarge?.(loaded.bytes);
    const large = await largeLoads.add(request, loaded.bytes);
    if (large instanceof Error) throw large;
    if (large instanceof LargePayment) throw new Error(`payment ${request.target} is larger than any may be`);
    return large;
  };
  // A process that has just started may follow a restart of the database, too.
  let endedWhenConfirmed = -1;
  // Of any kind: a process that only reads, creates or lists has no other connections to lose.
  const endedConnections = (): number =>
    [grouped, commitPools.grouped, pool, queue].reduce((sum, each) => sum + each.ended(), 0);
  const confirm = async (found?: Timeline): Promise<void> => {
    const ended = endedConnections();
    await replication.confirm(found);
    endedWhenConfirmed = ended;
  };
  const confirmRead = (timeline: Timeline): Promise<void> =>
    confirm(timeline).catch((error: unknown) => {
      throw error instanceof OutcomeUnknown ? new StandbyAway('what was read may be undone', { cause: error }) : error;
    });
  const read = async (request: LoadRequest): Promise<Loaded> => {
    const loaded = await load(request);
    if (loaded.timeline && endedConnections() !== endedWhenConfirmed) await confirmRead(loaded.timeline);
    return loaded;
  };
  const kept = async <Found>(find: () => Promise<Found>): Promise<Found> => {
    const ended = endedConnections();
    if (ended === endedWhenConfirmed) {
      const found = await find();
      return endedConnections() === ended ? found : kept(find);
    }
    // Read first: what is found may be on a server that another one has replaced meanwhile.
    const [row] = await pool.query<{ timeline: Timeline | null }>(`select ${SYNCHRONOUS_TIMELINE} as timeline`);
    const found = await find();
    if (row?.timeline) await confirmRead(row.timeline);
    else endedWhenConfirmed = ended;
    return found;
  };

  const write = openWriter(commitPools.grouped, WAITING);

  return {
    merchants,
    keyUses,
    refusals,
    pool,
    queue,
    publisher,
    notices,
    loadIfSmall,
    load,
    read,
    commit: async (request) => {
      const bytes = sizeOfCommit(request);
      const ended = endedConnections();
      const group = bytes > LARGE_COMMIT_BYTES ? largeCommits : commits;
      // Its acquirer request may stay open, and if its outcome is lost, its events are left to the sweep.
      const outcome = await group.add(request, bytes).finally(() => notices.notify());
      if (outcome instanceof Error) throw outcome;
      // The standby applies commits in order, so it has everything before this one.
      if (outcome === 'committed') endedWhenConfirmed = ended;
      const { payment, events } = request.change;
      if (outcome !== 'committed') observer.onConflicts(1);
      else if (events.length > 0) publisher.add({ id: payment.id, merchantId: payment.merchantId });
      return outcome;
    },
    write: (written) => write(written).finally(() => notices.notify()),
    finishEntry: (ended, isAwaited) => (isAwaited ? ends : gatheredEnds).add(ended),
    confirm,
    list: (query, at, lifetimes) => kept(() => listPayments(pool, query, at, lifetimes)),
    kept,
    close: async () => {
      await publisher.close();
      notices.close();
      await listener.close();
      await Promise.all([grouped, ...Object.values(commitPools), pool, queue, keys].map((each) => each.close()));
    },
  };
}
