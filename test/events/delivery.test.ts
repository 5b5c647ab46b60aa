// Goal: every change of a payment is told to both kinds of subscribers: in order, signed or with the shop's own
// authorization, again until it is taken. Method: a real service and real endpoints that answer as they are told.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { Webhook as Verifier } from 'standardwebhooks';
import { runLane } from '../../src/events/lane-run.ts';
import { openSender } from '../../src/events/sender.ts';
import { homePartOf, newId } from '../../src/payments/ids.ts';
import { claimLanes, recordLanes } from '../../src/store/events/lanes.ts';
import type { Lane } from '../../src/store/events/lanes.ts';
import {
  createWebhook,
  newWebhookSecret,
  rotateWebhookSecret,
  updateWebhook,
} from '../../src/store/events/webhooks.ts';
import type { Webhook } from '../../src/store/events/webhooks.ts';
import type { EventName } from '../../src/domain/decision.ts';
import { DIALECTS } from '../support/answers.ts';
import { aCreate } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { until } from '../support/kassa.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Received, Receiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

const RESERVED = [
  'payment.created',
  'payment.reservation.created',
  'payment.reservation.created.v2',
  'payment.checkout.completed',
];
const CHARGED = ['payment.charge.created', 'payment.charge.created.v2'];

describe('delivery', () => {
  let service: Service;
  let shop: Shop;
  let receiver: Receiver;

  before(async () => {
    service = await startService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    shop = await service.openShop();
    receiver = await openReceiver();
  });
  afterEach(() => receiver.close());

  const subscribe = async (events?: EventName[]): Promise<Webhook> => {
    const id = newId(Date.now(), homePartOf(shop.merchant));
    const secret = newWebhookSecret();
    const created = await createWebhook(service.pool, shop.merchant, {
      id,
      url: receiver.url,
      events,
      secret,
    });
    return created ?? assert.fail('the webhook was not made');
  };

  const createPayment = async (notifications?: object): Promise<string> => {
    const { paymentId } = await shop.client.must(201, 'POST', '/v1/payments', { ...aCreate(), notifications });
    return paymentId as string;
  };
  const reserveFor = (client: Client, paymentId: string): Promise<unknown> =>
    client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
  const reserve = (paymentId: string): Promise<unknown> => reserveFor(shop.client, paymentId);
  const charge = (paymentId: string, amount = 100_000): Promise<unknown> =>
    shop.client.must(201, 'POST', `/v1/payments/${paymentId}/charges`, { amount });

  const hooksFor = (names: readonly string[], url = receiver.url) => ({
    webHooks: names.map((eventName) => ({ eventName, url, authorization: `secret-of-${eventName.length}` })),
  });
  const namesOf = (received: readonly Received[]): string[] => received.map(({ body }) => body.event as string);

  // decision: one-occurrence-with-two-names
  test("a payment's own hooks: in order, the authorization verbatim, both merchant numbers", async () => {
    const paymentId = await createPayment(hooksFor([...RESERVED, ...CHARGED]));
    await reserve(paymentId);
    await charge(paymentId);
    const received = await receiver.until(6);
    assert.deepEqual(namesOf(received), [...RESERVED, ...CHARGED]);
    for (const { headers, body } of received) {
      assert.equal(headers.authorization, `secret-of-${body.event.length}`);
      assert.equal(headers['content-type'], 'application/json');
      assert.equal(body.merchantId, shop.merchant.id);
      assert.equal(body.merchantNumber, shop.merchant.id);
      assert.equal(body.data.paymentId, paymentId);
    }
    assert.equal(new Set(received.map(({ body }) => body.id as string)).size, 6);
  });

  for (const dialect of DIALECTS)
    // decision: hooks-without-authorization
    test(`${dialect}: a payment's own hook without an authorization is sent no Authorization header`, async () => {
      const { client } = await service.openShop({ dialect });
      const { url } = receiver;
      const webHooks = [
        { eventName: 'payment.created', url },
        { eventName: 'payment.reservation.created', url, authorization: null },
        { eventName: 'payment.checkout.completed', url, headers: [{ Authorization: 'not-sent', 'X-Shop': '7' }] },
      ];
      const body = { ...aCreate(), notifications: { webHooks } };
      await reserveFor(client, (await client.must(201, 'POST', '/v1/payments', body)).paymentId);
      const received = await receiver.until(3);
      assert.deepEqual(
        namesOf(received),
        webHooks.map(({ eventName }) => eventName),
      );
      for (const { headers } of received) assert.equal('authorization' in headers, false);
      assert.equal(received[2]?.headers['x-shop'], '7');
    });

  test('only what was asked for is sent, and one address hears of it once', async () => {
    const twice = hooksFor(['payment.charge.created', 'payment.charge.created']);
    const paymentId = await createPayment(twice);
    await reserve(paymentId);
    await charge(paymentId, 40_000);
    await charge(paymentId, 60_000);
    assert.deepEqual(namesOf(await receiver.until(2)), ['payment.charge.created', 'payment.charge.created']);
  });

  // decision: unknown-event-names-in-hooks
  test('a name that is no event is taken and never told', async () => {
    const paymentId = await createPayment(hooksFor(['payment.happened', 'payment.created']));
    await reserve(paymentId);
    await charge(paymentId);
    await reserve(await createPayment(hooksFor(['payment.checkout.completed'])));
    const received = await receiver.until(2);
    assert.deepEqual(namesOf(received).toSorted(), ['payment.checkout.completed', 'payment.created']);
    const warned = new RegExp(
      `"level":40.*"merchant":${shop.merchant.id},"names":\\["payment.happened"\\].*events that there are not`,
    );
    await until('the warning', () => warned.test(service.log()));
  });

  // decision: one-occurrence-with-two-names
  test('a webhook: all events, signed so that the library verifies them', async () => {
    const { secret } = await subscribe();
    const paymentId = await createPayment();
    await reserve(paymentId);
    const received = await receiver.until(4);
    assert.deepEqual(namesOf(received), RESERVED);
    for (const { text, headers, body } of received) {
      assert.deepEqual(new Verifier(secret).verify(text, headers as Record<string, string>), body);
      assert.equal(headers['webhook-id'], body.id);
      assert.throws(() => new Verifier(newWebhookSecret()).verify(text, headers as Record<string, string>));
      assert.throws(() => new Verifier(secret).verify(`${text} `, headers as Record<string, string>));
    }
  });

  // decision: rotating-a-secret
  test('while a secret is rotated, both secrets verify', async () => {
    const webhook = await subscribe(['payment.created']);
    const secret = newWebhookSecret();
    await rotateWebhookSecret(service.pool, webhook.id, webhook.merchantId, secret);
    await reserve(await createPayment());
    const [received] = await receiver.until(1);
    for (const valid of [webhook.secret, secret])
      new Verifier(valid).verify(received?.text ?? '', received?.headers as Record<string, string>);
    await service.pool.query(`update webhooks set old_secret_until = now() where id = $1`, [webhook.id]);
    await reserve(await createPayment());
    const { text, headers } = (await receiver.until(2))[1] as Received;
    new Verifier(secret).verify(text, headers as Record<string, string>);
    assert.throws(() => new Verifier(webhook.secret).verify(text, headers as Record<string, string>));
  });

  // decision: order-of-deliveries
  test('what is not taken is sent again, under the same id, and the later ones wait for it', async () => {
    await subscribe();
    receiver.react(500, 503, 200);
    await reserve(await createPayment());
    const received = await receiver.until(6);
    const [first] = RESERVED;
    assert.deepEqual(namesOf(received), [first, first, ...RESERVED]);
    assert.equal(new Set(received.slice(0, 3).map(({ body }) => body.id as string)).size, 1);
  });

  // decision: order-of-deliveries
  test('one that failed three times is overtaken', async () => {
    await subscribe(['payment.created', 'payment.checkout.completed']);
    receiver.react(500, 500, 500, 200);
    await reserve(await createPayment());
    const received = await receiver.until(4);
    assert.deepEqual(namesOf(received).slice(3), ['payment.checkout.completed']);
  });

  // decision: acknowledgement
  test("201 is taken from a webhook, and not from a payment's own hook", async () => {
    await subscribe(['payment.created']);
    receiver.react(201);
    await reserve(await createPayment(hooksFor(['payment.created'])));
    const received = await receiver.until(3);
    const ofHook = received.filter(({ headers }) => headers.authorization !== undefined);
    assert.equal(received.length - ofHook.length, 1);
    assert.ok(ofHook.length >= 2);
    const { deliveries } = await shop.client.must(200, 'GET', `/v1/events/${received[0]?.body.id}/deliveries`);
    for (const { hook, attempts } of deliveries)
      assert.deepEqual(
        [attempts[0].status, attempts[0].error],
        [201, hook === undefined ? undefined : "only 200 is taken from a payment's own hook"],
      );
  });

  // decision: answer-410
  test('410 switches a webhook off, and an event tells the others', async () => {
    const gone = await subscribe();
    receiver.react(410);
    await reserve(await createPayment());
    await receiver.until(1);
    const other = await openReceiver();
    try {
      const id = newId(Date.now(), homePartOf(shop.merchant));
      const { id: merchantId } = shop.merchant;
      const secret = newWebhookSecret();
      await createWebhook(service.pool, shop.merchant, { id, url: other.url, events: ['webhook.disabled'], secret });
      await updateWebhook(service.pool, gone.id, merchantId, { enabled: true });
      await reserve(await createPayment());
      const [told] = await other.until(1);
      assert.deepEqual(told?.body.data, { webhookId: gone.id, url: gone.url, reason: 'gone' });
    } finally {
      await other.close();
    }
    // The one of the first payment and the one of the second, which may both be under way; never all eight.
    assert.ok(receiver.received.length <= 3);
  });

  // decision: failing-webhooks
  test('a webhook that failed for three days is switched off', async () => {
    const webhook = await subscribe(['payment.created', 'webhook.disabled']);
    await service.pool.query(`update webhooks set failing_since = now() - interval '73 hours' where id = $1`, [
      webhook.id,
    ]);
    receiver.react(500);
    await reserve(await createPayment());
    await receiver.until(1);
    const readName = async (): Promise<string | undefined> => {
      const rows = await service.pool.query<{ reason: string }>(
        `select data ->> 'reason' as reason from events where subject_id = $1 and name = 'webhook.disabled'`,
        [webhook.id],
      );
      return rows[0]?.reason;
    };
    while ((await readName()) === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(await readName(), 'failing');
  });

  test('whoever finds a webhook off lets the lane rest, unless it was switched on meanwhile', async () => {
    const idle = await startService({ env: { KASSA_DELIVERIES: 'off' } });
    const sender = openSender({ privateHooks: true });
    try {
      const { client, merchant } = await idle.openShop();
      const { webhookId } = await client.must(201, 'POST', '/v1/webhooks', { url: receiver.url });
      await client.createReserved();
      await client.must(200, 'GET', '/v1/events');
      const switchTo = (enabled: boolean): Promise<unknown> =>
        updateWebhook(idle.pool, webhookId, merchant.id, { enabled });
      const endpoint = { merchantId: merchant.id, endpoint: webhookId as string };
      const claim = async (): Promise<readonly Lane[]> =>
        (await claimLanes(idle.pool, [{ ...endpoint, room: 1 }])).lanes;
      const run = async (lane: Lane): Promise<object[]> => {
        const context = { lane, payment: undefined, merchant, sender, isStopping: () => false, onAttempt: () => {} };
        return recordLanes(idle.pool, [await runLane(context)]);
      };
      await switchTo(false);
      const [found] = (await claim()) as readonly [Lane];
      await switchTo(true);
      assert.deepEqual(await run(found), [endpoint], 'due at once');
      await switchTo(false);
      const [again] = (await claim()) as readonly [Lane];
      assert.deepEqual(await run(again), []);
      assert.deepEqual(await claim(), [], 'it rests');
      await switchTo(true);
      assert.equal((await claim()).length, 1);
    } finally {
      sender.close();
      await idle.stop();
    }
  });

  // decision: answer-410
  test("410 ends a payment's own hook, and only that", async () => {
    receiver.react(410, 200);
    const paymentId = await createPayment(hooksFor([...RESERVED, ...CHARGED]));
    await reserve(paymentId);
    await receiver.until(1);
    await charge(paymentId);
    const next = await createPayment(hooksFor(['payment.created']));
    await reserve(next);
    const received = await receiver.until(2);
    assert.equal(received[1]?.body.data.paymentId, next);
  });
});
