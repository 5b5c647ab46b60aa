// The merchant's API: every route that requires a key. Checks run in this order: route and method, key, size and type of
// the body, the body itself, then the state of what it concerns.
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { KeyHolder } from '../store/merchants/keys.ts';
import type { RequestLog } from '../store/request-log/writer.ts';
import { errorsOf } from '../server/answer.ts';
import { merchantOf } from '../server/asker.ts';
import { findHolder, Unauthorized } from '../server/auth.ts';
import { digestOf, requireBody, yieldIfLarge } from '../server/body.ts';
import { handleError, NO_SUCH_PATH, sendAnswer } from '../server/errors.ts';
import { openCostlyWork } from '../server/costly-work.ts';
import type { CostlyWork } from '../server/costly-work.ts';
import { limitRates } from '../server/rate-limit.ts';
import type { Rates } from '../server/rate-limit.ts';
import { requireScopes } from '../server/scopes.ts';
import { hadTooManySlashes } from '../server/slashes.ts';
import { limitUnreadAnswers } from '../server/unread-answers.ts';
import { noteKeyAccess } from './key-access.ts';
import { compileNormalizer, isEmptyArray } from './normalize-body.ts';
import { compileGenerousReading } from './read-generously.ts';
import { logRequests } from './request-log/log-requests.ts';
import { dialectOf, requireWellFormedKey } from './request.ts';
import type { ReadingContext, RouteContext } from './request.ts';
import type { Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';

export type ApiOptions = RouteContext & {
  readonly rates: Rates;
  /** Queues shared with other routes; by default its own. */
  readonly costly?: CostlyWork;
  /** Where requests are kept for the merchants' developers; undefined if they are not. */
  readonly requestLog?: RequestLog;
};

/** Registered as a plugin, so that its hooks are its own. */
export async function routeApi(api: FastifyInstance, options: ApiOptions): Promise<void> {
  const { merchants, keyUses } = options.payments.store;
  api.setErrorHandler(
    handleError((problems, request) =>
      request.merchant === null
        ? errorsOf(problems)
        : dialectOf(request).problems(problems, request.routeOptions.config.operation),
    ),
  );
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
  limitUnreadAnswers(api);
  api.addHook('preValidation', yieldIfLarge);
  api.addHook('preHandler', yieldIfLarge);
  tidyBodies(api);
  const context = { ...options, store: options.payments.store, costly: options.costly ?? openCostlyWork() };
  for (const operation of OPERATIONS) routeOperation(api, context, operation);
}

function routeOperation(api: FastifyInstance, context: ReadingContext, operation: Operation): void {
  const { route, scope, body, query, config, options, live } = operation;
  const [method, url] = route.split(' ') as [HTTPMethods, string];
  const handle = 'start' in operation ? operation.start(context, api) : operation.handler;
  api.route({
    method,
    url,
    schema: { ...(body && { body }), ...(query && { querystring: query }) },
    config: { ...config, scope },
    ...options,
    ...(live && {
      onRequest: async (request: FastifyRequest, reply: FastifyReply) =>
        merchantOf(request).live ? sendAnswer(reply, live) : undefined,
    }),
    handler: async (request, reply) => {
      const answer = await handle(request as Parameters<typeof handle>[0], context, reply);
      return answer === undefined ? reply : sendAnswer(reply, answer);
    },
  });
}

/**
 * Before validation: reads the body generously, computes its digest if there is an idempotency key, checks that there
 * is a body, and normalizes it.
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
