// The port of the figures, where a setting gives them one: of the service and of the worker alike.
import type { Metrics } from '../ops/metrics.ts';
import { serveMetrics } from '../ops/metrics-server.ts';
import { localUrlOf } from './banner.ts';
import { explainListenError } from './explain.ts';
import type { Opened } from './process.ts';

/** Gives the address of the figures; undefined where they have no port of their own. */
export async function openMetricsPort(
  { config, openings, link }: Opened,
  metrics: Pick<Metrics, 'contentType' | 'read'>,
): Promise<string | undefined> {
  // One of several: the supervisor has it.
  if (link) return link.metricsUrl;
  const { host, metricsPort: port } = config;
  if (port === undefined) return undefined;
  const server = await serveMetrics(metrics, { host, port }).catch((error: unknown) => {
    throw explainListenError(error, { host, port }, 'KASSA_METRICS_PORT');
  });
  openings.add('metrics port', () => server.close());
  return `${localUrlOf(host, server.port)}/metrics`;
}
