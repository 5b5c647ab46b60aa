// The HTTP service without a database behind it: for what is about the routes themselves and never runs an operation.
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { AddressAttempts } from '../../src/checkout/attempts.ts';
import { routeCheckout } from '../../src/checkout/routes.ts';
import { routeDemo } from '../../src/demo/routes.ts';
import { buildApp } from '../../src/start/app.ts';
import { openCostlyWork } from '../../src/server/costly-work.ts';
import { PagePace } from '../../src/server/page-pace.ts';
import type { DocsOptions } from '../../src/docs/site/served.ts';
import { createMetrics } from '../../src/ops/metrics.ts';
import type { Acquirers } from '../../src/payments/acquirers.ts';
import type { Store } from '../../src/store/store.ts';

const payments = { store: {} as Store, lifetimes: { paymentMs: 1, reservationMs: 1 }, acquirers: {} as Acquirers };

/** The routes beside the merchant's API. */
export async function routeOthers(app: FastifyInstance): Promise<void> {
  const publicUrl = (): string => 'http://localhost';
  const pace = new PagePace({ live: undefined, test: undefined });
  await routeCheckout(app, {
    payments,
    pace,
    costly: openCostlyWork(),
    publicUrl,
    mostPaymentAttempts: 1,
    attempts: new AddressAttempts(1),
  });
  const sandbox = { merchantId: 1, secretKey: '', checkoutKey: '' };
  routeDemo(app, { sandbox, apiUrl: publicUrl, publicUrl, eventsOf: async () => [], pace });
}

export async function buildBareApp(
  publicUrl: string,
  others?: typeof routeOthers,
  docs?: DocsOptions,
): Promise<FastifyInstance> {
  const app = await buildApp({
    ...(others && { others }),
    ...(docs && { docs }),
    payments,
    publicUrl: () => publicUrl,
    privateHooks: true,
    logger: pino({ level: 'silent' }),
    metrics: createMetrics(),
    readiness: { reasonNotReady: async () => undefined },
    rates: { live: undefined, test: undefined },
  });
  await app.ready();
  return app;
}

// A line of Fastify's tree: four characters for each level, then the rest of the path and its methods.
const LINE = /^((?:│ {3}| {4})*)[├└]── (\S+) \((.+)\)$/;

/** All routes, described or not: `GET /v1/payments/{paymentId}`. */
export function routesOf(app: FastifyInstance): string[] {
  const way: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', piece = '', methods = ''] = LINE.exec(line) ?? [];
      if (piece === '') throw new Error(`not understood: ${line}`);
      way.splice(indent.length / 4, Infinity, piece);
      const path = way.join('').replaceAll(/:(\w+)/g, '{$1}');
      const named = methods.split(', ').filter((method) => method !== 'HEAD');
      return named.map((method) => `${method} ${path}`);
    });
}
