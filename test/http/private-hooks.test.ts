// Goal: a service that others can reach does not let test merchants send requests into its own network, unless its
// operator says so. Method: real services on all addresses, and an endpoint on this machine that must hear nothing.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { homePartOf, newId } from '../../src/payments/ids.ts';
import { createWebhook, newWebhookSecret } from '../../src/store/events/webhooks.ts';
import { expectErrors } from '../support/answers.ts';
import { aCreate } from '../support/client.ts';
import { runKassa, until } from '../support/kassa.ts';
import { openReceiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';

const REFUSAL = 'must not lead to a loopback address unless KASSA_PRIVATE_HOOKS is on';

describe('HOST is not loopback', () => {
  // decision: addresses-of-hooks
  test('hooks of test merchants reach no private address, whichever way they came, until the setting is on', async (t) => {
    const service = await startService({ env: { HOST: '0.0.0.0' } });
    t.after(() => service.stop());
    const receiver = await openReceiver();
    t.after(() => receiver.close());
    const { client, merchant, secretKey } = await service.openShop();
    const { url } = receiver;

    expectErrors(await client.post('/v1/webhooks', { url }), { url: [REFUSAL] });
    const webHooks = [{ eventName: 'payment.created', url, authorization: 'a-secret-of-mine' }];
    expectErrors(await client.post('/v1/payments', { ...aCreate(), notifications: { webHooks } }), {
      'notifications.webHooks[0].url': [REFUSAL],
    });
    expectErrors(await client.post('/v1/webhooks', { url: 'http://localhost:1/' }), {
      url: ['must have a public host name unless KASSA_PRIVATE_HOOKS is on'],
    });
    const { webhookId: other } = await client.must(201, 'POST', '/v1/webhooks', { url: 'http://shop.example/hook' });
    expectErrors(await client.put(`/v1/webhooks/${other}`, { url }), { url: [REFUSAL] });
    await client.must(204, 'DELETE', `/v1/webhooks/${other}`);
    const env = { DATABASE_URL: service.databaseUrl, HOST: '0.0.0.0' };
    const asked = await runKassa(['webhook', 'create', String(merchant.id), '--url', url], { env });
    assert.deepEqual({ code: asked.code, err: asked.err }, { code: 1, err: `kassa: --url ${REFUSAL}.\n` });

    // One from a time when it was allowed, as a name that leads elsewhere now would be.
    const id = newId(Date.now(), homePartOf(merchant));
    const kept = { id, url, events: undefined, secret: newWebhookSecret() };
    const webhook = await createWebhook(service.pool, merchant, kept);
    assert.ok(webhook);
    const pinged = await client.must(200, 'POST', `/v1/webhooks/${webhook.id}/ping`);
    assert.equal(pinged.error, `url ${REFUSAL}`);
    await client.createReserved();
    await until('the refused delivery', async () => {
      const { events } = await client.must(200, 'GET', '/v1/events');
      const { deliveries } = await client.must(200, 'GET', `/v1/events/${events[0].id}/deliveries`);
      return deliveries[0]?.attempts?.[0]?.error === `url ${REFUSAL}`;
    });
    assert.equal(receiver.received.length, 0);

    const open = await startService({
      databaseUrl: service.databaseUrl,
      env: { HOST: '0.0.0.0', KASSA_PRIVATE_HOOKS: 'on', KASSA_DELIVERIES: 'off' },
    });
    t.after(() => open.stop());
    await open.client(secretKey).must(200, 'POST', `/v1/webhooks/${webhook.id}/ping`);
    await receiver.until(1);
    await open.client(secretKey).must(201, 'POST', '/v1/webhooks', { url });
  });
});

test('behind a proxy on this machine they reach no private address either, and the log says so', async (t) => {
  const env = { KASSA_PUBLIC_URL: 'https://pay.example.com', KASSA_TRUSTED_PROXIES: '127.0.0.1' };
  const service = await startService({ env });
  t.after(() => service.stop());
  const { client } = await service.openShop();
  expectErrors(await client.post('/v1/webhooks', { url: 'http://127.0.0.1:1/' }), { url: [REFUSAL] });
  assert.match(service.log(), /"KASSA_PRIVATE_HOOKS":"off"/);
});
