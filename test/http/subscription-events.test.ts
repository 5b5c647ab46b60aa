// Goal: each step of a subscription is told: begun and given another card with what the consumer agreed to, and ended; to
// the merchant's webhooks, and to a payment's own hooks only what they named. Method: a real endpoint for both, and the
// list of events.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aPay, Consumer } from '../support/checkout.ts';
import type { Reply } from '../support/client.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Received, Receiver } from '../support/receiver.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';
import { createWith, reserveWith, SUBSCRIPTION_PATHS } from '../support/subscriptions.ts';

const NAMES = ['subscription.created', 'subscription.card.replaced', 'subscription.ended'];

describe('the events of subscriptions', () => {
  let service: SharedService;
  let shop: Shop;
  let receiver: Receiver;
  before(async () => {
    service = shareService();
    shop = await service.openShop();
    receiver = await openReceiver();
    await shop.client.must(201, 'POST', '/v1/webhooks', { url: `${receiver.url}/all`, events: NAMES });
  });
  after(async () => {
    await receiver.close();
    await service.close();
  });

  const listed = async (paymentId: string): Promise<Reply['body'][]> =>
    (await shop.client.get(`/v1/events?paymentId=${paymentId}&limit=100`)).body.events;
  /** Waits for so many of those that are meant; others may come in between. */
  async function untilOf(count: number, isMeant: (received: Received) => boolean): Promise<readonly Received[]> {
    for (let seen = count; ; seen += 1) {
      const got = (await receiver.until(seen)).filter(isMeant);
      if (got.length >= count) return got;
    }
  }
  const named = (events: readonly Reply['body'][], name: string): Reply['body'] =>
    events.find(({ event }) => event === name) ?? assert.fail(`${name} is not told`);

  // decision: events-about-subscriptions
  test('begun, in the checkout: the consent as the page showed it', async () => {
    const asked = { subscription: { interval: 30, endDate: '2031-06-01', allowVariableAmount: true } };
    const paymentId = await createWith(shop.client, asked, 100_000);
    const reply = await new Consumer(service, shop, paymentId).pay(aPay(undefined, { language: 'sv' }));
    assert.equal(reply.status, 201, reply.text);
    const events = await listed(paymentId);
    const { data, timestamp } = named(events, 'subscription.created');
    const { agreedAt, ...consent } = data.consent;
    assert.deepEqual(consent, {
      amount: { amount: 100_000, currency: 'SEK' },
      allowVariableAmount: true,
      interval: 30,
      endDate: '2031-06-01T00:00:00.000Z',
      language: 'sv',
    });
    assert.ok(Date.parse(agreedAt) <= Date.parse(timestamp));
    assert.equal(data.kind, 'scheduled');
    assert.equal(data.subscriptionId, (await shop.client.payment(paymentId)).subscription.id);
    assert.equal(data.paymentId, paymentId);
    assert.equal(data.cardDetails.truncatedPan, '492500******0004');
    const order = events.map(({ event }) => event as string);
    assert.equal(order.at(-1), 'subscription.created', order.join());
    assert.ok(!JSON.stringify(data).includes('ada@example.test'), 'nothing that names the consumer');
  });

  for (const kind of ['scheduled', 'unscheduled'] as const)
    // decision: events-about-subscriptions
    test(`${kind}: begun, another card, ended: the webhook is told of all three`, async () => {
      const { path, asked, update, idIn } = SUBSCRIPTION_PATHS[kind];
      const paymentId = await createWith(shop.client, asked());
      await reserveWith(shop.client, paymentId);
      const id = idIn(await shop.client.payment(paymentId));
      const other = await createWith(shop.client, update(id), 0);
      await reserveWith(shop.client, other, '5413000000000000');
      const { data } = named(await listed(other), 'subscription.card.replaced');
      assert.equal(data.paymentMethod, 'MasterCard');
      assert.equal(data.subscriptionId, id);
      assert.equal(data.consent.allowVariableAmount, kind === 'unscheduled', 'as it was agreed to before');
      assert.deepEqual(data.consent.amount, { amount: 10_000, currency: 'SEK' }, 'nothing was paid, and that holds');
      await shop.client.put(`${path}/${id}/terminate`);
      const mine = (await untilOf(3, ({ body }) => body.data.subscriptionId === id)).map(({ body }) => body);
      assert.deepEqual(new Set(mine.map(({ event }) => event)), new Set(NAMES));
      assert.deepEqual(named(mine, 'subscription.ended').data, {
        subscriptionId: id,
        kind,
        endedBy: 'merchant',
        paymentId: other,
      });
    });

  test('a charge of it tells none of them, nor does a payment without one', async () => {
    const paymentId = await createWith(shop.client, {});
    await reserveWith(shop.client, paymentId);
    const names = (await listed(paymentId)).map(({ event }) => event as string);
    assert.deepEqual(
      names.filter((name) => name.startsWith('subscription.')),
      [],
    );
  });

  // decision: events-about-subscriptions
  test('a payment’s own hooks get what they named, and nothing else', async () => {
    const hook = (eventName: string, place: string) => ({
      eventName,
      url: `${receiver.url}/${place}`,
      authorization: 'a-secret-of-mine',
    });
    const webHooks = [hook('payment.checkout.completed', 'other'), hook('subscription.created', 'own')];
    const paymentId = await createWith(shop.client, {
      subscription: {},
      notifications: { webHooks: [...webHooks, hook('subscription.ended', 'own')] },
    });
    await reserveWith(shop.client, paymentId);
    const { id } = (await shop.client.payment(paymentId)).subscription;
    await shop.client.put(`/v1/subscriptions/${id}/terminate`);
    const got = await untilOf(4, ({ body }) => body.data.paymentId === paymentId);
    assert.deepEqual(got.map(({ path, body }) => `${path} ${body.event}`).toSorted(), [
      '/events/all subscription.created',
      '/events/all subscription.ended',
      '/events/other payment.checkout.completed',
      '/events/own subscription.created',
    ]);
  });
});
