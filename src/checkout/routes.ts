// All that a consumer's browser asks for: the pages, what they load, their own API, the simulated bank, the invoices.
import type { FastifyInstance } from 'fastify';
import { sendAsset, sendVersion, waitForAssets } from '../pages/asset.ts';
import { NOT_FOUND } from '../server/answer.ts';
import { sendAnswer } from '../server/errors.ts';
import { LANGUAGES } from '../pages/language.ts';
import { assets, bundle, shopScript, shopScriptTypes } from './assets.ts';
import { routeChallenge } from './challenge.ts';
import type { CheckoutContext } from './context.ts';
import { routeInvoice } from './invoice-route.ts';
import { routeBranding } from './branding-route.ts';
import { routePages } from './pages.ts';
import { routePayApi } from './pay-api.ts';
import { routeSubscriptionPage } from './subscription-route.ts';
import { checkoutTexts } from './texts.ts';

// A shop's page loads it under one address for ever, so what is kept is asked for again.
const ASK_AGAIN = 'public, max-age=300, must-revalidate';
// The first seconds of a process are busy, and one that ends within them shows no page.
const WARM_UP_AFTER_MS = 20_000;
// A shop's page may run under rules that let it load only what says that others may load it.
const FOR_ANY_PAGE = { 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' };

function routeAssets(app: FastifyInstance): void {
  app.get('/checkout/assets/:version/:name', async (request, reply) => {
    const { name, version } = request.params as { name: string; version: string };
    const asset = assets().get(name);
    return asset ? sendVersion(request, reply, asset, version) : sendAnswer(reply, NOT_FOUND);
  });
  app.get('/v1/checkout.js', async (request, reply) =>
    sendAsset(request, reply.headers(FOR_ANY_PAGE), shopScript(), ASK_AGAIN),
  );
  app.get('/v1/checkout.d.ts', async (request, reply) =>
    sendAsset(request, reply.headers(FOR_ANY_PAGE), shopScriptTypes, ASK_AGAIN),
  );
}

/** The first consumer after a start waits no longer than others. */
function warmUpLater(app: FastifyInstance): void {
  const warmUp = (): void =>
    void bundle
      .warmUp()
      .catch((error: unknown) => app.log.error({ err: error }, 'scripts and styles cannot be bundled'));
  app.addHook('onListen', async () => void setTimeout(warmUp, WARM_UP_AFTER_MS).unref());
}

export async function routeCheckout(app: FastifyInstance, context: CheckoutContext): Promise<void> {
  // Before an upgrade puts another version in their place: who pays is not to meet a page without its words.
  for (const language of LANGUAGES) checkoutTexts(language);
  context.pace.watch(app);
  waitForAssets(app, bundle);
  warmUpLater(app);
  routeAssets(app);
  routeBranding(app, context);
  routePayApi(app, context);
  routeInvoice(app, context);
  await app.register(async (pages) => routePages(pages, context));
  await app.register(async (bank) => routeChallenge(bank, context));
  await app.register(async (pages) => routeSubscriptionPage(pages, context));
}
