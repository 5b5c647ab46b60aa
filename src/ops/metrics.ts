// The figures of the running service, for Prometheus: requests by route and status, the group calls to the database,
// conflicts, and what the process itself uses.
import { setImmediate as othersTurn } from 'node:timers/promises';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { createDatabaseMetrics } from './database-metrics.ts';
import type { DatabaseMetrics } from './database-metrics.ts';
import { commit, version } from './version.ts';

/** The figures of a process as values, to be added to those of others. */
export type Figures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export type Metrics = DatabaseMetrics & {
  readonly contentType: string;
  /** Rendered at most once a second, and shared by all who ask. */
  read(): Promise<Buffer>;
  figures(): Promise<Figures>;
  onRequest(method: string, route: string, status: number, seconds: number): void;
  onGroup(kind: 'load' | 'commit', size: number, seconds: number): void;
  onConflicts(count: number): void;
  onRunAlone(): void;
  onLookUp(): void;
  onPending(counts: readonly { acquirer: string; count: number; oldestSeconds: number }[]): void;
  onBulkEntries(count: number): void;
  onResolved(acquirer: string, result: 'approved' | 'declined'): void;
  onAcquirerCall(acquirer: string, result: string): void;
  onAcquirerOpen(acquirer: string, isOpen: boolean): void;
  onAttempt(state: string, seconds: number): void;
  onBacklog(backlog: { lanes: number; oldestSeconds: number; oldestFailingSeconds: number; unpublished: number }): void;
  onJob(job: string, seconds: number, error?: unknown): void;
  onPurged(rows: Readonly<Record<string, number>>): void;
  onLogged(outcome: string, count: number): void;
  onSpans(outcome: string, count: number): void;
};

const LATENCY_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const JOB_BUCKETS_S = [0.01, 0.1, 1, 10, 60, 600];
const SIZE_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

// To render takes milliseconds, in which nobody is answered; those who scrape come every few seconds.
const FRESH_MS = 1_000;

/** Of a whole service, whichever of its processes are replaced meanwhile, that of the first. */
export const startGauge = (registers: Registry[]): Gauge =>
  new Gauge({
    name: 'kassa_start_timestamp_seconds',
    help: 'When the service began.',
    aggregator: 'min',
    registers,
  });

/** Always 1: what is told stands in the labels. While processes are replaced after an update there are two. */
function tellBuild(registers: Registry[]): void {
  const build = { version, commit: commit ?? 'unknown', node: process.versions.node };
  new Gauge({
    name: 'kassa_build_info',
    help: 'What runs, in the labels: the version of Kassa, its commit, the version of Node.',
    labelNames: Object.keys(build),
    aggregator: 'max',
    registers,
  })
    .labels(build)
    .set(1);
}

/** As the registry renders them, with a turn for others after each. */
async function renderInTurns(registry: Registry): Promise<string> {
  const texts: string[] = [];
  for (const { name } of registry.getMetricsAsArray()) {
    texts.push(await registry.getSingleMetricAsString(name));
    await othersTurn();
  }
  return `${texts.join('\n\n')}\n`;
}

/** What was rendered last, as long as it is fresh; one rendering at a time. */
export function shareRendering(render: () => Promise<string>): () => Promise<Buffer> {
  let rendered: Promise<Buffer> | undefined;
  let staleAt = 0;
  return () => {
    if (rendered !== undefined && performance.now() < staleAt) return rendered;
    staleAt = Number.POSITIVE_INFINITY;
    rendered = render()
      .then((text) => Buffer.from(text))
      .finally(() => (staleAt = performance.now() + FRESH_MS));
    return rendered;
  };
}

/** `ofProcess`: also what the process uses, which only one that runs alone in its process can call its own. */
export function createMetrics({ ofProcess = true } = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (ofProcess) collectDefaultMetrics({ register: registry });
  startGauge(registers).setToCurrentTime();
  tellBuild(registers);
  const requests = new Histogram({
    name: 'kassa_http_request_seconds',
    help: 'Time from request to answer, by method, route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: LATENCY_BUCKETS_S,
    registers,
  });
  const sizes = new Histogram({
    name: 'kassa_group_size',
    help: 'Requests that went to the database in one call.',
    labelNames: ['kind'] as const,
    buckets: SIZE_BUCKETS,
    registers,
  });
  const times = new Histogram({
    name: 'kassa_database_seconds',
    help: 'Time of one group call to the database.',
    labelNames: ['kind'] as const,
    buckets: LATENCY_BUCKETS_S,
    registers,
  });
  const counter = (name: string, help: string): Counter => new Counter({ name, help, registers });
  const conflicts = counter('kassa_conflicts_total', 'Changes that were decided again since the payment moved on.');
  const alone = counter(
    'kassa_groups_run_alone_total',
    'Groups that failed, or met a lock, and were run again in parts.',
  );
  const lookUps = counter('kassa_commit_look_ups_total', 'Commits whose outcome had to be looked up.');
  const labelNames = ['acquirer'] as const;
  // Where several processes serve on one port, each of them counts the same rows: the sum would be too much.
  const aggregator = 'max' as const;
  const pending = new Gauge({
    name: 'kassa_pending_movements',
    help: 'Movements whose outcome at their acquirer is not known.',
    labelNames,
    aggregator,
    registers,
  });
  const oldest = new Gauge({
    name: 'kassa_pending_oldest_seconds',
    help: 'Age of the oldest movement whose outcome is not known.',
    labelNames,
    aggregator,
    registers,
  });
  const bulkEntries = new Gauge({
    name: 'kassa_bulk_entries_pending',
    help: 'Entries of bulks that are still to be done.',
    aggregator,
    registers,
  });
  const resolved = new Counter({
    name: 'kassa_movements_resolved_total',
    help: 'Movements that the resolver finished, by acquirer and result.',
    labelNames: ['acquirer', 'result'] as const,
    registers,
  });
  const calls = new Counter({
    name: 'kassa_acquirer_calls_total',
    help: 'Calls of acquirers on other machines, by acquirer and result.',
    labelNames: ['acquirer', 'result'] as const,
    registers,
  });
  const open = new Gauge({
    name: 'kassa_acquirer_open',
    help: 'Whether the breaker is open, so that the acquirer is left alone: 1 or 0.',
    labelNames,
    aggregator,
    registers,
  });
  const deliveries = new Histogram({
    name: 'kassa_delivery_seconds',
    help: 'Time of one attempt to deliver an event, by what came of it.',
    labelNames: ['state'] as const,
    buckets: LATENCY_BUCKETS_S,
    registers,
  });
  const figure = (name: string, help: string): Gauge => new Gauge({ name, help, aggregator, registers });
  const waiting = figure(
    'kassa_deliveries_waiting',
    'Ways from a payment to an endpoint with something still to send.',
  );
  const late = figure(
    'kassa_deliveries_oldest_seconds',
    'For how long the oldest of what is to be sent is due, at endpoints that do not fail.',
  );
  const lateOfFailing = figure(
    'kassa_deliveries_oldest_failing_seconds',
    'For how long the oldest of what is to be sent is due, at endpoints that fail.',
  );
  const unpublished = figure('kassa_events_unpublished', 'Events that have no deliveries yet.');
  // Not `job`: so Prometheus calls whom it asks, and would give ours another name.
  const ofJob = { labelNames: ['name'] as const, registers };
  const jobs = {
    runs: new Counter({ name: 'kassa_job_runs_total', help: 'Runs of what is done now and then, by job.', ...ofJob }),
    errors: new Counter({ name: 'kassa_job_errors_total', help: 'Runs of a job that failed.', ...ofJob }),
    seconds: new Histogram({
      name: 'kassa_job_seconds',
      help: 'Time of one run of a job.',
      buckets: JOB_BUCKETS_S,
      ...ofJob,
    }),
    succeeded: new Gauge({
      name: 'kassa_job_last_success_timestamp_seconds',
      help: 'When a job ran last without an error.',
      aggregator,
      ...ofJob,
    }),
  };
  const purged = new Counter({
    name: 'kassa_purged_rows_total',
    help: 'Rows that were forgotten when their time was over, by table.',
    labelNames: ['table'] as const,
    registers,
  });
  const logged = new Counter({
    name: 'kassa_logged_requests_total',
    help: 'Requests for the request log, by whether they are kept, or why not.',
    labelNames: ['outcome'] as const,
    registers,
  });
  const spans = new Counter({
    name: 'kassa_trace_spans_total',
    help: 'Spans of traces, by whether the collector has them, or why not.',
    labelNames: ['outcome'] as const,
    registers,
  });
  // As many as there are lines for them on the page of the figures.
  const ofRequests = new Map<string, ReturnType<typeof requests.labels>>();
  return {
    ...createDatabaseMetrics(registers),
    contentType: registry.contentType,
    read: shareRendering(() => renderInTurns(registry)),
    figures: () => registry.getMetricsAsJSON(),
    onRequest: (method, route, status, seconds) => {
      const name = `${method} ${route} ${status}`;
      let known = ofRequests.get(name);
      if (known === undefined) ofRequests.set(name, (known = requests.labels(method, route, String(status))));
      known.observe(seconds);
    },
    onGroup: (kind, size, seconds) => {
      sizes.labels(kind).observe(size);
      times.labels(kind).observe(seconds);
    },
    onConflicts: (count) => conflicts.inc(count),
    onRunAlone: () => alone.inc(),
    onLookUp: () => lookUps.inc(),
    onPending: (counts) => {
      for (const gauge of [pending, oldest]) gauge.reset();
      for (const { acquirer, count, oldestSeconds } of counts) {
        pending.labels(acquirer).set(count);
        oldest.labels(acquirer).set(oldestSeconds);
      }
    },
    onBulkEntries: (count) => bulkEntries.set(count),
    onResolved: (acquirer, result) => resolved.labels(acquirer, result).inc(),
    onAcquirerCall: (acquirer, result) => calls.labels(acquirer, result).inc(),
    onAcquirerOpen: (acquirer, isOpen) => open.labels(acquirer).set(isOpen ? 1 : 0),
    onBacklog: (backlog) => {
      waiting.set(backlog.lanes);
      late.set(backlog.oldestSeconds);
      lateOfFailing.set(backlog.oldestFailingSeconds);
      unpublished.set(backlog.unpublished);
    },
    onJob: (job, seconds, error) => {
      jobs.runs.labels(job).inc();
      jobs.seconds.labels(job).observe(seconds);
      jobs.errors.labels(job).inc(error === undefined ? 0 : 1);
      if (error === undefined) jobs.succeeded.labels(job).setToCurrentTime();
    },
    onPurged: (rows) => {
      for (const [table, count] of Object.entries(rows)) purged.labels(table).inc(count);
    },
    onLogged: (outcome, count) => logged.labels(outcome).inc(count),
    onSpans: (outcome, count) => spans.labels(outcome).inc(count),
    onAttempt: (state, seconds) => deliveries.labels(state).observe(seconds),
  };
}
