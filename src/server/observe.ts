// Observes every request: its id goes into the response, its duration into the metrics, one line of it into the log. The
// line holds method, route, status, duration and merchant; no header, body or query.
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../ops/metrics.ts';
import { lightenLoggers, requestLines } from './request-logger.ts';

const MS_PER_SECOND = 1_000;

export function observeRequests(app: FastifyInstance, metrics: Metrics): void {
  lightenLoggers(app);
  const writeLine = requestLines(app);
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    metrics.onRequest(request.method, route, reply.statusCode, reply.elapsedTime / MS_PER_SECOND);
    writeLine(request, reply);
    done();
  });
}
