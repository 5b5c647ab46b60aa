// Delivers events: publishes what is new, claims lanes, runs them and records what came of it. Several processes share
// the work; a lane whose process dies is taken up by another when its lease is over. An endpoint gets only so many
// places, and one that fails only a few, so that a bad one holds up nobody else.
import { Group } from '../store/group.ts';
import { countBacklog } from '../store/deliveries.ts';
import type { Backlog } from '../store/deliveries.ts';
import { claimLanes, listDueEndpoints, recordLanes } from '../store/lanes.ts';
import type { DeliveryResult, Lane, LaneResult } from '../store/lanes.ts';
import { isConnectionError } from '../store/pool.ts';
import type { Store } from '../store/store.ts';
import { Bell } from './bell.ts';
import { runLane } from './lane-run.ts';
import { openSender } from './sender.ts';
import type { Sent } from './sender.ts';

export type DelivererObserver = {
  readonly onAttempt: (state: DeliveryResult['state'], seconds: number) => void;
  /** Told now and then. */
  readonly onBacklog?: (backlog: Backlog) => void;
  readonly onTrouble: (error: unknown) => void;
};

const MOST_UNDER_WAY = 1_000;
const ROOM = 32;
const ROOM_OF_A_BAD_ONE = 2;
const FAILURES_OF_A_BAD_ONE = 8;
// New events of other processes, and what is due again, are looked for this often.
const PUBLISH_EVERY_MS = 100;
const SWEEP_EVERY_MS = 1_000;
const COUNT_EVERY_MS = 15_000;
// A database that is away is told of now and then, not ten times a second.
const TELL_EVERY_MS = 10_000;
// What is under way when the process is asked to end has so long; it is sent again by whoever goes on.
const STOP_LIMIT_MS = 5_000;
const RECORDS_AT_ONCE = 64;
const RECORD_LANES = 2;

type Endpoint = { underWay: number; failuresInARow: number };

export function startDeliverer(store: Store, observer: DelivererObserver): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const isStopping = (): boolean => stopping.signal.aborted;
  const sender = openSender();
  const endpoints = new Map<string, Endpoint>();
  const underWay = new Set<Promise<void>>();
  /** Endpoints that may have more to do than they had room for. */
  const eager = new Set<string>();
  const work = new Bell();
  const news = new Bell();

  const hurry = (names: Iterable<string>): void => {
    for (const name of names) eager.add(name);
    work.ring();
  };

  const records = new Group<LaneResult, void>({
    lanes: RECORD_LANES,
    size: RECORDS_AT_ONCE,
    waiting: MOST_UNDER_WAY * 2,
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

  const onAttempt = (endpoint: Endpoint) => (result: DeliveryResult, sent: Sent) => {
    endpoint.failuresInARow = result.state === 'delivered' ? 0 : endpoint.failuresInARow + 1;
    observer.onAttempt(result.state, sent.ms / 1_000);
  };

  async function run(lane: Lane, endpoint: Endpoint): Promise<void> {
    const [{ payment }, merchant] = await Promise.all([
      store.load({ merchantId: null, target: lane.paymentId }),
      store.merchants.findById(lane.merchantId),
    ]);
    if (merchant === undefined) throw new Error(`there is no merchant ${lane.merchantId}`);
    await records.add(await runLane({ lane, payment, merchant, sender, isStopping, onAttempt: onAttempt(endpoint) }));
  }

  /** What fails here comes up again when the lease is over. */
  function begin(lane: Lane): void {
    const endpoint = endpoints.get(lane.endpoint) ?? { underWay: 0, failuresInARow: 0 };
    endpoints.set(lane.endpoint, endpoint);
    endpoint.underWay += 1;
    const running = run(lane, endpoint)
      .catch(tellTrouble)
      .finally(() => {
        endpoint.underWay -= 1;
        if (endpoint.underWay === 0 && endpoint.failuresInARow === 0) endpoints.delete(lane.endpoint);
        underWay.delete(running);
        if (eager.has(lane.endpoint)) work.ring();
      });
    underWay.add(running);
  }

  function roomOf(name: string): number {
    const endpoint = endpoints.get(name);
    if (endpoint === undefined) return ROOM;
    return (endpoint.failuresInARow < FAILURES_OF_A_BAD_ONE ? ROOM : ROOM_OF_A_BAD_ONE) - endpoint.underWay;
  }

  async function claim(): Promise<void> {
    const free = MOST_UNDER_WAY - underWay.size;
    const rooms = new Map<string, number>();
    let taken = 0;
    for (const name of eager) {
      const room = Math.min(roomOf(name), free - taken);
      if (room <= 0) continue;
      rooms.set(name, room);
      taken += room;
    }
    if (rooms.size === 0) return;
    const lanes = await claimLanes(store.queue, rooms);
    const found = new Map<string, number>();
    for (const lane of lanes) {
      found.set(lane.endpoint, (found.get(lane.endpoint) ?? 0) + 1);
      begin(lane);
    }
    for (const [name, room] of rooms) if ((found.get(name) ?? 0) < room) eager.delete(name);
  }

  async function claimAll(): Promise<void> {
    let sweptAt = Number.NEGATIVE_INFINITY;
    while (!isStopping()) {
      try {
        if (performance.now() - sweptAt >= SWEEP_EVERY_MS) {
          sweptAt = performance.now();
          for (const name of await listDueEndpoints(store.queue)) eager.add(name);
        }
        await claim();
      } catch (error) {
        tellTrouble(error);
        sweptAt = performance.now();
        eager.clear();
      }
      await work.wait(SWEEP_EVERY_MS);
    }
  }

  async function publishAll(): Promise<void> {
    while (!isStopping()) {
      const isDone = await store.publisher.publish().then(
        () => true,
        (error: unknown) => tellTrouble(error),
      );
      await news.wait(isDone ? PUBLISH_EVERY_MS : SWEEP_EVERY_MS);
    }
  }

  async function count(): Promise<void> {
    observer.onBacklog?.(await countBacklog(store.queue));
  }

  const forget = store.publisher.onPublished(({ endpoints: found }) => hurry(found));
  store.onNews(() => news.ring());
  const counting = setInterval(() => void count().catch(() => {}), COUNT_EVERY_MS);
  const loops = Promise.all([claimAll(), publishAll()]);
  return {
    stop: async () => {
      stopping.abort();
      forget();
      work.ring();
      news.ring();
      clearInterval(counting);
      await loops;
      const late = setTimeout(() => sender.close(), STOP_LIMIT_MS);
      await Promise.all(underWay);
      clearTimeout(late);
      sender.close();
    },
  };
}
