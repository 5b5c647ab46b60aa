// Delivers events: publishes what others left behind, claims lanes, runs them and records the results. Several processes
// share the work; if a process dies, another takes over its lanes when their lease expires.
import { startRunner } from '../ops/jobs.ts';
import type { JobObserver } from '../ops/jobs.ts';
import { lookOf } from '../ops/rests.ts';
import type { DeliveryResult, Endpoint, Lane } from '../store/events/lanes.ts';
import { stepRedelivery } from '../store/events/redeliveries.ts';
import type { Store } from '../store/store.ts';
import { DueLanes, LOOK_FOR_DUE_EVERY_MS, restAfter } from './due-lanes.ts';
import { groupRecords } from './lane-records.ts';
import { runLane } from './lane-run.ts';
import { openSender } from './sender.ts';
import type { Sender, Sent } from './sender.ts';

/** A run looks for due lanes, for unpublished events, or for redeliveries. */
export type DelivererObserver = JobObserver & {
  readonly onAttempt: (state: DeliveryResult['state'], seconds: number) => void;
};

// What a process left unpublished when it died, and redeliveries that were requested but not finished at once.
const FIND_LEFT_BEHIND_EVERY_MS = 1_000;
const REDELIVER_EVERY_MS = 1_000;
// How long deliveries in progress may take at shutdown; after that another process sends them again.
const STOP_LIMIT_MS = 5_000;

type DelivererOptions = {
  readonly privateHooks: boolean;
  readonly publicUrl: string | undefined;
  /** Set if tracing is on. */
  readonly traceSender?: ((sender: Sender) => Sender) | undefined;
};

export function startDeliverer(
  store: Store,
  observer: DelivererObserver,
  { privateHooks, publicUrl, traceSender = (plain) => plain }: DelivererOptions,
): { stop(): Promise<void> } {
  const { queue, notices, publisher } = store;
  const sender = traceSender(openSender({ privateHooks }));
  const due = new DueLanes(queue);
  const tellTrouble = (error: unknown): void => observer.onTrouble('deliver', error);
  const hurry = (found: readonly Endpoint[]): void => {
    for (const endpoint of found) due.add(endpoint);
    lanes.wake();
  };
  const records = groupRecords(store, hurry, tellTrouble);

  async function run(lane: Lane, signal: AbortSignal): Promise<void> {
    const { merchantId, paymentId } = lane;
    const [{ payment }, merchant] = await Promise.all([
      store.load({ merchantId: null, target: paymentId }),
      store.merchants.findById(merchantId),
    ]);
    if (merchant === undefined) throw new Error(`there is no merchant ${merchantId}`);
    const isStopping = (): boolean => signal.aborted;
    const onAttempt = ({ state }: DeliveryResult, sent: Sent): void => {
      due.judge(lane, state === 'delivered');
      observer.onAttempt(state, sent.ms / 1_000);
    };
    await records.add(await runLane({ lane, payment, merchant, sender, publicUrl, isStopping, onAttempt }));
  }

  const lanes = startRunner<Lane>(observer, notices, {
    name: 'deliver',
    everyMs: LOOK_FOR_DUE_EVERY_MS,
    claim: async ({ isTimeToLook }) => {
      try {
        const known = isTimeToLook ? await due.look() : {};
        return { ...known, pieces: await due.claim() };
      } catch (error) {
        due.clear();
        throw error;
      }
    },
    work: async (lane, signal) => {
      due.slots.enter(lane);
      await run(lane, signal).finally(() => due.slots.leave(lane));
    },
    isWokenBy: (lane) => due.has(lane),
  });
  const leftBehind = startRunner(observer, notices, {
    name: 'publish',
    everyMs: FIND_LEFT_BEHIND_EVERY_MS,
    claim: async ({ signal }) => {
      const startedAt = performance.now();
      const count = await publisher.sweep(signal);
      return { look: lookOf(count), leastMs: restAfter(startedAt, FIND_LEFT_BEHIND_EVERY_MS) };
    },
  });
  const redeliveries = startRunner(observer, notices, {
    name: 'redeliver',
    everyMs: REDELIVER_EVERY_MS,
    claim: async () => {
      const step = await stepRedelivery(queue);
      if (step === undefined) return { look: 'nothing' };
      const { merchantId, webhookId: endpoint } = step.redelivery;
      if (step.made > 0) hurry([{ merchantId, endpoint }]);
      // The next step is due soon.
      return { look: 'found', leastMs: 0 };
    },
  });

  const forget = publisher.onPublished(({ endpoints: found }) => hurry(found));
  publisher.onTrouble((error) => observer.onTrouble('publish', error));
  return {
    stop: async () => {
      forget();
      const late = setTimeout(() => sender.close(), STOP_LIMIT_MS);
      await Promise.all([lanes, leftBehind, redeliveries].map((each) => each.stop()));
      await due.writeStandings().catch(tellTrouble);
      clearTimeout(late);
      sender.close();
    },
  };
}
