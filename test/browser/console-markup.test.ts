// Goal: whatever strangers can write into a text that the console shows, it is a text there, on every page. Method: a
// merchant whose every text is markup that would do something, every page that the router has in a real Chromium, and what
// that browser says of the policy of pages.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { changeMerchant } from '../../src/merchants/merchants.ts';
import { KASSA } from '../../src/domain/audit.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { aCreate, anItem } from '../support/client.ts';
import { signIn } from '../support/console.ts';
import { consoleRoutes, isApi, nameOf, pathOf } from '../support/console-routes.ts';
import { until } from '../support/kassa.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

/** As an element it has a class of ours, a picture that is not there, and what is done then. */
const evil = (where: string): string => `<img class=evil src=x onerror=alert(1)>${where}`;

const LOOK = `[
  document.querySelectorAll('.evil').length, document.documentElement.dataset.violation, document.body.textContent,
]`;

describe('texts of strangers at the console', () => {
  let service: SharedService;
  let browser: Browser;
  let receiver: Receiver;
  before(async () => {
    service = shareService();
    browser = await openBrowser();
    receiver = await openReceiver();
  });
  after(async () => {
    await browser?.close();
    await receiver?.close();
    await service?.close();
  });

  /** Everything that somebody else can write, written, and where it is. */
  async function write() {
    const { merchant, client } = await service.openShop();
    await changeMerchant(service.pool, KASSA, merchant.id, { settings: { name: evil('merchant') } });
    receiver.react((response) => response.writeHead(500).end(`${evil('answer')}</pre><script>alert(2)</script>`));
    const { webhookId } = await client.must(201, 'POST', '/v1/webhooks', {
      url: `${receiver.url}?${encodeURIComponent(evil('url'))}`,
    });
    const item = anItem({
      reference: evil('item-reference'),
      name: evil('item'),
      unit: 'pcs',
      grossTotalAmount: 1_000,
    });
    const consumer = {
      email: 'evil@example.test',
      privatePerson: { firstName: evil('first'), lastName: evil('last') },
      shippingAddress: { addressLine1: evil('street'), postalCode: '111 22', city: evil('city'), country: 'SWE' },
    };
    const body = aCreate(1_000, { merchantHandlesConsumerData: true, consumer });
    const order = { ...body.order, items: [item], reference: evil('reference') };
    const made = { ...body, order, myReference: '<b class=evil>mine</b>' };
    const { paymentId } = await client.must(201, 'POST', '/v1/payments', made);
    await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
    const chargeId = await client.charge(paymentId, 500);
    const refundId = await client.refund(chargeId, 100);
    await client.send('GET', `/v1/payments/${paymentId}`, undefined, { 'user-agent': evil('agent') });
    await receiver.until(1);
    await until('the answer to be noted', async () => {
      const rows = await service.pool.query(`select 1 from deliveries where attempts::text like '%evil%' limit 1`);
      return rows.length > 0;
    });

    const admin = await signIn(service, merchant.id, 'admin');
    const home = `/console/${merchant.id}`;
    await admin.submit(`${home}/keys/create`, { name: evil('key'), read: 'on', days: '' });
    await admin.submit(`${home}/views`, { name: evil('view'), query: 'state=reserved' });
    await admin.submit(`${home}/team/invite`, { email: `o'&evil${merchant.id}@example.test`, role: 'viewer' });
    // A browser that says odd things of itself.
    await service.pool.query(
      `update sessions set agent = $2, address = '<b class=evil>'
       where person_id = (select id from people where email = $1)`,
      [admin.email, evil('browser')],
    );
    const id = await until('the request in its log', async () => {
      const rows = await service.pool.query<{ id: string }>(
        `select replace(id::text, '-', '') as id from request_log where merchant_id = $1 and user_agent like '%evil%'`,
        [merchant.id],
      );
      return rows[0]?.id;
    });
    const ids = {
      merchantId: String(merchant.id),
      paymentId,
      chargeId,
      refundId,
      webhookId,
      id,
      secret: 'a'.repeat(43),
    };
    return { admin, ids };
  }

  test('are texts on every page, and no page breaks its policy', async () => {
    const { admin, ids } = await write();
    const page = await openPage(browser);
    const [name = '', value = ''] = admin.cookie.split('=');
    await page.context().addCookies([{ name, value, url: service.url }]);
    await page.addInitScript(`addEventListener('securitypolicyviolation', (event) => {
      document.documentElement.dataset.violation = event.violatedDirective + ' ' + event.blockedURI;
    });`);
    const troubles: string[] = [];
    page.on('dialog', (dialog) => {
      troubles.push(`${page.url()} opened a dialog`);
      void dialog.dismiss();
    });
    page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) troubles.push(`${page.url()}: ${message.text()}`);
    });
    const seen = new Set<string>();
    const routes = consoleRoutes().filter(
      (route) => route.method === 'GET' && !isApi(route) && !/assets|oidc|payments\.|\/link\//.test(route.url),
    );
    assert.ok(routes.length >= 20, String(routes.length));
    const paths = routes.map((route) => [nameOf(route), pathOf(route, ids)] as const);
    const searches = ['payments', 'audit', 'requests'].map(
      (list) => [`search of ${list}`, `/console/${ids.merchantId}/${list}?q=${encodeURIComponent(evil('q'))}`] as const,
    );
    for (const [what, path] of [...paths, ...searches]) {
      // What a script makes of the page is there once it has run.
      await page.goto(service.url + path, { waitUntil: 'load' });
      // The text with what is folded up.
      const [elements, violation, text] = await page.evaluate<[number, string | undefined, string]>(LOOK);
      assert.equal(elements, 0, `${what} has an element of a stranger’s`);
      assert.equal(violation, undefined, what);
      for (const [, where = ''] of text.matchAll(/onerror=alert\(1\)>([a-z-]+)/g)) seen.add(where);
    }
    assert.deepEqual(troubles, []);
    const shown = ['merchant', 'reference', 'item', 'first', 'last', 'key', 'view', 'answer', 'agent'];
    assert.deepEqual(
      shown.filter((where) => !seen.has(where)),
      [],
      `seen: ${[...seen].join()}`,
    );
    await page.context().close();
  });
});
