// Goal: a developer finds a request by keyboard and reads it, on a desktop and on a phone, light and dark. Method: a real
// Chromium on requests that were really sent.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { findAxeViolations, findLookViolations } from '../support/axe.ts';
import { openBrowser, openPage, PHONE } from '../support/browser.ts';
import { inviteTo } from '../support/console.ts';
import { isRelease } from '../support/depth.ts';
import { until } from '../support/kassa.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

/**
 * What is wrong with it for somebody, in both themes: by axe, or since it is wider than the screen. Daily only one request:
 * the lists are among the pages of console-pages.test.ts.
 */
async function findFaults(page: Page, isDaily = isRelease): Promise<string[]> {
  const faults: string[] = [];
  if (!isDaily) return faults;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { width } = page.viewportSize() ?? { width: 0 };
    const isWide = (await page.evaluate('document.documentElement.scrollWidth')) as number;
    if (isWide > width) faults.push(`${colorScheme}: ${isWide} pixels wide`);
    faults.push(...(await (colorScheme === 'light' ? findAxeViolations(page) : findLookViolations(page))));
  }
  return faults;
}

const { LOOK_AT: folder } = process.env;
async function picture(page: Page, name: string): Promise<void> {
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

describe('the requests in a browser', () => {
  let service: SharedService;
  let browser: Browser;
  before(async () => {
    service = shareService();
    browser = await openBrowser();
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  test('found by Ctrl-K, search and filters, read, and led on to the payment', async (t) => {
    const { merchant, client } = await service.openShop();
    const { link } = await inviteTo(service, merchant.id, 'developer');
    const page = await openPage(browser, { viewport: { width: 1280, height: 800 } });
    t.after(() => page.context().close());
    await page.goto(link);
    await page.waitForURL(/\/console\/\d+\//);
    const list = `${service.url}/console/${merchant.id}/requests`;
    await page.goto(list);
    await page.getByRole('heading', { name: 'No requests yet' }).waitFor();
    assert.deepEqual(await findFaults(page), [], 'empty');
    await picture(page, 'requests-empty');

    const paymentId = await client.createReserved();
    const chargeId = await client.charge(paymentId, 40_000);
    await client.get('/v1/payments/none');
    await client.post(`/v1/payments/${paymentId}/charges`, { amount: -1 }, { 'x-request-id': 'the-bad-one' });
    const rows = page.locator('table.requests tbody tr');
    await until('all five', async () => {
      await page.goto(list);
      return (await rows.count()) === 5;
    });

    // By Ctrl-K, from another page.
    await page.goto(`${service.url}/console/${merchant.id}/payments`);
    await page.getByRole('button', { name: /Search.*Ctrl/ }).waitFor();
    await page.keyboard.press('Control+k');
    await page.locator('#palette input:focus').waitFor();
    await page.keyboard.type('requ');
    await page.getByRole('option', { name: 'Requests' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(list);
    assert.deepEqual(await findFaults(page), [], 'the list');
    await picture(page, 'requests-dark');

    await page.getByRole('searchbox', { name: 'Search requests' }).focus();
    await page.keyboard.type(chargeId);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\?q=/);
    assert.equal(await rows.count(), 4, 'all of the payment');
    await page.getByText('Filter', { exact: true }).click();
    await page.getByLabel('Status').selectOption('failed');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL(/status=failed$/);
    assert.equal(await rows.count(), 1);
    await page.getByRole('link', { name: 'Without Status' }).waitFor();
    assert.deepEqual(await findFaults(page), [], 'filtered');

    await rows.getByRole('link').first().press('Enter');
    await page.getByRole('heading', { name: 'Sent' }).waitFor();
    await page.getByText('the-bad-one').waitFor();
    assert.match((await page.locator('pre').first().textContent()) ?? '', /"amount": -1/);
    assert.deepEqual(await findFaults(page, true), [], 'one request');
    await page.emulateMedia({ colorScheme: 'light' });
    await picture(page, 'request');
    await page.setViewportSize(PHONE.viewport ?? { width: 390, height: 844 });
    assert.deepEqual(await findFaults(page), [], 'one request on a phone');
    await picture(page, 'request-phone');
    await page.goto(list);
    assert.deepEqual(await findFaults(page), [], 'the list on a phone');
    await picture(page, 'requests-phone');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'light' });
    await picture(page, 'requests');
    await page.goBack();
    await page.getByRole('link', { name: paymentId }).click();
    await page.waitForURL(new RegExp(`/payments/${paymentId}$`));
  });
});
