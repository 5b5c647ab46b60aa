// The worker process: deliveries, bulk charges and housekeeping. It reports in its log, and on /metrics if that has a port.
import { describeConfig } from '../config.ts';
import { workerReachesPrivate } from '../config/reach.ts';
import { describeDatabase } from '../config/database-url.ts';
import type { Config } from '../config.ts';
import { useEmbeddedDatabase } from '../database/embedded.ts';
import { startDeliverer } from '../events/deliverer.ts';
import type { DelivererObserver } from '../events/deliverer.ts';
import { startJobs } from '../ops/jobs.ts';
import type { Log } from '../ops/log.ts';
import { createMetrics } from '../ops/metrics.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { Backlog } from '../store/events/backlog.ts';
import { startBulkWorker } from '../payments/bulk-worker.ts';
import type { Database } from '../store/connections/servers.ts';
import { openStore } from '../store/store.ts';
import { logServers } from './log-servers.ts';
import { print } from '../ops/print.ts';
import { UserError } from '../ops/user-error.ts';
import { databaseOf, requireDatabase } from './database.ts';
import {
  countingBacklog,
  gatheringFacets,
  gatheringFigures,
  gatheringPayouts,
  pullingClocks,
  purging,
  drainingAuditOutbox,
  watchWork,
} from './housekeeping.ts';
import { openMetricsPort } from './metrics-port.ts';
import { openPayments } from './payments.ts';
import { prepareDatabase } from './prepare-database.ts';
import { runUntilShutdown } from './process.ts';
import type { Opened } from './process.ts';
import { version } from '../ops/version.ts';

// Often enough to see that it is alive, rarely enough to keep the log for a year.
const LOG_EVERY_MS = 60_000;

async function openDatabase({ config, shutdown, openings }: Opened): Promise<Database> {
  if (config.databaseUrl !== undefined) return databaseOf(config, config.databaseUrl);
  const { dataDir } = config;
  requireDatabase(config);
  const ended = `The Postgres in ${dataDir} was stopped, probably because kassa serve stopped: start both again. No event is lost.`;
  const embedded = await useEmbeddedDatabase({ dataDir, onEnded: () => shutdown.fail(new UserError(ended)) });
  openings.add('embedded postgres', () => embedded.stop());
  return embedded.url;
}

type DeliveryLog = Pick<DelivererObserver, 'onAttempt'> & {
  readonly onBacklog: (backlog: Backlog) => void;
  readonly write: () => void;
};

/** Counts attempts by outcome, and logs them with the backlog, unless there is nothing to report. */
function countAttempts({ logger }: Log, metrics: Metrics): DeliveryLog {
  let attempts: Record<string, number> = {};
  let backlog: Backlog | undefined;
  return {
    onAttempt: (state, seconds) => {
      metrics.onAttempt(state, seconds);
      // Pending deliveries are retried.
      const outcome = state === 'pending' ? 'toBeRepeated' : state;
      attempts[outcome] = (attempts[outcome] ?? 0) + 1;
    },
    onBacklog: (counted) => {
      backlog = counted;
    },
    write: () => {
      const isIdle = Object.keys(attempts).length === 0 && (backlog?.lanes ?? 0) === 0;
      if (!isIdle) logger.info({ attempts, backlog }, 'delivered');
      attempts = {};
    },
  };
}

async function start(opened: Opened): Promise<void> {
  const { config, log, shutdown, openings } = opened;
  const database = await openDatabase(opened);
  await prepareDatabase(opened, database);
  const metrics = createMetrics();
  const tracing = config.tracing && (await import('./tracing.ts')).openTracing(config.tracing, openings, metrics);
  const plain = await openStore(database, metrics);
  openings.add('store', () => plain.close());
  const servers = logServers(database, log.logger);
  openings.add('servers of the database', async () => servers.close());
  const store = tracing?.traceStore(plain) ?? plain;
  if (shutdown.isRequested()) return;
  const { write, onBacklog, onAttempt } = countAttempts(log, metrics);
  const writing = setInterval(write, LOG_EVERY_MS).unref();
  openings.add('delivery figures', async () => {
    clearInterval(writing);
    write();
  });
  const work = watchWork(log, metrics);
  const privateHooks = workerReachesPrivate(config);
  const deliverer = startDeliverer(
    store,
    { ...work, onAttempt },
    { privateHooks, publicUrl: config.publicUrl, traceSender: tracing?.traceSender },
  );
  openings.add('deliverer', () => deliverer.stop());
  const bulks = startBulkWorker(openPayments(opened, store, metrics, tracing), work);
  openings.add('bulks', () => bulks.stop());
  const jobs = [
    purging(opened, store, metrics),
    gatheringPayouts(store),
    gatheringFigures(store),
    drainingAuditOutbox(store),
    pullingClocks(store),
    gatheringFacets(store),
    countingBacklog(store, metrics, onBacklog),
    ...(tracing ? [tracing.exporting] : []),
  ];
  const housekeeping = startJobs(jobs, work, store.notices);
  openings.add('housekeeping', () => housekeeping.stop());
  const metricsUrl = await openMetricsPort(opened, metrics);
  const place = config.databaseUrl ? describeDatabase(config.databaseUrl) : `embedded, in ${config.dataDir}`;
  const figures = metricsUrl === undefined ? '' : ` Its metrics are at ${metricsUrl}.`;
  print(`The worker of Kassa ${version} is running on the database ${place}.${figures} Ctrl-C stops it.`);
  log.logger.info({ version, settings: describeConfig(config, workerReachesPrivate(config)) }, 'started');
}

/** Runs the worker until shutdown is requested. It does not drain, since it is behind no load balancer. */
export const runWorker = (config: Config): Promise<void> => runUntilShutdown({ ...config, drainMs: 0 }, start);
