// Goal: the list of payments works by keyboard and for everybody, keeps all in its address, shows times of the viewer's
// zone, and brings new payments in without moving what is read. Method: a real Chromium, in a zone that is not UTC.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { findInLooks } from '../support/axe.ts';
import type { Look } from '../support/axe.ts';
import { openBrowser, openPage, PHONE } from '../support/browser.ts';
import { aCreate } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { inviteTo } from '../support/console.ts';
import { depth, isRelease } from '../support/depth.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const consumer = {
  email: 'ada@example.com',
  privatePerson: { firstName: 'Ada', lastName: 'Lovelace' },
  shippingAddress: { addressLine1: 'Gatan 1', postalCode: '11122', city: 'Stockholm', country: 'SWE' },
};

async function make(client: Client, reference: string, amount = 100_000): Promise<string> {
  const body = aCreate(amount, { merchantHandlesConsumerData: true, consumer });
  const made = await client.must(201, 'POST', '/v1/payments', { ...body, order: { ...body.order, reference } });
  return made.paymentId as string;
}

// The list without a filter is among the pages of console-pages.test.ts, in light.
const LIGHT = { colorScheme: 'light' } as const;
const DARK = { colorScheme: 'dark' } as const;

async function findWide(page: Page): Promise<string[]> {
  const { width } = page.viewportSize() ?? { width: 0 };
  const isWide = (await page.evaluate('document.documentElement.scrollWidth')) as number;
  return isWide > width ? [`${isWide} pixels wide`] : [];
}

/** What is wrong with it for somebody: by axe, or since it is wider than the screen. */
const findFaults = (page: Page, looks: readonly Look[]): Promise<string[]> =>
  findInLooks(page, looks, { findMore: () => findWide(page) });

const rows = (page: Page): Promise<number> => page.locator('table.payments tbody tr').count();

describe('the list of payments in a browser', () => {
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

  test('search, filter, view and new payments, by keyboard, wide and on a phone, light and dark', async (t) => {
    const { merchant, client } = await service.openShop();
    const references = Array.from({ length: 30 }, (_none, n) => `order-${n}`);
    for (const reference of references) await make(client, reference);
    const { link } = await inviteTo(service, merchant.id, 'viewer');
    const page = await openPage(browser, { timezoneId: 'Asia/Tokyo', viewport: { width: 1280, height: 800 } });
    t.after(() => page.context().close());
    await page.clock.install();
    await page.goto(link);
    await page.waitForURL(/\/console\/\d+\//);
    await page.goto(`${service.url}/console/${merchant.id}/payments`);
    assert.equal(await rows(page), 30);

    await page.getByRole('searchbox').focus();
    await page.keyboard.type('love');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\?q=love$/);
    assert.equal(await rows(page), 30);

    // A minute of Tokyo is one of UTC in the address, and the same one again in the field.
    await page.getByText('Filter', { exact: true }).click();
    await page.getByLabel('From').fill('2024-02-03T08:30');
    await page.getByLabel('Amount at least').fill('1 000');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL(/from=2024-02-02T23%3A30Z&least=1/);
    assert.equal(await page.locator('#filter-from').inputValue(), '2024-02-03T08:30');
    assert.deepEqual(await findFaults(page, depth({ daily: [DARK], release: [LIGHT, DARK] })), []);

    await page.getByText('Save view').click();
    await page.getByLabel('Name of the view').fill('Ada');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove view' }).waitFor();
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page.waitForURL(/payments$/);

    // A click anywhere on a row leads to its payment.
    const first = page.locator('table.payments tbody tr').first();
    await first.locator('td.state').click();
    await page.waitForURL(/payments\/[0-9a-f]{32}$/);
    await page.goBack();
    await page.waitForURL(/payments$/);

    const place = async (): Promise<number> => (await page.getByText('order-5', { exact: true }).boundingBox())?.y ?? 0;
    await page.getByText('order-5', { exact: true }).scrollIntoViewIfNeeded();
    const read = await place();
    await make(client, 'the-new-one');
    await make(client, 'the-newest-one');
    await page.clock.fastForward(11_000);
    const pill = page.getByRole('button', { name: '2 new payments' });
    await pill.waitFor();
    assert.equal(await rows(page), 30, 'nothing comes in unasked');
    assert.equal(await place(), read);
    await pill.press('Enter');
    await page.getByText('the-new-one', { exact: true }).waitFor({ state: 'attached' });
    assert.equal(await rows(page), 32);
    assert.ok(Math.abs((await place()) - read) < 2, 'what is read stays where it is');

    await page.setViewportSize(PHONE.viewport ?? { width: 390, height: 844 });
    assert.deepEqual(await (isRelease ? findFaults(page, [LIGHT]) : findWide(page)), [], 'on a phone');
    await page.getByRole('button', { name: 'Menu' }).press('Enter');
    await page.getByRole('link', { name: 'Payments' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Payments' }).waitFor({ state: 'hidden' });
  });
});
