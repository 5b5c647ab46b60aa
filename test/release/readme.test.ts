// Goal: the lines that the documents give to type do what the documents say. Method: they are typed, as they stand, into
// a plain bash against a Kassa started as the README says; only the port is another one.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { Workshop } from '../database/workshop.ts';
import { freePort } from '../support/free-port.ts';
import { runKassa, serveKassa } from '../support/kassa.ts';
import type { Running } from '../support/kassa.ts';
import { root } from '../../proof/program.ts';
import { typeIntoShell } from '../support/shell.ts';
import { readDocument, scriptOf } from '../start/documents.ts';

async function type(script: string, folder: string, env: Record<string, string> = {}): Promise<string> {
  assert.match(script, /curl /);
  const { stdout, stderr } = await typeIntoShell(script, { cwd: folder, env });
  assert.equal(stderr, '');
  return stdout;
}

/** Kassa as `npm start` leaves it: with its data in .kassa of the folder where everything is typed. */
async function start(t: TestContext): Promise<{ service: Running; folder: string }> {
  const shop = new Workshop();
  t.after(() => shop.close());
  shop.bringDatabase(join(shop.root, '.kassa'));
  const service = await serveKassa(t, { env: { KASSA_DATA_DIR: join(shop.root, '.kassa') } });
  return { service, folder: shop.root };
}

const atPort = (script: string, { url }: Running): string => script.replaceAll('localhost:8080', new URL(url).host);

type Shown = { paymentId: string; summary: Record<string, number>; orderDetails: object };

const listPayments = async ({ client }: Running): Promise<Shown[]> =>
  (await client.must(200, 'GET', '/v1/payments')).payments;

describe('the lines of the documents', { concurrency: 2 }, () => {
  test('README.md: the life of a payment', async (t) => {
    const { service, folder } = await start(t);
    const out = await type(atPort(scriptOf(readDocument('README.md')), service), folder);
    const [payment] = await listPayments(service);
    assert.deepEqual(payment?.summary, {
      reservedAmount: 15_000,
      chargedAmount: 10_000,
      refundedAmount: 5_000,
      cancelledAmount: 5_000,
    });
    assert.deepEqual(payment?.orderDetails, { amount: 15_000, currency: 'SEK', reference: 'order-1-b' });
    assert.ok(out.endsWith(`\n"summary":${JSON.stringify(payment?.summary)}\n`), out);
    assert.equal(out.split('\n').length, 4, 'each answer on a line of its own');
    assert.equal(out.includes('errors') || out.includes('"code"'), false, out);
    await service.stop();
  });

  test('quick-start.md: one payment for one key, a decline, a reservation, a charge', async (t) => {
    const { service, folder } = await start(t);
    const out = await type(atPort(scriptOf(readDocument('docs/integrate/quick-start.md')), service), folder);
    const [payment, ...others] = await listPayments(service);
    assert.ok(out.startsWith(`one payment: ${payment?.paymentId}\n`), out);
    assert.deepEqual(others, []);
    assert.match(out, /"code":"1022"/);
    assert.equal(payment?.summary['chargedAmount'], 10_000);
    await service.stop();
  });

  test('subscriptions.md: one is begun, charged alone and in a bulk, and ended', async (t) => {
    const { service, folder } = await start(t);
    const out = await type(atPort(scriptOf(readDocument('docs/integrate/subscriptions.md')), service), folder);
    assert.equal(out.includes('errors') || out.includes('"code"'), false, out);
    const payments = await listPayments(service);
    assert.deepEqual(
      payments.map(({ summary }) => summary['chargedAmount']),
      [14_900, 14_900, 0],
    );
    assert.match(out, /"status":"Succeeded"/);
    assert.match(out, /^204$/m);
    assert.match(out, /"state":"ended"/);
    await service.stop();
  });

  test('ci.md: a service, a merchant, and nothing left running', async (t) => {
    const shop = new Workshop();
    t.after(() => shop.close());
    const env = { PORT: String(await freePort()), KASSA_DATA_DIR: shop.dataDir };
    const script = scriptOf(readDocument('docs/integrate/ci.md'))
      .replaceAll('localhost:8080', `localhost:${env.PORT}`)
      .replaceAll('bin/kassa.js', join(root, 'bin/kassa.js'));
    const out = await type(script, shop.root, env);
    assert.equal(out, '{"payments":[]}"event":"payment.checkout.completed"\n');
    assert.equal(shop.postmaster(), undefined);
    const listed = JSON.parse((await runKassa(['merchant', 'list', '--json'], { env })).out) as { name: string }[];
    assert.deepEqual(
      listed.map(({ name }) => name),
      ['Sandbox', 'CI'],
    );
  });
});
