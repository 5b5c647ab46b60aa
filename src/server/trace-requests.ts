// Requests as spans: method, route, status and merchant. No address, parameter, header or body goes into a span, so no
// key, card or name does either. The id of a request is that of its trace.
import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { readTraceId, readTraceparent } from '../ops/tracing/tracer.ts';
import type { Span, Tracer } from '../ops/tracing/tracer.ts';
import { givenRequestId } from './request-id.ts';

export type RequestTracing = {
  /** Begins the span of a request, and returns the request's id. */
  readonly begin: (request: IncomingMessage) => string;
  /** Ends spans with their responses. */
  watch(app: FastifyInstance): void;
};

// Polled every few seconds by machines, and of no interest in traces.
const PROBES: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/metrics']);

export function traceRequests(tracer: Tracer): RequestTracing {
  const spans = new WeakMap<IncomingMessage, Span>();
  return {
    begin: (request) => {
      const given = givenRequestId(request);
      const parent = readTraceparent(request.headers['traceparent']) ?? null;
      const traceId = given === undefined ? undefined : readTraceId(given);
      const span = tracer.begin({ kind: 'server', parent, traceId });
      spans.set(request, span);
      return given ?? span.context.traceId;
    },
    watch: (app) => {
      // The body was read outside of the span's context, so the context is entered here.
      app.addHook('preHandler', (request, _reply, done) => {
        const span = spans.get(request.raw);
        if (span) tracer.within(span.context, done);
        else done();
      });
      app.addHook('onResponse', (request, reply, done) => {
        done();
        const { method, merchant } = request;
        const { url: route } = request.routeOptions;
        if (PROBES.has(route)) return;
        const span = spans.get(request.raw);
        span?.end({
          name: route === undefined ? method : `${method} ${route}`,
          attributes: {
            'http.request.method': method,
            'http.route': route,
            'http.response.status_code': reply.statusCode,
            'kassa.merchant_id': merchant?.id,
            'kassa.request_id': request.id === span.context.traceId ? undefined : request.id,
            'error.type': reply.statusCode >= 500 ? String(reply.statusCode) : undefined,
          },
        });
      });
    },
  };
}
