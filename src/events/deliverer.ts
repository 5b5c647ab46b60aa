// Delivers events: publishes what others left behind, claims lanes, runs them and records what came of it. Several
// processes share the work; a lane whose process dies is taken up by another when its lease is over.
import type { JobObserver } from '../ops/jobs.ts';
import { Rests, SWEEP_EVERY_MS } from '../ops/rests.ts';
import { countedOnly, Group } from '../store/connections/group.ts';
import { findStandings, keepStandings } from '../store/events/endpoint-health.ts';
import type { Standing } from '../store/events/endpoint-health.ts';
import { claimLanes, endpointKey, findDueAgain, openSweep, recordLanes } from '../store/events/lanes.ts';
import type { DeliveryResult, Endpoint, Lane, LaneResult } from '../store/events/lanes.ts';
import { isConnectionError } from '../store/connections/pool.ts';
import { stepRedelivery } from '../store/events/redeliveries.ts';
import type { Store } from '../store/store.ts';
import { runLane } from './lane-run.ts';
import { ClaimProgress } from './claim-progress.ts';
import { DeliverySlots } from './delivery-slots.ts';
import { DueEndpoints } from './due-endpoints.ts';
import { openSender } from './sender.ts';
import type { Sender, Sent } from './sender.ts';

/** A run is a look for what is due, for what is not published, or for what is to be sent once more. */
export type DelivererObserver = JobObserver & {
  readonly onAttempt: (state: DeliveryResult['state'], seconds: number) => void;
};

// What another process left unpublished when it died, and what is due, is looked for this often while there is work; and
// less often where that takes long, so that looking takes a small part of the time.
const FIND_LEFT_BEHIND_EVERY_MS = 1_000;
const LOOK_FOR_DUE_EVERY_MS = 100;
const LOOK_AT_SOME_EVERY_MS = 200;
const LONGEST_REST_FROM_ALL_MS = 10_000;
/** Endpoints that are looked at in between. */
const MOST_LATELY = 500;
const LONGER_THAN_IT_TAKES = 20;
// What was asked for once more, and not done at once.
const REDELIVER_EVERY_MS = 1_000;
// What is under way when the process is asked to end has so long; it is sent again by whoever goes on.
const STOP_LIMIT_MS = 5_000;
const RECORDS_AT_ONCE = 64;
const RECORD_LANES = 2;
const MOST_TO_RECORD = 10_000;
// Standings that are read or written at once.
const MOST_RECALLED = 500;

const sinceOf = (since: string | undefined) => (since === undefined ? {} : { since });
const endpointOf = ({ merchantId, endpoint }: Endpoint): Endpoint => ({ merchantId, endpoint });

/** How long to rest after work that began then: at least so long, and a multiple of what it took. */
const restAfter = (startedAt: number, leastMs: number): number =>
  Math.max(leastMs, (performance.now() - startedAt) * LONGER_THAN_IT_TAKES);

type DelivererOptions = {
  readonly privateHooks: boolean;
  readonly publicUrl: string | undefined;
  /** Where there are traces. */
  readonly traceSender?: ((sender: Sender) => Sender) | undefined;
};

export function startDeliverer(
  store: Store,
  observer: DelivererObserver,
  { privateHooks, publicUrl, traceSender = (plain) => plain }: DelivererOptions,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const isStopping = (): boolean => stopping.signal.aborted;
  const sender = traceSender(openSender({ privateHooks }));
  const slots = new DeliverySlots();
  const underWay = new Set<Promise<void>>();
  /** Endpoints that may have more to do than they had room for. */
  const eager = new DueEndpoints();
  const looked = new ClaimProgress();
  const sweep = openSweep(store.queue);
  let lookAtAllAt = Number.NEGATIVE_INFINITY;
  /** Standings that have changed and are not written down yet. */
  const changed = new Map<string, Endpoint & { readonly standing: Standing }>();
  const restsOf = (leastMs: number): Rests => new Rests(store.notices, { leastMs, mostMs: SWEEP_EVERY_MS });
  const looks = restsOf(LOOK_FOR_DUE_EVERY_MS);
  const publishing = restsOf(FIND_LEFT_BEHIND_EVERY_MS);
  const redelivering = restsOf(REDELIVER_EVERY_MS);

  const hurry = (endpoints: Iterable<Endpoint>): void => {
    for (const endpoint of endpoints) eager.add(endpoint);
    looks.wake();
  };

  const records = new Group<LaneResult, void>({
    concurrency: RECORD_LANES,
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
    // A webhook that was switched off for it has an event to publish.
    if (results.some(({ seen }) => seen === 'failing' || seen === 'gone')) store.notices.tell();
  }

  function tellTrouble(error: unknown): void {
    observer.onTrouble('deliver', error);
  }

  const report = (job: string, startedAt: number, error?: unknown): void =>
    observer.onRun(job, (performance.now() - startedAt) / 1_000, error);

  async function run(lane: Lane): Promise<void> {
    const [{ payment }, merchant] = await Promise.all([
      store.load({ merchantId: null, target: lane.paymentId }),
      store.merchants.findById(lane.merchantId),
    ]);
    if (merchant === undefined) throw new Error(`there is no merchant ${lane.merchantId}`);
    const onAttempt = ({ state }: DeliveryResult, sent: Sent): void => {
      const standing = slots.judge(lane, state === 'delivered');
      if (standing !== undefined) changed.set(endpointKey(lane), { ...endpointOf(lane), standing });
      observer.onAttempt(state, sent.ms / 1_000);
    };
    await records.add(await runLane({ lane, payment, merchant, sender, publicUrl, isStopping, onAttempt }));
  }

  /** What fails here comes up again when the lease is over. */
  function begin(lane: Lane): void {
    slots.enter(lane);
    const running = run(lane)
      .catch(tellTrouble)
      .finally(() => {
        slots.leave(lane);
        underWay.delete(running);
        if (eager.has(lane)) looks.wake();
      });
    underWay.add(running);
  }

  /** What was found out by others, or before this process began. */
  async function recallStandings(): Promise<void> {
    const unknown = eager.all().filter((endpoint) => !slots.knows(endpoint));
    if (unknown.length === 0) return;
    for (const { standing, ...endpoint } of await findStandings(store.queue, unknown.slice(0, MOST_RECALLED)))
      slots.remember(endpoint, standing);
  }

  async function writeStandings(): Promise<void> {
    const written = [...changed].slice(0, MOST_RECALLED);
    if (written.length === 0) return;
    await keepStandings(
      store.queue,
      written.map(([, each]) => each),
    );
    for (const [key, each] of written) if (changed.get(key) === each) changed.delete(key);
  }

  async function claim(): Promise<void> {
    await writeStandings();
    await recallStandings();
    const rooms = slots.share(eager.all().filter((endpoint) => slots.knows(endpoint)));
    if (rooms.length === 0) return;
    for (const room of rooms) eager.delete(room);
    const wanted = rooms.map((room) => ({ ...room, ...sinceOf(looked.until(room)) }));
    const { lanes, at } = await claimLanes(store.queue, wanted);
    const found = new Map<string, number>();
    for (const lane of lanes) {
      found.set(endpointKey(lane), (found.get(endpointKey(lane)) ?? 0) + 1);
      begin(lane);
    }
    for (const { room, since, ...endpoint } of wanted) {
      // Who used all its slots may have more to do, and comes after the others.
      if (found.get(endpointKey(endpoint)) === room) eager.add(endpoint);
      else looked.note(endpoint, at, since);
    }
  }

  /** Looks for what is due: at all endpoints; in between, where that takes long, at those that were worked on lately. */
  async function lookForDue(): Promise<void> {
    const startedAt = performance.now();
    if (startedAt < lookAtAllAt) {
      const again = await findDueAgain(store.queue, looked.latest(MOST_LATELY));
      for (const endpoint of again) eager.add(endpoint);
      const dueInMs = Math.max(0, lookAtAllAt - performance.now());
      const leastMs = Math.min(restAfter(startedAt, LOOK_AT_SOME_EVERY_MS), dueInMs);
      return looks.plan(again.length === 0 ? 'nothing' : 'found', { dueInMs, leastMs });
    }
    const { due, nextInMs, isRoundOver } = await sweep();
    for (const { merchantId, endpoint } of due) eager.add({ merchantId, endpoint });
    const restMs = Math.min(restAfter(startedAt, LOOK_FOR_DUE_EVERY_MS), LONGEST_REST_FROM_ALL_MS);
    lookAtAllAt = performance.now() + restMs;
    const leastMs = Math.min(restMs, LOOK_AT_SOME_EVERY_MS);
    looks.plan(due.length === 0 && isRoundOver ? 'nothing' : 'found', { dueInMs: nextInMs, leastMs });
  }

  async function claimAll(): Promise<void> {
    while (!isStopping()) {
      const startedAt = performance.now();
      try {
        if (looks.isOver()) {
          await lookForDue();
          report('deliver', startedAt);
        }
        await claim();
      } catch (error) {
        report('deliver', startedAt, error);
        looks.plan('failed');
        eager.clear();
      }
      await looks.wait();
    }
  }

  /** Redeliveries go on in small steps, whoever asked for them. */
  async function redeliverAll(): Promise<void> {
    while (!isStopping()) {
      const startedAt = performance.now();
      try {
        const step = await stepRedelivery(store.queue);
        report('redeliver', startedAt);
        if (step !== undefined && step.made > 0)
          hurry([{ merchantId: step.redelivery.merchantId, endpoint: step.redelivery.webhookId }]);
        // The next step is due soon.
        redelivering.plan(step === undefined ? 'nothing' : 'found');
        if (step !== undefined) continue;
      } catch (error) {
        report('redeliver', startedAt, error);
        redelivering.plan('failed');
      }
      await redelivering.wait();
    }
  }

  async function publishLeftBehind(): Promise<void> {
    while (!isStopping()) {
      const startedAt = performance.now();
      try {
        const count = await store.publisher.sweep();
        report('publish', startedAt);
        const leastMs = restAfter(startedAt, FIND_LEFT_BEHIND_EVERY_MS);
        publishing.plan(count > 0 ? 'found' : 'nothing', { leastMs });
      } catch (error) {
        report('publish', startedAt, error);
        publishing.plan('failed');
      }
      await publishing.wait();
    }
  }

  const forget = store.publisher.onPublished(({ endpoints: found }) => hurry(found));
  store.publisher.onTrouble((error) => observer.onTrouble('publish', error));
  const loops = Promise.all([claimAll(), publishLeftBehind(), redeliverAll()]);
  return {
    stop: async () => {
      stopping.abort();
      forget();
      for (const rests of [looks, publishing, redelivering]) rests.end();
      await loops;
      const late = setTimeout(() => sender.close(), STOP_LIMIT_MS);
      await Promise.all(underWay);
      await writeStandings().catch(tellTrouble);
      clearTimeout(late);
      sender.close();
    },
  };
}
