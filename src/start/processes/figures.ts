// Aggregates the metrics of all processes. Counters and histograms are added up, including those of ended processes,
// since a falling counter would look like a restart. Metrics that all read from the database are counted once (see the
// aggregators in ops/metrics.ts).
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import { shareRendering, startGauge } from '../../ops/metrics.ts';
import type { Figures, Metrics } from '../../ops/metrics.ts';
import type { Life } from './life.ts';

// A process that is busy for longer counts with its last metrics.
const ASK_WITHIN_MS = 1_000;

const isLasting = ({ type }: { readonly type: unknown }): boolean =>
  ['counter', 'histogram'].includes(String(type).toLowerCase());

const sumOf = (all: readonly Figures[]): Registry => AggregatorRegistry.aggregate([...all] as never);

export type SummedFigures = Pick<Metrics, 'contentType' | 'read'> & {
  onEnded(life: Life, isDeath: boolean): void;
};

export function sumFigures(lives: () => readonly Life[]): SummedFigures {
  const own = new Registry();
  const registers = [own];
  startGauge(registers).setToCurrentTime();
  const serving = new Gauge({
    name: 'kassa_processes_serving',
    help: 'Processes that take requests on the ports of this service.',
    registers,
  });
  const deaths = new Counter({
    name: 'kassa_process_deaths_total',
    help: 'Processes of this service that ended without being asked to.',
    registers,
  });
  let past: Promise<Figures> = Promise.resolve([]);

  const render = async (): Promise<string> => {
    // Processes that end meanwhile are among those queried.
    const before = past;
    const told = await Promise.all(lives().map((life) => life.askFigures(ASK_WITHIN_MS)));
    serving.set(lives().filter((life) => life.isServing()).length);
    const present = told.filter((figures) => figures !== undefined);
    return sumOf([...present, await before, await own.getMetricsAsJSON()]).metrics();
  };

  return {
    contentType: own.contentType,
    read: shareRendering(render),
    onEnded: (life, isDeath) => {
      if (isDeath) deaths.inc();
      const last = life.lastFigures()?.filter(isLasting);
      if (last) past = past.then((before) => sumOf([before, last]).getMetricsAsJSON());
    },
  };
}
