// `kassa serve`: the service. Starts from the database upwards, stops from the network downwards: unready, no new
// connections, requests under way finished, pool closed, and last the embedded Postgres.
import closeWithGrace from 'close-with-grace';
import { startEmbeddedDatabase } from '../database/embedded.ts';
import { buildApp } from '../http/app.ts';
import { openLog } from '../ops/log.ts';
import { createMetrics } from '../ops/metrics.ts';
import { migrate } from '../store/migrate.ts';
import { purgeKeptAnswers } from '../store/purge.ts';
import { openStore } from '../store/store.ts';
import type { Store } from '../store/store.ts';
import { bannerOf } from './banner.ts';
import { print, UserError } from './command.ts';
import type { Command } from './command.ts';
import { describeUrl, explainDatabaseError } from './database.ts';
import { findOrCreateSandbox } from './sandbox.ts';
import type { Config } from '../config.ts';

const CLOSE_TIMEOUT_MS = 30_000;
const PURGE_EVERY_MS = 3_600_000;

type Closing = (() => Promise<unknown>)[];

/** Runs what was opened backwards, each step even when the one before failed. */
async function closeAll(closing: Closing): Promise<void> {
  for (const close of closing.toReversed()) await close().catch(() => {});
}

async function openDatabase(config: Config, closing: Closing): Promise<string> {
  if (config.databaseUrl !== undefined) return config.databaseUrl;
  const embedded = await startEmbeddedDatabase({ dataDir: config.dataDir });
  closing.push(() => embedded.stop());
  return embedded.url;
}

function explainListenError(error: unknown, { host, port }: Config): unknown {
  const { code } = error as { code?: string };
  if (code === 'EADDRINUSE') return new UserError(`Port ${port} of ${host} is taken. Set PORT to another one.`);
  if (code === 'EACCES') return new UserError(`Port ${port} needs more rights. Set PORT to one above 1023.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new UserError(`HOST ${host} is no address of this machine.`);
  return error;
}

async function reasonNotReady(store: Store): Promise<string | undefined> {
  try {
    await store.pool.query('select 1');
    return undefined;
  } catch {
    return 'the database is away';
  }
}

function purgeRegularly(store: Store): NodeJS.Timeout {
  return setInterval(() => void purgeKeptAnswers(store.pool).catch(() => {}), PURGE_EVERY_MS).unref();
}

async function start(config: Config, closing: Closing): Promise<void> {
  const url = await openDatabase(config, closing);
  const metrics = createMetrics();
  const store = await openStore(url, metrics);
  closing.push(() => store.close());
  await migrate(store.pool);
  const sandbox = await findOrCreateSandbox(store.pool, config.dataDir);

  const log = openLog(config.logLevel);
  closing.push(async () => log.flush());
  let isClosing = false;
  let publicUrl = config.publicUrl ?? '';
  const app = await buildApp({
    payments: {
      store,
      lifetimes: { paymentMs: config.paymentLifetimeMs, reservationMs: config.reservationLifetimeMs },
    },
    publicUrl: () => publicUrl,
    logger: log.logger,
    metrics,
    readiness: { reasonNotReady: async () => (isClosing ? 'it is stopping' : reasonNotReady(store)) },
    rates: { live: config.liveRate, test: config.testRate },
  });
  closing.push(() => app.close());
  await app.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
    throw explainListenError(error, config);
  });
  const { port } = app.server.address() as { port: number };
  publicUrl ||= `http://localhost:${port}`;
  const purging = purgeRegularly(store);
  closing.push(async () => {
    isClosing = true;
    clearInterval(purging);
  });
  print(bannerOf(publicUrl, sandbox, config.databaseUrl ? describeUrl(url) : `embedded Postgres in ${config.dataDir}`));
}

export const serve: Command = {
  name: 'serve',
  summary: 'Starts the service; without DATABASE_URL with a Postgres of its own in KASSA_DATA_DIR.',
  run: async ({ config }) => {
    const closing: Closing = [];
    const closed = new Promise<number>((resolve) => {
      closeWithGrace({ delay: CLOSE_TIMEOUT_MS }, async ({ err }) => {
        if (err) process.stderr.write(`${err.stack}\n`);
        await closeAll(closing);
        resolve(err ? 1 : 0);
      });
    });
    try {
      await start(config, closing);
    } catch (error) {
      await closeAll(closing);
      throw explainDatabaseError(error, config);
    }
    return closed;
  },
};
