// A shop's page in a real Chromium, for tests of the script that it loads. A stand-in for Kassa, on an origin of its
// own, serves the script as the service does, and a frame that writes down what it is told and says what a test wants.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before } from 'node:test';
import type { TestContext } from 'node:test';
import type { Browser, Frame, Page } from 'playwright-core';
import { bundle, shopScript } from '../../src/checkout/assets.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { openLender } from '../support/lent-contexts.ts';
import type { Lender } from '../support/lent-contexts.ts';

export const KEY = 'test-checkout-key-0123456789abcdef0123456789abcdef';
export const PAYMENT = '019f0000000070008000000000000000';
export const OPEN = `checkout = new Kassa.Checkout({ checkoutKey: '${KEY}', paymentId: '${PAYMENT}' }); void 0`;
export const CONTAINER = '<div id="dibs-checkout-content"></div>';

await bundle.make();
export const script = shopScript().text;

const FRAME = `<!doctype html><title>frame</title><script>
  const heard = [];
  addEventListener('message', ({ data, origin }) => heard.push({ ...data, origin }));
  const say = (type, data) => parent.postMessage({ kassa: 1, type, data }, '*');
</script>`;

type Site = { readonly origin: string; readonly paths: string[]; close(): void };

/** A site of pages by their path; whatever is not there is 404. */
async function openSite(
  pages: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Site> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const body = pages[path.replace(/\?.*/, '')];
    paths.push(path);
    const type = path.includes('.js') ? 'text/javascript' : 'text/html';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8`, ...headers });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths, close };
}

let browser: Browser;
let lender: Lender;
export let kassa: Site;
/** Somebody who is neither the shop nor Kassa, with the same page in hand. */
export let stranger: Site;

/** To be called once by a test file. */
export function openSites(): void {
  before(async () => {
    browser = await openBrowser();
    // Each shop is an origin of its own, and the script stores nothing.
    lender = openLender(browser, []);
    const below = { '/below/v1/checkout.js': script, '/below/checkout/': FRAME };
    kassa = await openSite({ '/v1/checkout.js': script, '/checkout/': FRAME, ...below });
    stranger = await openSite({ '/': FRAME });
  });
  after(async () => {
    await browser.close();
    kassa.close();
    stranger.close();
  });
}

export type Heard = { readonly type: string; readonly data?: unknown; readonly origin: string };

export type ShopPage = {
  readonly page: Page;
  readonly origin: string;
  /** Warnings and errors of the script in the console. */
  readonly warnings: string[];
  /** Evaluates in the shop's page; there, `calls` is a list for what happens. */
  run<Value>(expression: string): Promise<Value>;
  /** The first frame of the page, once what it shows is there. */
  frame(): Promise<Frame>;
  /** What the frame was told so far, in order. */
  heard(): Promise<Heard[]>;
  /** Lets the frame say something, and waits until the page has heard it. */
  say(type: string, data?: unknown): Promise<void>;
  calls(): Promise<unknown[]>;
};

type ShopOptions = {
  readonly head?: string;
  readonly body?: string;
  readonly src?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly locale?: string;
  /** The page's clock stands still until the test moves it. */
  readonly stillClock?: boolean;
};

export async function openShop(t: TestContext, options: ShopOptions = {}): Promise<ShopPage> {
  const { head = '', body = CONTAINER, src = '/v1/checkout.js', headers, locale = 'en-GB' } = options;
  const tag = `<script src="${kassa.origin}${src}"></script>`;
  const html = `<!doctype html><title>shop</title><script src="/calls.js"></script>${head}<body>${body}${tag}</body>`;
  const site = await openSite({ '/': html, '/calls.js': 'var calls = []; var checkout;' }, headers);
  // A clock that was stopped belongs to the context, and cannot be started again for the next one.
  const page = options.stillClock
    ? await openPage(browser, { locale })
    : await lender.lend({ locale, reducedMotion: 'no-preference' });
  t.after(async () => {
    if (options.stillClock) await page.context().close();
    else await lender.takeBack(page.context());
    site.close();
  });
  const warnings: string[] = [];
  page.on('console', (message) => {
    if (message.text().startsWith('Kassa')) warnings.push(`${message.type()} ${message.text()}`);
  });
  if (options.stillClock) await page.clock.install();
  await page.goto(site.origin);
  const run = <Value>(expression: string): Promise<Value> => page.evaluate<Value>(expression);
  const frame = async (): Promise<Frame> => {
    const found = await (await page.waitForSelector('iframe')).contentFrame();
    assert.ok(found);
    await found.waitForFunction('typeof say === "function"');
    return found;
  };
  let marks = 0;
  return {
    page,
    origin: site.origin,
    warnings,
    run,
    frame,
    // Messages arrive in order: once a mark is there, all that was posted before it is there as well.
    async heard() {
      const mark = (marks += 1);
      const hearer = await frame();
      await run(`document.querySelector('iframe').contentWindow.postMessage({ mark: ${mark} }, '*')`);
      await hearer.waitForFunction(`heard.some(({ mark }) => mark === ${mark})`);
      return hearer.evaluate<Heard[]>('JSON.parse(JSON.stringify(heard.filter(({ kassa }) => kassa)))');
    },
    async say(type, data) {
      const mark = (marks += 1);
      const words = [type, data].map((word) => JSON.stringify(word) ?? 'undefined').join();
      await run(`addEventListener('message', ({ data }) => { globalThis.mark = data.mark ?? globalThis.mark; }); 0`);
      await (await frame()).evaluate(`say(${words}); parent.postMessage({ mark: ${mark} }, '*')`);
      await page.waitForFunction(`globalThis.mark === ${mark}`);
    },
    calls: () => run('calls'),
  };
}

/** A shop's page whose checkout is open and has said that it is ready. */
export async function openReadyShop(t: TestContext, options?: ShopOptions): Promise<ShopPage> {
  const shop = await openShop(t, options);
  await shop.run(OPEN);
  await shop.say('ready');
  return shop;
}
