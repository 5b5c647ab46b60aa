// The states in which a consumer finds the pages of a subscription, and how each is reached in a real browser.
import type { Page } from 'playwright-core';
import { aPay, Consumer } from '../support/checkout.ts';
import { anItem } from '../support/client.ts';
import type { Shop } from '../support/service.ts';
import type { State, World } from './checkout-states.ts';
import { untilState } from './paying-page.ts';

const PRICE = 14_900;

function anOrderOf(amount: number): object {
  // What is asked for to be declined has no whole fifth.
  const taxAmount = amount % 5 === 0 ? amount / 5 : 0;
  const netTotalAmount = amount - taxAmount;
  const taxRate = taxAmount > 0 ? 2_500 : 0;
  const item = anItem({
    reference: 'tea',
    name: 'A tin of tea each month',
    quantity: 1,
    unit: 'pcs',
    unitPrice: netTotalAmount,
    taxRate,
    taxAmount,
    grossTotalAmount: amount,
    netTotalAmount,
  });
  return { items: [item], amount, currency: 'SEK', reference: '2026-10418' };
}

type Begun = { readonly url: string; readonly paymentId: string };

async function begin({ site }: World, shop: Shop, asked: object, amount = PRICE): Promise<Begun> {
  const { paymentId, hostedPaymentPageUrl: url } = await shop.client.must(201, 'POST', '/v1/payments', {
    order: anOrderOf(amount),
    checkout: {
      integrationType: 'HostedPaymentPage',
      returnUrl: `${site.origin}/thanks`,
      cancelUrl: `${site.origin}/cart`,
      termsUrl: `${site.origin}/terms`,
    },
    ...asked,
  });
  return { url, paymentId };
}

const MONTHLY = { subscription: { interval: 30, endDate: '2031-06-01' } };

async function pay({ service }: World, shop: Shop, { paymentId }: Begun, amount = PRICE): Promise<void> {
  const body = aPay(undefined, { amountConfirmedByConsumer: amount, language: 'en' });
  const { status, text } = await new Consumer(service, shop, paymentId).pay(body);
  if (status !== 201) throw new Error(`${status} ${text}`);
}

/** A subscription of which something was charged, by its page. */
async function subscribe(world: World, asked: object = MONTHLY, shop = world.shop): Promise<string> {
  const begun = await begin(world, shop, asked);
  await pay(world, shop, begun);
  const { subscription, unscheduledSubscription } = await shop.client.payment(begun.paymentId);
  const path = subscription
    ? `/v1/subscriptions/${subscription.id}`
    : `/v1/unscheduledsubscriptions/${unscheduledSubscription.unscheduledSubscriptionId}`;
  const { pool } = world.service;
  const id = path.split('/')[3];
  // Months ago, so that there is something to look back on.
  const agreedAt = Date.now() - 95 * 86_400_000;
  const dated = (column: string, place: string): string =>
    `${column} = jsonb_set(${column}::jsonb, '{${place}}', $2::jsonb)`;
  await pool.query(`update subscriptions set began_on = began_on - 95, ${dated('consent', 'agreedAt')} where id = $1`, [
    id,
    agreedAt,
  ]);
  await pool.query(`update payments set ${dated('checkout', 'subscription,agreedAt')} where id = $1`, [
    begun.paymentId,
    agreedAt,
  ]);
  for (const [days, amount] of [
    [65, PRICE],
    [35, 151],
    [34, PRICE],
  ] as const) {
    const { body } = await shop.client.post(`${path}/charges`, { order: anOrderOf(amount) });
    const renewed = body.paymentId ?? /payment id: (\w{32})/.exec(body.message)?.[1];
    await pool.query('update renewals set day = day - $2::int where payment_id = $1', [renewed, days]);
    if (days === 65) await shop.client.must(201, 'POST', `/v1/charges/${body.chargeId}/refunds`, { amount: 5_000 });
  }
  return (await shop.client.get(path)).body.consumerPageUrl;
}

/** Another card for 0. */
async function replaceCard(world: World): Promise<Begun> {
  const [, subscriptionId] = /\/subscriptions\/(\w{32})\//.exec(await subscribe(world)) ?? [];
  return begin(world, world.shop, { subscription: { subscriptionId } }, 0);
}

const shows = async (page: Page, url: string, state: string): Promise<void> => {
  await page.goto(url);
  await untilState(page, state);
};

export const SUBSCRIPTION_STATES: readonly State[] = [
  {
    name: 'subscription-consent',
    show: async (page, world) => shows(page, (await begin(world, world.shop, MONTHLY)).url, 'open'),
  },
  {
    name: 'subscription-consent-unscheduled',
    async show(page, world) {
      const asked = { unscheduledSubscription: { create: true } };
      await shows(page, (await begin(world, world.shop, asked, 0)).url, 'open');
    },
  },
  {
    name: 'subscription-consent-replace',
    show: async (page, world) => shows(page, (await replaceCard(world)).url, 'open'),
  },
  {
    name: 'subscription-card-saved',
    async show(page, world) {
      const begun = await replaceCard(world);
      await pay(world, world.shop, begun, 0);
      await shows(page, begun.url, 'paid');
    },
  },
  {
    name: 'subscription-paid',
    async show(page, world) {
      const begun = await begin(world, world.shop, MONTHLY);
      await pay(world, world.shop, begun);
      await shows(page, begun.url, 'paid');
    },
  },
  {
    name: 'subscription',
    show: async (page, world) => shows(page, await subscribe(world), 'subscription-active'),
  },
  {
    name: 'subscription-branded',
    show: async (page, world) =>
      shows(
        page,
        await subscribe(world, { unscheduledSubscription: { create: true } }, world.brandedShop),
        'subscription-active',
      ),
  },
  {
    name: 'subscription-new',
    async show(page, world) {
      const begun = await begin(world, world.shop, MONTHLY);
      await pay(world, world.shop, begun);
      const { subscription } = await world.shop.client.payment(begun.paymentId);
      const { consumerPageUrl } = (await world.shop.client.get(`/v1/subscriptions/${subscription.id}`)).body;
      await shows(page, consumerPageUrl, 'subscription-active');
    },
  },
  {
    name: 'subscription-needs-card',
    async show(page, world) {
      const url = await subscribe(world);
      const [, id] = /\/subscriptions\/(\w{32})\//.exec(url) ?? [];
      await world.shop.client.post(`/v1/subscriptions/${id}/charges`, { order: anOrderOf(154) });
      await shows(page, url, 'subscription-needs_card');
    },
  },
  {
    name: 'subscription-end',
    show: async (page, world) => shows(page, `${await subscribe(world)}/end`, 'subscription-end'),
  },
  {
    name: 'subscription-ended',
    async show(page, world) {
      await shows(page, `${await subscribe(world)}/end`, 'subscription-end');
      await page.locator('#end-now').click();
      await untilState(page, 'subscription-ended');
    },
  },
  {
    name: 'subscription-not-found',
    async show(page, { service }) {
      await shows(page, `${service.url}/subscriptions/${'0'.repeat(32)}/${'0'.repeat(32)}`, 'fault');
    },
  },
];
