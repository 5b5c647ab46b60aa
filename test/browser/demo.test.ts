// Goal: a newcomer gets through the demo shop: chooses, pays in both ways, looks behind the counter, charges, refunds, is
// refused; on a phone and at a desk, in light and dark, without a mouse. Method: a real service in a real Chromium;
// complaints of the pages, requests to strangers and the secret key in anything received are collected all along.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { Browser, BrowserContextOptions, FrameLocator, Page } from 'playwright-core';
import { findAxeViolations, findLookViolations } from '../support/axe.ts';
import { openBrowser, PHONE } from '../support/browser.ts';
import type { Client } from '../support/client.ts';
import { depth, isRelease } from '../support/depth.ts';
import { openLender } from '../support/lent-contexts.ts';
import type { Lender } from '../support/lent-contexts.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

const CARD = '4925000000000004';

describe('the demo shop', () => {
  let browser: Browser;
  let lender: Lender;
  let service: Service;
  let dataDir: string;
  let api: Client;
  let digits: string;
  let home: string;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'kassa-demo-'));
    [browser, service] = await Promise.all([
      openBrowser(),
      startService({ env: { KASSA_DATA_DIR: dataDir, KASSA_SANDBOX: 'on' } }),
    ]);
    const { secretKey } = JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8')) as { secretKey: string };
    api = service.client(secretKey);
    digits = secretKey.slice(-32);
    home = service.url.replace('127.0.0.1', 'localhost');
    lender = openLender(browser, [service.url, home]);
  });
  after(async () => {
    await browser.close();
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function lendPage(t: TestContext): Promise<Page> {
    const page = await lender.lend();
    t.after(() => lender.takeBack(page.context()));
    return page;
  }

  /** Opens the shop, and holds at the end that nothing went wrong in the background. */
  async function openDemo(t: TestContext, options: BrowserContextOptions = {}, path = '/demo'): Promise<Page> {
    const page = await lender.lend(options);
    const complaints: string[] = [];
    const bodies: Promise<unknown>[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (/^https?:$/.test(url.protocol) && url.origin !== home) complaints.push(`asks ${url.origin}`);
      if (JSON.stringify(request.headers()).includes(digits)) complaints.push(`sends the key to ${url.pathname}`);
    });
    page.on('response', (response) => {
      const look = (text: string): void => {
        if (text.includes(digits)) complaints.push(`the key in ${response.url()}`);
      };
      // A page that is left keeps the bodies of its answers for itself.
      bodies.push(response.text().then(look, () => {}));
    });
    t.after(async () => {
      await lender.takeBack(page.context());
      await Promise.all(bodies);
      assert.deepEqual(complaints, []);
    });
    await page.goto(home + path);
    return page;
  }

  async function expectGood(
    page: Page,
    state: string,
    find: (page: Page) => Promise<string[]> = findAxeViolations,
  ): Promise<void> {
    assert.deepEqual(await find(page), [], state);
    const [width, room] = await page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]');
    assert.ok((width as number) <= (room as number), `${state}: ${width} wide in ${room}`);
  }

  const paymentIdOf = (page: Page): string => /(?:\/|pid=)([0-9a-f]{32})\b/.exec(page.url())?.[1] ?? '';

  async function fillConsumer(checkout: FrameLocator | Page): Promise<void> {
    const field = (name: string) => checkout.locator(`[name="${name}"]:visible`);
    await field('consumer.privatePerson.firstName').fill('Alva');
    await field('consumer.privatePerson.lastName').fill('Lindqvist');
    await field('consumer.email').fill('alva@example.com');
    await field('consumer.phoneNumber.number').fill('701234567');
    await field('consumer.shippingAddress.addressLine1').fill('Storgatan 1');
    await field('consumer.shippingAddress.city').fill('Stockholm');
    await field('consumer.shippingAddress.postalCode').fill('11122');
    await field('consumer.shippingAddress.city').focus();
  }

  async function payByCard(checkout: FrameLocator | Page): Promise<void> {
    await checkout.locator('[name="paymentType.card.cardNumber"]').fill(CARD);
    await checkout.locator('[name="paymentType.card.expiry"]').fill('12/34');
    await checkout.locator('[name="paymentType.card.cardVerificationCode"]').fill('123');
    await checkout.locator('#pay').click();
  }

  /** An order that is paid, without the way through the checkout. */
  async function openPaidOrder(t: TestContext, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await openDemo(t, options);
    await page.getByRole('button', { name: 'Checkout here' }).click();
    await page.waitForURL(/\/demo\/checkout\/[0-9a-f]{32}$/);
    const paymentId = paymentIdOf(page);
    await api.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
    await page.goto(`${home}/demo/orders/${paymentId}`);
    return page;
  }

  test('what is chosen is in the cart, in the currency that is chosen, and stays there', async (t) => {
    const page = await openDemo(t);
    await expectGood(page, 'shop');
    await page.getByRole('button', { name: 'One Skymning table lamp more' }).click();
    await page.getByRole('button', { name: 'One Fika mug more' }).click();
    const total = page.locator('[data-total]');
    assert.equal((await total.innerText()).replaceAll(/\s/g, ' '), 'SEK 1,788.00');
    await page.getByLabel('Currency').selectOption('EUR');
    assert.equal((await total.innerText()).replaceAll(/\s/g, ' '), '€160.00');
    assert.equal((await page.locator('[data-tax]').innerText()).replaceAll(/\s/g, ' '), '€32.00');
    await page.reload();
    assert.equal(await page.locator('[data-quantity=mug]').innerText(), '2');
    for (const name of ['One Fika mug less', 'One Fika mug less', 'One Skymning table lamp less'])
      await page.getByRole('button', { name }).click();
    await page.getByText('Nothing in it yet.').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Checkout here' }).isDisabled());
    await page.getByText('Options for the curious').click();
    await expectGood(page, 'empty cart, options open');
  });

  test('the embedded checkout appears, tells the page, is paid with the shipping that the shop adds to it, and leads behind the counter', async (t) => {
    const page = await openDemo(t);
    await page.getByText('Options for the curious').click();
    await page.getByLabel('The shop adds shipping').check();
    await page.getByRole('button', { name: 'Checkout here' }).click();
    const checkout = page.frameLocator('#checkout iframe');
    await checkout.locator('#pay').waitFor();
    await expectGood(page, 'checkout');
    const paymentId = paymentIdOf(page);
    await fillConsumer(checkout);
    await page.locator('#heard').getByText('cart updated').waitFor();
    await checkout.locator('#order').getByText('Shipping', { exact: true }).first().waitFor();
    await page.getByText('The script of this page').click();
    for (const width of depth({ daily: [320], release: [1200, 390, 320] })) {
      await page.setViewportSize({ width, height: 800 });
      await expectGood(page, `checkout with its script, ${width} wide`, findLookViolations);
    }
    await payByCard(checkout);
    await page.locator('#heard').getByText('payment-completed').waitFor();
    await page.locator('#heard').getByText('pay-initialized').waitFor();
    await page.waitForURL(`${home}/demo/orders/${paymentId}`);
    await page.locator('.chip.reserved').waitFor();
    await page.getByText('Alva Lindqvist').waitFor();
    await page.getByText('payment.checkout.completed').waitFor();
    await page.locator('.method.put').waitFor();
    await expectGood(page, 'reserved');
    assert.equal((await api.payment(paymentId)).summary.reservedAmount, 24_900 + 4_900);
  });

  test('coffee by subscription: agreed to in the checkout, renewed, and ended by the consumer’s link', async (t) => {
    const page = await openDemo(t);
    await page.getByRole('button', { name: 'Subscribe on its own page' }).click();
    await page.locator('#consent').getByText('may charge this card again').waitFor();
    await page.getByRole('button', { name: /^Subscribe for SEK/ }).waitFor();
    const paymentId = paymentIdOf(page);
    await fillConsumer(page);
    await payByCard(page);
    await page.waitForURL(`${home}/demo/orders/${paymentId}`);
    await page.locator('#subscription-state').getByText('Active').waitFor();
    await expectGood(page, 'subscribed');
    await page.getByRole('button', { name: /^Renew now/ }).click();
    await page.getByRole('link', { name: 'Renewal 1' }).waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    await expectGood(page, 'renewed, on a phone', findLookViolations);
    const topOf = async (selector: string): Promise<number> => (await page.locator(selector).boundingBox())?.y ?? NaN;
    assert.ok(
      (await topOf('.subscription')) < (await topOf('.time-line')),
      'what is done with it is above what happened',
    );
    const notice = page.locator('#action-result');
    await notice.click();
    assert.equal(await notice.isVisible(), false);

    const [consumer] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: "End it, on the consumer's page" }).click(),
    ]);
    await consumer.getByRole('link', { name: 'End subscription' }).click();
    await consumer.getByRole('link', { name: 'Keep it' }).click();
    await consumer.getByText('Active', { exact: true }).waitFor();
    await consumer.getByRole('link', { name: 'End subscription' }).click();
    await consumer.getByRole('button', { name: 'End subscription' }).click();
    await consumer.getByRole('heading', { name: 'Your subscription has ended' }).waitFor();
    await consumer.close();

    await page.reload();
    await page.locator('#subscription-state').getByText('Ended').waitFor();
    await page.getByText('subscription.ended').waitFor();
    await page.getByRole('button', { name: 'Renew it all the same' }).click();
    await page.locator('#action-result').getByText('The consumer has ended the subscription.').waitFor();
    if (isRelease) await expectGood(page, 'ended');
  });

  if (isRelease)
    test('the embedded checkout pays what is in the cart where the shop adds nothing', async (t) => {
      const page = await openDemo(t);
      await page.getByRole('button', { name: 'Checkout here' }).click();
      const checkout = page.frameLocator('#checkout iframe');
      await checkout.locator('#pay').waitFor();
      const paymentId = paymentIdOf(page);
      await fillConsumer(checkout);
      await payByCard(checkout);
      await page.waitForURL(`${home}/demo/orders/${paymentId}`);
      assert.equal((await api.payment(paymentId)).summary.reservedAmount, 24_900);
    });

  test('who leaves the hosted page finds the shop and the cart again; it comes in its language, and back behind the counter', async (t) => {
    const page = await openDemo(t);
    await page.getByRole('button', { name: 'One Minne notebook more' }).click();
    await page.getByRole('button', { name: 'Checkout on its own page' }).click();
    await page.locator('#cancel').click();
    await page.waitForURL(/\/demo\?left=checkout/);
    await page.getByText('You left the checkout.').waitFor();
    assert.equal(await page.locator('[data-quantity=notebook]').innerText(), '1');
    // And by the back button, with its buttons on.
    await page.getByRole('button', { name: 'Checkout here' }).click();
    await page.waitForURL(/\/demo\/checkout\//);
    await page.goBack();
    await page.locator('#cart button[value=embedded]:enabled').waitFor();

    await page.getByText('Options for the curious').click();
    await page.getByLabel('Language of the checkout').selectOption('sv-SE');
    await page.getByLabel('Charge at once').check();
    await page.getByLabel('The shop knows the consumer').check();
    await page.getByRole('button', { name: 'Checkout on its own page' }).click();
    await page.waitForURL(/\/hostedpaymentpage\/\?.*pid=[0-9a-f]{32}/);
    assert.match((await page.locator('html').getAttribute('lang')) ?? '', /^sv/);
    const paymentId = paymentIdOf(page);
    await payByCard(page);
    await page.waitForURL(`${home}/demo/orders/${paymentId}`);
    await page.locator('.chip.charged').waitFor();
  });

  const LIGHT = ['at a desk, in light', {}] as const;
  const SMALLEST = ['on the smallest phone', { ...PHONE, viewport: { width: 320, height: 640 } }] as const;
  for (const [name, options] of depth<readonly (readonly [string, BrowserContextOptions])[]>({
    daily: [SMALLEST],
    release: [
      LIGHT,
      ['at a desk, in dark', { colorScheme: 'dark' }],
      ['on a phone, in dark', { ...PHONE, colorScheme: 'dark' }],
      SMALLEST,
    ],
  }))
    test(`behind the counter, ${name}: what is no amount is not sent, charged in parts, refused, refunded, all of it shown`, async (t) => {
      const page = await openPaidOrder(t, options);
      const paymentId = paymentIdOf(page);
      const notice = page.locator('#action-result');
      const press = (button: string): Promise<void> => page.getByRole('button', { name: button, exact: true }).click();

      await page.getByLabel('Amount in SEK').fill('much');
      await press('Charge a part');
      await page.getByText('Write the amount as 249 or 249.50.').waitFor();
      assert.equal((await api.payment(paymentId)).summary.chargedAmount, 0);

      await page.getByLabel('Amount in SEK').fill('100,50');
      await press('Charge a part');
      await page.locator('.chip.partly-charged').waitFor();
      await press('Charge the rest, SEK 148.50');
      await page.locator('.chip.charged').waitFor();
      assert.match(await notice.innerText(), /^Charge: done, answered with 201\.$/);

      await press('Charge all of it again');
      await page.locator('#action-result.bad').waitFor();
      assert.match(await notice.innerText(), /^Charge: refused with 402\. /);
      const newest = page.locator('.call.newest');
      assert.match(await newest.locator('summary').innerText(), /POST[\s\S]*\/charges[\s\S]*402/);
      assert.match(await newest.locator('pre').last().innerText(), /"code": "1001"/);
      await expectGood(page, 'refused');

      await page.getByLabel('Amount in SEK').fill('48.50');
      await press('Refund');
      await page.locator('.chip.partly-refunded').waitFor();
      await page.getByText('payment.refund.completed').waitFor();
      await page.getByText('The payment as the API tells it now').click();
      await expectGood(page, 'refunded');
      const { summary } = await api.payment(paymentId);
      assert.deepEqual([summary.chargedAmount, summary.refundedAmount], [24_900, 4_850]);
    });

  test('all of it works by keyboard: choose, go to the checkout, charge, and the focus is not lost', async (t) => {
    const page = await openDemo(t);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content');
    await page.getByRole('button', { name: 'One Fika mug less' }).focus();
    await page.keyboard.press('Enter');
    // The button went off with the last mug; the other one has the focus.
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('[data-quantity=mug]').innerText(), '1');
    await page.getByRole('button', { name: 'Checkout here' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/demo\/checkout\/[0-9a-f]{32}$/);
    const paymentId = paymentIdOf(page);
    await api.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
    await page.goto(`${home}/demo/orders/${paymentId}`);
    await page.locator('#charge-all').focus();
    await page.keyboard.press('Enter');
    await page.locator('.chip.charged').waitFor();
    assert.equal(await page.evaluate('document.activeElement.id'), 'action-result');
  });

  const DESK = ['at a desk, in the light', { viewport: { width: 1280, height: 900 } }] as const;
  const IN_HAND = ['on a phone, in the dark', { ...PHONE, colorScheme: 'dark' }] as const;
  for (const [where, options] of depth({ daily: [DESK], release: [DESK, IN_HAND] }))
    test(`the documentation is searched and read ${where}`, async (t) => {
      const page = await openDemo(t, options, '/docs');
      await expectGood(page, 'first page');
      await page.keyboard.press('/');
      await page.locator('.search input:focus').waitFor();
      // The place is shown where it stands, however far below its heading.
      await page.keyboard.type('kassa_database_wait');
      await page.locator('.found mark', { hasText: 'KASSA_DATABASE_WAIT' }).first().waitFor();
      // By another word for it, in the plural, or by a chapter of the reference.
      for (const [words, address] of [
        ['gdpr', 'operate/personal-data'],
        ['retry', 'integrate/payments#retries'],
        ['idempotency', 'integrate/payments#retries'],
        ['amounts and times', 'api#amounts-and-times'],
        ['retention', 'operate/retention'],
      ] as const) {
        await page.locator('.search input').fill(words);
        await page.locator(`.found li:first-child a[href$="/docs/${address}"]`).waitFor();
      }
      await page.locator('.search input').fill('');
      await page.keyboard.type('verify signature');
      const hit = page.locator('.found a').first();
      await hit.getByText('Verify the signature').waitFor();
      await expectGood(page, 'search');
      await page.keyboard.press('ArrowDown');
      await page.locator('.found a:focus').waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(`${home}/docs/integrate/events#verify-the-signature`);
      await page.locator('h2#verify-the-signature, h3#verify-the-signature').waitFor();
      // axe takes ten seconds for a page as long as this one.
      await page.goto(`${home}/docs/${depth({ daily: 'operate/poolers', release: 'integrate/events' })}`);
      await expectGood(page, 'guide');

      // The address that operations had before leads to where they are.
      await page.goto(`${home}/docs#createPayment`);
      await page.waitForURL(`${home}/docs/api#createPayment`);
      const operation = page.locator('details.operation[open]');
      const shown = operation.locator('.request').first().locator('.in:visible');
      assert.match(await shown.innerText(), /curl /);
      await operation.locator('.request').first().locator('input[value=php]').check();
      await shown.getByText('curl_init').waitFor();
      await page.reload();
      await shown.getByText('curl_init').waitFor();
      assert.equal(await page.locator('.request input:checked:not([value=php])').count(), 0);
      // Of operations that are made alike one is enough; with all of them axe takes longer than the rest of this file.
      if (!isRelease)
        await page.evaluate(
          `for (const closed of document.querySelectorAll('details.operation:not([open])')) closed.remove()`,
        );
      await expectGood(page, 'reference', (whole) => findAxeViolations(whole, 'details.operation[open]'));
    });

  test('under another name of this machine the shop moves to its own', async (t) => {
    const page = await lendPage(t);
    await page.goto(`${service.url}/demo`);
    await page.waitForURL(`${home}/demo`);
  });

  test('a page of another site cannot buy in the shop', async (t) => {
    const page = await lendPage(t);
    const count = async (): Promise<unknown> => service.pool.query('select count(*) from payments');
    const counted = await count();
    const trap = `<form method="post" enctype="text/plain" action="${home}/demo/payments">
      <input name='{"items":{"mug":1},"mode":"embedded","a":"' value='"}'><button>Win</button></form>`;
    await page.route('http://evil.test/', (route) => route.fulfill({ contentType: 'text/html', body: trap }));
    await page.goto('http://evil.test/');
    const answered = page.waitForResponse(`${home}/demo/payments`);
    await page.getByRole('button', { name: 'Win' }).click();
    assert.equal((await answered).status(), 403);
    assert.deepEqual(await count(), counted);
  });
});
