// Goal: money is moved from the console as people do it: by items, in part, with the keyboard alone, with a double click,
// and with an answer that is lost; each once. Everybody can read the pages, light and dark. Method: a real Chromium at a
// Kassa that runs; the payment as the API gives it is the judge.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { findInLooks } from '../support/axe.ts';
import { openBrowser, PHONE } from '../support/browser.ts';
import { aCreate, anItem } from '../support/client.ts';
import { signIn } from '../support/console.ts';
import { isRelease } from '../support/depth.ts';
import { openLender } from '../support/lent-contexts.ts';
import type { Lender } from '../support/lent-contexts.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

const MUGS = { reference: 'mug', name: 'Mug', quantity: 3, taxAmount: 2_000, netTotalAmount: 8_000 };
const mugs = anItem({ ...MUGS, grossTotalAmount: 10_000 });
const tea = anItem({ reference: 'tea', name: 'Tea', quantity: 0.5, taxAmount: 0, grossTotalAmount: 5_000 });

describe('a payment at the console', () => {
  let service: SharedService;
  let shop: Shop;
  let browser: Browser;
  let lender: Lender;
  let cookie: string;
  before(async () => {
    service = shareService();
    shop = await service.openShop({ strictItems: true });
    browser = await openBrowser();
    lender = openLender(browser, [service.url]);
    cookie = (await signIn(service, shop.merchant.id, 'admin')).cookie;
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  async function reserved(): Promise<string> {
    const created = aCreate();
    const order = { ...created.order, items: [mugs, tea], amount: 15_000 };
    const { paymentId } = await shop.client.must(201, 'POST', '/v1/payments', { ...created, order });
    await shop.client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
    return paymentId;
  }

  async function open(t: TestContext, path: string, options = {}): Promise<Page> {
    const page = await lender.lend(options);
    const context = page.context();
    t.after(() => lender.takeBack(context));
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: service.url }]);
    await page.goto(`${service.url}/console/${shop.merchant.id}/payments/${path}`);
    return page;
  }

  const summaryOf = async (paymentId: string): Promise<number[]> =>
    Object.values((await shop.client.payment(paymentId)).summary);

  const goOn = (page: Page): Promise<void> => page.getByRole('button', { name: 'Continue' }).click();
  const sure = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

  test('charge by items, refund a part, cancel the rest, each with a double click', async (t) => {
    const paymentId = await reserved();
    const page = await open(t, paymentId);
    await page.getByRole('link', { name: 'Charge', exact: true }).click();
    await page.getByRole('radio', { name: 'Items' }).check();
    await page.getByLabel(/^Mug/).fill('1');
    await page.getByRole('button', { name: 'All of Tea' }).click();
    const sentence = 'Charge 83.33\u00a0SEK of order\u20111. 66.67\u00a0SEK stay reserved.';
    assert.equal(await page.locator('.act > .sentence').textContent(), sentence, 'worked out as one types');
    assert.deepEqual(await page.locator('.act-share').allTextContents(), ['33.33 SEK', '50.00 SEK']);
    await goOn(page);
    await sure(page, 'Charge 83.33 SEK').waitFor();
    assert.equal(await page.locator('.sentence').textContent(), sentence);
    assert.deepEqual(await findInLooks(page, [{ colorScheme: 'dark' }]), [], 'everybody can read what will happen');
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('radio', { name: 'Items', checked: true }).waitFor();
    assert.equal(await page.getByLabel(/^Mug/).inputValue(), '1', 'as it was typed');
    await goOn(page);
    await sure(page, 'Charge 83.33 SEK').dblclick();
    await page.waitForURL(/\?did=/);
    assert.equal(await page.getByRole('status').first().textContent(), 'Charged 83.33 SEK.');
    const { charges } = await shop.client.payment(paymentId);
    assert.deepEqual(
      charges.map(({ orderItems }: { orderItems: { quantity: number; grossTotalAmount: number }[] }) =>
        orderItems.map(({ quantity, grossTotalAmount }) => [quantity, grossTotalAmount]),
      ),
      [
        [
          [1, 3_333],
          [0.5, 5_000],
        ],
      ],
    );

    await page.getByRole('link', { name: 'Refund', exact: true }).click();
    await page.getByRole('radio', { name: 'An amount' }).check();
    const amount = page.getByLabel('Amount in SEK');
    await amount.fill('83,34');
    await page.getByText('Only 83.33 SEK is left.').waitFor();
    await amount.fill('12,5');
    await goOn(page);
    await sure(page, 'Refund 12.50 SEK').dblclick();
    await page.waitForURL(/\?did=/);

    await page.getByRole('link', { name: 'Cancel', exact: true }).click();
    await goOn(page);
    await sure(page, 'Cancel 66.67 SEK').dblclick();
    await page.waitForURL(/\?did=/);
    assert.equal(await page.getByRole('status').first().textContent(), 'Cancelled 66.67 SEK.');
    assert.deepEqual(await summaryOf(paymentId), [15_000, 8_333, 1_250, 6_667]);
  });

  test('a refund that asks for proof: there and back, with what was typed, and once', async (t) => {
    const guarded = await service.openShop({ refundProof: { SEK: 100 } });
    const clerk = await signIn(service, guarded.merchant.id, 'operator');
    const setProof = (ago: string) =>
      service.pool.query(
        `update sessions set proved_at = now() - interval '${ago}'
         where person_id = (select id from people where email = $1)`,
        [clerk.email],
      );
    const created = aCreate();
    const order = { ...created.order, items: [mugs, tea], amount: 15_000 };
    const { paymentId } = await guarded.client.must(201, 'POST', '/v1/payments', { ...created, order });
    await guarded.client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
    const charge = { amount: 15_000, orderItems: [mugs, tea] };
    await guarded.client.must(201, 'POST', `/v1/payments/${paymentId}/charges`, charge);
    await setProof('11 minutes');

    const page = await lender.lend({});
    t.after(() => lender.takeBack(page.context()));
    const [name = '', value = ''] = clerk.cookie.split('=');
    await page.context().addCookies([{ name, value, url: service.url }]);
    await page.goto(`${service.url}/console/${guarded.merchant.id}/payments/${paymentId}/refund`);
    await page.getByRole('radio', { name: 'Items' }).check();
    await page.getByLabel(/^Mug/).fill('2');
    await goOn(page);
    await sure(page, 'Refund 66.67 SEK').click();
    await page.waitForURL(/\/console\/prove\?/);
    assert.equal((await guarded.client.payment(paymentId)).summary.refundedAmount, 0);
    await setProof('0 minutes');
    // The form that was kept is sent on from here.
    await page.reload();
    await page.waitForURL(/\?did=/);
    assert.equal((await guarded.client.payment(paymentId)).summary.refundedAmount, 6_667);
  });

  test('an answer that is lost: the same is asked for again by a reload, and done once', async (t) => {
    const paymentId = await reserved();
    const page = await open(t, `${paymentId}/charge`);
    const keys: (string | null)[] = [];
    await page.route(/\/charge$/, async (route) => {
      const fields = new URLSearchParams(route.request().postData() ?? '');
      if (!fields.has('sure')) return route.continue();
      keys.push(fields.get('key'));
      if (keys.length > 1) return route.continue();
      await route.fetch({ maxRedirects: 0 });
      await route.abort();
    });
    await goOn(page);
    await sure(page, 'Charge 150.00 SEK').click();
    await page.waitForURL(/^chrome-error:/);
    await page.reload();
    await page.waitForURL(/\?did=/);
    assert.equal(keys.length, 2, 'it is asked for twice');
    assert.equal(new Set(keys).size, 1, 'with one key');
    assert.deepEqual(await summaryOf(paymentId), [15_000, 15_000, 0, 0]);
  });

  test('with the keyboard alone, and a refusal that is told and mended', async (t) => {
    const paymentId = await reserved();
    const page = await open(t, `${paymentId}/cancel`);
    // Somebody else was quicker.
    await shop.client.charge(paymentId, 10_000);
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    // A key goes to what has the focus: that is waited for before each.
    const amount = page.getByLabel('Amount in SEK');
    const hasFocus = (what: Locator): Promise<void> => what.and(page.locator(':focus')).waitFor();
    const choice = page.getByRole('radio').first();
    await choice.focus();
    await hasFocus(choice);
    await press('ArrowDown');
    await amount.waitFor();
    await press('Tab');
    await hasFocus(amount);
    await page.keyboard.type('60');
    await press('Enter');
    await hasFocus(sure(page, 'Cancel 60.00 SEK'));
    await press('Enter');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    assert.equal(await alert.textContent(), '60.00 SEK is more than the 50.00 SEK left to cancel.');
    assert.equal(await amount.getAttribute('aria-invalid'), 'true');
    await amount.focus();
    await hasFocus(amount);
    await press('ControlOrMeta+a');
    await page.keyboard.type('50');
    await press('Enter');
    await hasFocus(sure(page, 'Cancel 50.00 SEK'));
    await press('Enter');
    await page.waitForURL(/\?did=/);
    assert.deepEqual(await summaryOf(paymentId), [15_000, 10_000, 0, 5_000]);
  });

  test('what is pending turns by itself', async (t) => {
    const paymentId = await reserved();
    await shop.client.charge(paymentId, 4_000);
    await service.pool.query(`update movements set state = 'pending' where payment_id = $1 and kind = 'charge'`, [
      paymentId,
    ]);
    await service.pool.query(`update payments set charged = 0, charging = 4000 where id = $1`, [paymentId]);
    const page = await open(t, paymentId);
    await page.getByText('Charge pending 40.00 SEK').waitFor();
    const own: string[] = [];
    page.on('request', async (request) => {
      const { cookie: sent = '', 'kassa-background': mark } = await request.allHeaders();
      if (/console\/(?:api\/)?\d{9}\//.test(request.url()) && !mark && !sent.includes('kassa-background='))
        own.push(request.url());
    });
    await service.pool.query(`update movements set state = 'approved' where payment_id = $1`, [paymentId]);
    await service.pool.query(`update payments set charged = 4000, charging = 0, version = version + 1 where id = $1`, [
      paymentId,
    ]);
    await page.getByRole('heading', { name: 'Charged 40.00 SEK' }).waitFor();
    assert.equal(await page.locator('[data-watch]').count(), 0);
    await page.waitForLoadState();
    assert.deepEqual(own, [], 'none of it counts as the person being there');
    assert.doesNotMatch(await page.evaluate('document.cookie'), /background/, 'what they do next does');
  });

  // Daily, its pages are among those of console-pages.test.ts.
  if (isRelease)
    test('axe finds nothing, light and dark, and nothing is wider than a phone', async (t) => {
      const paymentId = await reserved();
      await shop.client.charge(paymentId, 4_000);
      const page = await open(t, paymentId, PHONE);
      const lookAt = async (what: string): Promise<void> => {
        assert.deepEqual(await findInLooks(page, [{ colorScheme: 'light' }, { colorScheme: 'dark' }]), [], what);
        const [width, screen] = (await page.evaluate(
          '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
        )) as [number, number];
        assert.ok(width <= screen, `${what} is ${width} wide`);
      };
      for (const summary of await page.locator('details > summary').all()) await summary.click();
      await lookAt('a payment');
      await page.goto(`${page.url()}/charge`);
      await page.getByRole('radio', { name: 'Items' }).check();
      await page.getByLabel(/^Mug/).fill('9');
      await lookAt('a form with a mistake');
      await page.getByLabel(/^Mug/).fill('2');
      await goOn(page);
      await page.getByRole('button', { name: /^Charge / }).waitFor();
      await lookAt('what will happen');
    });
});
