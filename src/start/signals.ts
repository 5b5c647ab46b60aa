// What asks a process to end: a signal, or a fault that nobody caught. What is done then, and in which order, is in
// shutdown.ts. Whoever is impatient sends a second signal, which ends the process at once.
import { constants } from 'node:os';
import { remark } from '../ops/print.ts';

export type ShutdownCause = {
  /** Undefined after a fault. */
  readonly signal?: NodeJS.Signals;
  readonly fault?: Error;
  /** Another process serves in place of this one: the service as a whole is not stopping. */
  readonly isReplaced?: boolean;
  /** The supervisor of this process is gone. */
  readonly isOrphaned?: boolean;
};

export type Shutdown = {
  /** Settles when the service is to end. */
  readonly requested: Promise<ShutdownCause>;
  readonly isRequested: () => boolean;
  /** Undefined until then. */
  readonly cause: () => ShutdownCause | undefined;
  /** Ends the service as a signal does. */
  ask(cause: ShutdownCause): void;
  /** Ends the service for a fault of something it cannot do without. */
  fail(fault: Error): void;
  /** From here on signals and faults have their usual effect again. */
  forget(): void;
};

export const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

// npm, and bin/kassa.js on an older Node, pass on a Ctrl-C that the terminal has sent us already: what comes this soon is
// the same one once more.
export const ECHO_MS = 500;

/** A shutdown that only its holder asks for: no signal, and no fault of the process, is listened to. */
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
    forget: () => {},
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
    // The first one is told by whoever ends the service; one on the way out would be lost.
    if (requestedAt !== undefined) remark(fault.stack ?? String(fault));
    request({ fault });
  };
  for (const signal of signals) process.on(signal, onSignal);
  process.on('uncaughtException', onFault);
  return {
    ...shutdown,
    ask: request,
    fail: onFault,
    forget: () => {
      process.off('uncaughtException', onFault);
      // An echo may come when all is closed, and would end by force what has ended well.
      const stopListening = (): void => signals.forEach((signal) => void process.off(signal, onSignal));
      if (requestedAt === undefined) stopListening();
      else setTimeout(stopListening, ECHO_MS).unref();
    },
  };
}
