// Goal: whatever happens beside the straight way has a clear page of its own, and nobody pays twice: the back button, two
// tabs, a payment that is over, a cart that changes, a wrong address, a lost connection, a database that is away. Method:
// a real Chromium on the hosted page; a second service on the same database judges payments after one second, so that a
// payment expires without anything having to be quick; requests are cut on their way there or back.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { Consumer } from '../support/checkout.ts';
import { anItem } from '../support/client.ts';
import { isRelease } from '../support/depth.ts';
import { until } from '../support/kassa.ts';
import { whileDatabaseIsAway } from '../support/outage.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import {
  CARD_NUMBER,
  countReservations,
  field,
  fillCard,
  formError,
  heading,
  KNOWN,
  openOwnStage,
  payButton,
  payByCard,
  press,
  stayWhenPaid,
  untilSaid,
  untilState,
  watchPays,
} from './paying-page.ts';

const PAID = 'Thank you, your payment is complete';
const CANCELLED = 'This order has been cancelled';
const EXPIRED = 'This checkout has expired';
const CHECKING = 'The connection was lost. We are checking whether your payment went through';
const NOT_CHARGED = 'The connection was lost, but nothing has been charged. You can try again.';

const stage = openOwnStage();

const thanks = (paymentId: string): string => `${stage.shopOrigin}/thanks?paymentid=${paymentId}`;
const paymentOf = (paymentId: string) => stage.shop.client.payment(paymentId);
const terminate = (paymentId: string) => stage.shop.client.must(204, 'PUT', `/v1/payments/${paymentId}/terminate`);

type Open = { readonly page: Page; readonly paymentId: string; readonly url: string };

async function openNew(t: TestContext): Promise<Open> {
  const { paymentId, url } = await stage.create(KNOWN);
  return { page: await stage.open(t, url), paymentId, url };
}

/** A page that needs no script, as the service answers with it. */
async function read(url: string): Promise<{ status: number; title: string | undefined; html: string }> {
  const answer = await fetch(url);
  const html = await answer.text();
  return { status: answer.status, title: /<h1[^>]*>([^<]*)<\/h1>/.exec(html)?.[1], html };
}

async function expectPaidOnce(paymentId: string, amount = 100_000): Promise<void> {
  assert.equal((await paymentOf(paymentId)).summary.reservedAmount, amount);
  assert.equal(await countReservations(stage, paymentId), 1);
}

/** What the browser does when the consumer comes back to a tab. */
const comeBackTo = (page: Page): Promise<unknown> =>
  page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");

describe('after paying', () => {
  test('the back button leads to the paid page, not to the form, and does not lead away again', async (t) => {
    const { page, paymentId, url } = await openNew(t);
    await payByCard(page);
    await page.waitForURL(thanks(paymentId));
    await page.goBack();
    assert.equal(page.url(), url);
    assert.equal(await heading(page).innerText(), PAID);
    assert.equal(await payButton(page).count(), 0);
    assert.equal(await page.getAttribute('#return', 'href'), thanks(paymentId));
    await expectPaidOnce(paymentId);
  });

  test('a page that the browser had kept as it was finds out that it is paid', async (t) => {
    const { page, paymentId } = await openNew(t);
    await fillCard(page);
    await stage.shop.client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
    await page.evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    await untilState(page, 'paid');
    await expectPaidOnce(paymentId);
  });

  if (isRelease)
    test('a second tab says on the next press that it is paid', async (t) => {
      const { page, paymentId, url } = await openNew(t);
      const second = await page.context().newPage();
      await second.goto(url);
      await stayWhenPaid(page);
      await fillCard(second);
      await payByCard(page);
      await untilState(page, 'paid');
      await press(second);
      await untilState(second, 'paid');
      assert.equal(await heading(second).innerText(), PAID);
      await expectPaidOnce(paymentId);
    });

  test('a second tab says so as soon as the consumer comes back to it', async (t) => {
    const { page, paymentId, url } = await openNew(t);
    const second = await page.context().newPage();
    await second.goto(url);
    await payByCard(page);
    await page.waitForURL(thanks(paymentId));
    await comeBackTo(second);
    await second.waitForURL(thanks(paymentId));
  });

  test('two tabs that pay at the same moment end as one payment', async (t) => {
    const { page, paymentId, url } = await openNew(t);
    const second = await page.context().newPage();
    await second.goto(url);
    await stayWhenPaid(page);
    await Promise.all([fillCard(page), fillCard(second)]);
    await Promise.all([press(page), press(second)]);
    await Promise.all([untilState(page, 'paid'), untilState(second, 'paid')]);
    await expectPaidOnce(paymentId);
  });
});

describe('a payment that cannot be paid (any more) has its own page', () => {
  if (isRelease) {
    test('paid already', async (t) => {
      const { paymentId, url } = await stage.create(KNOWN);
      await stage.shop.client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
      const page = await stage.open(t, url);
      assert.equal(await heading(page).innerText(), PAID);
      assert.equal(await payButton(page).count(), 0);
    });

    test('terminated by the shop before it was opened, with a way back', async (t) => {
      const { paymentId, url } = await stage.create(KNOWN);
      await terminate(paymentId);
      const page = await stage.open(t, url);
      assert.equal(await heading(page).innerText(), CANCELLED);
      await page.click('#cancel');
      await page.waitForURL(`${stage.shopOrigin}/cart`);
    });

    test('terminated by the shop while the form was open', async (t) => {
      const { page, paymentId } = await openNew(t);
      await fillCard(page);
      await terminate(paymentId);
      await press(page);
      await untilState(page, 'terminated');
      assert.equal(await heading(page).innerText(), CANCELLED);
      assert.equal((await paymentOf(paymentId)).summary.reservedAmount, 0);
    });
  }

  test('terminated by the shop while the consumer looked elsewhere', async (t) => {
    const { page, paymentId } = await openNew(t);
    await terminate(paymentId);
    await comeBackTo(page);
    await untilState(page, 'terminated');
  });

  test('paid, and then cancelled by the shop: it does not say that it is paid', async () => {
    const { paymentId, url } = await stage.create(KNOWN);
    await stage.shop.client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
    await stage.shop.client.cancel(paymentId, 100_000);
    assert.equal((await read(url)).title, CANCELLED);
  });

  test('of a live shop, for which there is no card form of ours', async () => {
    const shop = await stage.service.openShop({ live: true });
    const { url } = await stage.create({}, 100_000, shop);
    const { title, html } = await read(url);
    assert.equal(title, 'Payment is not available right now');
    assert.ok(!html.includes(CARD_NUMBER));
  });

  describe('expired', () => {
    let hasty: Service;
    before(async () => {
      const env = { KASSA_PAYMENT_LIFETIME: '1s' };
      hasty = await startService({ databaseUrl: stage.service.databaseUrl, env });
    });
    after(() => hasty.stop());

    const atHasty = (address: string): string => {
      const { pathname, search } = new URL(address);
      return hasty.url + pathname + search;
    };
    async function outlive(paymentId: string): Promise<void> {
      const consumer = new Consumer(hasty, stage.shop, paymentId);
      await until('the end of the payment', async () => (await consumer.state()).body.state === 'expired');
    }

    test('before it was opened', async () => {
      const { paymentId, url } = await stage.create(KNOWN);
      await outlive(paymentId);
      const { title, html } = await read(atHasty(url));
      assert.equal(title, EXPIRED);
      assert.match(html, new RegExp(`<a[^>]* id="cancel"[^>]* href="${stage.shopOrigin}/cart"`));
    });

    test('while the form was open', async (t) => {
      const { page, paymentId } = await openNew(t);
      await fillCard(page);
      await page.route('**/*', (route) => route.continue({ url: atHasty(route.request().url()) }));
      await outlive(paymentId);
      await press(page);
      await untilState(page, 'expired');
      assert.equal(await heading(page).innerText(), EXPIRED);
      assert.equal((await paymentOf(paymentId)).summary.reservedAmount, 0);
    });
  });
});

describe('an address that leads to no payment', () => {
  const cases: readonly (readonly [name: string, change: (address: URL) => void, status: number, title: string])[] = [
    ['a wrong key', ({ searchParams: s }) => s.set('checkoutKey', 'wrong'), 404, 'This link does not work'],
    ['an unknown payment', ({ searchParams: s }) => s.set('pid', 'f'.repeat(32)), 404, 'We cannot find this payment'],
    ['a payment that is none', ({ searchParams: s }) => s.set('pid', '<b>'), 404, 'We cannot find this payment'],
    ['no key', ({ searchParams: s }) => s.delete('checkoutKey'), 400, 'The link is incomplete'],
    ['no payment', ({ searchParams: s }) => s.delete('pid'), 400, 'The link is incomplete'],
  ];
  for (const [name, change, status, title] of cases)
    test(`${name}: ${status}, and a page that says so`, async () => {
      const address = new URL((await stage.create(KNOWN)).url);
      change(address);
      const answer = await read(address.href);
      assert.equal(answer.status, status);
      assert.equal(answer.title, title);
      assert.match(answer.html, /Go back to the shop/);
    });

  test('the key of another shop: its payments are not known there', async () => {
    const other = await stage.service.openShop();
    const address = new URL((await stage.create(KNOWN)).url);
    address.searchParams.set('checkoutKey', other.merchant.checkoutKey);
    assert.equal((await read(address.href)).title, 'We cannot find this payment');
  });
});

describe('a cart that the shop changes while the form is open', () => {
  const changeCart = (paymentId: string, amount: number) =>
    stage.shop.client.must(204, 'PUT', `/v1/payments/${paymentId}/orderitems`, {
      amount,
      items: [anItem({ name: 'Sandals', grossTotalAmount: amount })],
    });

  test('is shown as soon as the consumer comes back, or on a press, which must be confirmed by another one', async (t) => {
    const { page, paymentId } = await openNew(t);
    await fillCard(page);
    await changeCart(paymentId, 80_000);
    await comeBackTo(page);
    await untilSaid(page, '#pay', /SEK\s800\.00/);
    await changeCart(paymentId, 70_000);
    await press(page);
    await untilSaid(page, '#form-error', 'The total has changed. Please check your order and pay again.');
    assert.equal((await paymentOf(paymentId)).summary.reservedAmount, 0);
    assert.match(await page.innerText('#order'), /Sandals[\s\S]*SEK\s700\.00/);
    assert.match(await payButton(page).innerText(), /SEK\s700\.00/);
    // The card is still filled in.
    await press(page);
    await page.waitForURL(thanks(paymentId));
    await expectPaidOnce(paymentId, 70_000);
  });
});

describe('an order of many items', () => {
  test('is looked through in parts while the form is open: what was typed stays, the card too', async (t) => {
    const items = Array.from({ length: 120 }, (_, n) =>
      anItem({ reference: `r-${n}`, name: `Thing ${n}`, grossTotalAmount: 1_000 }),
    );
    const created = await stage.shop.client.must(201, 'POST', '/v1/payments', {
      order: { items, amount: 120_000, currency: 'SEK' },
      checkout: { integrationType: 'HostedPaymentPage', returnUrl: thanks(''), cancelUrl: thanks(''), ...KNOWN },
    });
    const page = await stage.open(t, created.hostedPaymentPageUrl as string);
    await fillCard(page);
    const names = page.locator('#order .item-name');
    assert.equal(await names.count(), 50);
    for (const first of ['Thing 50', 'Thing 100']) {
      await page.locator('#order .parts a').last().click();
      await untilSaid(page, '#order .item-name', new RegExp(`^${first}$`));
    }
    assert.equal(await names.count(), 20);
    assert.notEqual(await field(page, CARD_NUMBER).inputValue(), '', 'the page was not left');
    await page.reload();
    await untilSaid(page, '#order .item-name', /^Thing 100$/);
    assert.equal(await page.locator('#order .parts a').count(), 1);
  });
});

describe('a connection that is lost', () => {
  const PAY = '**/api/v1/pay';
  const STANDING = '**/api/v1/checkout';
  const cut = (route: Route): Promise<void> => route.abort('connectionreset');
  /** The service gets the request, and the page no answer. */
  const cutAnswer = async (route: Route): Promise<void> => {
    await route.fetch();
    await cut(route);
  };

  test('before the press, or on the way there: the page says that nothing was charged, and the next press pays', async (t) => {
    const { page, paymentId } = await openNew(t);
    const pays = watchPays(page);
    await fillCard(page);
    await page.context().setOffline(true);
    await press(page);
    await untilSaid(page, '#form-error', 'No connection. Check your network and try again');
    assert.equal(pays.length, 0);
    await page.context().setOffline(false);
    await page.route(PAY, cut, { times: 1 });
    await press(page);
    await untilSaid(page, '#form-error', NOT_CHARGED);
    assert.equal(await field(page, CARD_NUMBER).inputValue(), '4925 0000 0000 0004');
    await press(page);
    await page.waitForURL(thanks(paymentId));
    await expectPaidOnce(paymentId);
  });

  if (isRelease)
    test('on the way back: the page finds out that it is paid', async (t) => {
      const { page, paymentId } = await openNew(t);
      const pays = watchPays(page);
      await fillCard(page);
      await page.route(PAY, cutAnswer, { times: 1 });
      await press(page);
      await page.waitForURL(thanks(paymentId));
      assert.equal(pays.length, 1);
      await expectPaidOnce(paymentId);
    });

  test('for longer: the page says that it asks, holds the button, and ends on the paid page', async (t) => {
    const { page, paymentId } = await openNew(t);
    const pays = watchPays(page);
    await fillCard(page);
    await page.route(PAY, cutAnswer);
    await page.route(STANDING, cut);
    const asked = page.waitForRequest(STANDING);
    await press(page);
    await asked;
    await untilSaid(page, '#form-error', CHECKING);
    assert.equal(await payButton(page).isDisabled(), true);
    await page.unroute(STANDING);
    await page.waitForURL(thanks(paymentId));
    assert.equal(pays.length, 1);
    await expectPaidOnce(paymentId);
  });

  if (isRelease)
    test('on the way back, and the consumer loads the page anew: it is paid', async (t) => {
      const { page, paymentId } = await openNew(t);
      await fillCard(page);
      await page.route(PAY, cutAnswer);
      await page.route(STANDING, cut);
      await press(page);
      await untilSaid(page, '#form-error', CHECKING);
      await page.reload();
      assert.equal(await heading(page).innerText(), PAID);
      await expectPaidOnce(paymentId);
    });

  test('to the database: what is paid meanwhile charges nothing, and a page that is loaded is a 503 that says so', async (t) => {
    const { page, paymentId, url } = await openNew(t);
    await fillCard(page);
    const other = await page.context().newPage();
    await whileDatabaseIsAway(stage.service, async () => {
      await press(page);
      await untilSaid(page, '#form-error', CHECKING);
      const response = await other.goto(url);
      assert.equal(response?.status(), 503);
      assert.match(response?.headers()['content-type'] ?? '', /^text\/html/);
      assert.equal(await heading(other).innerText(), 'We cannot be reached right now');
    });
    await other.getByRole('link', { name: 'Try again' }).click();
    await untilState(other, 'open');
    await page.bringToFront();
    await untilSaid(page, '#form-error', NOT_CHARGED);
    await press(page);
    await page.waitForURL(thanks(paymentId));
    await expectPaidOnce(paymentId);
  });
});

describe('a page whose script is not there', () => {
  if (isRelease)
    test('can be read, says what is missing, and sends no card anywhere', async (t) => {
      const { url } = await stage.create(KNOWN);
      const page = await stage.open(t, url, { javaScriptEnabled: false });
      assert.match(await page.innerText('#order'), /Sneakers/);
      assert.match(await page.innerText('#pay-form'), /please turn on JavaScript/);
      await fillCard(page);
      assert.equal(await payButton(page).isDisabled(), true);
      await field(page, CARD_NUMBER).press('Enter');
      assert.equal(page.url(), url);
      assert.equal(await field(page, CARD_NUMBER).inputValue(), '4925000000000004');
    });

  test('because it comes late: what was typed before is kept, and then paid', async (t) => {
    const { paymentId, url } = await stage.create(KNOWN);
    const page = await stage.open(t, 'about:blank');
    const gate = Promise.withResolvers<void>();
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.goto(url, { waitUntil: 'commit' });
    await fillCard(page);
    assert.equal(await payButton(page).isDisabled(), true);
    assert.equal(await formError(page).innerText(), '');
    gate.resolve();
    await press(page);
    await page.waitForURL(thanks(paymentId));
    await expectPaidOnce(paymentId);
  });
});
