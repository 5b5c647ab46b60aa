// Writes openapi.json, the description of the API: out of the routes and the schemas that check what is sent to them. The
// service serves the file, and so do tools that have no service at hand. A test fails when it is older than the routes.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { buildApp } from '../src/start/app.ts';
import { describeRoutes } from '../src/api/openapi.ts';
import { documentOf } from '../src/api/openapi/complete.ts';
import type { Document } from '../src/api/openapi/document.ts';
import { createMetrics } from '../src/ops/metrics.ts';
import type { Acquirers } from '../src/payments/acquirers.ts';
import type { Store } from '../src/store/store.ts';

// A service that serves it puts its own in this place.
const PUBLIC_URL = 'http://localhost:8080';

/** The description of the API as its routes are now. */
export async function describeApi(): Promise<Document> {
  const app = await buildApp({
    // Routes are described, not run: nothing asks for the database.
    payments: { store: {} as Store, lifetimes: { paymentMs: 1, reservationMs: 1 }, acquirers: {} as Acquirers },
    publicUrl: () => PUBLIC_URL,
    privateHooks: true,
    logger: pino({ level: 'silent' }),
    metrics: createMetrics(),
    readiness: { reasonNotReady: async () => undefined },
    rates: { live: undefined, test: undefined },
    watchRoutes: describeRoutes,
  });
  await app.ready();
  const document = documentOf(app, PUBLIC_URL);
  await app.close();
  return document;
}

if (import.meta.main) {
  const text = `${JSON.stringify(await describeApi(), null, 2)}\n`;
  await writeFile(join(import.meta.dirname, '..', 'openapi.json'), text);
}
