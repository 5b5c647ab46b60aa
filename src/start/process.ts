// A process that runs until it is asked to end: the service, and the worker. Both log the same way, close backwards what
// they opened, and give what is under way the same time to finish.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { openLog } from '../ops/log.ts';
import type { Log } from '../ops/log.ts';
import { remark } from '../ops/print.ts';
import { listenForShutdown } from './shutdown.ts';
import type { ShutdownCause, Shutdown } from './shutdown.ts';
import { explainDatabaseError } from './explain.ts';
import type { Waiting } from './wait-for-database.ts';

// Requests under way have 30 s at most; with this, whatever hangs then does not hang for ever.
const CLOSE_LIMIT_MS = 30_000;

export type Opened = {
  readonly config: Config;
  readonly log: Log;
  readonly shutdown: Shutdown;
  /** What was opened, in order, each by how it is closed. */
  readonly closing: (() => Promise<unknown>)[];
};

/** How a start waits for its database: it says so in the log, and ends when it is asked to. */
export const waitingIn = ({ config, log, shutdown }: Opened): Waiting => ({
  shutdown: shutdown.requested,
  onWait: (why) => log.logger.warn({ why, atMostMs: config.databaseWaitMs }, 'waiting for the database'),
});

/** Closes backwards what was opened, each step even when the one before failed. */
async function closeAll({ closing }: Opened): Promise<void> {
  for (const close of closing.splice(0).toReversed()) await close().catch(() => {});
}

/** Ends the process when what was to be finished is not finished in time. */
function giveUpLater({ config, log }: Opened): void {
  const giveUp = (): void => {
    remark(`kassa: Not everything was finished within ${CLOSE_LIMIT_MS / 1000} s.`);
    log.flush();
    process.exit(1);
  };
  setTimeout(giveUp, config.drainMs + CLOSE_LIMIT_MS).unref();
}

/** Goes on for the load balancers' sake, and then closes everything. */
async function finish(opened: Opened, { signal, fault }: ShutdownCause): Promise<void> {
  const { config, log } = opened;
  if (signal === 'SIGINT' && process.stderr.isTTY) remark('\nStopping. Ctrl-C once more ends at once.');
  log.logger.info({ signal }, 'stopping');
  if (signal === 'SIGTERM') await sleep(config.drainMs);
  await closeAll(opened);
  if (fault) throw fault;
  if (!process.stderr.isTTY) return log.logger.info('stopped');
  log.flush();
  remark('Stopped.');
}

/** Runs until it is asked to end; what makes it fail is thrown as a sentence where a person can mend it. */
export async function runUntilShutdown(config: Config, start: (opened: Opened) => Promise<void>): Promise<void> {
  const log = openLog(config.logLevel);
  const shutdown = listenForShutdown(() => remark('kassa: Ended at once, on a second signal.'));
  const opened: Opened = { config, log, shutdown, closing: [] };
  void shutdown.requested.then(() => giveUpLater(opened));
  try {
    await start(opened).catch((error: unknown) => {
      // A Ctrl-C reaches what we had just started as well; what that says of it is no news.
      if (!shutdown.isRequested()) throw error;
    });
    await finish(opened, await shutdown.requested);
  } catch (error) {
    await closeAll(opened);
    throw explainDatabaseError(error, config);
  } finally {
    shutdown.forget();
    log.flush();
  }
}
