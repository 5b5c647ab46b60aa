// What all our HTTP servers share: limits, headers, errors, metrics, health.
import Fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from '../ops/metrics.ts';
import { ANSWER_HEADERS, setAnswerHeaders } from './answer-headers.ts';
import { acceptJsonBodies, LARGEST_BODY_BYTES } from './body.ts';
import { answerBrokenConnection } from './broken-connection.ts';
import { announceClosing } from './closing-connections.ts';
import { SCHEMA_CONTROLLER } from './compile-checks.ts';
import { handleError, OVERLOADED } from './errors.ts';
import { routeHealth, routeMetrics } from './health.ts';
import type { Readiness } from './health.ts';
import { holdRefusals } from './hold-refusals.ts';
import { refuseWrongMethods } from './method-not-allowed.ts';
import { observeRequests } from './observe.ts';
import { refuseOverload } from './overload.ts';
import { limitPages } from './page-limit.ts';
import { boundPipelining } from './pipelining.ts';
import { badField } from './problem.ts';
import { newRequestId } from './request-id.ts';
import { collapseSlashes } from './slashes.ts';
import type { RequestTracing } from './trace-requests.ts';

const LARGEST_HEADERS_BYTES = 16_384;
const REQUEST_TIMEOUT_MS = 30_000;
// How often Node looks for requests that have timed out; its default of 30 s would make the limit 60 s.
const TIMEOUT_CHECK_MS = 2_000;
// A client that stops reading its response is disconnected after this.
const SILENCE_TIMEOUT_MS = 60_000;
// Longer than the idle timeout of common load balancers (60 s), so that they close the connection first.
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

export type ServerOptions = {
  readonly logger: FastifyBaseLogger;
  readonly metrics: Metrics;
  /** Metrics are served on a separate port, and not here. */
  readonly metricsElsewhere?: boolean;
  readonly readiness: Readiness;
  readonly publicUrl: () => string;
  /** Whether it is shutting down: responses then close their connection. */
  readonly isStopping?: () => boolean;
  /** Proxies that are trusted to name the client's address. */
  readonly trustedProxies?: readonly string[];
  /** Set if tracing is on. */
  readonly tracing?: RequestTracing;
  /** What it serves besides health and metrics, in order. */
  readonly routes: readonly ((app: FastifyInstance) => unknown)[];
};

function openServer(options: ServerOptions): FastifyInstance {
  const app = Fastify({
    loggerInstance: options.logger,
    // observe.ts writes one line for a request, instead of two.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: LARGEST_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionTimeout: SILENCE_TIMEOUT_MS,
    http: {
      maxHeaderSize: LARGEST_HEADERS_BYTES,
      // Node takes the shorter of both timeouts for the headers and the longer for the whole request, so both are set.
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // Node's own refusal has no body; see requireHost.
      requireHostHeader: false,
    },
    trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
    genReqId: options.tracing?.begin ?? newRequestId,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    rewriteUrl: collapseSlashes,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: LARGEST_HEADERS_BYTES },
    schemaController: SCHEMA_CONTROLLER,
    clientErrorHandler: answerBrokenConnection,
    // No hook runs for these, so their headers are set here.
    frameworkErrors: (error, request, reply) =>
      void handleError()(error, request, reply.headers({ ...ANSWER_HEADERS, 'x-request-id': request.id })),
  });
  app.setErrorHandler(handleError());
  app.decorateRequest('merchant', null);
  app.decorateRequest('budget', null);
  app.decorateRequest('cost', 0);
  app.decorateRequest('endTurn', null);
  app.decorateRequest('key', null);
  app.decorateRequest('digest', null);
  app.decorateRequest('bodyBytes', 0);
  app.decorateRequest('bodyText', null);
  app.decorateRequest('answerText', null);
  const isStopping = options.isStopping ?? (() => false);
  refuseOverload(app, {
    isStopping,
    onRefused: (method) => options.metrics.onRequest(method, 'refused', OVERLOADED.status, 0),
  });
  acceptJsonBodies(app);
  setAnswerHeaders(app);
  boundPipelining(app);
  holdRefusals(app);
  app.addHook('onRequest', requireHost);
  refuseWrongMethods(app, options.publicUrl);
  announceClosing(app, isStopping);
  observeRequests(app, options.metrics);
  options.tracing?.watch(app);
  return app;
}

/** Raw headers alternate names and values. Node keeps one of two Host headers, and a proxy may have used the other. */
function countHosts({ rawHeaders }: FastifyRequest['raw']): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') count += 1;
  return count;
}

/** HTTP/1.1 requires every request to name the host; in any version, two are one too many. */
function requireHost(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const count = countHosts(request.raw);
  if (count > 1) return done(badField('Host', 'must be given once'));
  const isMissing = request.headers.host === undefined && request.raw.httpVersion === '1.1';
  done(isMissing ? badField('Host', 'is required') : undefined);
}

export async function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const app = openServer(options);
  routeHealth(app, options.readiness);
  if (!options.metricsElsewhere) routeMetrics(app, options.metrics, limitPages());
  for (const route of options.routes) await route(app);
  return app;
}
