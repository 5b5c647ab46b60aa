// The side of a serving process that has a supervisor: what it is told, and what it tells. It ends when it is told to, by
// a SIGTERM of its own, and when its supervisor is gone; what a terminal sends to all is for the supervisor alone.
import cluster from 'node:cluster';
import { shareRendering } from '../../ops/metrics.ts';
import type { Metrics } from '../../ops/metrics.ts';
import type { Shutdown } from '../signals.ts';
import type { Address, FromProcess, Place, Stop, ToProcess } from './messages.ts';

export type Link = Place & {
  /** From here on it can be told to stop, and asked for its figures. */
  attend(shutdown: Pick<Shutdown, 'ask'>): void;
  /** The figures of this process are told, and those of all are read. */
  shareMetrics(metrics: Metrics): Metrics;
  ready(address: Address): void;
  /** Tells the figures once more, for the sum of what has been. */
  tellLast(): Promise<void>;
  close(): void;
};

// The supervisor waits for a second for each who is late, and has little else to do.
const SUM_LIMIT_MS = 5_000;

const tell = (message: FromProcess): Promise<void> =>
  new Promise((resolve) => {
    if (process.send === undefined || !process.connected) return resolve();
    process.send(message, () => resolve());
  });

const hear = (listen: (message: ToProcess) => void): void =>
  void process.on('message', (message) => listen(message as ToProcess));

/** Says hello to the supervisor, and is told what there is to know. */
export async function joinSupervisor(): Promise<Link> {
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  // Otherwise Node would end it at once when its supervisor is gone, whatever is under way.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  const { promise, resolve } = Promise.withResolvers<Place>();
  // It may be told to stop before it has begun.
  let early: Stop | undefined;
  hear((message) => {
    if (message.says === 'start') resolve(message.place);
    else if (message.says === 'stop') early ??= message.how;
  });
  const leave = (): never => process.exit(1);
  process.once('disconnect', leave);
  void tell({ says: 'hello' });
  const place = await promise;
  return linkAt(place, () => {
    process.off('disconnect', leave);
    return early;
  });
}

/** `attended`: gives what it was told meanwhile. */
function linkAt(place: Place, attended: () => Stop | undefined): Link {
  let metrics: Metrics | undefined;
  let onSum: ((text: string) => void) | undefined;
  let onGone: (() => void) | undefined;

  const tellFigures = async (): Promise<void> => {
    if (metrics) await tell({ says: 'figures', figures: await metrics.figures() });
  };
  const askForSum = (): Promise<string> => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const late = setTimeout(() => reject(new Error('the supervisor did not answer')), SUM_LIMIT_MS);
    onSum = resolve;
    void tell({ says: 'sum, please' });
    return promise.finally(() => clearTimeout(late));
  };

  return {
    ...place,
    attend: (shutdown) => {
      hear((message) => {
        if (message.says === 'stop') shutdown.ask(message.how);
        else if (message.says === 'tell figures') void tellFigures();
        else if (message.says === 'sum') onSum?.(message.text);
      });
      onGone = () => shutdown.ask({ isOrphaned: true });
      process.once('disconnect', onGone);
      const early = attended();
      if (early) shutdown.ask(early);
    },
    shareMetrics: (own) => {
      metrics = own;
      return { ...own, read: shareRendering(askForSum) };
    },
    ready: (address) => void tell({ says: 'ready', address }),
    tellLast: tellFigures,
    close: () => {
      if (onGone) process.off('disconnect', onGone);
      // Or the channel would keep this process alive.
      if (process.connected) process.disconnect();
    },
  };
}
