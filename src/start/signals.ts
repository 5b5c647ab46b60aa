// Requests for shutdown: a signal, or an uncaught exception. What happens then is in shutdown.ts. A second signal ends the
// process immediately.
import { constants } from 'node:os';
import { remark } from '../ops/print.ts';

export type ShutdownCause = {
  /** Undefined after a fault. */
  readonly signal?: NodeJS.Signals;
  readonly fault?: Error;
  /** Another process takes over: the service as a whole is not stopping. */
  readonly isReplaced?: boolean;
  /** The supervisor of this process is gone. */
  readonly isOrphaned?: boolean;
};

export type Shutdown = {
  /** Resolves when shutdown is requested. */
  readonly requested: Promise<ShutdownCause>;
  readonly isRequested: () => boolean;
  /** Undefined until then. */
  readonly cause: () => ShutdownCause | undefined;
  /** Requests shutdown, as a signal does. */
  ask(cause: ShutdownCause): void;
  /** Requests shutdown because of a fatal error. */
  fail(fault: Error): void;
  /** Restores the default handling of signals and exceptions. */
  stopListening(): void;
};

export const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

// npm, and bin/kassa.js on an older Node, forward a Ctrl-C that the terminal has already sent to us: a second signal within
// this time is the same one.
export const ECHO_MS = 500;

/** A shutdown that only its owner can request, not a signal or an exception. */
export function createShutdown(): Shutdown {
  const { promise, resolve } = Promise.withResolvers<ShutdownCause>();
  let first: ShutdownCause | undefined;
  const ask = (cause: ShutdownCause): void => {
    first ??= cause;
    resolve(cause);
  };
  return {
    requested: promise,
    isRequested: () => first !== undefined,
    cause: () => first,
    ask,
    fail: (fault) => ask({ fault }),
    stopListening: () => {},
  };
}

export function listenForShutdown(onSecondSignal: () => void, signals = STOP_SIGNALS): Shutdown {
  const shutdown = createShutdown();
  let requestedAt: number | undefined;
  const request = (cause: ShutdownCause): void => {
    requestedAt ??= performance.now();
    shutdown.ask(cause);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (requestedAt === undefined) return request({ signal });
    if (performance.now() - requestedAt < ECHO_MS) return;
    onSecondSignal();
    process.exit(128 + constants.signals[signal]);
  };
  const onFault = (fault: Error): void => {
    // The first exception is reported at the end of the shutdown; a later one would be lost.
    if (requestedAt !== undefined) remark(fault.stack ?? String(fault));
    request({ fault });
  };
  for (const signal of signals) process.on(signal, onSignal);
  process.on('uncaughtException', onFault);
  return {
    ...shutdown,
    ask: request,
    fail: onFault,
    stopListening: () => {
      process.off('uncaughtException', onFault);
      // A forwarded signal may arrive late, and would kill a process that has shut down cleanly.
      const removeHandlers = (): void => signals.forEach((signal) => void process.off(signal, onSignal));
      if (requestedAt === undefined) removeHandlers();
      else setTimeout(removeHandlers, ECHO_MS).unref();
    },
  };
}
