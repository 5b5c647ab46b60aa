// Goal: a consumer who is sent to the hosted page pays there and comes back to the shop, which then reads all that was
// typed; whatever the shop asks of the page is kept, and the page is light and talks to nobody else. Method: a real
// service and a shop on two origins, a real Chromium, and the merchant's API to see what came of it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { readLogoBytes } from '../../src/merchants/branding.ts';
import { updateBranding } from '../../src/store/merchants/merchant-branding.ts';
import type { Logo } from '../../src/store/merchants/merchant-branding.ts';
import { PHONE } from '../support/browser.ts';
import { aConsumer, CARDS } from '../support/checkout.ts';
import { anItem } from '../support/client.ts';
import { depth, isRelease } from '../support/depth.ts';
import { until } from '../support/kassa.ts';
import { aPng } from '../support/picture.ts';
import type { Shop } from '../support/service.ts';
import {
  ADA,
  CARD_NUMBER,
  choice,
  countReservations,
  CVC,
  EXPIRY,
  field,
  fillCard,
  fillConsumer,
  fillIn,
  focused,
  heading,
  KNOWN,
  NATIONAL_NUMBER,
  openStage,
  payButton,
  payByCard,
  press,
  stayWhenPaid,
  untilSaid,
  untilState,
  watchPays,
} from './paying-page.ts';

const LARGEST_FIRST_VIEW_BYTES = 40_000;

const stage = openStage();

const PERSON = {
  firstName: 'Ada',
  lastName: 'Öberg',
  email: 'ada@example.test',
  phoneNumber: { prefix: '+46', number: '701234567' },
};
// An address is shown with the phone that was typed beside it.
const { phoneNumber } = PERSON;
const ADDRESS = { addressLine1: 'Storgatan 1', postalCode: '11122', city: 'Stockholm', country: 'SWE', phoneNumber };
const paymentOf = (paymentId: string) => stage.shop.client.payment(paymentId);
const thanks = (paymentId: string): string => `${stage.shopOrigin}/thanks?paymentid=${paymentId}`;

/** That the shop reads who paid, how and how much. */
async function expectRead(shop: Shop, paymentId: string) {
  const payment = await shop.client.payment(paymentId);
  const { consumer, paymentDetails, summary } = payment;
  assert.deepEqual(consumer.privatePerson, PERSON);
  assert.deepEqual(consumer.shippingAddress, ADDRESS);
  assert.deepEqual(consumer.billingAddress, ADDRESS);
  assert.equal(paymentDetails.paymentType, 'CARD');
  assert.equal(paymentDetails.paymentMethod, 'Visa');
  assert.deepEqual(paymentDetails.cardDetails, { maskedPan: '492500******0004', expiryDate: '1230' });
  assert.equal(summary.reservedAmount, 100_000);
  return payment;
}

describe('who pays on the hosted page', () => {
  // The first dialect is read every day by the test that listens to what the page asks for.
  for (const dialect of depth<readonly ('spec' | 'nexi')[]>({ daily: [], release: ['spec', 'nexi'] }))
    test(`comes back to the shop, which reads who, how and how much (dialect ${dialect})`, async (t) => {
      const shop = await stage.service.openShop({ dialect });
      const { paymentId, url } = await stage.create({}, 100_000, shop);
      const page = await stage.open(t, url);
      await fillConsumer(page);
      await payByCard(page);
      await page.waitForURL(thanks(paymentId));
      const none = { chargedAmount: 0, refundedAmount: 0, cancelledAmount: 0 };
      const { summary } = await expectRead(shop, paymentId);
      assert.deepEqual(summary, { reservedAmount: 100_000, ...(dialect === 'spec' && none) });
    });

  test('sees that it is paid, at once when the shop wants it, and a way back, before the page goes there by itself', async (t) => {
    const { paymentId, url } = await stage.create({ charge: true, ...KNOWN });
    const page = await stage.open(t, url);
    await stayWhenPaid(page);
    await payByCard(page);
    await untilState(page, 'paid');
    assert.equal(await heading(page).innerText(), 'Thank you, your payment is complete');
    assert.match(await page.innerText('#main'), /has been charged to your card/);
    const receipt = await page.innerText('.receipt');
    assert.match(receipt, /SEK\s1,000\.00/);
    assert.match(receipt, /Visa ending in 0004/);
    assert.match(receipt, /order-1/);
    assert.equal(await page.getAttribute('#return', 'href'), thanks(paymentId));
    const { summary, charges } = await paymentOf(paymentId);
    assert.equal(summary.chargedAmount, 100_000);
    assert.equal(charges.length, 1);
  });

  test('goes back to the shop by the cancel link, and can still pay afterwards', async (t) => {
    const { paymentId, url } = await stage.create(KNOWN);
    const page = await stage.open(t, url);
    await page.click('#cancel');
    await page.waitForURL(`${stage.shopOrigin}/cart`);
    assert.equal((await paymentOf(paymentId)).summary.reservedAmount, 0);
    await page.goto(url);
    await payByCard(page);
    await page.waitForURL(thanks(paymentId));
  });
});

describe('the consumer', () => {
  test('can be a company with a contact', async (t) => {
    const { paymentId, url } = await stage.create({
      consumerType: { default: 'B2C', supportedTypes: ['B2C', 'B2B'] },
    });
    const page = await stage.open(t, url);
    assert.equal(await field(page, 'consumer.company.name').isVisible(), false);
    await choice(page, 'consumerType', 'B2B').check();
    assert.equal(await field(page, 'consumer.privatePerson.firstName').isVisible(), false);
    const { 'consumer.privatePerson.firstName': _first, 'consumer.privatePerson.lastName': _last, ...rest } = ADA;
    await fillIn(page, {
      ...rest,
      'consumer.company.name': 'Öberg & Co AB',
      'consumer.company.organisationNumber': '556677-8899',
      'consumer.company.contact.firstName': 'Åsa',
      'consumer.company.contact.lastName': 'Öberg',
    });
    await payByCard(page);
    await untilState(page, 'paid');
    const { company, privatePerson } = (await paymentOf(paymentId)).consumer;
    assert.equal(company.name, 'Öberg & Co AB');
    assert.equal(company.organisationNumber, '556677-8899');
    assert.equal(company.email, 'ada@example.test');
    assert.deepEqual(privatePerson, {});
  });

  if (isRelease)
    test('of a shop that sells to companies alone is asked for a company', async (t) => {
      const { url } = await stage.create({ consumerType: { default: 'B2B', supportedTypes: ['B2B'] } });
      const page = await stage.open(t, url);
      assert.equal(await field(page, 'consumer.company.name').isVisible(), true);
      assert.equal(await field(page, 'consumer.privatePerson.firstName').count(), 0);
    });

  test('whom the shop only knows finds the form filled in, may change it, and can have a billing address of their own', async (t) => {
    const { paymentId, url } = await stage.create({ consumer: aConsumer() });
    const page = await stage.open(t, url);
    assert.equal(await field(page, 'consumer.email').inputValue(), 'ada@example.test');
    await fillIn(page, { 'consumer.shippingAddress.addressLine1': 'Lillgatan 2' });
    assert.equal(await field(page, 'consumer.billingAddress.city').isVisible(), false);
    await field(page, 'separateBilling').check();
    await fillIn(page, {
      'consumer.billingAddress.country': 'NOR',
      'consumer.billingAddress.addressLine1': 'Boks 7',
      'consumer.billingAddress.postalCode': '0150',
      'consumer.billingAddress.city': 'Oslo',
    });
    await payByCard(page);
    await untilState(page, 'paid');
    const { consumer } = await paymentOf(paymentId);
    assert.deepEqual(consumer.shippingAddress, { ...ADDRESS, addressLine1: 'Lillgatan 2' });
    assert.deepEqual(consumer.billingAddress, {
      addressLine1: 'Boks 7',
      postalCode: '0150',
      city: 'Oslo',
      country: 'NOR',
      phoneNumber,
    });
  });

  test('whom the shop handles itself is shown and not asked, but for an invoice the number of their country', async (t) => {
    const { paymentId, url } = await stage.create(KNOWN);
    const page = await stage.open(t, url);
    assert.equal(await page.locator('[name^="consumer."]').count(), 0);
    assert.match(
      await page.innerText('.known'),
      /Ada Öberg\s+Storgatan 1, 111 ?22 Stockholm, Sweden\s+ada@example.test · \+46 70 123 45 67/,
    );
    await choice(page, 'type', 'invoice').check();
    await untilSaid(page, 'label', 'Swedish personal identity number');
    await fillIn(page, { [NATIONAL_NUMBER]: '19121212-1212' });
    await press(page);
    await untilState(page, 'paid');
    const { consumer, paymentDetails } = await paymentOf(paymentId);
    assert.equal(consumer.privatePerson.firstName, 'Ada');
    assert.equal(paymentDetails.paymentType, 'INVOICE');
  });

  if (isRelease)
    test('chooses among the countries that the shop ships to', async (t) => {
      const countries = (...codes: string[]) => ({ ShippingCountries: codes.map((countryCode) => ({ countryCode })) });
      const country = 'consumer.shippingAddress.country';
      const several = await stage.open(t, (await stage.create(countries('DNK', 'NOR'))).url);
      assert.deepEqual(await field(several, country).locator('option').allInnerTexts(), ['Denmark', 'Norway']);
      const one = await stage.open(t, (await stage.create(countries('NOR'))).url);
      assert.equal(await field(one, country).inputValue(), 'NOR');
      assert.match(await one.innerText(`[data-field="${country}"]`), /Norway/);
    });

  test('can read the shop’s terms beside the form', async (t) => {
    const { url } = await stage.create({ ...KNOWN, termsUrl: `${stage.shopOrigin}/terms` });
    const page = await stage.open(t, url);
    const opened = page.waitForEvent('popup');
    await page.click('.terms a');
    const terms = await opened;
    await terms.waitForURL(`${stage.shopOrigin}/terms`);
    assert.equal(await terms.evaluate('window.opener'), null);
    assert.equal(await page.getAttribute('body', 'data-state'), 'open');
  });
});

describe('what is kept in the browser', () => {
  const stored = (page: Page): Promise<string> =>
    page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');

  test('on a public device is nothing', async (t) => {
    const { url } = await stage.create({ publicDevice: true });
    const page = await stage.open(t, url);
    await stayWhenPaid(page);
    assert.equal(await page.locator('#remember').count(), 0);
    await fillConsumer(page);
    await fillCard(page);
    assert.equal(await stored(page), '[{},{},""]');
    await press(page);
    await untilState(page, 'paid');
    assert.equal(await stored(page), '[{},{},""]');
  });

  test('is what was typed, for a reload, but not the card; it is gone after paying', async (t) => {
    const { url } = await stage.create();
    const page = await stage.open(t, url);
    await stayWhenPaid(page);
    await fillConsumer(page, {
      'consumer.shippingAddress.country': 'FIN',
      'consumer.shippingAddress.postalCode': '00100',
    });
    await fillCard(page);
    await page.reload();
    for (const [name, value] of Object.entries({ ...ADA, 'consumer.shippingAddress.country': 'FIN' }))
      if (!name.endsWith('.postalCode')) assert.equal(await field(page, name).inputValue(), value, name);
    for (const name of [CARD_NUMBER, CVC]) assert.equal(await field(page, name).inputValue(), '', name);
    assert.doesNotMatch(await stored(page), /4925|12 ?\/ ?30/);
    await fillIn(page, { 'consumer.shippingAddress.country': 'SWE', 'consumer.shippingAddress.postalCode': '111 22' });
    await payByCard(page);
    await untilState(page, 'paid');
    assert.equal(await stored(page), '[{},{},""]');
  });

  test('fills in the next payment for who wanted to be remembered, and nothing once they no longer do', async (t) => {
    const first = await stage.open(t, (await stage.create()).url);
    await stayWhenPaid(first);
    await fillConsumer(first);
    await first.check('#remember');
    await payByCard(first);
    await untilState(first, 'paid');
    assert.match(await stored(first), /ada@example\.test/);
    assert.doesNotMatch(await stored(first), /4925|paymentType/);

    const second = await first.context().newPage();
    await second.goto((await stage.create()).url);
    for (const [name, value] of Object.entries(ADA)) assert.equal(await field(second, name).inputValue(), value, name);
    assert.equal(await second.isChecked('#remember'), true);
    for (const name of [CARD_NUMBER, EXPIRY, CVC]) assert.equal(await field(second, name).inputValue(), '', name);
    await second.uncheck('#remember');
    await payByCard(second);
    await untilState(second, 'paid');

    const third = await first.context().newPage();
    await third.goto((await stage.create()).url);
    assert.equal(await field(third, 'consumer.email').inputValue(), '');
    assert.equal(await third.isChecked('#remember'), false);
  });
});

describe('the page', () => {
  test(`asks nobody else, takes at most ${LARGEST_FIRST_VIEW_BYTES} bytes at first, and leads back to the shop, which reads who, how and how much`, async (t) => {
    const { paymentId, url } = await stage.create();
    const page = await stage.open(t, 'about:blank');
    const origins = new Set<string>();
    const complaints: string[] = [];
    page.on('request', (request) => {
      // The consumer's way back is a page that they go to.
      const isOfPage = !request.url().startsWith('data:') && request.url() !== thanks(paymentId);
      if (isOfPage) origins.add(new URL(request.url()).origin);
    });
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    // As a browser that has never been here.
    await network.send('Network.setCacheDisabled', { cacheDisabled: true });
    let bytes = 0;
    network.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await page.goto(url, { waitUntil: 'networkidle' });
    t.diagnostic(`the first view takes ${bytes} bytes`);
    assert.ok(bytes > 5_000, `${bytes} bytes: not all was counted`);
    assert.ok(bytes <= LARGEST_FIRST_VIEW_BYTES, `${bytes} bytes`);
    await fillConsumer(page);
    await payByCard(page);
    await page.waitForURL(thanks(paymentId));
    await expectRead(stage.shop, paymentId);
    assert.deepEqual([...origins], [new URL(url).origin]);
    assert.deepEqual(complaints, []);
  });

  test('shows the colour and the logo of its merchant, and the pictures of what is bought, and breaks no rule by it', async (t) => {
    const shop = await stage.service.openShop({ name: 'Branded' });
    await updateBranding(stage.service.pool, shop.merchant.id, {
      colour: '#7c2d92',
      logo: readLogoBytes(aPng(240, 64)) as Logo,
    });
    const items = ['/a.png', '/gone.png'].map((path, index) =>
      anItem({ reference: `item-${index}`, grossTotalAmount: 50_000, imageUrl: `${stage.shopOrigin}${path}` }),
    );
    const { hostedPaymentPageUrl: url } = await shop.client.must(201, 'POST', '/v1/payments', {
      order: { items, amount: 100_000, currency: 'SEK' },
      checkout: { integrationType: 'HostedPaymentPage', returnUrl: `${stage.shopOrigin}/thanks` },
    });
    const page = await stage.open(t, 'about:blank');
    const asked: { url: string; referrer: string | undefined }[] = [];
    await page.route(`${stage.shopOrigin}/**`, (route) => {
      asked.push({ url: route.request().url(), referrer: route.request().headers()['referer'] });
      const body = route.request().url().endsWith('/a.png') ? aPng(96, 96) : undefined;
      return route.fulfill(body ? { contentType: 'image/png', body } : { status: 404 });
    });
    await page.goto(url, { waitUntil: 'networkidle' });
    const widthOf = (selector: string): Promise<number> =>
      page.evaluate(`document.querySelector('${selector}').naturalWidth`);
    assert.equal(await widthOf('.logo'), 240);
    assert.equal(await widthOf('.picture'), 96);
    assert.deepEqual(asked.map(({ url: picture }) => new URL(picture).pathname).toSorted(), ['/a.png', '/gone.png']);
    for (const { referrer } of asked) assert.equal(referrer, undefined);
    const colour = "getComputedStyle(document.querySelector('#pay')).backgroundColor";
    assert.equal(await page.evaluate(colour), 'rgb(124, 45, 146)');
    assert.equal(await page.getAttribute('.logo', 'alt'), 'Branded');
  });

  /** Opens a page filled in, whose pay call is held until the test lets it go. */
  const openHeld = async (t: Parameters<typeof stage.open>[0], card?: string) => {
    const { paymentId, url } = await stage.create(KNOWN);
    const page = await stage.open(t, url);
    const pays = watchPays(page);
    const gate = Promise.withResolvers<void>();
    await page.route('**/api/v1/pay', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await fillCard(page, card);
    return { paymentId, page, pays, letGo: gate.resolve };
  };

  const middleOf = async (page: Page, selector: string): Promise<[number, number]> => {
    const box = await page.locator(selector).boundingBox();
    assert.ok(box);
    return [box.x + box.width / 2, box.y + box.height / 2];
  };

  test('is locked while it is being paid: neither the form nor the way back can be used, and a spinner turns', async (t) => {
    const { paymentId, page, pays, letGo } = await openHeld(t);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await payButton(page).dblclick();
    await payButton(page).click({ force: true });
    await page.locator('#pay[aria-busy]').waitFor();
    const turning = "getComputedStyle(document.querySelector('#pay'), '::before').animationName";
    assert.equal(await page.evaluate(turning), 'turn');
    for (const part of await page.locator('#pay-form .part, #cancel').all())
      assert.equal(await part.evaluate((element) => element.matches('[inert]')), true);
    await page.locator('#cancel').click({ force: true });
    await page.mouse.click(...(await middleOf(page, '#cancel')));
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate("document.activeElement.closest('#pay-form') === null"), true);
    assert.equal(new URL(page.url()).pathname, '/hostedpaymentpage/');
    letGo();
    await page.waitForURL(thanks(paymentId));
    // A double click and the presses since are one payment.
    assert.equal(pays.length, 1);
    assert.equal(await countReservations(stage, paymentId), 1);
    assert.equal((await paymentOf(paymentId)).summary.reservedAmount, 100_000);
  });

  test('is free again after a decline, and the focus is where the consumer goes on', async (t) => {
    const { page, letGo } = await openHeld(t, CARDS.declined);
    await press(page);
    letGo();
    await untilSaid(page, '#notice', /declined/);
    await until('the focus', async () => (await focused(page)) === CARD_NUMBER);
    assert.equal(await page.locator('#pay-form [inert]').count(), 0);
    await page.click('#cancel');
    await page.waitForURL(`${stage.shopOrigin}/cart`);
  });

  test('sends one payment for Enter held down', async (t) => {
    const { paymentId, page, pays, letGo } = await openHeld(t);
    await field(page, CVC).focus();
    for (let repeats = 0; repeats < 10; repeats += 1) await page.keyboard.down('Enter');
    letGo();
    for (let repeats = 0; repeats < 10; repeats += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await page.waitForURL(thanks(paymentId));
    assert.equal(pays.length, 1);
    assert.equal(await countReservations(stage, paymentId), 1);
  });

  for (const width of depth({ daily: [320], release: [390, 320] }))
    test(`fits a phone of ${width} pixels: nothing to scroll sideways, and the button is reached by a tap`, async (t) => {
      const { paymentId, url } = await stage.create({ termsUrl: `${stage.shopOrigin}/terms` });
      const page = await stage.open(t, url, { ...PHONE, viewport: { width, height: 700 } });
      await stayWhenPaid(page);
      const widest = (): Promise<number> => page.evaluate('document.documentElement.scrollWidth');
      assert.equal(await widest(), width);
      await field(page, 'separateBilling').check();
      await page.locator('.test-cards summary').tap();
      await payButton(page).tap();
      assert.equal(await widest(), width, 'with errors and all that can be unfolded');
      await field(page, 'separateBilling').uncheck();
      await fillConsumer(page);
      await fillCard(page);
      // The page goes back by itself as well, sooner or later than we tap.
      const goesBack = () => page.waitForRequest((request) => request.url().includes(`thanks?paymentid=${paymentId}`));
      const byItself = goesBack();
      await payButton(page).tap();
      await untilState(page, 'paid');
      assert.equal(await widest(), width);
      await byItself;
      const byTap = goesBack();
      await page.tap('#return');
      await byTap;
    });
});
