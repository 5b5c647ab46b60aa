// A long-running process: the service or the worker. Both log, wait for their database and shut down in the same way.
import type { Config } from '../config.ts';
import { openLog } from '../ops/log.ts';
import type { Log } from '../ops/log.ts';
import { print, remark } from '../ops/print.ts';
import { explainDatabaseError } from './explain.ts';
import type { Link } from './processes/link.ts';
import { giveUpLater, Openings, shutDown } from './shutdown.ts';
import type { Role } from './shutdown.ts';
import { createShutdown, listenForShutdown, STOP_SIGNALS } from './signals.ts';
import type { Shutdown } from './signals.ts';

export type Opened = {
  readonly config: Config;
  readonly log: Log;
  readonly shutdown: Shutdown;
  readonly openings: Openings;
  readonly role: Role;
  /** Prints to standard output, unless the service is embedded in another program. */
  readonly print: (text: string) => void;
  /** To its supervisor, if it is one of several processes. */
  readonly link?: Link;
};

export type RunOptions = {
  readonly link?: Link;
  /** For a supervisor: the signals that stop it, and what to do on a second one. */
  readonly supervisor?: { readonly signals: readonly NodeJS.Signals[]; readonly onSecondSignal: () => void };
};

/** Runs until shutdown is requested. Throws a UserError for failures that the user can fix. */
export async function runUntilShutdown(
  config: Config,
  start: (opened: Opened) => Promise<unknown>,
  { link, supervisor }: RunOptions = {},
): Promise<void> {
  const log = openLog(config, link?.number ?? (supervisor && 0));
  const role = link ? 'one of several' : supervisor ? 'supervisor' : 'alone';
  const signals = link ? (['SIGTERM'] as const) : (supervisor?.signals ?? STOP_SIGNALS);
  const shutdown = listenForShutdown(() => {
    supervisor?.onSecondSignal();
    remark('kassa: Stopped immediately, on a second signal.');
  }, signals);
  const opened: Opened = { config, log, shutdown, openings: new Openings(), role, print, ...(link && { link }) };
  link?.listen(shutdown);
  void shutdown.requested.then(() => giveUpLater(opened));
  try {
    await start(opened).catch((error: unknown) => {
      // A Ctrl-C also reaches child processes; errors from that are expected.
      if (!shutdown.isRequested()) throw error;
    });
    await shutDown(opened, await shutdown.requested);
  } catch (error) {
    await opened.openings.close();
    throw explainDatabaseError(error, config);
  } finally {
    shutdown.stopListening();
    log.flush();
    link?.close();
  }
}

/** A service embedded in another program. */
export type Held<Started> = { readonly started: Started; stop(): Promise<void> };

/** Starts it inside another program: it handles no signals, prints nothing and never exits. */
export async function hold<Started>(
  config: Config,
  log: Log,
  start: (opened: Opened) => Promise<Started>,
): Promise<Held<Started>> {
  const shutdown = createShutdown();
  const opened: Opened = { config, log, shutdown, openings: new Openings(), role: 'held', print: () => {} };
  const stop = async (): Promise<void> => {
    shutdown.ask({});
    await opened.openings.close();
  };
  try {
    return { started: await start(opened), stop };
  } catch (error) {
    await stop();
    throw explainDatabaseError(error, config);
  }
}
