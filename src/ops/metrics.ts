// Prometheus metrics of the service: requests by route and status, group calls to the database, conflicts, and the
// resources of the process.
import { setImmediate as othersTurn } from 'node:timers/promises';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { createDatabaseMetrics } from './database-metrics.ts';
import type { DatabaseMetrics } from './database-metrics.ts';
import { commit, version } from './version.ts';

/** The metrics of a process as values, to aggregate with those of others. */
export type Figures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export type Metrics = DatabaseMetrics & {
  readonly contentType: string;
  /** Rendered at most once a second, and shared by all callers. */
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

// Rendering blocks the process for milliseconds; scrapers come every few seconds.
const FRESH_MS = 1_000;

/** For several processes, the start of the first, across rolling restarts. */
export const startGauge = (registers: Registry[]): Gauge =>
  new Gauge({
    name: 'kassa_start_timestamp_seconds',
    help: 'Start time of the service.',
    aggregator: 'min',
    registers,
  });

/** Always 1, with the information in its labels. During a rolling restart after an update there are two. */
function tellBuild(registers: Registry[]): void {
  const build = { version, commit: commit ?? 'unknown', node: process.versions.node };
  new Gauge({
    name: 'kassa_build_info',
    help: 'Version of Kassa, its commit and version of Node, as labels.',
    labelNames: Object.keys(build),
    aggregator: 'max',
    registers,
  })
    .labels(build)
    .set(1);
}

/** Renders like the registry, but yields to the event loop after each metric. */
async function renderInTurns(registry: Registry): Promise<string> {
  const texts: string[] = [];
  for (const { name } of registry.getMetricsAsArray()) {
    texts.push(await registry.getSingleMetricAsString(name));
    await othersTurn();
  }
  return `${texts.join('\n\n')}\n`;
}

/** Caches the last rendering for a while, and renders one at a time. */
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

/** `ofProcess`: include resource usage, which only makes sense for one service per process. */
export function createMetrics({ ofProcess = true } = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (ofProcess) collectDefaultMetrics({ register: registry });
  startGauge(registers).setToCurrentTime();
  tellBuild(registers);
  const requests = new Histogram({
    name: 'kassa_http_request_seconds',
    help: 'Time from request to response, by method, route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: LATENCY_BUCKETS_S,
    registers,
  });
  const sizes = new Histogram({
    name: 'kassa_group_size',
    help: 'Requests per group call to the database.',
    labelNames: ['kind'] as const,
    buckets: SIZE_BUCKETS,
    registers,
  });
  const times = new Histogram({
    name: 'kassa_database_seconds',
    help: 'Duration of a group call to the database.',
    labelNames: ['kind'] as const,
    buckets: LATENCY_BUCKETS_S,
    registers,
  });
  const counter = (name: string, help: string): Counter => new Counter({ name, help, registers });
  const conflicts = counter(
    'kassa_conflicts_total',
    'Changes that were decided again because the payment had changed.',
  );
  const alone = counter('kassa_groups_run_alone_total', 'Groups that failed or met a lock, and were retried in parts.');
  const lookUps = counter('kassa_commit_look_ups_total', 'Commits whose outcome had to be looked up.');
  const labelNames = ['acquirer'] as const;
  // All processes count the same rows, so these must not be summed up.
  const aggregator = 'max' as const;
  const pending = new Gauge({
    name: 'kassa_pending_movements',
    help: 'Pending movements, whose outcome at the acquirer is unknown.',
    labelNames,
    aggregator,
    registers,
  });
  const oldest = new Gauge({
    name: 'kassa_pending_oldest_seconds',
    help: 'Age of the oldest pending movement.',
    labelNames,
    aggregator,
    registers,
  });
  const bulkEntries = new Gauge({
    name: 'kassa_bulk_entries_pending',
    help: 'Due entries of bulk charges.',
    aggregator,
    registers,
  });
  const resolved = new Counter({
    name: 'kassa_movements_resolved_total',
    help: 'Movements finished by the resolver, by acquirer and result.',
    labelNames: ['acquirer', 'result'] as const,
    registers,
  });
  const calls = new Counter({
    name: 'kassa_acquirer_calls_total',
    help: 'Requests to remote acquirers, by acquirer and result.',
    labelNames: ['acquirer', 'result'] as const,
    registers,
  });
  const open = new Gauge({
    name: 'kassa_acquirer_open',
    help: 'Whether the circuit breaker of an acquirer is open: 1 or 0.',
    labelNames,
    aggregator,
    registers,
  });
  const deliveries = new Histogram({
    name: 'kassa_delivery_seconds',
    help: 'Duration of a delivery attempt, by outcome.',
    labelNames: ['state'] as const,
    buckets: LATENCY_BUCKETS_S,
    registers,
  });
  const figure = (name: string, help: string): Gauge => new Gauge({ name, help, aggregator, registers });
  const waiting = figure(
    'kassa_deliveries_waiting',
    'Delivery queues, from a payment to an endpoint, with pending events.',
  );
  const late = figure(
    'kassa_deliveries_oldest_seconds',
    'How long the oldest pending delivery is overdue, at healthy endpoints.',
  );
  const lateOfFailing = figure(
    'kassa_deliveries_oldest_failing_seconds',
    'How long the oldest pending delivery is overdue, at failing endpoints.',
  );
  const unpublished = figure('kassa_events_unpublished', 'Events that are not published yet.');
  // Not `job`, which is a label of Prometheus itself.
  const ofJob = { labelNames: ['name'] as const, registers };
  const jobs = {
    runs: new Counter({ name: 'kassa_job_runs_total', help: 'Runs of periodic jobs, by job.', ...ofJob }),
    errors: new Counter({ name: 'kassa_job_errors_total', help: 'Failed runs of a job.', ...ofJob }),
    seconds: new Histogram({
      name: 'kassa_job_seconds',
      help: 'Duration of a run of a job.',
      buckets: JOB_BUCKETS_S,
      ...ofJob,
    }),
    succeeded: new Gauge({
      name: 'kassa_job_last_success_timestamp_seconds',
      help: 'Time of the last successful run of a job.',
      aggregator,
      ...ofJob,
    }),
  };
  const purged = new Counter({
    name: 'kassa_purged_rows_total',
    help: 'Expired rows deleted, by table.',
    labelNames: ['table'] as const,
    registers,
  });
  const logged = new Counter({
    name: 'kassa_logged_requests_total',
    help: 'Requests for the request log, by outcome.',
    labelNames: ['outcome'] as const,
    registers,
  });
  const spans = new Counter({
    name: 'kassa_trace_spans_total',
    help: 'Trace spans, by outcome.',
    labelNames: ['outcome'] as const,
    registers,
  });
  // The number of time series.
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
