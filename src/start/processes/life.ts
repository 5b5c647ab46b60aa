// One run of a serving process, from its fork to its exit, as seen by the supervisor.
import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import type { Figures } from '../../ops/metrics.ts';
import type { Address, FromProcess, Place, Stop, ToProcess } from './messages.ts';

export type Ended = { readonly code: number | null; readonly signal: string | null };

export type Life = {
  readonly number: number;
  readonly pid: number | undefined;
  /** Its address, once it serves; undefined if it ended before. */
  readonly ready: Promise<Address | undefined>;
  readonly ended: Promise<Ended>;
  /** When it became ready; undefined: not yet. */
  readySince(): number | undefined;
  /** Whether it accepts requests and was not asked to stop. */
  isServing(): boolean;
  stop(how: Stop): void;
  kill(): void;
  /** Its current metrics or, if they are late, the last ones it reported. */
  askFigures(withinMs: number): Promise<Figures | undefined>;
  /** The last metrics it reported. */
  lastFigures(): Figures | undefined;
  sendSum(text: string): void;
};

export type LifeObserver = { readonly onSumAsked: (life: Life) => void };

/** Forks the process, and sends it its place once it registers. */
export function beginLife(place: Place, environment: Readonly<Record<string, string>>, observer: LifeObserver): Life {
  const worker: Worker = cluster.fork(environment);
  const [ready, ended] = [Promise.withResolvers<Address | undefined>(), Promise.withResolvers<Ended>()];
  let readySince: number | undefined;
  let isOver = false;
  let figures: Figures | undefined;
  let onFigures: (() => void) | undefined;

  // An exiting process has no channel; its exit is handled below.
  const say = (message: ToProcess): void => {
    if (worker.isConnected()) worker.send(message, () => {});
  };
  worker.on('message', (message: FromProcess) => {
    if (message.says === 'hello') say({ says: 'start', place });
    else if (message.says === 'figures') {
      ({ figures } = message);
      onFigures?.();
    } else if (message.says === 'sum, please') observer.onSumAsked(life);
    else if (message.says === 'ready') {
      readySince = performance.now();
      ready.resolve(message.address);
    }
  });
  // A failed fork emits no exit.
  worker.on('error', () => end({ code: 1, signal: null }));
  worker.on('exit', (code: number | null, signal: string | null) => end({ code, signal }));
  const end = (how: Ended): void => {
    isOver = true;
    ready.resolve(undefined);
    ended.resolve(how);
    onFigures?.();
  };

  const life: Life = {
    number: place.number,
    pid: worker.process.pid,
    ready: ready.promise,
    ended: ended.promise,
    readySince: () => readySince,
    isServing: () => readySince !== undefined && !isOver,
    stop: (how) => {
      isOver = true;
      say({ says: 'stop', how });
    },
    kill: () => void worker.process.kill('SIGKILL'),
    askFigures: async (withinMs) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      onFigures = resolve;
      const late = setTimeout(resolve, withinMs);
      say({ says: 'tell figures' });
      await promise;
      clearTimeout(late);
      return figures;
    },
    lastFigures: () => figures,
    sendSum: (text) => say({ says: 'sum', text }),
  };
  return life;
}
