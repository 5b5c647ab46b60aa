// The routes of the console. Every request that changes something must come from one of its own pages.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isForPerson } from '../server/not-found-page.ts';
import { waitForAssets } from '../pages/asset.ts';
import { TooManyRequests } from '../server/too-many-requests.ts';
import { routeAccount } from './account-routes.ts';
import { bundle, routeConsoleAssets } from './assets.ts';
import { routeAudit } from './audit/routes.ts';
import { rootOf } from './context.ts';
import type { ConsoleContext } from './context.ts';
import { limitSignIn } from './sign-in-limit.ts';
import { watchForms } from './form-addresses.ts';
import { routeOverview } from './overview/routes.ts';
import { routePaymentList } from './list/routes.ts';
import { routeKeys } from './keys/routes.ts';
import { routeRequests } from './requests/routes.ts';
import { FORM_BYTES, leadToSecondFactor, pageFor, showNotHere, showTooMany } from './page-reply.ts';
import { routeActs } from './payment/act-routes.ts';
import { routePaymentApi } from './payment/api.ts';
import { routeOtherActs } from './payment/other-acts.ts';
import { routePay } from './payment/pay-routes.ts';
import { routePayment } from './payment/routes.ts';

import { routeOidc } from './oidc-routes.ts';
import { routePasskeys } from './passkey-routes.ts';
import { routePassword } from './password-routes.ts';
import { routeSignIn } from './sign-in-routes.ts';
import { routeSandbox } from './sandbox/routes.ts';
import { routeSecondFactor } from './second-factor-routes.ts';
import { routeSettings } from './settings/routes.ts';
import { routeTeam } from './team/routes.ts';
import { findVisitor } from './visitor.ts';
import { routeWebhooks } from './webhooks/routes.ts';

// Whether a request that changes something comes from a page of the console. Cookies are sent along by whatever page makes
// a browser ask, so the browser's own word on where the request began is taken: no other site can forge it.
const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** By the configured address, or by the host that the browser asked: the cookie goes to none but that. */
function isOurs(origin: string, host: string | undefined, publicUrl: string): boolean {
  if (origin === new URL(publicUrl).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

function isForeign({ method, headers }: FastifyRequest, publicUrl: string): boolean {
  if (isSafe(method)) return false;
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') return true;
  return origin === undefined || !isOurs(origin, host, publicUrl);
}

/** Which no text of Postgres can hold. What is deeper in a body is of a schema, which has no place for one. */
const holdsNul = (texts: unknown): boolean =>
  Object.values(texts ?? {})
    .flat()
    .some((text) => typeof text === 'string' && text.includes('\0'));

export function routeConsole(app: FastifyInstance, options: Omit<ConsoleContext, 'signInLimit' | 'pageOfForm'>): void {
  options.pace.watch(app);
  waitForAssets(app, bundle);
  // Forms of the console send nothing but their address and a few fields.
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  // Larger bodies than forms are refused before they are read; routes that accept more say so.
  app.addHook('onRoute', (route) => {
    if (route.method !== 'GET' && route.method !== 'HEAD') route.bodyLimit ??= FORM_BYTES;
  });
  app.addHook('onRequest', async (request, reply) => {
    if (isForeign(request, options.publicUrl()))
      return reply.code(403).send({ message: 'This works from the pages of the console only.' });
  });
  app.addHook('preValidation', async ({ params, query, body }, reply) => {
    if ([params, query, body].some(holdsNul))
      return reply.code(400).send({ message: 'No text may hold a NUL character.' });
  });
  const context: ConsoleContext = {
    ...options,
    signInLimit: limitSignIn(),
    pageOfForm: watchForms(app),
  };
  app.setErrorHandler((error, request, reply) => {
    if (!(error instanceof TooManyRequests) || !isForPerson(request)) throw error;
    return showTooMany(context, request, reply.header('retry-after', error.retryAfterS));
  });
  routeConsoleAssets(app);
  routeSignIn(app, context);
  routeAccount(app, context);
  routeSecondFactor(app, context);
  const { oidc, onlyOidc } = context.signIn;
  if (oidc) routeOidc(app, context, oidc);
  if (!onlyOidc) {
    routePassword(app, context);
    routePasskeys(app, context);
  }
  app.get('/console', async (request, reply) => {
    const root = rootOf(context);
    const visitor = await findVisitor(context, request);
    if (visitor === undefined) return reply.redirect(`${root}/console/sign-in`, 303);
    if (visitor.isWeak) return leadToSecondFactor(context, request, reply);
    const [first] = visitor.person.memberships;
    if (first === undefined) return showNotHere(context, visitor, request, reply);
    return reply.redirect(`${root}/console/${first.merchantId}/payments`, 303);
  });
  app.get(
    '/console/:merchantId',
    pageFor(context, 'read', async ({ root, member }, _request, reply) =>
      reply.redirect(`${root}/console/${member.merchant.id}/payments`, 303),
    ),
  );
  routeOverview(app, context);
  routePaymentList(app, context);
  routePayment(app, context);
  routePaymentApi(app, context);
  routeKeys(app, context);
  routeRequests(app, context);
  routeWebhooks(app, context);
  routeTeam(app, context);
  routeSettings(app, context);
  routeSandbox(app, context);
  routeAudit(app, context);
  routeActs(app, context);
  routeOtherActs(app, context);
  routePay(app, context);
  // What is no page. Programs are answered as everywhere, and strangers at an address that nothing has.
  app.get('/console/*', async (request, reply) => {
    const isPage = isForPerson(request) && !request.url.startsWith('/console/api/');
    const page = isPage ? context.pageOfForm(request.url.split('?', 1)[0] as string) : undefined;
    if (page !== undefined) return reply.redirect(rootOf(context) + page, 303);
    const visitor = isPage ? await findVisitor(context, request) : undefined;
    if (visitor?.isWeak) return leadToSecondFactor(context, request, reply);
    if (visitor) return showNotHere(context, visitor, request, reply);
    reply.callNotFound();
    return reply;
  });
}
