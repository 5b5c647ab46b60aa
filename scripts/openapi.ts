// Writes openapi.json, the description of the API as the service serves it, for readers of the repository and for tools
// that have no service at hand. A test fails when the file is older than the routes.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { buildApp } from '../src/http/app.ts';
import { createMetrics } from '../src/ops/metrics.ts';
import type { Acquirers } from '../src/payments/acquirers.ts';
import type { Store } from '../src/store/store.ts';

const PUBLIC_URL = 'http://localhost:8080';

const app = await buildApp({
  // Routes are described, not run: nothing asks for the database.
  payments: { store: {} as Store, lifetimes: { paymentMs: 1, reservationMs: 1 }, acquirers: {} as Acquirers },
  publicUrl: () => PUBLIC_URL,
  privateHooks: true,
  logger: pino({ level: 'silent' }),
  metrics: createMetrics(),
  readiness: { reasonNotReady: async () => undefined },
  rates: { live: undefined, test: undefined },
});
const { statusCode, payload } = await app.inject('/openapi.json');
if (statusCode !== 200) throw new Error(`GET /openapi.json answered ${statusCode}: ${payload}`);
await writeFile(
  join(import.meta.dirname, '..', 'openapi.json'),
  `${JSON.stringify(JSON.parse(payload) as unknown, null, 2)}\n`,
);
await app.close();
