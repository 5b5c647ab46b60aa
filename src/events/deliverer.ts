// Delivers events: publishes what others left behind, claims lanes, runs them and records what came of it. Several
// processes share the work; a lane whose process dies is taken up by another when its lease is over.
import { countedOnly, Group } from '../store/group.ts';
import { countBacklog } from '../store/deliveries.ts';
import type { Backlog } from '../store/deliveries.ts';
import { claimLanes, listDueEndpoints, recordLanes } from '../store/lanes.ts';
import type { DeliveryResult, Lane, LaneResult } from '../store/lanes.ts';
import { isConnectionError } from '../store/pool.ts';
import type { Store } from '../store/store.ts';
import { Bell } from './bell.ts';
import { runLane } from './lane-run.ts';
import { Places } from './places.ts';
import { openSender } from './sender.ts';
import type { Sent } from './sender.ts';

export type DelivererObserver = {
  readonly onAttempt: (state: DeliveryResult['state'], seconds: number) => void;
  /** Told now and then. */
  readonly onBacklog?: (backlog: Backlog) => void;
  readonly onTrouble: (error: unknown) => void;
};

// What another process left unpublished when it died, and what is due, is looked for this often; and less often where that
// takes long, so that looking takes a small part of the time.
const FIND_LEFT_BEHIND_EVERY_MS = 1_000;
const LOOK_FOR_DUE_EVERY_MS = 100;
const LONGEST_REST_FROM_DUE_MS = 1_000;
const LONGER_THAN_IT_TAKES = 20;
const COUNT_EVERY_MS = 15_000;
// A database that is away is told of now and then, not ten times a second.
const TELL_EVERY_MS = 10_000;
// What is under way when the process is asked to end has so long; it is sent again by whoever goes on.
const STOP_LIMIT_MS = 5_000;
const RECORDS_AT_ONCE = 64;
const RECORD_LANES = 2;
const MOST_TO_RECORD = 10_000;

/** How long to rest after work that began then: at least so long, and a multiple of what it took. */
const restAfter = (startedAt: number, leastMs: number): number =>
  Math.max(leastMs, (performance.now() - startedAt) * LONGER_THAN_IT_TAKES);

export function startDeliverer(
  store: Store,
  observer: DelivererObserver,
  { privateHooks }: { readonly privateHooks: boolean },
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const isStopping = (): boolean => stopping.signal.aborted;
  const sender = openSender({ privateHooks });
  const places = new Places();
  const underWay = new Set<Promise<void>>();
  /** Endpoints that may have more to do than they had room for. */
  const eager = new Set<string>();
  const work = new Bell();
  const stop = new Bell();

  const hurry = (names: Iterable<string>): void => {
    for (const name of names) eager.add(name);
    work.ring();
  };

  const records = new Group<LaneResult, void>({
    lanes: RECORD_LANES,
    ...countedOnly(RECORDS_AT_ONCE, MOST_TO_RECORD),
    run: async (results) => {
      await record(results).catch(async (error: unknown) => {
        if (isConnectionError(error) || results.length === 1) throw error;
        // One may be guilty: the others are not to be sent again for it.
        for (const result of results) await record([result]).catch(tellTrouble);
      });
      return results.map(() => undefined);
    },
  });

  async function record(results: readonly LaneResult[]): Promise<void> {
    hurry(await recordLanes(store.queue, results));
  }

  let toldAt = Number.NEGATIVE_INFINITY;
  function tellTrouble(error: unknown): void {
    if (performance.now() - toldAt < TELL_EVERY_MS) return;
    toldAt = performance.now();
    observer.onTrouble(error);
  }

  async function run(lane: Lane): Promise<void> {
    const [{ payment }, merchant] = await Promise.all([
      store.load({ merchantId: null, target: lane.paymentId }),
      store.merchants.findById(lane.merchantId),
    ]);
    if (merchant === undefined) throw new Error(`there is no merchant ${lane.merchantId}`);
    const onAttempt = ({ state }: DeliveryResult, sent: Sent): void => {
      places.judge(lane.endpoint, state === 'delivered');
      observer.onAttempt(state, sent.ms / 1_000);
    };
    await records.add(await runLane({ lane, payment, merchant, sender, isStopping, onAttempt }));
  }

  /** What fails here comes up again when the lease is over. */
  function begin(lane: Lane): void {
    places.enter(lane.endpoint);
    const running = run(lane)
      .catch(tellTrouble)
      .finally(() => {
        places.leave(lane.endpoint);
        underWay.delete(running);
        if (eager.has(lane.endpoint)) work.ring();
      });
    underWay.add(running);
  }

  async function claim(): Promise<void> {
    const rooms = places.share(eager);
    if (rooms.size === 0) return;
    for (const name of rooms.keys()) eager.delete(name);
    const found = new Map<string, number>();
    for (const lane of await claimLanes(store.queue, rooms)) {
      found.set(lane.endpoint, (found.get(lane.endpoint) ?? 0) + 1);
      begin(lane);
    }
    // Who used all its places may have more to do, and comes after the others.
    for (const [name, room] of rooms) if (found.get(name) === room) eager.add(name);
  }

  async function claimAll(): Promise<void> {
    let sweepAt = Number.NEGATIVE_INFINITY;
    let sweptTo = '';
    while (!isStopping()) {
      try {
        if (performance.now() >= sweepAt) {
          const startedAt = performance.now();
          const { names, next = '' } = await listDueEndpoints(store.queue, sweptTo);
          for (const name of names) eager.add(name);
          sweptTo = next;
          const restMs = Math.min(restAfter(startedAt, LOOK_FOR_DUE_EVERY_MS), LONGEST_REST_FROM_DUE_MS);
          sweepAt = performance.now() + restMs;
        }
        await claim();
      } catch (error) {
        tellTrouble(error);
        sweepAt = performance.now() + LONGEST_REST_FROM_DUE_MS;
        eager.clear();
      }
      await work.wait(Math.max(0, sweepAt - performance.now()));
    }
  }

  async function publishLeftBehind(): Promise<void> {
    while (!isStopping()) {
      const startedAt = performance.now();
      await store.publisher.sweep().catch(tellTrouble);
      await stop.wait(restAfter(startedAt, FIND_LEFT_BEHIND_EVERY_MS));
    }
  }

  async function count(): Promise<void> {
    observer.onBacklog?.(await countBacklog(store.queue));
  }

  const forget = store.publisher.onPublished(({ endpoints: found }) => hurry(found));
  store.publisher.onTrouble(tellTrouble);
  const counting = setInterval(() => void count().catch(() => {}), COUNT_EVERY_MS);
  const loops = Promise.all([claimAll(), publishLeftBehind()]);
  return {
    stop: async () => {
      stopping.abort();
      forget();
      work.ring();
      stop.ring();
      clearInterval(counting);
      await loops;
      const late = setTimeout(() => sender.close(), STOP_LIMIT_MS);
      await Promise.all(underWay);
      clearTimeout(late);
      sender.close();
    },
  };
}
