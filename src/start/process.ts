// A process that runs until it is asked to end: the service, and the worker. Both log the same way, wait for their
// database the same way and stop the same way.
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
  /** For people at the terminal: standard output, unless another program holds the service. */
  readonly print: (text: string) => void;
  /** To its supervisor, where it is one of several. */
  readonly link?: Link;
};

export type RunOptions = {
  readonly link?: Link;
  /** Of a supervisor: which signals stop it, and what it does when it is to end at once. */
  readonly supervisor?: { readonly signals: readonly NodeJS.Signals[]; readonly onSecondSignal: () => void };
};

/** Runs until it is asked to end; what makes it fail is thrown as a sentence where a person can mend it. */
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
    remark('kassa: Ended at once, on a second signal.');
  }, signals);
  const opened: Opened = { config, log, shutdown, openings: new Openings(), role, print, ...(link && { link }) };
  link?.attend(shutdown);
  void shutdown.requested.then(() => giveUpLater(opened));
  try {
    await start(opened).catch((error: unknown) => {
      // A Ctrl-C reaches what we had just started as well; what that says of it is no news.
      if (!shutdown.isRequested()) throw error;
    });
    await shutDown(opened, await shutdown.requested);
  } catch (error) {
    await opened.openings.close();
    throw explainDatabaseError(error, config);
  } finally {
    shutdown.forget();
    log.flush();
    link?.close();
  }
}

/** What another program holds of a service: what its start gave, and its end. */
export type Held<Started> = { readonly started: Started; stop(): Promise<void> };

/** Starts it inside a program that does more than that: it takes no signals, prints nothing and never exits. */
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
