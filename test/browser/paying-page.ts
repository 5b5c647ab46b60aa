// A consumer in a real Chromium: opens a payment's page, fills in the form, presses the button, reads what is said. Fields
// are found by their names, as the page's script finds them, in a page of its own as well as in a frame.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before } from 'node:test';
import type { TestContext } from 'node:test';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  ConsoleMessage,
  Frame,
  FrameLocator,
  Page,
  Request,
  WebError,
} from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { aConsumer, CARDS } from '../support/checkout.ts';
import { anOrder } from '../support/client.ts';
import { until } from '../support/kassa.ts';
import { openLender } from '../support/lent-contexts.ts';
import type { Lender } from '../support/lent-contexts.ts';
import { shareService, startService } from '../support/service.ts';
import type { Service, SharedService, Shop } from '../support/service.ts';

/** Where the form is. */
export type Place = Page | Frame | FrameLocator;
/** Values by the names of their fields. */
export type Values = Readonly<Record<string, string>>;

export const ADA: Values = {
  'consumer.shippingAddress.country': 'SWE',
  'consumer.privatePerson.firstName': 'Ada',
  'consumer.privatePerson.lastName': 'Öberg',
  'consumer.email': 'ada@example.test',
  'consumer.phoneNumber.prefix': '+46',
  'consumer.phoneNumber.number': '70 123 45 67',
  'consumer.shippingAddress.addressLine1': 'Storgatan 1',
  'consumer.shippingAddress.postalCode': '111 22',
  'consumer.shippingAddress.city': 'Stockholm',
};

export const CARD_NUMBER = 'paymentType.card.cardNumber';
export const EXPIRY = 'paymentType.card.expiry';
export const CVC = 'paymentType.card.cardVerificationCode';
export const NATIONAL_NUMBER = 'paymentType.invoice.nationalNumber';

/** A consumer whom the shop knows: the page asks for the payment alone. */
export const KNOWN = { merchantHandlesConsumerData: true, consumer: aConsumer() } as const;

export const field = (place: Place, name: string) => place.locator(`#pay-form [name="${name}"]`);
/** The visible choice of a radio button. */
export const choice = (place: Place, name: string, value: string) =>
  place.locator(`[name="${name}"][value="${value}"]`);
export const errorAt = (place: Place, name: string) => place.locator(`[data-field="${name}"] .field-error`);
export const formError = (place: Place) => place.locator('#form-error');
export const notice = (place: Place) => place.locator('#notice');
export const heading = (place: Place) => place.locator('#main h1');
export const payButton = (place: Place) => place.locator('#pay');
/** The bank's page inside the checkout's dialog. */
export const bank = (place: Place) => place.locator('#challenge-frame').contentFrame();

export async function fillIn(place: Place, values: Values): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    if (name.endsWith('.country')) await field(place, name).selectOption(value);
    else await field(place, name).fill(value);
  }
}

export const fillConsumer = (place: Place, changes: Values = {}): Promise<void> =>
  fillIn(place, { ...ADA, ...changes });

export const fillCard = (place: Place, number: string = CARDS.approved, changes: Values = {}): Promise<void> =>
  fillIn(place, { [CARD_NUMBER]: number, [EXPIRY]: '12/30', [CVC]: '123', ...changes });

export const press = (place: Place): Promise<void> => payButton(place).click();

/** Fills in the card and presses. */
export async function payByCard(place: Place, number?: string): Promise<void> {
  await fillCard(place, number);
  await press(place);
}

/** Waits until the page shows the payment in a state: open, paid, pending, expired, terminated, fault. */
export const untilState = (place: Place, state: string): Promise<void> =>
  place.locator(`body[data-state="${state}"]`).waitFor({ state: 'attached' });

/** Waits until somewhere it says so. */
export const untilSaid = (place: Place, where: string, words: string | RegExp): Promise<void> =>
  place.locator(where, { hasText: words }).filter({ visible: true }).first().waitFor();

/** Waits until a field holds what was typed: it is put back by the script, a moment after the page is there. */
export const untilTyped = (place: Place, name: string, value: string): Promise<boolean> =>
  until(`${value} in ${name}`, async () => (await field(place, name).inputValue()) === value);

/** A paid page goes back to the shop by itself; here it stays, in whatever tab, to be read in peace. */
export const stayWhenPaid = (page: Page): Promise<unknown> =>
  page.context().route('**/thanks?paymentid=*', (route) => route.fulfill({ status: 204 }));

/** What has the focus, by its name or id. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate("document.activeElement.getAttribute('name') || document.activeElement.id");

/** The bodies of the pay calls that a page sends from now on. */
export function watchPays(page: Page): Request[] {
  const pays: Request[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/v1/pay')) pays.push(request);
  });
  return pays;
}

export type Hosted = { readonly paymentId: string; readonly url: string };

/** A service, a shop with pages of its own on another origin, and a browser. */
export type Stage<Kassa = SharedService> = {
  readonly service: Kassa;
  readonly shop: Shop;
  readonly browser: Browser;
  readonly shopOrigin: string;
  /** A payment on the hosted page, with further fields of `checkout`. */
  create(checkout?: object, amount?: number, shop?: Shop): Promise<Hosted>;
  /** Opens an address in a context of its own until the test ends. What a page must never do fails the test. */
  open(t: TestContext, url: string, options?: BrowserContextOptions): Promise<Page>;
  /** An empty page until the test ends, for one that the browser is meant to complain of. */
  lend(t: TestContext): Promise<Page>;
};

/** The origins under which a service is known to a browser. */
export const namesOf = (url: string): string[] => [url, url.replace('127.0.0.1', 'localhost')];

/** How many reservations the payment's merchant was told of. */
export async function countReservations({ service }: Stage, paymentId: string): Promise<number> {
  const told = "select 1 from events where subject_id = $1 and name = 'payment.reservation.created'";
  return (await service.pool.query(told, [paymentId])).length;
}

/**
 * Whatever path is asked for, the shop answers with a page. Where it thanks for a payment it says so as the checkout does:
 * a browser that was led back before the test could look has not missed being paid.
 */
async function openShopPages(): Promise<{ origin: string; close(): void }> {
  const server = createServer((request, response) => {
    const state = request.url?.startsWith('/thanks?paymentid=') ? 'paid' : 'shopping';
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><title>The shop</title><body data-state="${state}"><h1>The shop</h1></body>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** Fails the test when a script of the page throws or a page breaks its own policy, in whatever tab. */
function holdToRules(t: TestContext, lender: Lender, context: BrowserContext): void {
  const broken: string[] = [];
  const hearError = (error: WebError): void => void broken.push(String(error.error()));
  const hearMessage = (message: ConsoleMessage): void => {
    if (message.text().includes('Content Security Policy')) broken.push(message.text());
  };
  context.on('weberror', hearError).on('console', hearMessage);
  t.after(async () => {
    await lender.takeBack(context);
    context.off('weberror', hearError).off('console', hearMessage);
    assert.deepEqual(broken, []);
  });
}

/** To be called once by a test file, with what all of its browsers have in common. */
export const openStage = (browsers?: BrowserContextOptions): Stage => buildStage(async () => shareService(), browsers);

/** For one that takes the database away. Declines are counted for each address, and here all come from one. */
export const openOwnStage = (browsers?: BrowserContextOptions): Stage<SharedService & Service> =>
  buildStage(async () => {
    const service = await startService({ env: { KASSA_ADDRESS_ATTEMPTS: 'off' } });
    return { ...service, close: async () => void (await service.stop()) };
  }, browsers);

function buildStage<Kassa extends SharedService>(
  openService: () => Promise<Kassa>,
  browsers?: BrowserContextOptions,
): Stage<Kassa> {
  let lender: Lender;
  let pages: Awaited<ReturnType<typeof openShopPages>>;
  const stage = {
    async create(checkout: object = {}, amount = 100_000, shop: Shop = stage.shop): Promise<Hosted> {
      const { paymentId, hostedPaymentPageUrl } = await shop.client.must(201, 'POST', '/v1/payments', {
        order: anOrder(amount),
        checkout: {
          integrationType: 'HostedPaymentPage',
          returnUrl: `${stage.shopOrigin}/thanks`,
          cancelUrl: `${stage.shopOrigin}/cart`,
          ...checkout,
        },
      });
      return { paymentId, url: hostedPaymentPageUrl };
    },
    async lend(t: TestContext): Promise<Page> {
      const page = await lender.lend(browsers);
      t.after(() => lender.takeBack(page.context()));
      return page;
    },
    async open(t: TestContext, url: string, options: BrowserContextOptions = {}): Promise<Page> {
      const page = await lender.lend({ ...browsers, ...options });
      holdToRules(t, lender, page.context());
      await page.goto(url);
      return page;
    },
  } as { -readonly [part in keyof Stage<Kassa>]: Stage<Kassa>[part] };
  before(async () => {
    pages = await openShopPages();
    stage.shopOrigin = pages.origin;
    stage.service = await openService();
    stage.shop = await stage.service.openShop();
    stage.browser = await openBrowser();
    lender = openLender(stage.browser, namesOf(stage.service.url));
  });
  after(async () => {
    await stage.browser?.close();
    await stage.service?.close();
    pages?.close();
  });
  return stage;
}
