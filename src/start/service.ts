// The service: wires everything together, from the database upwards. How it stops is in shutdown.ts.
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { describeConfig } from '../config.ts';
import { reachesPrivate } from '../config/reach.ts';
import { describeDatabase } from '../config/database-url.ts';
import type { Config } from '../config.ts';
import { daysOf } from '../config/request-log.ts';
import { AddressAttempts } from '../checkout/attempts.ts';
import { routeCheckout } from '../checkout/routes.ts';
import { routeConsole } from '../console/routes.ts';
import { routeDemo, routeNoDemo } from '../demo/routes.ts';
import { startDeliverer } from '../events/deliverer.ts';
import { buildApp } from './app.ts';
import { openCostlyWork } from '../server/costly-work.ts';
import { PagePace } from '../server/page-pace.ts';
import { startJobs } from '../ops/jobs.ts';
import type { Log } from '../ops/log.ts';
import { createMetrics } from '../ops/metrics.ts';
import { listEventsOfPayment } from '../store/events/events.ts';
import { startBulkWorker } from '../payments/bulk-worker.ts';
import { startResolver } from '../payments/resolver.ts';
import { openReadiness } from '../store/connections/readiness.ts';
import { openStore } from '../store/store.ts';
import { removeAddress, writeAddress } from './address-file.ts';
import { bannerOf } from './banner.ts';
import { closeApp } from './close-app.ts';
import { openConsolePort } from './console-port.ts';
import { consoleUrlFor, watchFirstSignIn } from './console-url.ts';
import { kassaCommand } from './kassa-command.ts';
import { listen } from './listen.ts';
import {
  countingBacklog,
  countingPending,
  gatheringFacets,
  gatheringFigures,
  loggingRequests,
  notingKeys,
  gatheringPayouts,
  pullingClocks,
  purging,
  drainingAuditOutbox,
  watchWork,
} from './housekeeping.ts';
import { openMetricsPort } from './metrics-port.ts';
import { openOwnDatabase } from './own-database.ts';
import { openPayments } from './payments.ts';
import type { Link } from './processes/link.ts';
import { openRequestLog } from './request-log.ts';
import { prepareDatabase } from './prepare-database.ts';
import { hold, runUntilShutdown } from './process.ts';
import type { Held, Opened } from './process.ts';
import { docsOf } from './docs-options.ts';
import { signingAudit, writingRefusals } from './audit-jobs.ts';
import { findOrCreateSandbox, SANDBOX_FILE } from './sandbox.ts';
import { version } from '../ops/version.ts';
import { logServers } from './log-servers.ts';
import { watchingDatabase, warnOfDatabase } from './watch-database.ts';

type Address = { readonly url: string; readonly consoleUrl?: string };

/** Returns its addresses; undefined if shutdown was requested meanwhile. */
async function start(opened: Opened): Promise<Address | undefined> {
  const { config, log, shutdown, openings, link } = opened;
  const database = await openOwnDatabase(opened);
  await prepareDatabase(opened, database);
  const own = createMetrics({ ofProcess: opened.role !== 'held' });
  const metrics = link?.shareMetrics(own) ?? own;
  if (link) openings.add('last figures', () => link.sendLastFigures());
  const tracing = config.tracing && (await import('./tracing.ts')).openTracing(config.tracing, openings, metrics);
  const plain = await openStore(database, metrics);
  openings.add('store', () => plain.close());
  const store = tracing?.traceStore(plain) ?? plain;
  const sandbox = await findOrCreateSandbox(store.pool, config, (why) =>
    log.logger.warn({ why }, 'the sandbox cannot be used'),
  );
  // The last query before serving: from then on, an unavailable database no longer stops the process.
  await warnOfDatabase(store, opened);
  const servers = logServers(database, log.logger);
  openings.add('servers of the database', async () => servers.close());
  if (shutdown.isRequested()) return undefined;

  const readiness = openReadiness(database);
  openings.add('readiness probe', () => readiness.close());
  const metricsUrl = await openMetricsPort(opened, metrics);
  const privateHooks = reachesPrivate(config);
  let publicUrl = config.publicUrl ?? '';
  let localUrl = '';
  const payments = openPayments(opened, store, metrics, tracing);
  const requestLog = openRequestLog(opened, database, metrics);
  let consoleUrl = '';
  // If another process takes over, load balancers need not notice.
  const isLeaving = (): boolean => shutdown.isRequested() && !shutdown.cause()?.isReplaced;
  const ready = {
    reasonNotReady: async () => (isLeaving() ? 'it is stopping' : readiness.reasonNotReady()),
  };
  const command = kassaCommand(config);
  const costly = openCostlyWork();
  const rates = { live: config.liveRate, test: config.testRate };
  const routeTheConsole = async (pages: FastifyInstance): Promise<void> =>
    routeConsole(pages, {
      payments,
      pace: new PagePace(rates),
      costly,
      privateHooks,
      requestLogDays: daysOf(config.retention.requestLogMs),
      publicUrl: () => consoleUrl,
      shopUrl: () => publicUrl,
      signIn: config.signIn,
      ...(sandbox && { firstSignIn: watchFirstSignIn(store.pool, process.stdout.isTTY, command) }),
      ...(config.demo && sandbox && 'secretKey' in sandbox && { demoMerchantId: sandbox.merchantId }),
    });
  const app = await buildApp({
    payments,
    publicUrl: () => publicUrl,
    privateHooks,
    logger: log.logger,
    metrics,
    metricsElsewhere: metricsUrl !== undefined || config.consolePort !== undefined,
    readiness: ready,
    rates,
    costly,
    docs: docsOf(config, sandbox, () => consoleUrl),
    ...(requestLog && { requestLog }),
    isStopping: () => shutdown.isRequested(),
    trustedProxies: config.trustedProxies,
    ...(tracing && { tracing: tracing.requests }),
    others: async (others) => {
      const checkout = {
        payments,
        pace: new PagePace(rates),
        costly,
        publicUrl: () => publicUrl,
        mostPaymentAttempts: config.paymentAttempts ?? Number.POSITIVE_INFINITY,
        attempts: new AddressAttempts(config.addressAttempts ?? Number.POSITIVE_INFINITY),
      };
      await others.register(async (pages) => routeCheckout(pages, checkout));
      if (config.console && config.consolePort === undefined) await others.register(routeTheConsole);
      await others.register(async (pages) => {
        const pace = new PagePace(rates);
        if (!config.sandbox) return routeNoDemo(pages, 'not_asked', pace);
        if (!config.demo) return routeNoDemo(pages, 'switched_off', pace);
        if (sandbox === undefined) return routeNoDemo(pages, 'no_sandbox', pace);
        if (!('secretKey' in sandbox)) return routeNoDemo(pages, 'key_gone', pace);
        const eventsOf = (paymentId: string) => listEventsOfPayment(store.pool, paymentId);
        const urls = { apiUrl: () => localUrl, publicUrl: () => publicUrl };
        const consoleOf = config.console && { consoleUrl: () => `${consoleUrl}/console/${sandbox.merchantId}` };
        return routeDemo(pages, { sandbox, ...urls, ...consoleOf, eventsOf, pace });
      });
    },
  });
  openings.add('http', () => closeApp(app, opened));
  localUrl = await listen(app, config);
  publicUrl ||= localUrl;
  const consoleLocalUrl = await openConsolePort(opened, {
    metrics,
    readiness: ready,
    publicUrl: () => consoleUrl,
    metricsElsewhere: metricsUrl !== undefined,
    ...(tracing && { tracing: tracing.requests }),
    routes: [async (pages) => pages.register(routeTheConsole)],
  });
  consoleUrl = config.consoleUrl ?? consoleLocalUrl ?? publicUrl;
  const work = watchWork(log, metrics);
  const resolver = startResolver(payments, { ...metrics, ...work });
  openings.add('resolver', () => resolver.stop());
  const bulks = startBulkWorker(payments, work);
  openings.add('bulks', () => bulks.stop());
  if (config.deliveries) {
    const onAttempt = (state: string, seconds: number): void => metrics.onAttempt(state, seconds);
    const deliverer = startDeliverer(
      store,
      { ...work, onAttempt },
      { privateHooks, publicUrl, traceSender: tracing?.traceSender },
    );
    openings.add('deliverer', () => deliverer.stop());
  }
  const jobs = [
    purging(opened, store, metrics),
    gatheringPayouts(store),
    gatheringFigures(store),
    pullingClocks(store),
    gatheringFacets(store),
    notingKeys(store),
    ...(requestLog ? [loggingRequests(requestLog)] : []),
    ...(tracing ? [tracing.exporting] : []),
    drainingAuditOutbox(store),
    writingRefusals(opened, store),
    ...signingAudit(opened, store),
    countingBacklog(store, metrics),
    countingPending(store, metrics),
    watchingDatabase(store, { readiness, metrics, isEmbedded: config.databaseUrl === undefined }),
  ];
  const housekeeping = startJobs(jobs, work, store.notices);
  openings.add('housekeeping', () => housekeeping.stop());
  const place = config.databaseUrl ? describeDatabase(config.databaseUrl) : `embedded, in ${config.dataDir}`;
  const address = { url: localUrl, ...(consoleLocalUrl !== undefined && { consoleUrl }) };
  if (link) link.ready(address);
  else if (writeAddress(config.dataDir, address)) openings.add('address file', () => removeAddress(config.dataDir));
  const { demo, deliveries, processes } = config;
  // Output that does not go to a terminal may be stored, so it must not contain keys.
  const isTerminal = process.stdout.isTTY;
  const keysFile = isTerminal ? undefined : join(config.dataDir, SANDBOX_FILE);
  log.logger.info({ version, settings: describeConfig(config) }, 'started');
  if (link && !link.isFirst) return address;
  const toConsole = { url: consoleUrl, isTerminal, command };
  const wayIn = config.console ? await consoleUrlFor(store.pool, sandbox, toConsole) : undefined;
  const figuresUrl = metricsUrl ?? (consoleLocalUrl === undefined ? undefined : `${consoleLocalUrl}/metrics`);
  const about = { sandbox, keysFile, demo, consoleUrl: wayIn, database: place, deliveries, command, processes };
  opened.print(bannerOf({ localUrl, publicUrl: config.publicUrl, metricsUrl: figuresUrl, ...about }));
  return address;
}

/** Runs the service until shutdown is requested. `link`: to its supervisor, if it is one of several processes. */
export const runService = (config: Config, link?: Link): Promise<void> =>
  runUntilShutdown(config, start, { ...(link && { link }) });

/** The service embedded in another program, such as a test. */
export const holdService = (config: Config, log: Log): Promise<Held<Address | undefined>> => hold(config, log, start);
