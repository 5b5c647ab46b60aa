// Goal: what the service answers is what its description says, to the last field. Method: every operation is asked for
// each answer that can be had from outside, and the described schema, with every object closed, judges the real body.
// The requests are the described examples where they fit, and those of the contract come in both dialects. At the end
// nothing described may be left unseen.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { putAcquirer } from '../../src/store/merchants/acquirers.ts';
import { KASSA } from '../../src/domain/audit.ts';
import { issueKey } from '../../src/merchants/keys.ts';
import { createKey } from '../../src/store/merchants/keys.ts';
import { DIALECTS } from '../support/answers.ts';
import { startBank } from '../support/bank.ts';
import { aCreate, anOrder } from '../support/client.ts';
import type { Client, Reply } from '../support/client.ts';
import { Description } from '../support/described.ts';
import { openStream } from '../support/event-stream.ts';
import type { EventStream } from '../support/event-stream.ts';
import { until } from '../support/kassa.ts';
import { whileDatabaseIsAway, whileTableIsMissing } from '../support/outage.ts';
import { dateBack, gatherNow } from '../support/payouts.ts';
import { openReceiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';
import { createWith, reserveWith, subscribe, SUBSCRIPTION_PATHS } from '../support/subscriptions.ts';
import type { SubscriptionKind } from '../support/subscriptions.ts';

const NOBODY = '0190a1b2c3d47abc8def0123456789ab';
const CHARGE_DECLINED = '4925000000000079';
const REFUND_DECLINED = '4000000000005126';
const REFUND_PENDING = '4000000000007726';
const CANCEL_DECLINED = '4925000000000061';

const placeOf: Readonly<Record<string, string>> = {
  createBulkCharge: 'charges',
  createBulkVerification: 'verifications',
};

/** The payment of a new subscription. */
async function subscribedBy(client: Client, kind: SubscriptionKind): Promise<string> {
  const paymentId = await createWith(client, SUBSCRIPTION_PATHS[kind].asked());
  await reserveWith(client, paymentId);
  return paymentId;
}

describe('answers as they are described', () => {
  let service: Service;
  let shop: Shop;
  let api: Description;
  before(async () => {
    service = await startService({ env: { KASSA_RATE_LIMIT: '1', KASSA_ACQUIRER_TIMEOUT: '2s' } });
    shop = await service.openShop();
    api = new Description((await service.client().get('/openapi.json')).body);
  });
  after(() => service.stop());

  const key = (name: string) => ({ 'idempotency-key': name });
  let asking: (typeof DIALECTS)[number] | undefined;
  const seenIn = { spec: new Set<string>(), nexi: new Set<string>() };
  const expect = async (operationId: string, status: number, reply: Promise<Reply>): Promise<Reply> => {
    const arrived = await reply;
    // What nexi leaves out of a success is described by examples, and held by the tests of that dialect.
    api.expect(operationId, status, arrived, asking === 'nexi' && status < 300);
    if (asking) seenIn[asking].add(`${operationId} ${status}`);
    return arrived;
  };
  const inBoth = (name: string, ask: (by: Shop) => Promise<void>): void => {
    for (const dialect of DIALECTS)
      test(`${name}, in the dialect ${dialect}`, async () => {
        asking = dialect;
        await ask(await service.openShop({ dialect }));
        asking = undefined;
      });
  };

  inBoth('create', async ({ client }) => {
    const create = (status: number, body: unknown, headers?: Record<string, string>) =>
      expect('createPayment', status, client.post('/v1/payments', body, headers));
    await create(201, api.request('createPayment', 0), { commerceplatformtag: 'Test shop' });
    const { body } = await create(201, api.request('createPayment', 1));
    assert.ok(body.hostedPaymentPageUrl);
    const first = await create(201, api.request('createPayment', 0), key('one'));
    const again = await create(201, api.request('createPayment', 0), key('one'));
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(again.body, first.body);
    await create(422, api.request('createPayment', 1), key('one'));
    await create(400, { order: {} });
    await create(400, undefined);
    await create(413, JSON.stringify({ padding: ' '.repeat(1_100_000) }));
    await create(415, 'x', { 'content-type': 'text/plain' });
    await expect('createPayment', 401, service.client('nonsense').post('/v1/payments', {}));
    const reading = await createKey(service.pool, shop.merchant, undefined, { scopes: ['read'] });
    await expect('createPayment', 403, service.client(reading.secret).post('/v1/payments', {}));
  });

  inBoth('get and list', async ({ client }) => {
    const get = (status: number, id: string) => expect('getPayment', status, client.get(`/v1/payments/${id}`));
    await get(200, await client.create());
    const company = {
      company: { name: 'Lind AB', organisationNumber: '556677-8899', contact: { firstName: 'Astrid' } },
    };
    const paymentId = await client.create(100_000, { consumer: company });
    await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, { paymentType: 'INVOICE' });
    await client.charge(paymentId, 60_000);
    await client.put(`/v1/payments/${paymentId}/myreference`, api.request('updateMyReference'));
    const { body } = await get(200, paymentId);
    assert.ok(body.payment.paymentDetails.invoiceDetails.ocr);
    assert.equal(body.payment.consumer.company.name, 'Lind AB');
    await get(404, NOBODY);
    await get(400, 'a'.repeat(129));
    const page = await expect('listPayments', 200, client.get('/v1/payments?limit=1'));
    await expect('listPayments', 200, client.get(`/v1/payments?cursor=${page.body.cursor}`));
    await expect('listPayments', 400, client.get('/v1/payments?limit=0'));
    const { client: nexi } = await service.openShop({ dialect: 'nexi' });
    await expect('listPayments', 405, nexi.get('/v1/payments'));
    await expect('listPaymentMethods', 200, client.get('/v1/paymentmethods'));
    await expect('listPaymentMethods', 400, client.get('/v1/paymentmethods?currency=ABC'));
  });

  inBoth('a whole payment, with a person who is known', async ({ client }) => {
    const consumer = {
      email: 'astrid@example.com',
      phoneNumber: { prefix: '+46', number: '701234567' },
      billingAddress: { addressLine1: 'Drottninggatan 1', postalCode: '111 51', city: 'Stockholm', country: 'SE' },
      privatePerson: { firstName: 'Astrid', lastName: 'Lind', dateOfBirth: '1990-12-31' },
    };
    const paymentId = await client.create(100_000, { consumer });
    await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
    const { chargeId } = await client.must(
      201,
      'POST',
      `/v1/payments/${paymentId}/charges`,
      api.request('chargePayment'),
    );
    await client.refund(chargeId, 20_000);
    const { body } = await expect('getPayment', 200, client.get(`/v1/payments/${paymentId}`));
    assert.equal(body.payment.refunds.length, 1);
    assert.equal(body.payment.consumer.privatePerson.dateOfBirth, '1990-12-31T00:00:00.000Z');
  });

  inBoth('charge', async ({ client }) => {
    const paymentId = await client.createReserved();
    const charge = (status: number, id: string, body: unknown, headers?: Record<string, string>) =>
      expect('chargePayment', status, client.post(`/v1/payments/${id}/charges`, body, headers));
    await charge(201, paymentId, api.request('chargePayment'), key('charge'));
    await charge(422, paymentId, api.request('chargePayment', 1), key('charge'));
    await charge(402, paymentId, { amount: 50_001 });
    await charge(402, await client.create(), { amount: 1 });
    await charge(402, await client.createReserved(1_000, CHARGE_DECLINED), { amount: 1_000 });
    await charge(400, paymentId, { amount: 0 });
    await charge(404, NOBODY, { amount: 1 });
  });

  inBoth('cancel', async ({ client }) => {
    const paymentId = await client.createReserved();
    const cancel = (status: number, id: string, body: unknown) =>
      expect('cancelPayment', status, client.post(`/v1/payments/${id}/cancels`, body));
    await cancel(204, paymentId, api.request('cancelPayment'));
    await cancel(400, paymentId, { amount: 50_001 });
    await cancel(405, await client.create(), { amount: 1 });
    await cancel(405, await client.createReserved(1_000, CANCEL_DECLINED), { amount: 1_000 });
  });

  test('refund, in both dialects', async () => {
    for (const [dialect, status] of [['spec', 400] as const, ['nexi', 402] as const]) {
      const { client } = await service.openShop({ dialect });
      const paymentId = await client.createReserved();
      const chargeId = await client.charge(paymentId, 60_000);
      const declined = await client.createReserved(1_000, REFUND_DECLINED);
      const declinedCharge = await client.charge(declined, 1_000);
      const refund = (expected: number, id: string, body: unknown) =>
        expect('refundCharge', expected, client.post(`/v1/charges/${id}/refunds`, body));
      await refund(201, chargeId, api.request('refundCharge'));
      await refund(status, chargeId, { amount: 60_000 });
      await refund(status, declinedCharge, { amount: 1_000 });
      const ofPayment = (expected: number, id: string, body: unknown) =>
        expect('refundPayment', expected, client.post(`/v1/payments/${id}/refunds`, body));
      await ofPayment(201, paymentId, api.request('refundPayment'));
      await ofPayment(400, paymentId, { amount: 60_000 });
      await ofPayment(status, declined, { amount: 1_000 });
    }
  });

  inBoth('one charge, one refund', async ({ client }) => {
    const chargeId = await client.charge(await client.createReserved(), 60_000);
    const refundId = await client.refund(chargeId, 1_000);
    await expect('getCharge', 200, client.get(`/v1/charges/${chargeId}`));
    await expect('getCharge', 400, client.get(`/v1/charges/${'a'.repeat(129)}`));
    await expect('getCharge', 404, client.get(`/v1/charges/${refundId}`));
    await expect('getRefund', 200, client.get(`/v1/refunds/${refundId}`));
    await expect('getRefund', 400, client.get(`/v1/refunds/${'a'.repeat(129)}`));
  });

  inBoth('the updates', async ({ client }) => {
    const updates = {
      updateCart: 'orderitems',
      updateReference: 'referenceinformation',
      updateMyReference: 'myreference',
    };
    for (const [operationId, name] of Object.entries(updates)) {
      const paymentId = await client.create();
      const update = (status: number, body: unknown) =>
        expect(operationId, status, client.put(`/v1/payments/${paymentId}/${name}`, body));
      await update(204, api.request(operationId));
      await update(400, {});
      await expect('terminatePayment', 204, client.put(`/v1/payments/${paymentId}/terminate`));
      await update(405, api.request(operationId));
      const { body } = await expect('getPayment', 200, client.get(`/v1/payments/${paymentId}`));
      assert.ok(body.payment.terminated);
    }
    const reserved = await client.createReserved();
    await expect('terminatePayment', 405, client.put(`/v1/payments/${reserved}/terminate`));
    await expect('terminatePayment', 400, client.put(`/v1/payments/${reserved}/terminate`, '{'));
  });

  inBoth('the sandbox', async ({ client }) => {
    const reserve = async (status: number, body: unknown, paymentId?: string) =>
      expect(
        'reserveInSandbox',
        status,
        client.post(`/v1/sandbox/payments/${paymentId ?? (await client.create())}/reserve`, body),
      );
    await reserve(201, api.request('reserveInSandbox', 0));
    await reserve(201, api.request('reserveInSandbox', 1));
    await reserve(402, api.request('reserveInSandbox', 2));
    const inApp = { ...aCreate(), paymentMethodsConfiguration: [{ name: 'Swish' }] };
    const { paymentId } = await client.must(201, 'POST', '/v1/payments', inApp);
    await reserve(201, api.request('reserveInSandbox', 3), paymentId as string);
    await reserve(400, { card: '1234' });
    await reserve(405, {}, await client.createReserved());
    const refund = async () =>
      client.refund(await client.charge(await client.createReserved(1_000, REFUND_PENDING), 600), 1);
    const settle = (status: number, body: unknown, refundId: string) =>
      expect('settleRefundInSandbox', status, client.post(`/v1/sandbox/refunds/${refundId}/settle`, body));
    const completed = await refund();
    await settle(204, api.request('settleRefundInSandbox', 0), completed);
    await settle(405, api.request('settleRefundInSandbox', 1), completed);
    await settle(204, api.request('settleRefundInSandbox', 1), await refund());
    await settle(400, { state: 'Pending' }, completed);
  });

  for (const kind of ['scheduled', 'unscheduled'] as const)
    inBoth(`${kind} subscriptions`, async ({ client }) => {
      const { path, idName, listName } = SUBSCRIPTION_PATHS[kind];
      const named = (name: string): string =>
        kind === 'scheduled'
          ? name
          : name.replace('Subscription', 'UnscheduledSubscription').replace('Bulk', 'UnscheduledBulk');
      const id = await subscribe(client, kind);
      await expect('getPayment', 200, client.get(`/v1/payments/${await subscribedBy(client, kind)}`));
      await expect(named('getSubscription'), 200, client.get(`${path}/${id}`));
      await expect(named('getSubscription'), 400, client.get(`${path}/${'a'.repeat(129)}`));
      await expect(named('findSubscription'), 404, client.get(`${path}?externalReference=old-17`));
      await expect(named('findSubscription'), 400, client.get(path));
      const charge = (status: number, body: unknown, headers?: Record<string, string>) =>
        expect(named('chargeSubscription'), status, client.post(`${path}/${id}/charges`, body, headers));
      await charge(200, api.request(named('chargeSubscription')), key('renewal'));
      await charge(402, { order: anOrder(133) });
      await charge(400, {});
      const status = `${path}/${id}/charges/status`;
      await expect(named('getSubscriptionChargeStatus'), 200, client.get(status, key('renewal')));
      await expect(named('getSubscriptionChargeStatus'), 400, client.get(status));
      const other = await subscribe(client, kind);
      await expect(named('terminateSubscription'), 204, client.put(`${path}/${other}/terminate`));
      await expect(named('terminateSubscription'), 400, client.put(`${path}/${'a'.repeat(129)}/terminate`));
      await expect(named('terminateSubscription'), 404, client.put(`${path}/nonsense/terminate`));
      await expect(named('getSubscription'), 200, client.get(`${path}/${other}`));
      const asked = api.request(named('createBulkCharge')) as Record<string, object[]>;
      const entries = (asked[listName] ?? []).map((entry) => ({ ...entry, [idName]: id }));
      const bulk = (name: string, expected: number, body: object) =>
        expect(named(name), expected, client.post(`${path}/${placeOf[name]}`, body));
      const { bulkId } = (await bulk('createBulkCharge', 202, { ...asked, [listName]: entries })).body;
      await bulk('createBulkCharge', 422, { ...asked, [listName]: [...entries, ...entries] });
      await bulk('createBulkCharge', 400, asked);
      await until('the bulk is done', async () => {
        const { body } = await expect(named('getBulkCharge'), 200, client.get(`${path}/charges/${bulkId}`));
        return body.status === 'Done';
      });
      await expect(named('getBulkCharge'), 400, client.get(`${path}/charges/${bulkId}?skip=0&pageNumber=0`));
      const one = { externalBulkVerificationId: 'v', [listName]: [{ [idName]: id }] };
      const verification = (await bulk('createBulkVerification', 202, one)).body;
      await bulk('createBulkVerification', 422, { ...one, [listName]: [{ [idName]: id }, { [idName]: id }] });
      await bulk('createBulkVerification', 400, {});
      const read = `${path}/verifications/${verification.bulkId}`;
      await expect(named('getBulkVerification'), 200, client.get(read));
      await expect(named('getBulkVerification'), 400, client.get(`${read}?skip=0&pageNumber=0`));
    });

  inBoth('payouts', async ({ client, merchant }) => {
    const paymentId = await client.createReserved();
    await client.refund(await client.charge(paymentId, 60_000), 1_000);
    await dateBack(service.pool, merchant, { '2026-01-10': [paymentId] });
    await gatherNow(service.pool);
    const path = '/report/v1/payouts';
    const period = 'fromDate=2026-01-01&toDate=2026-01-31';
    const { payouts } = (await expect('listPayouts', 200, client.get(`${path}?${period}`))).body;
    await expect('listPayouts', 400, client.get(path));
    await expect('getPayout', 200, client.get(`${path}/${payouts[0].id}`));
    await expect('getPayout', 400, client.get(`${path}/${payouts[0].id}?pageSize=0`));
    await expect('getPayout', 404, client.get(`${path}/${NOBODY}`));
  });

  inBoth('audit records', async ({ merchant }) => {
    const issued = await issueKey(service.pool, KASSA, merchant.id, { scopes: ['audit'] });
    const client = service.client(issued.kind === 'issued' ? issued.secret : '');
    await issueKey(service.pool, KASSA, merchant.id);
    const { body } = await expect('listAuditRecords', 200, client.get('/v1/audit?limit=1'));
    await expect('listAuditRecords', 200, client.get(`/v1/audit?after=${body.cursor}`));
    await expect('listAuditRecords', 400, client.get('/v1/audit?after=x'));
  });

  inBoth('the test clock', async ({ client }) => {
    const path = '/v1/sandbox/clock';
    await expect('getClock', 200, client.get(path));
    await expect('moveClock', 200, client.post(path, api.request('moveClock', 0)));
    await expect('moveClock', 400, client.post(path, {}));
    // One each: a live key has one request a second here.
    const live = async () => (await service.openShop({ live: true })).client;
    await expect('getClock', 404, (await live()).get(path));
    await expect('moveClock', 404, (await live()).post(path, api.request('moveClock', 0)));
  });

  test('events and their deliveries', async () => {
    const { client } = await service.openShop();
    const { webhookId } = await client.must(201, 'POST', '/v1/webhooks', { url: 'http://127.0.0.1:9/' });
    const hook = { eventName: 'payment.created', url: 'http://127.0.0.1:9/', authorization: 'a-secret-of-mine' };
    const payment = { ...aCreate(), notifications: { webHooks: [hook] } };
    const { paymentId } = await client.must(201, 'POST', '/v1/payments', payment);
    // Everything that can be told of a payment that goes well, and an invoice.
    await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, { paymentType: 'INVOICE' });
    await client.refund(await client.charge(paymentId, 60_000), 1_000);
    await client.cancel(paymentId, 40_000);
    const whole = await expect('listEvents', 200, client.get('/v1/events'));
    const page = await expect('listEvents', 200, client.get('/v1/events?limit=1'));
    const { id } = page.body.events[0];
    assert.ok(page.body.cursor === id && whole.body.events.length > 8);
    await expect('listEvents', 400, client.get('/v1/events?type=x'));
    await expect('getEvent', 200, client.get(`/v1/events/${id}`));
    await expect('getEvent', 400, client.get(`/v1/events/${'a'.repeat(129)}`));
    // Until both were tried in vain, and are to be tried again.
    await until('two attempts', async () => {
      const { deliveries } = await client.must(200, 'GET', `/v1/events/${id}/deliveries`);
      return deliveries.length === 2 && deliveries.every((each: Reply['body']) => each.attempts.length > 0);
    });
    await expect('listDeliveriesOfEvent', 200, client.get(`/v1/events/${id}/deliveries`));
    await expect('listDeliveriesOfEvent', 400, client.get(`/v1/events/${'a'.repeat(129)}/deliveries`));
    const redeliver = (status: number, body: unknown) =>
      expect('redeliverEvent', status, client.post(`/v1/events/${id}/redeliver`, body));
    await redeliver(202, undefined);
    await redeliver(202, { webhookId });
    await redeliver(400, api.request('redeliverEvent'));
    const deliveries = (status: number, query: string) =>
      expect('listDeliveriesOfWebhook', status, client.get(`/v1/webhooks/${webhookId}/deliveries?${query}`));
    await deliveries(200, 'state=pending&limit=1');
    await deliveries(400, 'state=lost');
  });

  test('the stream of events', async () => {
    const { client } = await service.openShop();
    const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(client)));
    await client.createReserved();
    const [stream] = streams as [EventStream];
    await stream.until(4);
    const headers = new Headers(stream.headers as Record<string, string>);
    api.expect('streamEvents', 200, { status: stream.status, headers, text: stream.text(), body: undefined });
    await expect('streamEvents', 429, client.get('/v1/events/stream'));
    await expect('streamEvents', 400, client.get('/v1/events/stream?type=x'));
    for (const each of streams) each.close();
  });

  test('webhooks', async () => {
    const { client } = await service.openShop();
    const create = (status: number, body: unknown) =>
      expect('createWebhook', status, client.post('/v1/webhooks', body));
    const { body } = await create(201, api.request('createWebhook', 0));
    await create(201, api.request('createWebhook', 1));
    await create(400, { url: 'http://169.254.169.254/' });
    await expect('listWebhooks', 200, client.get('/v1/webhooks'));
    const path = `/v1/webhooks/${body.webhookId}`;
    await expect('rotateWebhook', 200, client.post(`${path}/rotate`));
    await expect('rotateWebhook', 200, client.post(`${path}/rotate`, api.request('rotateWebhook')));
    await expect('rotateWebhook', 400, client.post(`${path}/rotate`, { secret: 'x' }));
    await expect('rotateWebhook', 200, client.post(`${path}/rotate`, api.request('rotateWebhook', 1)));
    await expect('rotateWebhook', 200, client.post(`${path}/rotate`));
    const update = (status: number, change: unknown) => expect('updateWebhook', status, client.put(path, change));
    await update(204, api.request('updateWebhook', 0));
    await update(204, api.request('updateWebhook', 1));
    await update(400, {});
    await expect('redeliverToWebhook', 202, client.post(`${path}/redeliver`, api.request('redeliverToWebhook')));
    await expect('redeliverToWebhook', 202, client.post(`${path}/redeliver`, api.request('redeliverToWebhook', 1)));
    await expect('redeliverToWebhook', 400, client.post(`${path}/redeliver`, {}));
    const { redeliveries } = (await expect('listRedeliveries', 200, client.get(`${path}/redeliveries`))).body;
    await expect('listRedeliveries', 400, client.get(`/v1/webhooks/${'a'.repeat(129)}/redeliveries`));
    const redelivery = (id: string): string => `${path}/redeliveries/${id}`;
    await expect('getRedelivery', 200, client.get(redelivery(redeliveries[0].redeliveryId)));
    await expect('getRedelivery', 400, client.get(redelivery('a'.repeat(129))));
    await expect('cancelRedelivery', 204, client.send('DELETE', redelivery(redeliveries[0].redeliveryId)));
    await expect('cancelRedelivery', 400, client.send('DELETE', redelivery('a'.repeat(129))));
    // Nobody's turn for long.
    await service.pool.query(
      `update redeliveries set state = 'running', ended_at = null, next_step_at = now() + interval '1 day'
       where id = $1`,
      [redeliveries[0].redeliveryId],
    );
    await expect('redeliverToWebhook', 409, client.post(`${path}/redeliver`, api.request('redeliverToWebhook')));
    const receiver = await openReceiver();
    const slow: ServerResponse[] = [];
    receiver.react((response) => slow.push(response));
    await update(204, { url: receiver.url });
    const ping = (status: number) => expect('pingWebhook', status, client.post(`${path}/ping`));
    const first = ping(200);
    await receiver.until(1);
    await ping(429);
    for (const response of slow) response.writeHead(200).end('fine');
    await first;
    await receiver.close();
    await ping(200);
    await expect('pingWebhook', 400, client.post(`/v1/webhooks/${'a'.repeat(129)}/ping`));
    await service.pool.query(`update webhooks set failing_since = now() where id = $1`, [body.webhookId]);
    await update(204, { state: 'disabled' });
    const shown = await expect('getWebhook', 200, client.get(path));
    assert.ok(shown.body.disabledAt && shown.body.failingSince && shown.body.oldSecretUntil);
    await expect('getWebhook', 400, client.get(`/v1/webhooks/${'a'.repeat(129)}`));
    await expect('deleteWebhook', 400, client.send('DELETE', `/v1/webhooks/${'a'.repeat(129)}`));
    await expect('deleteWebhook', 204, client.send('DELETE', path));
  });

  test('the service itself, and a key that asks too often', async () => {
    await expect('getHealth', 200, service.client().get('/healthz'));
    await expect('getReadiness', 200, service.client().get('/readyz'));
    await expect('getMetrics', 200, service.client().get('/metrics'));
    await expect('getOpenapi', 200, service.client().get('/openapi.json'));
    await expect('getDocs', 200, service.client().get('/docs'));
    const live = await service.openShop({ live: true });
    const replies = await Promise.all(Array.from({ length: 9 }, () => live.client.get('/v1/paymentmethods')));
    const refused = replies.find(({ status }) => status === 429) ?? assert.fail('nine at once, and none too many');
    api.expect('listPaymentMethods', 429, refused);
    assert.ok(refused.headers.has('retry-after'));
  });

  test('an acquirer that does not answer, and then is left alone', async () => {
    const bank = await startBank();
    try {
      await putAcquirer(service.pool, { name: 'bank', url: bank.url, key: bank.key });
      const { client } = await service.openShop({ acquirer: 'bank' });
      const [charged, cancelled] = [await client.createReserved(), await client.createReserved()];
      const unpaid = await client.create();
      const [scheduled, unscheduled] = [await subscribe(client, 'scheduled'), await subscribe(client, 'unscheduled')];
      await bank.setFaults({ hang: 1 });
      const post = (path: string, body: unknown) => client.post(path, body, key('unknown'));
      await Promise.all([
        expect('chargePayment', 500, post(`/v1/payments/${charged}/charges`, { amount: 1 })),
        expect('cancelPayment', 500, post(`/v1/payments/${cancelled}/cancels`, { amount: 1 })),
        expect('reserveInSandbox', 500, client.post(`/v1/sandbox/payments/${unpaid}/reserve`)),
        expect('chargeSubscription', 500, post(`/v1/subscriptions/${scheduled}/charges`, { order: anOrder() })),
        expect(
          'chargeUnscheduledSubscription',
          500,
          post(`/v1/unscheduledsubscriptions/${unscheduled}/charges`, { order: anOrder() }),
        ),
      ]);
      await expect('chargePayment', 409, post(`/v1/payments/${charged}/charges`, { amount: 1 }));
      for (const [id, kind] of [
        [charged, 'charge'],
        [cancelled, 'cancel'],
        [unpaid, 'reservation'],
      ] as const) {
        const { body } = await expect('getPayment', 200, client.get(`/v1/payments/${id}`));
        assert.equal(body.payment.pending[0].kind, kind);
      }
      await expect('terminatePayment', 409, client.put(`/v1/payments/${unpaid}/terminate`));
      // The guard rests for a second at first, so somebody comes by again and again.
      const visits = Array.from({ length: 20 }, async (_, turn) => {
        await sleep(turn * 100);
        return client.post(`/v1/payments/${charged}/charges`, { amount: 1 });
      });
      const away =
        (await Promise.all(visits)).find(({ status }) => status === 503) ?? assert.fail('none was sent away');
      api.expect('chargePayment', 503, away);
      assert.equal(away.body.source, 'bank');
      assert.ok(away.headers.has('retry-after'));
    } finally {
      await bank.stop();
    }
  });

  test('a refund whose outcome is not known, and its cancel', async () => {
    const bank = await startBank();
    try {
      await putAcquirer(service.pool, { name: 'late', url: bank.url, key: bank.key });
      const { client } = await service.openShop({ acquirer: 'late' });
      const chargeId = await client.charge(await client.createReserved(), 60_000);
      const done = await client.refund(chargeId, 1);
      const cancel = (status: number, refundId: string) =>
        expect('cancelPendingRefund', status, client.post(`/v1/pending-refunds/${refundId}/cancel`));
      await cancel(405, done);
      await cancel(400, 'a'.repeat(129));
      await cancel(404, NOBODY);
      // Longer than the test: the bank answers questions and has not acted.
      await bank.setFaults({ actsLateMs: 600_000 });
      const refunds = [await client.refund(chargeId, 1), await client.refund(chargeId, 1)] as const;
      await cancel(204, refunds[0]);
      await bank.setFaults({ hang: 1 });
      await cancel(500, refunds[1]);
    } finally {
      await bank.stop();
    }
  });

  test('a database that is broken, or away', async () => {
    const { client } = shop;
    const path = `/v1/payments/${NOBODY}`;
    await expect(
      'getPayment',
      500,
      whileTableIsMissing(service, 'payments', () => client.get(path)),
    );
    await whileDatabaseIsAway(service, async () => {
      const { headers } = await expect('getPayment', 503, client.get(path));
      assert.ok(headers.has('retry-after'));
      await until('it to be seen', async () => (await client.get('/readyz')).status === 503);
      await expect('getReadiness', 503, client.get('/readyz'));
    });
  });

  test('nothing is described that was not seen', () => {
    const shared = new Map<string, boolean>();
    const unseen: string[] = [];
    for (const { operationId, responses } of api.operations())
      for (const [status, response] of Object.entries(responses)) {
        const isSeen = api.seen.has(`${operationId} ${status}`);
        // An answer that all share is the same wherever it comes from: once is enough.
        if ('$ref' in response) shared.set(status, isSeen || shared.get(status) === true);
        else if (!isSeen) unseen.push(`${operationId} ${status}`);
      }
    for (const [status, isSeen] of shared) if (!isSeen) unseen.push(`any ${status}`);
    assert.deepEqual(unseen, []);
    assert.ok(seenIn.nexi.size > 60);
    assert.deepEqual(seenIn.nexi, seenIn.spec, 'each of the contract in both dialects');
  });
});
