// Every state in which a consumer can find the checkout, and how each is reached in a real browser: one list for all who
// look at all of them, whether for accessibility or for pictures.
import type { Page } from 'playwright-core';
import { partOf } from '../../src/domain/id.ts';
import { readLogoBytes } from '../../src/merchants/branding.ts';
import { updateBranding } from '../../src/store/merchants/merchant-branding.ts';
import type { Logo } from '../../src/store/merchants/merchant-branding.ts';
import { aPay, CARDS, Consumer } from '../support/checkout.ts';
import { anItem } from '../support/client.ts';
import { until } from '../support/kassa.ts';
import { aPng } from '../support/picture.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';
import { Wire } from '../support/wire.ts';
import { embedCheckout, openShopSite } from './embedding-shop.ts';
import type { EmbeddedCheckout, Embedding, ShopSite } from './embedding-shop.ts';
import {
  bank,
  choice,
  field,
  fillCard,
  fillConsumer,
  fillIn,
  KNOWN,
  NATIONAL_NUMBER,
  payByCard,
  press,
  untilState,
} from './paying-page.ts';
import { SUBSCRIPTION_STATES } from './subscription-states.ts';

/** The services and shops that the states need. */
export type World = {
  readonly service: Service;
  /** Started by the first who wants it: lets payments expire after a second, and its database can be taken away. */
  readonly hasty: () => Promise<Service>;
  readonly wire: Wire;
  readonly shop: Shop;
  readonly liveShop: Shop;
  /** With a colour and a logo of its own, and pictures of what it sells. */
  readonly brandedShop: Shop;
  readonly site: ShopSite;
  close(): Promise<void>;
};

export type State = {
  readonly name: string;
  show(page: Page, world: World): Promise<void>;
  /** What was done to the services is undone; the page's context ends with the state. */
  hide?(world: World): void;
};

const SHOP_NAME = 'Havtorn & Salt';

/** What a real order looks like: several items, one of them a discount, 25 % tax. */
const ITEMS = [
  item('kettle', 'Enamel kettle, sea green', 1, 49_900),
  item('cups', 'Stoneware cups, hand-thrown', 4, 15_900),
  item('tea', 'Black tea with sea buckthorn', 0.5, 24_000, 'kg'),
  item('voucher', 'Welcome back', 1, -10_000),
];

function item(reference: string, name: string, quantity: number, price: number, unit = 'pcs'): object {
  const gross = price * quantity;
  const net = (gross * 4) / 5;
  const amounts = { taxRate: 2_500, taxAmount: gross - net, grossTotalAmount: gross, netTotalAmount: net };
  return anItem({ reference, name, quantity, unit, unitPrice: (price * 4) / 5, ...amounts });
}

const TOTAL = 49_900 + 4 * 15_900 + 12_000 - 10_000;

async function openBrandedShop(service: Service): Promise<Shop> {
  const shop = await service.openShop({ name: SHOP_NAME });
  const logo = readLogoBytes(aPng(240, 64)) as Logo;
  await updateBranding(service.pool, shop.merchant.id, { colour: '#7c2d92', logo });
  return shop;
}

/** `databaseUrl` is of a database that nobody else uses. */
export async function openWorld(databaseUrl: string, env: Readonly<Record<string, string>> = {}): Promise<World> {
  const service = await startService({
    databaseUrl,
    env: { KASSA_ADDRESS_ATTEMPTS: 'off', KASSA_SANDBOX: 'on', ...env },
  });
  const wire = await Wire.open(databaseUrl);
  let hasty: Promise<Service> | undefined;
  const hastyEnv = { DATABASE_URL: wire.url, KASSA_PAYMENT_LIFETIME: '1s' };
  const site = await openShopSite();
  return {
    service,
    hasty: () => (hasty ??= startService({ databaseUrl, env: hastyEnv })),
    wire,
    shop: await service.openShop({ name: SHOP_NAME }),
    liveShop: await service.openShop({ name: SHOP_NAME, live: true }),
    brandedShop: await openBrandedShop(service),
    site,
    async close() {
      site.close();
      await (await hasty)?.stop();
      await wire.close();
      await service.stop();
    },
  };
}

type Created = { readonly paymentId: string; readonly url: string; readonly consumer: Consumer };

async function create(
  { service, shop, site, ...world }: World,
  checkout: object = {},
  by = shop,
  more: object = {},
): Promise<Created> {
  const withPicture = (line: object & { readonly reference?: string }): object =>
    line.reference === 'voucher' ? line : { ...line, imageUrl: `${site.origin}/${line.reference}.png` };
  const { paymentId, hostedPaymentPageUrl } = await by.client.must(201, 'POST', '/v1/payments', {
    order: {
      items: by === world.brandedShop ? ITEMS.map(withPicture) : ITEMS,
      amount: TOTAL,
      currency: 'SEK',
      reference: '2026-10417',
    },
    checkout: {
      termsUrl: `${site.origin}/terms`,
      ShippingCountries: ['SWE', 'NOR', 'DNK', 'FIN', 'DEU'].map((countryCode) => ({ countryCode })),
      consumerType: { default: 'B2C', supportedTypes: ['B2C', 'B2B'] },
      integrationType: 'HostedPaymentPage',
      returnUrl: `${site.origin}/thanks`,
      cancelUrl: `${site.origin}/cart`,
      ...checkout,
    },
    ...more,
  });
  return { paymentId, url: hostedPaymentPageUrl, consumer: new Consumer(service, by, paymentId) };
}

const EMBEDDED = { integrationType: 'EmbeddedCheckout', returnUrl: undefined, cancelUrl: undefined };

/** A new payment in the frame of the shop's page. */
async function embed(
  page: Page,
  world: World,
  checkout: object = {},
  embedding?: Embedding,
): Promise<EmbeddedCheckout & { readonly paymentId: string }> {
  const { service, shop, site } = world;
  const { paymentId } = await create(world, { ...EMBEDDED, url: `${site.origin}/checkout`, ...checkout });
  return { ...(await embedCheckout(page, service, shop, site, paymentId, embedding)), paymentId };
}

/** The body of a pay call for the order of these states. */
const pays = (card?: string) => aPay(card, { amountConfirmedByConsumer: TOTAL });

async function open(page: Page, world: World, checkout?: object): Promise<Created> {
  const created = await create(world, checkout);
  await page.goto(created.url);
  return created;
}

/** The bank's page is asked for by the API, so that no page leads there. */
async function challenge(world: World, checkout?: object): Promise<Created & { readonly bankUrl: string }> {
  const created = await create(world, checkout);
  const reply = await created.consumer.pay(pays(CARDS.challenge));
  return { ...created, bankUrl: reply.body.redirectUrl };
}

async function showPaid(
  page: Page,
  world: World,
  checkout?: object,
  body: object = pays(),
  [charged, refunded]: readonly number[] = [],
): Promise<void> {
  const { paymentId, consumer, url } = await create(world, checkout);
  const { status, text } = await consumer.pay(body);
  if (status !== 201) throw new Error(`${status} ${text}`);
  if (charged !== undefined) {
    const { client } = world.shop;
    const { chargeId } = await client.must(201, 'POST', `/v1/payments/${paymentId}/charges`, { amount: charged });
    if (charged < TOTAL) await client.must(204, 'POST', `/v1/payments/${paymentId}/cancels`, { amount: 10_000 });
    await client.must(201, 'POST', `/v1/charges/${chargeId}/refunds`, { amount: refunded });
  }
  await page.goto(url);
  await untilState(page, 'paid');
}

const onHasty = async ({ hasty }: World, url: string): Promise<string> =>
  url.replace(/^http:\/\/[^/]+/, (await hasty()).url);

const states: readonly State[] = [
  { name: 'form', show: async (page, world) => void (await open(page, world)) },
  {
    name: 'form-unfolded',
    async show(page, world) {
      await open(page, world);
      if (await page.locator('.order summary').isVisible()) await page.locator('.order summary').click();
      await page.locator('.test-cards summary').click();
    },
  },
  {
    name: 'form-filled',
    async show(page, world) {
      await open(page, world);
      await fillConsumer(page);
      await fillCard(page);
    },
  },
  {
    name: 'form-errors',
    async show(page, world) {
      await open(page, world);
      await fillIn(page, { 'consumer.email': 'ada', 'consumer.shippingAddress.postalCode': '1' });
      await press(page);
      await page.locator('#form-error:not(:empty)').waitFor();
    },
  },
  {
    name: 'form-company-invoice',
    async show(page, world) {
      await open(page, world);
      await choice(page, 'consumerType', 'B2B').check();
      await field(page, 'separateBilling').check();
      await choice(page, 'type', 'invoice').check();
    },
  },
  {
    name: 'form-invoice-errors',
    async show(page, world) {
      await open(page, world);
      await choice(page, 'type', 'invoice').check();
      await fillConsumer(page);
      await fillIn(page, { [NATIONAL_NUMBER]: '1' });
      await press(page);
      await page.locator('#form-error:not(:empty)').waitFor();
    },
  },
  {
    name: 'form-invoice-fee',
    async show(page, world) {
      const amounts = {
        grossTotalAmount: 2_500,
        netTotalAmount: 2_000,
        taxRate: 2_500,
        taxAmount: 500,
        unitPrice: 2_000,
      };
      const fee = anItem({ reference: 'fee', name: 'Invoice fee', quantity: 1, unit: 'pcs', ...amounts });
      const { url } = await create(world, {}, world.shop, { paymentMethods: [{ name: 'easyinvoice', fee }] });
      await page.goto(url);
      await choice(page, 'type', 'invoice').check();
    },
  },
  { name: 'form-known-consumer', show: async (page, world) => void (await open(page, world, KNOWN)) },
  {
    name: 'form-ready',
    async show(page, world) {
      await open(page, world, KNOWN);
      await fillCard(page);
    },
  },
  {
    name: 'form-branded',
    async show(page, world) {
      const { url } = await create(world, {}, world.brandedShop);
      await page.goto(url, { waitUntil: 'networkidle' });
    },
  },
  {
    name: 'form-without-summary',
    show: async (page, world) =>
      void (await open(page, world, { appearance: { displayOptions: { showOrderSummary: false } } })),
  },
  {
    name: 'paying',
    async show(page, world) {
      // The service is asked, and has not answered yet.
      await page.context().route('**/api/v1/pay', () => {});
      await open(page, world, KNOWN);
      await payByCard(page);
      await page.locator('#pay[aria-busy]').waitFor();
    },
  },
  {
    name: 'declined',
    async show(page, world) {
      await open(page, world, KNOWN);
      await payByCard(page, CARDS.declined);
      await page.locator('#notice:not([hidden])').waitFor();
    },
  },
  {
    name: 'declined-for-code',
    async show(page, world) {
      await open(page, world, KNOWN);
      await payByCard(page, CARDS.wrongCvc);
      await page.locator('#notice:not([hidden])').waitFor();
    },
  },
  {
    name: 'declined-reloaded',
    async show(page, world) {
      const { consumer, url } = await create(world);
      await consumer.pay(pays(CARDS.declined));
      await page.goto(url);
    },
  },
  {
    name: 'challenge-dialog',
    async show(page, world) {
      // On a public device the bank's page stays in the dialog, also on a phone.
      await open(page, world, { ...KNOWN, publicDevice: true });
      await payByCard(page, CARDS.challenge);
      await bank(page).locator('[value=approve]').waitFor();
    },
  },
  {
    name: 'challenge-waiting',
    async show(page, world) {
      const { url } = await challenge(world);
      await page.goto(url);
    },
  },
  {
    name: 'bank',
    async show(page, world) {
      const { bankUrl } = await challenge(world);
      await page.goto(bankUrl);
    },
  },
  {
    name: 'after-bank',
    async show(page, world) {
      const { bankUrl, consumer } = await challenge(world);
      await consumer.answerChallenge(bankUrl);
      // Its script would go on at once.
      await page.context().route('**/checkout/assets/**/*.js', (route) => route.abort());
      await page.goto(bankUrl);
    },
  },
  { name: 'paid', show: (page, world) => showPaid(page, world) },
  { name: 'paid-charged', show: (page, world) => showPaid(page, world, { charge: true }) },
  {
    name: 'paid-partly-refunded',
    show: (page, world) => showPaid(page, world, {}, pays(), [49_900, 20_000]),
  },
  { name: 'paid-refunded', show: (page, world) => showPaid(page, world, {}, pays(), [TOTAL, TOTAL]) },
  {
    name: 'paid-invoice',
    show: (page, world) =>
      showPaid(
        page,
        world,
        {},
        { ...pays(), type: 'invoice', paymentType: { invoice: { nationalNumber: '19850714-9883' } } },
      ),
  },
  {
    name: 'pending',
    async show(page, world) {
      const { consumer, paymentId, url } = await create(world);
      await consumer.pay(pays());
      // The simulator answers at once, so what is settled is made open again.
      const values = [partOf(paymentId), paymentId];
      const { pool } = world.service;
      await pool.query(`update movements set state = 'pending' where part = $1 and payment_id = $2`, values);
      await pool.query(`update payments set reserved = 0 where part = $1 and id = $2`, values);
      await page.goto(url);
      await untilState(page, 'pending');
    },
  },
  {
    name: 'expired',
    async show(page, world) {
      const { paymentId, url } = await create(world);
      const consumer = new Consumer(await world.hasty(), world.shop, paymentId);
      await until('the end of a payment', async () => (await consumer.state()).body.state === 'expired');
      await page.goto(await onHasty(world, url));
      await untilState(page, 'expired');
    },
  },
  {
    name: 'terminated',
    async show(page, world) {
      const { paymentId, url } = await create(world);
      await world.shop.client.must(204, 'PUT', `/v1/payments/${paymentId}/terminate`);
      await page.goto(url);
      await untilState(page, 'terminated');
    },
  },
  {
    name: 'unavailable',
    async show(page, world) {
      await page.goto((await create(world, {}, world.liveShop)).url);
      await untilState(page, 'unavailable');
    },
  },
  {
    name: 'fault-wrong-key',
    async show(page, world) {
      const { url } = await create(world);
      await page.goto(url.replace(world.shop.merchant.checkoutKey, 'test-checkout-key-of-nobody'));
    },
  },
  {
    name: 'fault-no-such-payment',
    async show(page, world) {
      const { url, paymentId } = await create(world);
      await page.goto(url.replace(paymentId, '019f0000000070008000000000000000'));
    },
  },
  {
    name: 'fault-wrong-address',
    show: async (page, { service }) => void (await page.goto(`${service.url}/hostedpaymentpage/`)),
  },
  {
    name: 'fault-database-away',
    async show(page, world) {
      const { url } = await create(world);
      const address = await onHasty(world, url);
      world.wire.down();
      await page.goto(address);
    },
    hide: ({ wire }) => wire.mend(),
  },
  { name: 'nothing-here', show: async (page, { service }) => void (await page.goto(`${service.url}/nowhere`)) },
  { name: 'embedded', show: async (page, world) => void (await embed(page, world)) },
  {
    // Light is what a shop gets that says nothing; this one follows the consumer's device.
    name: 'embedded-auto',
    async show(page, world) {
      const { frame } = await embed(page, world, {}, { options: { theme: { colorScheme: 'auto' } } });
      await frame.locator('html:not([data-theme])').waitFor({ state: 'attached' });
    },
  },
  {
    name: 'embedded-shipping-missing',
    show: async (page, world) => void (await embed(page, world, { shipping: { merchantHandlesShippingCost: true } })),
  },
  {
    name: 'embedded-frozen',
    async show(page, world) {
      const { frame, run } = await embed(page, world, KNOWN);
      await run('checkout.freezeCheckout()');
      await frame.locator('#pay-form[inert]').waitFor();
    },
  },
  {
    name: 'embedded-themed',
    async show(page, world) {
      const theme = { primaryColor: '#7c2d92', buttonRadius: 24, panelColor: '#fdf7ff', colorScheme: 'light' };
      const { frame } = await embed(page, world, KNOWN, { options: { theme } });
      await frame.locator('html[data-theme=light]').waitFor();
    },
  },
  {
    name: 'embedded-challenge',
    async show(page, world) {
      const { frame } = await embed(page, world, KNOWN);
      await payByCard(frame, CARDS.challenge);
      await bank(frame).locator('[value=approve]').waitFor();
    },
  },
  {
    name: 'embedded-paid',
    async show(page, world) {
      const { frame } = await embed(page, world, KNOWN);
      await payByCard(frame);
      await untilState(frame, 'paid');
    },
  },
];

/** The consumer of the demo shop fills the form, as a newcomer would who knows the test cards. */
async function payInDemo(page: Page, { service }: World, form = '#cart'): Promise<void> {
  await page.goto(`${service.url.replace('127.0.0.1', 'localhost')}/demo`);
  await page.locator(`${form} button[value=embedded]`).click();
  await page.locator('iframe').waitFor();
}

const demoStates: readonly State[] = [
  {
    name: 'demo',
    show: async (page, { service }) => void (await page.goto(`${service.url.replace('127.0.0.1', 'localhost')}/demo`)),
  },
  {
    name: 'demo-checkout',
    async show(page, world) {
      await payInDemo(page, world);
      await page.frameLocator('iframe').locator('#pay').waitFor();
    },
  },
  {
    name: 'demo-order',
    async show(page, world) {
      await payInDemo(page, world);
      const frame = page.frameLocator('iframe');
      await fillConsumer(frame);
      await payByCard(frame);
      await page.waitForURL('**/demo/orders/*');
    },
  },
  {
    name: 'demo-subscription',
    async show(page, world) {
      await payInDemo(page, world, '#subscribe');
      const frame = page.frameLocator('iframe');
      await fillConsumer(frame);
      await payByCard(frame);
      await page.waitForURL('**/demo/orders/*');
      await page.locator('#renew').click();
      await page.locator('.renewals a').waitFor();
    },
  },
];

export const CHECKOUT_STATES: readonly State[] = [...states, ...SUBSCRIPTION_STATES, ...demoStates];
