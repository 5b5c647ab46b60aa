// The connection of a serving process to its supervisor. The process stops when the supervisor says so or is gone, or on
// SIGTERM; other signals from a terminal are handled by the supervisor.
import cluster from 'node:cluster';
import { shareRendering } from '../../ops/metrics.ts';
import type { Metrics } from '../../ops/metrics.ts';
import type { Shutdown } from '../signals.ts';
import type { Address, FromProcess, Place, Stop, ToProcess } from './messages.ts';

export type Link = Place & {
  /** Handles messages from here on: requests to stop and for metrics. */
  listen(shutdown: Pick<Shutdown, 'ask'>): void;
  /** Reports these metrics to the supervisor, and returns those of all processes. */
  shareMetrics(metrics: Metrics): Metrics;
  ready(address: Address): void;
  /** Reports the metrics a last time. */
  sendLastFigures(): Promise<void>;
  close(): void;
};

// The supervisor waits a second for late processes.
const SUM_LIMIT_MS = 5_000;

const send = (message: FromProcess): Promise<void> =>
  new Promise((resolve) => {
    if (process.send === undefined || !process.connected) return resolve();
    process.send(message, () => resolve());
  });

const onMessage = (handle: (message: ToProcess) => void): void =>
  void process.on('message', (message) => handle(message as ToProcess));

/** Registers with the supervisor, and receives its place. */
export async function joinSupervisor(): Promise<Link> {
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  // Otherwise Node would kill the process as soon as its supervisor is gone.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  const { promise, resolve } = Promise.withResolvers<Place>();
  // A stop may arrive before the start.
  let early: Stop | undefined;
  onMessage((message) => {
    if (message.says === 'start') resolve(message.place);
    else if (message.says === 'stop') early ??= message.how;
  });
  const leave = (): never => process.exit(1);
  process.once('disconnect', leave);
  void send({ says: 'hello' });
  const place = await promise;
  return linkAt(place, () => {
    process.off('disconnect', leave);
    return early;
  });
}

/** `earlyStop` returns a stop that has arrived meanwhile. */
function linkAt(place: Place, earlyStop: () => Stop | undefined): Link {
  let metrics: Metrics | undefined;
  let onSum: ((text: string) => void) | undefined;
  let onGone: (() => void) | undefined;

  const sendFigures = async (): Promise<void> => {
    if (metrics) await send({ says: 'figures', figures: await metrics.figures() });
  };
  const askForSum = (): Promise<string> => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const late = setTimeout(() => reject(new Error('the supervisor did not respond')), SUM_LIMIT_MS);
    onSum = resolve;
    void send({ says: 'sum, please' });
    return promise.finally(() => clearTimeout(late));
  };

  return {
    ...place,
    listen: (shutdown) => {
      onMessage((message) => {
        if (message.says === 'stop') shutdown.ask(message.how);
        else if (message.says === 'tell figures') void sendFigures();
        else if (message.says === 'sum') onSum?.(message.text);
      });
      onGone = () => shutdown.ask({ isOrphaned: true });
      process.once('disconnect', onGone);
      const early = earlyStop();
      if (early) shutdown.ask(early);
    },
    shareMetrics: (own) => {
      metrics = own;
      return { ...own, read: shareRendering(askForSum) };
    },
    ready: (address) => void send({ says: 'ready', address }),
    sendLastFigures: sendFigures,
    close: () => {
      if (onGone) process.off('disconnect', onGone);
      // An open channel would keep this process alive.
      if (process.connected) process.disconnect();
    },
  };
}
