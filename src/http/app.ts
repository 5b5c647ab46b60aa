// The HTTP service, built by a function: limits, order of checks, routes. Checks come in this order: route and method,
// key, size and type of the body, the body itself, then what the operation finds.
import Fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from '../ops/metrics.ts';
import type { KeyHolder } from '../store/keys.ts';
import type { RequestLog } from '../store/request-log/writer.ts';
import { ANSWER_HEADERS, setAnswerHeaders } from './answer-headers.ts';
import { acceptJsonBodies, digestOf, LARGEST_BODY_BYTES, requireBody, yieldIfLarge } from './body.ts';
import { findHolder, Unauthorized } from './auth.ts';
import { answerBrokenConnection } from './broken-connection.ts';
import { SCHEMA_CONTROLLER } from './compile-checks.ts';
import { handleError, NO_SUCH_PATH, OVERLOADED, sendAnswer } from './errors.ts';
import { holdRefusals } from './hold-refusals.ts';
import { observeRequests } from './observe.ts';
import { announceClosing } from './closing-connections.ts';
import { refuseWrongMethods } from './method-not-allowed.ts';
import { limitPages } from './page-limit.ts';
import { refuseOverload } from './overload.ts';
import { boundPipelining } from './pipelining.ts';
import { badField } from './problem.ts';
import { ListSlots } from './list-slots.ts';
import { noteApiRoutes } from './request-log/api-routes.ts';
import { logRequests } from './request-log/log-requests.ts';
import { limitRates } from './rate-limit.ts';
import type { Rates } from './rate-limit.ts';
import { compileGenerousReading } from './read-generously.ts';
import { dialectOf, requireWellFormedKey } from './request.ts';
import { noteKeyAccess } from './key-access.ts';
import { requireScopes } from './scopes.ts';
import type { RouteContext } from './request.ts';
import { newRequestId } from './request-id.ts';
import { collapseSlashes, hadTooManySlashes } from './slashes.ts';
import type { RequestTracing } from './trace-requests.ts';
import type { DocsOptions } from './docs-site/served.ts';
import { routeDocs } from './service/docs.ts';
import { routeHealth, routeMetrics } from './service/health.ts';
import type { Readiness } from './service/health.ts';
import { routeOperations } from './v1/routes.ts';
import { limitUnreadAnswers } from './unread-answers.ts';
import { compileNormalizer, isEmptyArray } from './normalize-body.ts';

export type AppOptions = RouteContext & {
  readonly logger: FastifyBaseLogger;
  readonly metrics: Metrics;
  /** The figures are served on a port of their own, and not here. */
  readonly metricsElsewhere?: boolean;
  readonly readiness: Readiness;
  readonly rates: Rates;
  /** Where requests are kept for the merchants' developers; undefined: nowhere. */
  readonly requestLog?: RequestLog;
  /** For who describes the routes: called before there are any. */
  readonly watchRoutes?: (app: FastifyInstance) => Promise<void>;
  /** What else the documentation leads to and shows. */
  readonly docs?: DocsOptions;
  /** Routes beside the merchant's API: the checkout, the demo shop. */
  readonly others?: (app: FastifyInstance) => Promise<void>;
  /** Whether it was asked to end: answers then close their connection. */
  readonly isStopping?: () => boolean;
  /** Proxies whose word on the client's address is taken. */
  readonly trustedProxies?: readonly string[];
  /** Where there are traces. */
  readonly tracing?: RequestTracing;
};

const LARGEST_HEADERS_BYTES = 16_384;
const REQUEST_TIMEOUT_MS = 30_000;
// How often Node looks for requests that ran out of time; by default every 30 s, which would make the limit 60 s.
const TIMEOUT_CHECK_MS = 2_000;
// A client that stops reading its answer is left after this.
const SILENCE_TIMEOUT_MS = 60_000;
// Longer than the idle time-out of common load balancers (60 s), so that they close a connection and not we.
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/** What every server of ours has, whatever it serves: limits, headers, errors, figures. */
type ServerOptions = Pick<
  AppOptions,
  | 'logger'
  | 'metrics'
  | 'readiness'
  | 'others'
  | 'isStopping'
  | 'trustedProxies'
  | 'publicUrl'
  | 'metricsElsewhere'
  | 'tracing'
> & {
  /** Of a server beside it: those of the API. */
  readonly apiRoutes?: FastifyInstance['apiRoutes'];
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
      // Node takes the shorter of the two time-outs for the headers and the longer for the whole: both must be ours.
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
      void handleError(() => undefined)(
        error,
        request,
        reply.headers({ ...ANSWER_HEADERS, 'x-request-id': request.id }),
      ),
  });
  app.setErrorHandler(handleError((request) => (request.merchant === null ? undefined : dialectOf(request))));
  app.decorateRequest('merchant', null);
  app.decorateRequest('budget', null);
  app.decorateRequest('cost', 0);
  app.decorateRequest('setAside', 0);
  app.decorateRequest('endTurn', null);
  app.decorateRequest('key', null);
  app.decorateRequest('digest', null);
  app.decorateRequest('bodyBytes', 0);
  app.decorateRequest('bodyText', null);
  app.decorateRequest('answerText', null);
  app.decorate('apiRoutes', options.apiRoutes ?? []);
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

/** Whether it is well and ready, its figures, and what else stands beside. */
function routeRest(app: FastifyInstance, options: ServerOptions): void {
  routeHealth(app, options.readiness);
  if (!options.metricsElsewhere) routeMetrics(app, options.metrics, limitPages());
}

/** A server beside the one of the API, on a port of its own. */
export async function buildSideApp(options: ServerOptions): Promise<FastifyInstance> {
  const app = openServer(options);
  routeRest(app, options);
  await options.others?.(app);
  return app;
}

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const app = openServer(options);
  await options.watchRoutes?.(app);
  routeRest(app, options);
  routeDocs(app, options.publicUrl, limitPages(), options.docs);
  await app.register(async (api) => routeApi(api, options));
  await options.others?.(app);
  return app;
}

/** Names and values take turns in what Node was sent; of two hosts it keeps one, and a proxy may have kept the other. */
function countHosts({ rawHeaders }: FastifyRequest['raw']): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') count += 1;
  return count;
}

/** HTTP/1.1 wants every request to name the host; whatever the version, two hosts are one too many. */
function requireHost(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const count = countHosts(request.raw);
  if (count > 1) return done(badField('Host', 'must be given once'));
  const isMissing = request.headers.host === undefined && request.raw.httpVersion === '1.1';
  done(isMissing ? badField('Host', 'is required') : undefined);
}

/** The merchant's API: every route behind a key. */
async function routeApi(api: FastifyInstance, options: AppOptions): Promise<void> {
  const { merchants, keyUses } = options.payments.store;
  api.addHook('onRequest', (request, reply, done) => {
    const enter = (holder: KeyHolder | undefined): void => {
      if (holder === undefined) return done(new Unauthorized('no valid key'));
      if (hadTooManySlashes(request.raw) && holder.merchant.dialect !== 'nexi')
        return void sendAnswer(reply, NO_SUCH_PATH);
      request.merchant = holder.merchant;
      request.key = holder.key;
      keyUses.note(holder.key.id);
      done();
    };
    const holder = findHolder(merchants, request.headers.authorization);
    if (holder instanceof Promise) holder.then(enter, done);
    else enter(holder);
  });
  if (options.requestLog) logRequests(api, options.requestLog);
  limitRates(api, options.rates);
  requireScopes(api, noteKeyAccess(options.payments.store));
  noteApiRoutes(api);
  limitUnreadAnswers(api);
  api.addHook('preValidation', yieldIfLarge);
  api.addHook('preHandler', yieldIfLarge);
  tidyBodies(api);
  routeOperations(api, { ...options, listSlots: new ListSlots() });
}

/**
 * Before the check of a body: its digest where a key came with it, of what was meant; that there is a body, and what may
 * be untidy in it.
 */
function tidyBodies(api: FastifyInstance): void {
  api.addHook('onRoute', (route) => {
    const schema = route.schema?.body as Parameters<typeof compileNormalizer>[0] | undefined;
    const { keyed = false, bodyOptional = false } = route.config ?? {};
    if (schema === undefined && !keyed) return;
    const readGenerously = schema && compileGenerousReading(schema);
    const normalize = schema && compileNormalizer(schema);
    route.preValidation = async (request) => {
      const hasKey = keyed && requireWellFormedKey(request);
      if (dialectOf(request).readsGenerously) readGenerously?.(request.body);
      if (hasKey) request.digest = digestOf(request.body);
      if (schema === undefined) return;
      if (bodyOptional && (request.body == null || isEmptyArray(request.body))) request.body = {};
      requireBody(request.body);
      if (normalize) request.body = normalize(request.body, '');
    };
  });
}
