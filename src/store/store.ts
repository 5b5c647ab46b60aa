// The store: load and commit, the only two ways to payments for a request, both in groups; and the list, for people.
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
   * As load, for whoever is shown what was found: after a restart of a database with a synchronous standby, what was
   * committed before may be undone until the standby has it, so that is waited for.
   */
  read(request: LoadRequest): Promise<Loaded>;
  /** Loads it unless it is large; what is large is loaded one after the other, when it is needed. */
  loadIfSmall(request: LoadRequest): Promise<Loaded | LargePayment>;
  commit(request: CommitRequest): Promise<Committed>;
  /** What is no payment and answered all the same: written one after the other, and where the standby is. */
  readonly write: Write;
  /** Writes down what came of an entry of a bulk; where nobody waits for it, together with others that end soon. */
  finishEntry(ended: EndedEntry, isAwaited: boolean): Promise<void>;
  /** Returns when everything that was found before, on this timeline, is where the standby is; for who answers by it. */
  confirm(found?: Timeline): Promise<void>;
  list(query: ListQuery, at: number, lifetimes: Lifetimes): Promise<PaymentPage>;
  /** Any other reading that is shown to somebody. Like `read`, it waits until what it found cannot be undone. */
  kept<Found>(find: () => Promise<Found>): Promise<Found>;
  readonly merchants: MerchantCache;
  readonly keyUses: KeyUses;
  /** What was refused, until the audit tells of it. */
  readonly refusals: Refusals;
  readonly pool: Pool;
  /** For what waits and is delivered: looked up by key, like payments, and on connections of its own. */
  readonly queue: Pool;
  readonly publisher: EventPublisher;
  /** Of work that this process or another has made. */
  readonly notices: Pick<WorkNotices, 'areHeard' | 'onWork' | 'tell'>;
  close(): Promise<void>;
};

// Two calls of each kind under way: one can be in the database while the other's answer is read. More at once only make
// smaller groups.
const CONCURRENT_CALLS = 2;
// A mebibyte is hundreds of ordinary payments, or one of the largest.
const COMMIT_SIZE = { count: 256, bytes: 1_048_576 };
// What is larger has a call of its own, so that nobody waits for it but others like it.
const LARGE_COMMIT_BYTES = 65_536;
// Loads go in smaller groups: with one that holds nearly everybody, the service would have nothing to do while Postgres
// runs it, and Postgres nothing while its answers are sent.
const LOAD_SIZE = { count: 32, bytes: 1_048_576 };
// One merchant may have half of all that may wait, and those who have less than their share are always let in. A client
// waits for 30 s, and a commit that meets a database which hangs takes 20 of them.
const WAITING = {
  ofTenant: { count: 5_000, bytes: 33_554_432 },
  ofAll: { count: 10_000, bytes: 67_108_864 },
  forMs: 10_000,
};
// One more than calls for what is large, one for what is no payment, and one for what is confirmed beside them.
const COMMIT_POOL_SIZE = CONCURRENT_CALLS + 3;
// One more for what is large.
const LOAD_POOL_SIZE = CONCURRENT_CALLS + 1;
const POOL_SIZE = 8;
const QUEUE_SIZE = 4;
// More than any process works on at once.
const ENDS_SIZE = 64;
// Each commit keeps the disk from those who wait for theirs.
const GATHER_ENDS_MS = 100;

// A statement that publishes or records must not wait long for a row that somebody else holds: everybody waits for it.
const QUEUE_LOCK_TIMEOUT_MS = 500;
// Who asks with ids of all parts at once must not have a turn for each of them.
const LINES_WITHOUT_MERCHANT = 16;

/** Whoever holds a secret of a payment waits with those of the same part: whose payment it is will be known later. */
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
  publisher.onPublished(() => notices.tell());
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
  // A process that has just started may have come after a restart of the database, too.
  let endedWhenConfirmed = -1;
  // Of any kind: a process that only reads, or creates, or lists, has no connections of the others to lose.
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
    // Before it is looked for: what was found may be of a server that another has taken over from meanwhile.
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
      // What it asks of an acquirer may stay open, and where its outcome is lost its events are left to the sweep.
      const outcome = await group.add(request, bytes).finally(() => notices.tell());
      if (outcome instanceof Error) throw outcome;
      // What the standby has taken comes after all that was there before.
      if (outcome === 'committed') endedWhenConfirmed = ended;
      const { payment, events } = request.change;
      if (outcome !== 'committed') observer.onConflicts(1);
      else if (events.length > 0) publisher.add({ id: payment.id, merchantId: payment.merchantId });
      return outcome;
    },
    write: (written) => write(written).finally(() => notices.tell()),
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
