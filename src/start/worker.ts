// The worker as a process: the database, and the deliverer, the bulks and the housekeeping on it. The log tells what it
// does, and /metrics where a setting gives it a port.
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
  tellingActs,
  watchWork,
} from './housekeeping.ts';
import { openMetricsPort } from './metrics-port.ts';
import { openPayments } from './payments.ts';
import { prepareDatabase } from './prepare-database.ts';
import { runUntilShutdown } from './process.ts';
import type { Opened } from './process.ts';
import { version } from '../ops/version.ts';

// Often enough to see that it lives, seldom enough to keep for a year.
const TELL_EVERY_MS = 60_000;

async function openDatabase({ config, shutdown, openings }: Opened): Promise<Database> {
  if (config.databaseUrl !== undefined) return databaseOf(config, config.databaseUrl);
  const { dataDir } = config;
  requireDatabase(config);
  const ended = `The Postgres in ${dataDir} was stopped, as kassa serve does when it ends: start both again. No event is lost.`;
  const embedded = await useEmbeddedDatabase({ dataDir, onEnded: () => shutdown.fail(new UserError(ended)) });
  openings.add('embedded postgres', () => embedded.stop());
  return embedded.url;
}

type Telling = Pick<DelivererObserver, 'onAttempt'> & {
  readonly onBacklog: (backlog: Backlog) => void;
  readonly tell: () => void;
};

/** Counts attempts by what came of them, and tells them now and then with what is waiting, when there is anything. */
function countAttempts({ logger }: Log, metrics: Metrics): Telling {
  let attempts: Record<string, number> = {};
  let backlog: Backlog | undefined;
  return {
    onAttempt: (state, seconds) => {
      metrics.onAttempt(state, seconds);
      // What stays pending is tried again.
      const outcome = state === 'pending' ? 'toBeRepeated' : state;
      attempts[outcome] = (attempts[outcome] ?? 0) + 1;
    },
    onBacklog: (counted) => {
      backlog = counted;
    },
    tell: () => {
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
  const { tell, onBacklog, onAttempt } = countAttempts(log, metrics);
  const telling = setInterval(tell, TELL_EVERY_MS).unref();
  openings.add('delivery figures', async () => {
    clearInterval(telling);
    tell();
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
    tellingActs(store),
    pullingClocks(store),
    gatheringFacets(store),
    countingBacklog(store, metrics, onBacklog),
    ...(tracing ? [tracing.exporting] : []),
  ];
  const housekeeping = startJobs(jobs, work, store.notices);
  openings.add('housekeeping', () => housekeeping.stop());
  const metricsUrl = await openMetricsPort(opened, metrics);
  const place = config.databaseUrl ? describeDatabase(config.databaseUrl) : `embedded, in ${config.dataDir}`;
  const figures = metricsUrl === undefined ? '' : ` Its figures are at ${metricsUrl}.`;
  print(
    `Kassa ${version} delivers the events and works off the bulks of the database ${place}.${figures} Ctrl-C stops it.`,
  );
  log.logger.info({ version, settings: describeConfig(config, workerReachesPrivate(config)) }, 'started');
}

/** Runs the worker until it is asked to end: at once, since no load balancer has to notice. */
export const runWorker = (config: Config): Promise<void> => runUntilShutdown({ ...config, drainMs: 0 }, start);
