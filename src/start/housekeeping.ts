// The periodic jobs of the service and the worker, such as deleting expired data and counting the backlog. Every process
// runs all of them; the purge takes a lock in the database, so that one process does it for all.
import { breaksIdempotency } from '../config.ts';
import { watchJobs } from '../ops/jobs.ts';
import type { Job, JobObserver } from '../ops/jobs.ts';
import type { Log } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics.ts';
import { flushAuditOutbox } from '../store/audit/audit-outbox.ts';
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

// An idle process has nothing new to count or gather, and the leftovers of a crashed process can wait this long.
const IDLE_MS = 60_000;
const GATHER_WHEN_IDLE_EVERY_MS = 600_000;
// A day also ends in an idle process.
const GATHER_PAYOUTS_WHEN_IDLE_EVERY_MS = 300_000;
const COUNT_BACKLOG_EVERY_MS = 15_000;
const COUNT_PENDING_EVERY_MS = 5_000;
// A day is shown minutes after its end in any case.
const GATHER_PAYOUTS_EVERY_MS = 60_000;
// Someone has moved a clock and waits for the result.
const PULL_CLOCKS_EVERY_MS = 2_000;
// The last use of a key need not be precise.
const NOTE_KEYS_EVERY_MS = 60_000;
// Soon enough for someone who looks for a request just sent.
const LOG_REQUESTS_EVERY_MS = 1_000;
// Usually there is nothing to do: the console writes most audit records itself.
const DRAIN_AUDIT_OUTBOX_EVERY_MS = 5_000;
// Readers add up newer data themselves.
const GATHER_FIGURES_EVERY_MS = 60_000;
const GATHER_FACETS_EVERY_MS = 60_000;
// Ten times within the shortest retention, so that data is kept at most a tenth longer.
const PURGES_WITHIN_RETENTION = 10;
const SHORTEST_PURGE_EVERY_MS = 6_000;
const LONGEST_PURGE_EVERY_MS = 900_000;

// Log messages for failures of jobs other than the housekeeping.
const FAILURES: Readonly<Record<string, string>> = {
  resolve: 'a pending movement could not be resolved',
  bulk: 'an entry of a bulk charge failed',
  publish: 'events could not be published',
  deliver: 'events could not be delivered',
  redeliver: 'events could not be redelivered',
  'export-traces': 'spans could not be exported',
};

/** Counts the runs of all jobs, and logs failures. */
export const watchWork = ({ logger }: Log, metrics: Metrics): JobObserver =>
  watchJobs(
    (...run) => metrics.onJob(...run),
    (job, error) => {
      // The stack trace does not matter here.
      if (error instanceof DatabaseAway && !(error instanceof DatabaseBusy))
        logger.warn({ job, why: whyOf(error) }, 'the database is unavailable');
      else logger.warn({ job, err: error }, FAILURES[job] ?? 'a housekeeping job failed');
    },
  );

/** Deletes expired data. A payment is kept at least as long as it can be paid. */
export function purging({ config, log }: Pick<Opened, 'config' | 'log'>, { queue }: Store, metrics: Metrics): Job {
  if (breaksIdempotency(config))
    log.logger.warn('KASSA_RETAIN_IDEMPOTENCY is below the promised 7d: a later retry may be carried out twice');
  const { expiredMs, ...others } = config.retention;
  const retention = {
    ...others,
    expiredMs: expiredMs === undefined ? undefined : Math.max(expiredMs, config.paymentLifetimeMs),
  };
  // Zero means that the data is not kept at all.
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

/** Counts pending deliveries, also in processes that do not deliver, so that a missing worker is noticed. */
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

/** Counts pending movements, and due entries of bulk charges. */
export const countingPending = ({ pool }: Store, metrics: Metrics): Job => ({
  name: 'count-pending',
  everyMs: COUNT_PENDING_EVERY_MS,
  idleMs: IDLE_MS,
  run: async () => {
    metrics.onPending(await countPending(pool));
    metrics.onBulkEntries(await countDueEntries(pool));
  },
});

/** Adds up the charges and refunds of past days; all processes share the work. */
export const gatheringPayouts = ({ queue }: Store): Job => ({
  name: 'gather-payouts',
  everyMs: GATHER_PAYOUTS_EVERY_MS,
  idleMs: GATHER_PAYOUTS_WHEN_IDLE_EVERY_MS,
  run: (signal) => gatherPayouts(queue, signal),
});

/** Adds movements to their daily figures; all processes share the work. */
export const gatheringFigures = ({ queue }: Store): Job => ({
  name: 'gather-figures',
  everyMs: GATHER_FIGURES_EVERY_MS,
  idleMs: GATHER_WHEN_IDLE_EVERY_MS,
  run: (signal) => gatherFigures(queue, signal),
});

/** Writes audit records from the audit outbox; all processes share the work. */
export const drainingAuditOutbox = ({ queue }: Store): Job => ({
  name: 'drain-audit-outbox',
  everyMs: DRAIN_AUDIT_OUTBOX_EVERY_MS,
  idleMs: IDLE_MS,
  run: (signal) => flushAuditOutbox(queue, signal),
});

/** Makes work due after a test clock was moved, if the process that moved it did not finish that. */
export const pullingClocks = ({ queue }: Store): Job => ({
  name: 'pull-clocks',
  everyMs: PULL_CLOCKS_EVERY_MS,
  idleMs: IDLE_MS,
  run: (signal) => pullLeftBehind(queue, signal),
});

/** Maintains the filter values of the console's lists; all processes share the work. */
export const gatheringFacets = ({ queue }: Store): Job => ({
  name: 'gather-facets',
  everyMs: GATHER_FACETS_EVERY_MS,
  idleMs: GATHER_WHEN_IDLE_EVERY_MS,
  run: (signal) => gatherFacets(queue, signal),
});

/** Writes the last use of the keys that this process has seen. */
export const notingKeys = ({ keyUses }: Store): Job => ({
  name: 'note-keys',
  everyMs: NOTE_KEYS_EVERY_MS,
  run: () => keyUses.write(),
});

/** Writes the collected API requests. */
export const loggingRequests = (log: RequestLog): Job => ({
  name: 'log-requests',
  everyMs: LOG_REQUESTS_EVERY_MS,
  run: () => log.write(),
});
