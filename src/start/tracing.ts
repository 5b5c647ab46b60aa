// Tracing of a process. Nothing of it is loaded unless a setting turns it on.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Metrics } from '../ops/metrics.ts';
import type { Opened } from './process.ts';
import type { Tracing } from './start-tracing.ts';

// How long a shutdown waits for the last spans to be exported.
const LAST_WRITE_MS = 3_000;

/** Undefined where there are none. */
export async function openTracing(
  { config, openings }: Pick<Opened, 'config' | 'openings'>,
  metrics: Metrics,
): Promise<Tracing | undefined> {
  if (config.tracing === undefined) return undefined;
  const { startTracing } = await import('./start-tracing.ts');
  const { exporter, ...tracing } = startTracing(config.tracing, (...counted) => metrics.onSpans(...counted));
  openings.add('traces', async () => {
    // An export in progress has only the spans from when it started.
    const all = exporter.write().then(
      () => exporter.write(),
      () => exporter.write(),
    );
    await Promise.race([all.catch(() => {}), sleep(LAST_WRITE_MS, undefined, { ref: false })]);
    exporter.close();
  });
  return tracing;
}
