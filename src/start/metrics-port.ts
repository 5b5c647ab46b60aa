// The separate port for metrics of the service or the worker, if one is set.
import type { Metrics } from '../ops/metrics.ts';
import { serveMetrics } from '../ops/metrics-server.ts';
import { localUrlOf } from './banner.ts';
import { explainListenError } from './explain.ts';
import type { Opened } from './process.ts';

/** Returns the address of the metrics; undefined if they have no port of their own. */
export async function openMetricsPort(
  { config, openings, link }: Opened,
  metrics: Pick<Metrics, 'contentType' | 'read'>,
): Promise<string | undefined> {
  // The supervisor serves the metrics of its processes.
  if (link) return link.metricsUrl;
  const { host, metricsPort: port } = config;
  if (port === undefined) return undefined;
  const server = await serveMetrics(metrics, { host, port }).catch((error: unknown) => {
    throw explainListenError(error, { host, port }, 'KASSA_METRICS_PORT');
  });
  openings.add('metrics port', () => server.close());
  return `${localUrlOf(host, server.port)}/metrics`;
}
