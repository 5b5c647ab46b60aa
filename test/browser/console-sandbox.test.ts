// Goal: people move the test clock and pay as the consumer in a browser, on a phone and at a desk, and everybody can read
// the pages, light and dark. Method: a real Chromium at a Kassa that runs; the API is the judge.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { findAxeViolations, findInLooks } from '../support/axe.ts';
import { openBrowser } from '../support/browser.ts';
import { CARDS } from '../support/checkout.ts';
import { signIn } from '../support/console.ts';
import { isRelease } from '../support/depth.ts';
import { openLender } from '../support/lent-contexts.ts';
import type { Lender } from '../support/lent-contexts.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

describe('the sandbox at the console', () => {
  let service: SharedService;
  let shop: Shop;
  let browser: Browser;
  let lender: Lender;
  let cookie: string;
  before(async () => {
    service = shareService();
    shop = await service.openShop();
    browser = await openBrowser();
    lender = openLender(browser, [service.url]);
    cookie = (await signIn(service, shop.merchant.id, 'operator')).cookie;
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  async function open(t: TestContext, path: string, options = {}): Promise<Page> {
    const page = await lender.lend(options);
    const context = page.context();
    t.after(() => lender.takeBack(context));
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: service.url }]);
    await page.goto(`${service.url}/console/${shop.merchant.id}/${path}`);
    return page;
  }

  const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const ahead = async (): Promise<number> => (await shop.client.must(200, 'GET', '/v1/sandbox/clock')).aheadSeconds;

  test('the clock is moved by a day and to a time of the viewer’s zone, and a payment is paid after its bank has asked', async (t) => {
    const page = await open(t, 'payments', { timezoneId: 'Asia/Tokyo' });
    await page.getByRole('link', { name: 'Sandbox', exact: true }).click();
    await page.getByRole('link', { name: 'By a day' }).click();
    await page.getByText('It cannot be moved back.').waitFor();
    assert.equal(await ahead(), 0);
    await page.getByRole('button', { name: 'Move the clock' }).click();
    await page.getByText('The clock is moved.').waitFor();
    assert.equal(await ahead(), 86_400);
    const day = dayIn(10);
    await page.getByLabel('To a time Asia/Tokyo', { exact: true }).fill(`${day}T09:30`);
    await page.getByRole('button', { name: 'See what happens' }).click();
    const said = await page.getByRole('heading', { name: 'Move the clock from' }).innerText();
    assert.match(said, /, 09:30 Asia\/Tokyo \(.*, 00:30 UTC\)\?$/);
    await page.getByRole('button', { name: 'Move the clock' }).dblclick();
    await page.getByText('The clock is moved.').waitFor();
    assert.equal((await shop.client.must(200, 'GET', '/v1/sandbox/clock')).time.slice(0, 16), `${day}T00:30`);

    const paymentId = await shop.client.create();
    await page.goto(`${service.url}/console/${shop.merchant.id}/payments/${paymentId}`);
    await page.getByRole('note').getByText('The test clock is').waitFor();
    await page.getByLabel('Pay as the consumer, in the sandbox').selectOption(CARDS.challenge);
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.getByRole('heading', { name: 'The bank asks for the consumer' }).waitFor();
    assert.deepEqual(await findAxeViolations(page), []);
    await page.getByRole('button', { name: 'Approve at the bank' }).click();
    await page.waitForURL(/\?did=/);
    assert.equal((await shop.client.payment(paymentId)).summary.reservedAmount, 100_000);
  });

  // Without a browser daily: test/console/sandbox.test.ts; its pages by axe: console-pages.test.ts.
  if (isRelease) {
    test('a time is typed in UTC without a script, and the exact one is told before the clock is moved', async (t) => {
      const page = await open(t, 'sandbox', { javaScriptEnabled: false, timezoneId: 'Asia/Tokyo' });
      // Far enough ahead of what the test before has moved it to.
      const day = dayIn(30);
      await page.getByLabel('To a time UTC', { exact: true }).fill(`${day}T09:30`);
      await page.getByRole('button', { name: 'See what happens' }).click();
      assert.match(await page.getByRole('heading', { name: 'Move the clock from' }).innerText(), /, 09:30 UTC\?$/);
      await page.getByRole('button', { name: 'Move the clock' }).click();
      await page.getByText('The clock is moved.').waitFor();
      assert.equal((await shop.client.must(200, 'GET', '/v1/sandbox/clock')).time.slice(0, 16), `${day}T09:30`);
    });

    test('everybody can read its pages, on a phone and on a desk, light and dark', async (t) => {
      const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
        [
          { width: 1280, height: 900 },
          { width: 390, height: 844 },
        ].map((viewport) => ({ colorScheme, viewport })),
      );
      for (const path of ['sandbox', 'sandbox?by=691200', 'sandbox?to=2020-01-01']) {
        const page = await open(t, path);
        const findMore = async (): Promise<string[]> =>
          (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) ? ['too wide'] : [];
        assert.deepEqual(await findInLooks(page, looks, { findMore }), [], path);
      }
    });
  }
});
