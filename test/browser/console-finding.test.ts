// Goal: people find their way: figures with their tables and what needs attention, another merchant, a page or a payment
// under Ctrl-K, a view of their own, and all of it in a file. Method: a real Chromium; the file is read as a program would.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { HIGHEST_AMOUNT } from '../../src/api/schemas/values.ts';
import { aCreate } from '../support/client.ts';
import { signIn } from '../support/console.ts';
import type { Shop } from '../support/service.ts';
import { atConsole } from './at-console.ts';
import { findHidden } from './console-look.ts';

const at = atConsole();

async function paid({ client }: Shop, reference: string, amount: number): Promise<string> {
  const body = aCreate(amount);
  const { paymentId } = await client.must(201, 'POST', '/v1/payments', {
    ...body,
    order: { ...body.order, reference },
  });
  await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
  return paymentId;
}

const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');

test('the overview: figures, the table of its chart, and what needs attention leads there', async (t) => {
  const { service, open } = at();
  const shop = await service.openShop();
  const { client, merchant } = shop;
  await paid(shop, 'soon-over', 20_000);
  await client.must(200, 'POST', '/v1/sandbox/clock', { advanceSeconds: 6 * 86_400 });
  await client.refund(await client.charge(await paid(shop, 'one', 1_234_500), 1_234_500), 34_500);
  const page = await open(t, await signIn(service, merchant.id, 'viewer'), `/console/${merchant.id}/overview`);
  const figures = plain(await page.locator('.sum-cards').innerText());
  assert.match(figures, /Charged\s+12,345\.00 SEK\s+1 charge/);
  assert.match(figures, /Net\s+12,000\.00 SEK/);
  assert.equal(await page.getByRole('img', { name: /^Charged and refunded in SEK/ }).count(), 1);
  const table = page.getByRole('table').filter({ hasText: 'Day (UTC)' });
  assert.ok(await table.isHidden());
  await page.getByText('Show the figures').click();
  const [, today = ''] = await table.getByRole('row').allInnerTexts();
  assert.match(plain(today), /^\d{1,2} \w+ \d{4}\s+12,345\.00\s+345\.00\s+12,000\.00$/);
  assert.match(plain(await page.locator('#methods + table').innerText()), /Visa\s+12,345\.00 SEK/);
  await page.getByRole('link', { name: '7 days' }).click();
  await page.waitForURL(/days=7/);
  await page.getByText('1 reservation ends within 2 days').waitFor();
  await page.getByRole('link', { name: 'charge or cancel what is left' }).click();
  await page.waitForURL(/payments\?state=reserved$/);
  await page.getByRole('link', { name: 'soon-over' }).waitFor();
});

test('large sums in the overview are in one piece on a phone and a desktop, and times of keys in two', async (t) => {
  const { service, open } = at();
  const shop = await service.openShop();
  const { client, merchant } = shop;
  for (const n of [1, 2, 3]) await client.charge(await paid(shop, `large-${n}`, HIGHEST_AMOUNT), HIGHEST_AMOUNT);
  const page = await open(t, await signIn(service, merchant.id, 'admin'), `/console/${merchant.id}/overview`);
  assert.match(plain(await page.locator('.sum-cards').innerText()), /Charged\s+30,000,000,000\.00 SEK/);
  /** What of a number or a time is on more lines than that, or out of its box. */
  const brokenIn = (selector: string, mostLines = 1): Promise<string[]> =>
    page.evaluate(`Array.from(document.querySelectorAll('${selector}')).flatMap((element) => {
      const [text] = element.childNodes;
      const range = document.createRange();
      range.setStart(text, 0);
      range.setEnd(text, text.textContent.trimEnd().replace(/ [A-Z]{3}$/, '').length);
      const isOut = range.getBoundingClientRect().right > element.parentElement.getBoundingClientRect().right;
      return isOut || range.getClientRects().length > ${mostLines} ? [element.textContent] : [];
    })`);
  for (const width of [320, 390, 768, 1_024, 1_280]) {
    await page.setViewportSize({ width, height: 900 });
    assert.deepEqual(await brokenIn('.sum-card .value'), [], String(width));
  }
  await service.pool.query(
    `update secret_keys set last_used_at = now(), expires_at = now() + interval '90 days' where merchant_id = $1`,
    [merchant.id],
  );
  await page.goto(`${at().site}/console/${merchant.id}/keys`);
  assert.equal(await page.locator('.keys td > time').count(), 2);
  for (const width of [390, 1_024, 1_280]) {
    await page.setViewportSize({ width, height: 900 });
    assert.deepEqual([...(await brokenIn('.keys td > time', 2)), ...(await findHidden(page))], [], String(width));
  }
});

test('another merchant, by the menu and under Ctrl-K; a payment by its reference; a view kept and taken away', async (t) => {
  const { service, open } = at();
  const [shop, other] = [await service.openShop({ name: 'Here' }), await service.openShop({ name: 'There' })];
  const paymentId = await paid(shop, 'findable-17', 5_000);
  const person = await signIn(service, shop.merchant.id, 'viewer');
  await service.pool.query(
    `insert into memberships (person_id, merchant_id, role) select id, $1, 'viewer' from people where email = $2`,
    [other.merchant.id, person.email],
  );
  const page = await open(t, person, `/console/${shop.merchant.id}/overview`);
  const merchants = page.locator('details.merchant');
  await merchants.locator('summary').press('Enter');
  await merchants.getByRole('link', { name: 'There Test' }).click();
  await page.waitForURL(new RegExp(`/console/${other.merchant.id}/payments$`));
  await page.getByRole('heading', { name: 'No payments yet' }).waitFor();

  const palette = page.getByRole('combobox', { name: 'Go to a page, or find a payment' });
  const find = async (text: string, option: string): Promise<void> => {
    await page.keyboard.press('ControlOrMeta+k');
    await palette.and(page.locator(':focus')).waitFor();
    await palette.fill(text);
    await page.getByRole('option', { name: option, selected: true }).waitFor();
    await palette.press('Enter');
  };
  await find('here', 'Change to Here');
  await page.waitForURL(new RegExp(`/console/${shop.merchant.id}/payments$`));
  await find('findable-', 'Payments with “findable-”');
  await page.waitForURL(/payments\?q=findable-$/);
  await find('findable-17', 'The payment with “findable-17”');
  await page.waitForURL(new RegExp(`${paymentId}$`));

  await page.goto(`${at().site}/console/${shop.merchant.id}/payments?state=reserved`);
  await page.getByText('Save view').click();
  await page.getByLabel('Name of the view').fill('To be charged');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove view' }).waitFor();
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await page.waitForURL(/payments$/);
  await page.getByRole('link', { name: 'To be charged' }).click();
  await page.waitForURL(/payments\?state=reserved$/);
  await page.getByRole('button', { name: 'Remove view' }).click();
  await page.getByRole('link', { name: 'To be charged' }).waitFor({ state: 'detached' });
});

async function download(page: Page, name: string): Promise<string> {
  await page.locator('summary', { hasText: 'Export' }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
  assert.equal(await file.failure(), null);
  const folder = await mkdtemp(join(tmpdir(), 'kassa-export-'));
  try {
    await file.saveAs(join(folder, 'export'));
    return await readFile(join(folder, 'export'), 'utf8');
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('what is filtered is downloaded as CSV and as JSON lines, and nothing else', async (t) => {
  const { service, open } = at();
  const shop = await service.openShop();
  for (const [reference, amount] of [
    ['=1+1', 12_345],
    ['a "b", c', 100],
    ['plain', 7],
  ] as const)
    await paid(shop, reference, amount);
  const charged = await paid(shop, 'charged-one', 9_900);
  await shop.client.charge(charged, 9_900);
  const page = await open(
    t,
    await signIn(service, shop.merchant.id, 'viewer'),
    `/console/${shop.merchant.id}/payments?state=reserved`,
  );
  const lines = (await download(page, 'JSON lines')).trim().split('\n');
  const records = lines.map((line) => JSON.parse(line) as { reference: string; amount: string });
  assert.deepEqual(
    records.map(({ reference, amount }) => [reference, amount]),
    [
      ['plain', '0.07'],
      ['a "b", c', '1.00'],
      ['=1+1', '123.45'],
    ],
  );
  const csv = await download(page, 'CSV, for spreadsheets');
  assert.equal(csv.split('\r\n').length, 5, 'a head, three rows, an end');
  assert.ok(csv.includes(`,"a ""b"", c",`) && csv.includes(",'=1+1,") && !csv.includes('charged-one'));
});
