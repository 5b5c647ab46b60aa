// Serves metrics on a separate port: for a service with a public main port, and for a worker, which has no other.
import { once } from 'node:events';
import { createServer } from './node-http.ts';
import type { Metrics } from './metrics.ts';

export type MetricsServer = { readonly port: number; close(): Promise<void> };

// A scraper sends a short request and reads the response immediately.
const LIMITS = { requestTimeout: 10_000, headersTimeout: 10_000, connectionsCheckingInterval: 2_000 };
const MOST_CONNECTIONS = 64;
const SILENCE_TIMEOUT_MS = 10_000;
const HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };

/** Listens, or throws the error of listening. */
export async function serveMetrics(
  metrics: Pick<Metrics, 'contentType' | 'read'>,
  address: { host: string; port: number },
): Promise<MetricsServer> {
  const server = createServer({ ...LIMITS, maxHeaderSize: 16_384 }, (request, response) => {
    // One request per connection, which is enough for a scraper and bounds the work.
    response.setHeader('connection', 'close');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || request.url?.split('?', 1)[0] !== '/metrics') return void response.writeHead(404, HEADERS).end();
    metrics.read().then(
      (figures) => response.writeHead(200, { ...HEADERS, 'content-type': metrics.contentType }).end(figures),
      () => response.writeHead(500, HEADERS).end(),
    );
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.setTimeout(SILENCE_TIMEOUT_MS);
  server.listen(address);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    port,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
