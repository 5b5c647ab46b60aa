// Watches every request: its id goes into the answer, its time into the metrics, one line of it into the log. The line
// holds method, route, status, time and merchant; no header, no body, no query.
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../ops/metrics.ts';

const MS_PER_SECOND = 1_000;

export function observeRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    metrics.onRequest(request.method, route, reply.statusCode, reply.elapsedTime / MS_PER_SECOND);
    const isProbe = request.merchant === null && reply.statusCode < 400;
    const level = isProbe ? 'debug' : 'info';
    request.log[level](
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        merchant: request.merchant?.id,
      },
      'request',
    );
    done();
  });
}
