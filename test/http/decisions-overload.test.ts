// Goal: when more requests wait for the database than may, one more is told so: 503 with Retry-After, and nothing is
// done. Method: the HTTP service on a real port before a store that is full; that a store does fill up is shown by the
// tests of its groups.
import { after, before, test } from 'node:test';
import assert from 'node:assert/strict';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import type { Merchant } from '../../src/domain/merchant.ts';
import { buildApp } from '../../src/start/app.ts';
import { createMetrics } from '../../src/ops/metrics.ts';
import type { Acquirers } from '../../src/payments/acquirers.ts';
import { Overloaded } from '../../src/store/connections/group.ts';
import type { Store } from '../../src/store/store.ts';
import { expectFailure } from '../support/answers.ts';
import { aCreate, Client } from '../support/client.ts';

const merchant: Merchant = {
  id: 100_000_000,
  name: 'Busy',
  live: false,
  dialect: 'spec',
  strictItems: false,
  reserveOnDemand: false,
  secondFactor: false,
  acquirer: 'simulator',
  checkoutKey: `test-checkout-key-${'0'.repeat(32)}`,
  parts: [7],
  accountSecret: '',
  createdAt: 0,
};
const refuse = () => {
  throw new Overloaded('too many requests wait for the database');
};
const fullStore = {
  merchants: { known: () => ({ merchant, key: { id: 'key_0', hint: '0000' } }) },
  keyUses: { note: () => {} },
  load: refuse,
  read: refuse,
  commit: refuse,
} as unknown as Store;
const ID = '0190a1b2c3d47abc8def0123456789ab';

let app: FastifyInstance;
let client: Client;
before(async () => {
  app = await buildApp({
    payments: { store: fullStore, lifetimes: { paymentMs: 1, reservationMs: 1 }, acquirers: {} as Acquirers },
    publicUrl: () => 'http://localhost',
    privateHooks: true,
    logger: pino({ level: 'silent' }),
    metrics: createMetrics(),
    readiness: { reasonNotReady: async () => undefined },
    rates: { live: undefined, test: undefined },
  });
  client = new Client(await app.listen({ port: 0, host: '127.0.0.1' }), `test-secret-key-${'0'.repeat(32)}`);
});
after(() => app.close());

// decision: database-away-or-overload
test('overload is 503 with Retry-After, on reads and on every change', async () => {
  const replies = [
    await client.get(`/v1/payments/${ID}`),
    await client.get(`/v1/charges/${ID}`),
    await client.post('/v1/payments', aCreate()),
    await client.post(`/v1/payments/${ID}/charges`, { amount: 1 }, { 'idempotency-key': 'one' }),
    await client.post(`/v1/charges/${ID}/refunds`, { amount: 1 }),
    await client.post(`/v1/payments/${ID}/cancels`, { amount: 1 }),
    await client.put(`/v1/payments/${ID}/referenceinformation`, { reference: 'r' }),
  ];
  for (const reply of replies) {
    const message = 'Too many requests are waiting; nothing was done. Try again in a moment.';
    expectFailure(reply, { status: 503, code: '1000', message });
    assert.equal(reply.headers.get('retry-after'), '1');
  }
});
