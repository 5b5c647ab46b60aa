// A shop's page on an origin of its own that embeds the checkout of a real service: it loads the service's script, opens
// the checkout as shops do, and writes down every event that reaches it.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame, Page } from 'playwright-core';
import { aPng } from '../support/picture.ts';
import type { Service, Shop } from '../support/service.ts';

/** Served under two names, which are two origins to a browser. */
export type ShopSite = {
  readonly origin: string;
  readonly otherOrigin: string;
  close(): void;
};

// The margins and the font of a plain shop; the checkout must look right in somebody else's page.
const STYLE = `
  :root { color-scheme: light dark; }
  body { margin: 0 auto; padding: 16px; max-width: 960px; font-family: sans-serif; }
`;

const PICTURES = new Map([
  ['/kettle.png', aPng(96, 96, [126, 166, 148])],
  ['/cups.png', aPng(96, 96, [201, 180, 154])],
  ['/tea.png', aPng(96, 96, [222, 138, 61])],
]);

/** A page whose query names a Kassa loads the script from there; every other one is plain. */
export async function openShopSite(): Promise<ShopSite> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop.test');
    const picture = PICTURES.get(pathname);
    if (picture) return void response.setHeader('content-type', 'image/png').end(picture);
    const kassa = searchParams.get('kassa');
    const tag = kassa === null ? '' : `<script src="${kassa}/v1/checkout.js"></script>`;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="en"><head><title>A shop</title>
      <meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>
      <body><main><h1>A shop</h1><div id="dibs-checkout-content"></div></main>${tag}</body></html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${port}`, otherOrigin: `http://localhost:${port}`, close };
}

export const SHOP_EVENTS = [
  'ready',
  'pay-initialized',
  'payment-completed',
  'address-changed',
  'payment-cancelled',
] as const;
export type ShopEvent = (typeof SHOP_EVENTS)[number];

export type ShopMessage = { readonly event: ShopEvent; readonly data: unknown };

export type Embedding = {
  /** The name under which the script is called. */
  readonly name?: 'Dibs' | 'Nets' | 'Kassa';
  /** Where the shop's page is; by default the site's first name. */
  readonly origin?: string;
  /** Where the page loads the script from; by default the service's address. */
  readonly kassa?: string;
  readonly options?: object;
  /** The events that the shop listens to; by default all but pay-initialized, which would halt the payment. */
  readonly listens?: readonly ShopEvent[];
};

export type EmbeddedCheckout = {
  readonly page: Page;
  /** The checkout's own page inside the shop's. */
  readonly frame: Frame;
  /** What the shop heard so far. */
  readonly told: (event?: ShopEvent) => Promise<readonly ShopMessage[]>;
  /** Waits until the shop has heard of it, and gives what it was told first. */
  readonly hears: (event: ShopEvent) => Promise<unknown>;
  /** Evaluates in the shop's page, where the checkout is called `checkout`. */
  readonly run: <Value>(expression: string) => Promise<Value>;
};

export async function findFrame(page: Page): Promise<Frame> {
  const element = await page.waitForSelector('#dibs-checkout-content > iframe#nets-checkout-iframe');
  const frame = await element.contentFrame();
  assert.ok(frame);
  return frame;
}

/** Opens the shop's page and the checkout in it, and waits until it is ready. */
export async function embedCheckout(
  page: Page,
  service: Pick<Service, 'url'>,
  shop: Shop,
  site: ShopSite,
  paymentId: string,
  embedding: Embedding = {},
): Promise<EmbeddedCheckout> {
  const { name = 'Dibs', origin = site.origin, kassa = service.url, options, listens } = embedding;
  await page.goto(`${origin}/checkout?kassa=${encodeURIComponent(kassa)}`);
  const heard = listens ?? SHOP_EVENTS.filter((event) => event !== 'pay-initialized');
  const given = JSON.stringify({ checkoutKey: shop.merchant.checkoutKey, paymentId, ...options });
  await page.evaluate(`
    globalThis.told = [];
    globalThis.checkout = new ${name}.Checkout(${given});
    for (const event of ${JSON.stringify([...new Set([...heard, 'ready'])])})
      checkout.on(event, (data) => told.push({ event, data: data === undefined ? null : data }));
  `);
  const run = <Value>(expression: string): Promise<Value> => page.evaluate<Value>(expression);
  const told = (event?: ShopEvent): Promise<ShopMessage[]> =>
    run(`told.filter((one) => ${event === undefined} || one.event === ${JSON.stringify(event ?? '')})`);
  const hears = async (event: ShopEvent): Promise<unknown> => {
    await page.waitForFunction(`told.some((one) => one.event === ${JSON.stringify(event)})`);
    return (await told(event))[0]?.data;
  };
  const frame = await findFrame(page);
  await hears('ready');
  return { page, frame, told, hears, run };
}
