// What the service and the worker do now and then for the database, each as a job with its figures: forget what is over,
// count what waits. Both do all of it; forgetting is claimed in the database, so one of them does it for all.
import { breaksIdempotency } from '../config.ts';
import { watchJobs } from '../ops/jobs.ts';
import type { Job, JobObserver } from '../ops/jobs.ts';
import type { Log } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics.ts';
import { tellActs } from '../store/audit/audit-waits.ts';
import { watchBacklog } from '../store/events/backlog.ts';
import type { Backlog } from '../store/events/backlog.ts';
import { countDueEntries } from '../store/payments/bulk-entries.ts';
import { pullLeftBehind } from '../store/merchants/clock-pull.ts';
import { gatherFacets } from '../store/lists/facets/gather.ts';
import { gatherFigures } from '../store/books/figures/gather.ts';
import { gatherPayouts } from '../store/books/payouts/gather.ts';
import { countPending } from '../store/payments/pending.ts';
import { DatabaseAway, DatabaseBusy } from '../store/connections/pool.ts';
import { purge } from '../store/purge/purge.ts';
import type { RequestLog } from '../store/request-log/writer.ts';
import type { Store } from '../store/store.ts';
import { whyOf } from '../ops/why.ts';
import type { Opened } from './process.ts';

// Where nobody makes any work, there is nothing new to count or to gather, and what a process left behind when it died is
// soon enough.
const IDLE_MS = 60_000;
const GATHER_WHEN_IDLE_EVERY_MS = 600_000;
// A day ends without anybody.
const GATHER_PAYOUTS_WHEN_IDLE_EVERY_MS = 300_000;
const COUNT_BACKLOG_EVERY_MS = 15_000;
const COUNT_PENDING_EVERY_MS = 5_000;
// A day is shown minutes after its end, whatever this is.
const GATHER_PAYOUTS_EVERY_MS = 60_000;
// Somebody has moved a clock and waits for what comes of it.
const PULL_CLOCKS_EVERY_MS = 2_000;
// Who looks at a key wants to know the day, not the second.
const NOTE_KEYS_EVERY_MS = 60_000;
// Whoever has just sent a request and looks for it finds it.
const LOG_REQUESTS_EVERY_MS = 1_000;
// Mostly there is nothing: whoever acts at the console adds the record at once.
const TELL_ACTS_EVERY_MS = 5_000;
// What is newer is added up by whoever reads.
const GATHER_FIGURES_EVERY_MS = 60_000;
// As well.
const GATHER_FACETS_EVERY_MS = 60_000;
// Ten times within the shortest retention, so that what is over is there for a tenth longer at most.
const PURGES_WITHIN_RETENTION = 10;
const SHORTEST_PURGE_EVERY_MS = 6_000;
const LONGEST_PURGE_EVERY_MS = 900_000;

// What else is told than of the housekeeping.
const TROUBLES: Readonly<Record<string, string>> = {
  resolve: 'a pending movement could not be resolved',
  bulk: 'an entry of a bulk could not be done',
  publish: 'events could not be published',
  deliver: 'events could not be delivered',
  redeliver: 'events could not be delivered once more',
  'export-traces': 'spans could not be brought to the collector of traces',
};

/** Counts the runs of all jobs and tells what went wrong with them. */
export const watchWork = ({ logger }: Log, metrics: Metrics): JobObserver =>
  watchJobs(
    (...run) => metrics.onJob(...run),
    (job, error) => {
      // Where in the program it was noticed is no news then.
      if (error instanceof DatabaseAway && !(error instanceof DatabaseBusy))
        logger.warn({ job, why: whyOf(error) }, 'the database is away');
      else logger.warn({ job, err: error }, TROUBLES[job] ?? 'a job of the housekeeping failed');
    },
  );

/** Forgets what is over. A payment is kept for as long as it can be paid, whatever the setting says. */
export function purging({ config, log }: Pick<Opened, 'config' | 'log'>, { queue }: Store, metrics: Metrics): Job {
  if (breaksIdempotency(config))
    log.logger.warn('KASSA_RETAIN_IDEMPOTENCY is below the promised 7d: a request repeated later is made twice');
  const { expiredMs, ...others } = config.retention;
  const retention = {
    ...others,
    expiredMs: expiredMs === undefined ? undefined : Math.max(expiredMs, config.paymentLifetimeMs),
  };
  // What is not kept at all has no time to look after.
  const shortestMs = Math.min(...Object.values(retention).map((keptMs) => keptMs || Number.POSITIVE_INFINITY));
  const everyMs = Math.min(
    Math.max(shortestMs / PURGES_WITHIN_RETENTION, SHORTEST_PURGE_EVERY_MS),
    LONGEST_PURGE_EVERY_MS,
  );
  return {
    name: 'purge',
    everyMs,
    run: (signal) => purge(queue, { retention, everyMs, signal, onStep: (rows) => metrics.onPurged(rows) }),
  };
}

/** Counts what is waiting to be delivered, by whomever: where nobody delivers it has to be seen as well. */
export function countingBacklog({ queue }: Store, metrics: Metrics, onCounted?: (backlog: Backlog) => void): Job {
  const read = watchBacklog(queue);
  return {
    name: 'count-backlog',
    everyMs: COUNT_BACKLOG_EVERY_MS,
    idleMs: IDLE_MS,
    run: async () => {
      const backlog = await read();
      metrics.onBacklog(backlog);
      onCounted?.(backlog);
    },
  };
}

/** Counts the movements whose outcome is not known, and the entries of bulks that are to be done. */
export const countingPending = ({ pool }: Store, metrics: Metrics): Job => ({
  name: 'count-pending',
  everyMs: COUNT_PENDING_EVERY_MS,
  idleMs: IDLE_MS,
  run: async () => {
    metrics.onPending(await countPending(pool));
    metrics.onBulkEntries(await countDueEntries(pool));
  },
});

/** Gathers what was charged and refunded on days that are over; all processes share the work. */
export const gatheringPayouts = ({ queue }: Store): Job => ({
  name: 'gather-payouts',
  everyMs: GATHER_PAYOUTS_EVERY_MS,
  idleMs: GATHER_PAYOUTS_WHEN_IDLE_EVERY_MS,
  run: (signal) => gatherPayouts(queue, signal),
});

/** Adds movements up into the figures of their days; all processes share the work. */
export const gatheringFigures = ({ queue }: Store): Job => ({
  name: 'gather-figures',
  everyMs: GATHER_FIGURES_EVERY_MS,
  idleMs: GATHER_WHEN_IDLE_EVERY_MS,
  run: (signal) => gatherFigures(queue, signal),
});

/** Adds the audit records of what was done, where whoever did it could not; all processes share the work. */
export const tellingActs = ({ queue }: Store): Job => ({
  name: 'tell-acts',
  everyMs: TELL_ACTS_EVERY_MS,
  idleMs: IDLE_MS,
  run: (signal) => tellActs(queue, signal),
});

/** Makes due what waits for a test clock that was moved, where whoever moved it did not get there. */
export const pullingClocks = ({ queue }: Store): Job => ({
  name: 'pull-clocks',
  everyMs: PULL_CLOCKS_EVERY_MS,
  idleMs: IDLE_MS,
  run: (signal) => pullLeftBehind(queue, signal),
});

/** Keeps what the console's lists are filtered by; all processes share the work. */
export const gatheringFacets = ({ queue }: Store): Job => ({
  name: 'gather-facets',
  everyMs: GATHER_FACETS_EVERY_MS,
  idleMs: GATHER_WHEN_IDLE_EVERY_MS,
  run: (signal) => gatherFacets(queue, signal),
});

/** Writes when keys were last used, of those that this process was asked with. */
export const notingKeys = ({ keyUses }: Store): Job => ({
  name: 'note-keys',
  everyMs: NOTE_KEYS_EVERY_MS,
  run: () => keyUses.write(),
});

/** Writes the requests to the API that were gathered. */
export const loggingRequests = (log: RequestLog): Job => ({
  name: 'log-requests',
  everyMs: LOG_REQUESTS_EVERY_MS,
  run: () => log.write(),
});
