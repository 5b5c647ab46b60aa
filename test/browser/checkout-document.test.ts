// Goal: what checkout.md gives to copy works as it stands. Method: its lines are typed into a bash against a Kassa
// started as the README says, and its page is served by a shop on another origin and paid on in a real Chromium; only
// ports and ids are others.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { Browser } from 'playwright-core';
import { Workshop } from '../database/workshop.ts';
import { readDocument, scriptOf } from '../start/documents.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { serveKassa } from '../support/kassa.ts';
import { typeIntoShell } from '../support/shell.ts';

const document = readDocument('docs/integrate/checkout.md');
let browser: Browser;

before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

/** A shop that serves one page, and whatever comes after it. */
async function openShop(t: TestContext): Promise<{ origin: string; show(html: string): void }> {
  let page = '';
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(request.url === '/' ? page : '<title>Thanks</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { origin, show: (html) => (page = html) };
}

test('its lines make a payment in each way, and its page and its script pay them', async (t) => {
  const workshop = new Workshop();
  t.after(() => workshop.close());
  workshop.bringDatabase(join(workshop.root, '.kassa'));
  const service = await serveKassa(t, { env: { KASSA_DATA_DIR: join(workshop.root, '.kassa') } });
  const shop = await openShop(t);
  const here = (text: string): string =>
    text.replaceAll('localhost:8080', new URL(service.url).host).replaceAll('http://localhost:8000', shop.origin);

  const { stdout, stderr } = await typeIntoShell(here(scriptOf(document)), { cwd: workshop.root });
  assert.equal(stderr, '');
  const [hosted = '', paymentId = '', challenge = '', passed = '', standing = ''] = stdout.split('\n');
  const answers = [hosted, challenge, passed, standing].map((line) => JSON.parse(line) as Record<string, string>);
  assert.match(answers[0]?.['hostedPaymentPageUrl'] ?? '', /\/hostedpaymentpage\/\?checkoutKey=test-checkout-key-/);
  assert.match(answers[1]?.['redirectUrl'] ?? '', /\/challenge\/[0-9a-f]{64}$/);
  assert.deepEqual(answers[2], { paymentId });
  assert.equal(answers[3]?.['state'], 'paid');

  const page = await openPage(browser);
  t.after(() => page.context().close());
  await page.goto(answers[0]?.['hostedPaymentPageUrl'] ?? '');
  assert.equal(await page.getAttribute('body', 'data-state'), 'open');

  const created = await service.client.must(201, 'POST', '/v1/payments', {
    order: {
      amount: 10_000,
      currency: 'SEK',
      items: [
        {
          reference: 'mug',
          name: 'Mug',
          quantity: 2,
          unit: 'pcs',
          unitPrice: 4_000,
          netTotalAmount: 8_000,
          grossTotalAmount: 10_000,
        },
      ],
    },
    checkout: {
      url: `${shop.origin}/`,
      merchantHandlesConsumerData: true,
      consumer: { email: 'ada@example.test', privatePerson: { firstName: 'Ada', lastName: 'Öberg' } },
    },
  });
  const [, html = ''] = /^```html\n([\s\S]*?)^```$/m.exec(document.text) ?? [];
  const key = /checkoutKey=([\w-]+)/.exec(hosted)?.[1] ?? '';
  shop.show(here(html).replace('CHECKOUT_KEY', key).replace('PAYMENT_ID', created.paymentId));

  await page.goto(`${shop.origin}/`);
  const frame = page.frameLocator('#nets-checkout-iframe');
  await frame.locator('[name="paymentType.card.cardNumber"]').fill('4925000000000004');
  await frame.locator('[name="paymentType.card.expiry"]').fill('12/35');
  await frame.locator('[name="paymentType.card.cardVerificationCode"]').fill('123');
  await frame.locator('#pay').click();
  await page.waitForURL(`${shop.origin}/thanks.html?paymentid=${created.paymentId}`);
  const { payment } = await service.client.must(200, 'GET', `/v1/payments/${created.paymentId}`);
  assert.equal(payment.summary.reservedAmount, 10_000);
  await service.stop();
});
