// Goal: the checkout in a shop's own page works across origins, tells the shop what it must know, obeys the shop alone,
// and shows itself to nobody else. Method: a real service, a shop's page on another origin that loads its script, a real
// Chromium; what was paid is read from the API.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { Frame } from 'playwright-core';
import { aConsumer, CARDS } from '../support/checkout.ts';
import { anItem } from '../support/client.ts';
import { depth, isRelease } from '../support/depth.ts';
import { until } from '../support/kassa.ts';
import { embedCheckout, findFrame, openShopSite, SHOP_EVENTS } from './embedding-shop.ts';
import type { EmbeddedCheckout, Embedding, ShopSite } from './embedding-shop.ts';
import {
  bank,
  CARD_NUMBER,
  choice,
  CVC,
  EXPIRY,
  field,
  fillCard,
  fillConsumer,
  fillIn,
  formError,
  KNOWN,
  NATIONAL_NUMBER,
  notice,
  openStage,
  payButton,
  payByCard,
  press,
  untilTyped,
  untilSaid,
  untilState,
  watchPays,
} from './paying-page.ts';

const stage = openStage();
let site: ShopSite;
before(async () => {
  site = await openShopSite();
});
after(() => site.close());

const onLocalhost = (url: string): string => url.replace('127.0.0.1', 'localhost');

const createFor = (origin: string, checkout: object = {}): Promise<string> =>
  stage.shop.client.create(100_000, { url: `${origin}/checkout`, ...checkout });

type Opened = EmbeddedCheckout & { readonly paymentId: string };

/** A payment of the shop's, open in the frame of its page. */
async function openEmbedded(t: TestContext, checkout: object = {}, embedding: Embedding = {}): Promise<Opened> {
  const origin = embedding.origin ?? site.origin;
  const paymentId = await createFor(origin, checkout);
  const page = await stage.open(t, 'about:blank');
  return { ...(await embedCheckout(page, stage.service, stage.shop, site, paymentId, embedding)), paymentId };
}

const reservedOf = async (paymentId: string): Promise<number> =>
  (await stage.shop.client.payment(paymentId)).summary.reservedAmount ?? 0;

/** Asked from outside again and again, because the checkout's policy lets nobody poll inside of it. */
const untilHolds = (frame: Frame, condition: string): Promise<boolean> =>
  until(condition, () => frame.evaluate<boolean>(condition));

/** Waits until the frame is as high as what is in it: the shop's page scrolls, and the frame does not. */
const untilFits = (frame: Frame): Promise<boolean> =>
  untilHolds(frame, 'document.documentElement.scrollHeight <= innerHeight && innerHeight > 0');

const heightOf = ({ page }: EmbeddedCheckout): Promise<number> =>
  page.locator('iframe').evaluate((element) => element.getBoundingClientRect().height);

describe('an embedded checkout', () => {
  const places = [
    { name: 'Dibs', shop: 'another port', origin: () => site.origin, kassa: () => stage.service.url },
    { name: 'Nets', shop: 'another host', origin: () => site.otherOrigin, kassa: () => stage.service.url },
    {
      name: 'Kassa',
      shop: 'another site',
      origin: () => site.origin,
      kassa: () => onLocalhost(stage.service.url),
    },
  ] as const;
  // The others open theirs as Dibs.Checkout on another port.
  for (const { name, shop, origin, kassa } of depth({ daily: places.slice(-1), release: [...places] }))
    test(`opened by ${name}.Checkout on ${shop}, is paid from beginning to end, and the shop hears of it once, also when its page is opened again`, async (t) => {
      const embedding = { name, origin: origin(), kassa: kassa() };
      const { frame, page, paymentId, hears, told } = await openEmbedded(t, {}, embedding);
      assert.equal(new URL(frame.url()).origin, kassa());
      await fillConsumer(frame);
      await payByCard(frame);
      await untilState(frame, 'paid');
      assert.deepEqual(await hears('payment-completed'), { paymentId });
      assert.equal(await reservedOf(paymentId), 100_000);
      const { consumer, paymentDetails } = await stage.shop.client.payment(paymentId);
      assert.equal(consumer.privatePerson.firstName, 'Ada');
      assert.equal(consumer.shippingAddress.postalCode, '11122');
      assert.equal(paymentDetails.cardDetails.maskedPan, '492500******0004');
      // The page goes nowhere by itself: that is the shop's to decide.
      assert.equal(new URL(page.url()).pathname, '/checkout');
      assert.equal((await told('payment-completed')).length, 1);

      const again = await embedCheckout(page, stage.service, stage.shop, site, paymentId, embedding);
      assert.deepEqual(await again.hears('payment-completed'), { paymentId });
      assert.equal((await again.told('payment-completed')).length, 1);
      assert.equal((await again.told('payment-cancelled')).length, 0);
    });

  test('is in its container, and grows and shrinks with what it shows, without a scroll bar of its own', async (t) => {
    const opened = await openEmbedded(t);
    const { frame, page } = opened;
    assert.equal(await page.locator('#dibs-checkout-content > iframe#nets-checkout-iframe').count(), 1);
    await untilFits(frame);
    const first = await heightOf(opened);
    await field(frame, 'separateBilling').check();
    await page.waitForFunction(`document.querySelector('iframe').offsetHeight > ${first + 100}`);
    await untilFits(frame);
    await field(frame, 'separateBilling').uncheck();
    await page.waitForFunction(`document.querySelector('iframe').offsetHeight <= ${first}`);
    await press(frame);
    await untilSaid(frame, '#form-error', /attention/);
    await page.waitForFunction(`document.querySelector('iframe').offsetHeight > ${first}`);
    await untilFits(frame);
    await page.setViewportSize({ width: 320, height: 640 });
    await untilFits(frame);
    const isWide = 'document.documentElement.scrollWidth > innerWidth';
    assert.deepEqual([await page.evaluate(isWide), await frame.evaluate(isWide)], [false, false]);
  });

  test('an address that leads to no payment says so in the frame, to whatever page', async (t) => {
    const page = await stage.open(t, `${site.otherOrigin}/checkout?kassa=${encodeURIComponent(stage.service.url)}`);
    const key = stage.shop.merchant.checkoutKey;
    await page.evaluate(`new Dibs.Checkout({ checkoutKey: '${key}', paymentId: '${'0'.repeat(32)}' }); 0`);
    const frame = await findFrame(page);
    await untilState(frame, 'fault');
    await untilSaid(frame, 'h1', 'We cannot find this payment');
    await untilFits(frame);
  });
});

describe('a shop that listens to pay-initialized', () => {
  // decision: consumer-before-payment
  test('reads what the consumer typed from its API while the page waits, also where it gave another address', async (t) => {
    const consumer = aConsumer({ privatePerson: { firstName: 'Kari', lastName: 'Nordmann' } });
    for (const given of depth({ daily: [{ consumer }], release: [{}, { consumer }] })) {
      const { page, frame, paymentId, hears, run } = await openEmbedded(t, given, { listens: SHOP_EVENTS });
      const pays = watchPays(page);
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/api/v1/consumer')) sent.push(request.postData() ?? '');
      });
      await fillConsumer(frame, { 'consumer.shippingAddress.addressLine1': 'Lillgatan 2' });
      await payByCard(frame);
      assert.equal(await hears('pay-initialized'), paymentId);
      assert.equal(await payButton(frame).isDisabled(), true);
      const waiting = await stage.shop.client.payment(paymentId);
      assert.equal(waiting.consumer.privatePerson.firstName, 'Ada');
      assert.equal(waiting.consumer.shippingAddress.addressLine1, 'Lillgatan 2');
      assert.equal(waiting.summary.reservedAmount, 0);
      assert.equal(sent.length, 1);
      assert.doesNotMatch(sent.join(''), /4925|cardNumber|paymentType|12\/30/);
      assert.equal(pays.length, 0);
      await run(`checkout.send('payment-order-finalized', true)`);
      await untilState(frame, 'paid');
      assert.equal(pays.length, 1);
      assert.equal(await reservedOf(paymentId), 100_000);
    }
  });

  test('can say no: nothing is reserved or lost, and the next press asks again, but not about what could not be paid', async (t) => {
    const { page, frame, paymentId, hears, run, told } = await openEmbedded(t, {}, { listens: SHOP_EVENTS });
    const pays = watchPays(page);
    await press(frame);
    await untilSaid(frame, '#form-error', /attention/);
    assert.deepEqual(await told('pay-initialized'), []);

    await fillConsumer(frame);
    await payByCard(frame);
    await hears('pay-initialized');
    await run(`checkout.send('payment-order-finalized', false)`);
    await untilSaid(frame, '#form-error', 'The shop could not take the order. Nothing has been charged.');
    assert.equal(pays.length, 0);
    assert.equal(await reservedOf(paymentId), 0);
    assert.equal(await field(frame, CARD_NUMBER).inputValue(), '4925 0000 0000 0004');
    assert.equal(await field(frame, CVC).inputValue(), '123');
    await fillIn(frame, { 'consumer.privatePerson.firstName': 'Beda' });

    // A cart that changed is shown first.
    const items = [anItem({ grossTotalAmount: 70_000 })];
    await stage.shop.client.must(204, 'PUT', `/v1/payments/${paymentId}/orderitems`, { amount: 70_000, items });
    await press(frame);
    await untilSaid(frame, '#pay', 'Pay SEK 700.00');
    assert.equal((await told('pay-initialized')).length, 1);

    await press(frame);
    await page.waitForFunction(`told.filter(({ event }) => event === 'pay-initialized').length === 2`);
    assert.equal(await formError(frame).textContent(), '');
    await run(`checkout.send('payment-order-finalized', true)`);
    await hears('payment-completed');
    assert.equal((await stage.shop.client.payment(paymentId)).consumer.privatePerson.firstName, 'Beda');
    assert.equal((await told('payment-completed')).length, 1);
    assert.equal(await reservedOf(paymentId), 70_000);
  });
});

describe('a shop that counts shipping', () => {
  const SHIPPING = { shipping: { merchantHandlesShippingCost: true } };
  const freight = (amount: number): object =>
    anItem({
      reference: 'freight',
      name: 'Freight',
      quantity: 1,
      unit: 'pcs',
      unitPrice: amount,
      taxRate: 0,
      taxAmount: 0,
      grossTotalAmount: amount,
      netTotalAmount: amount,
    });
  const addFreight = (paymentId: string, amount: number): Promise<unknown> =>
    stage.shop.client.must(204, 'PUT', `/v1/payments/${paymentId}/orderitems`, {
      items: [anItem(), freight(amount)],
      amount: 100_000 + amount,
      shipping: { costSpecified: true },
    });

  test('hears where the order goes, changes the cart while the checkout is frozen, and its new total is paid', async (t) => {
    const { page, frame, paymentId, hears, told, run } = await openEmbedded(t, SHIPPING);
    await untilSaid(frame, '#pay', 'Calculating the shipping cost');
    await fillConsumer(frame);
    assert.deepEqual(await hears('address-changed'), { countryCode: 'SWE', postalCode: '11122', paymentId });
    await run('checkout.freezeCheckout()');
    await frame.locator('#pay-form[inert]').waitFor();
    assert.equal(await payButton(frame).isDisabled(), true);
    await addFreight(paymentId, 4_900);
    await run('checkout.thawCheckout()');
    await untilSaid(frame, '#pay', 'Pay SEK 1,049.00');
    await frame.locator('#pay-form:not([inert])').waitFor();
    assert.match((await frame.locator('#order').textContent()) ?? '', /Freight\s+SEK\s49\.00/);
    assert.equal(await field(frame, 'consumer.email').inputValue(), 'ada@example.test');

    // Further away: told once for each address, and not before the post code fits the country.
    await fillIn(frame, { 'consumer.shippingAddress.country': 'NOR' });
    await fillIn(frame, { 'consumer.shippingAddress.postalCode': '0150', 'consumer.shippingAddress.city': 'Oslo' });
    await page.waitForFunction(`told.filter(({ event }) => event === 'address-changed').length === 2`);
    const [, second] = await told('address-changed');
    assert.deepEqual(second?.data, { countryCode: 'NOR', postalCode: '0150', paymentId });
    await run('checkout.freezeCheckout()');
    await addFreight(paymentId, 9_900);
    await run('checkout.thawCheckout()');
    await untilSaid(frame, '#pay', 'Pay SEK 1,099.00');

    await fillIn(frame, { 'consumer.phoneNumber.prefix': '+47', 'consumer.phoneNumber.number': '40 61 23 45' });
    await payByCard(frame);
    await hears('payment-completed');
    assert.equal(await reservedOf(paymentId), 109_900);
  });

  test('that never freezes is noticed all the same', async (t) => {
    const { frame, paymentId } = await openEmbedded(t, { ...SHIPPING, ...KNOWN });
    await untilSaid(frame, '#pay', 'Calculating the shipping cost');
    await addFreight(paymentId, 4_900);
    await untilSaid(frame, '#pay', 'Pay SEK 1,049.00');
    await payByCard(frame);
    await untilState(frame, 'paid');
    assert.equal(await reservedOf(paymentId), 104_900);
  });
});

describe('what the shop may change', () => {
  test('the language: all that was typed stays, except the number and the code of the card', async (t) => {
    const { page, frame, run } = await openEmbedded(t, {}, { options: { language: 'fi-FI' } });
    await untilSaid(frame, '#pay', 'Maksa');
    assert.equal(await page.getAttribute('iframe', 'title'), 'Kassa');
    await fillConsumer(frame);
    await fillCard(frame);
    await run(`checkout.setLanguage('de-DE')`);
    await frame.locator('html[lang=de]').waitFor();
    await untilSaid(frame, '#pay', /1\.000,00/);
    assert.equal(await page.getAttribute('iframe', 'title'), 'Kasse');
    await untilTyped(frame, 'consumer.privatePerson.lastName', 'Öberg');
    const kept = ['consumer.privatePerson.lastName', 'consumer.shippingAddress.postalCode', EXPIRY, CARD_NUMBER, CVC];
    const values = await Promise.all(kept.map((name) => field(frame, name).inputValue()));
    assert.deepEqual(
      values.map((value) => value.replaceAll(' ', '')),
      ['Öberg', '11122', '12/30', '', ''],
    );
  });

  const LOOK = `getComputedStyle(document.querySelector('#pay'))`;
  const colourOf = (frame: Frame): Promise<string> => frame.evaluate(`${LOOK}.backgroundColor`);

  test('the colours, at the start and later; values that are more than a colour, a font or a length do nothing', async (t) => {
    const primaryColor = '#7c2d92';
    const { page, frame, run } = await openEmbedded(t, KNOWN, { options: { theme: { primaryColor } } });
    await untilHolds(frame, `${LOOK}.backgroundColor === 'rgb(124, 45, 146)'`);
    await run(`checkout.setTheme({})`);
    await untilHolds(frame, `${LOOK}.backgroundColor !== 'rgb(124, 45, 146)'`);
    const first = await colourOf(frame);
    const html = await frame.evaluate('document.body.outerHTML.length');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const hostile = [
      'url(https://evil.example/x.png)',
      'red; background: url(https://evil.example/y.png)',
      '</style><script>document.title = "owned"</script>',
      'red} * { display: none',
      'var(--x, red)',
      'image-set(url(https://evil.example/z.png) 1x)',
      'r\\65 d',
      String.raw`\75rl(https://evil.example/w.png)`,
      'red'.padEnd(300),
    ];
    for (const value of hostile) {
      const names = ['primaryColor', 'backgroundColor', 'fontFamily', 'buttonRadius', 'buttonTextTransform'];
      await run(`checkout.setTheme(${JSON.stringify(Object.fromEntries(names.map((name) => [name, value])))})`);
      // What comes later is heard later: once this has arrived, so has the hostile one.
      await run(
        `checkout.setTheme({ primaryColor: ${JSON.stringify(value)}, colorScheme: 'light', textColor: '#123456' })`,
      );
      await untilHolds(frame, `getComputedStyle(document.documentElement).color === 'rgb(18, 52, 86)'`);
      assert.equal(await colourOf(frame), first, value);
      await run(`checkout.setTheme({})`);
      await untilHolds(frame, `getComputedStyle(document.documentElement).color !== 'rgb(18, 52, 86)'`);
    }
    for (const odd of ['null', '"red"', '[]', '{ primaryColor: { a: 1 } }', '{ __proto__: { primaryColor: "red" } }'])
      await run(`checkout.setTheme(${odd})`);
    assert.equal(await colourOf(frame), first);
    assert.equal(await frame.evaluate('document.body.outerHTML.length'), html);
    assert.deepEqual(asked, []);

    const styleOf = (selector: string, property: string): Promise<string> =>
      frame.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`);
    const chosen = await styleOf('.method:has(:checked) > label', 'backgroundColor');
    await run(`checkout.setTheme({ primaryColor: 'rgb(255, 200, 0)', buttonRadius: 24 })`);
    await untilHolds(frame, `${LOOK}.backgroundColor === 'rgb(255, 200, 0)'`);
    // Black, because white would not be readable on yellow.
    assert.equal(await frame.evaluate(`${LOOK}.color`), 'rgb(0, 0, 0)');
    assert.equal(await frame.evaluate(`${LOOK}.borderTopLeftRadius`), '24px');
    // What is chosen goes with the colour; fields are no buttons, and keep their corners.
    assert.notEqual(await styleOf('.method:has(:checked) > label', 'backgroundColor'), chosen);
    assert.equal(await styleOf('#paymentType-card-cardNumber', 'borderTopLeftRadius'), '10px');
  });

  test('freezing: no key and no pointer reaches the form, until it is thawed', async (t) => {
    const { page, frame, paymentId, run } = await openEmbedded(t, KNOWN);
    const pays = watchPays(page);
    await fillCard(frame);
    await field(frame, CVC).focus();
    await run('checkout.freezeCheckout()');
    await frame.locator('#pay-form[inert]').waitFor();
    await page.keyboard.type('9');
    await page.keyboard.press('Enter');
    await payButton(frame).click({ force: true });
    assert.equal(await field(frame, CVC).inputValue(), '123');
    await run('checkout.thawCheckout()');
    await frame.locator('#pay-form:not([inert])').waitFor();
    assert.equal(pays.length, 0);
    await press(frame);
    await untilState(frame, 'paid');
    assert.equal(await reservedOf(paymentId), 100_000);
  });

  test('whether it is there: after cleanup nothing is left, and it can be opened anew', async (t) => {
    const { page, paymentId, run } = await openEmbedded(t, KNOWN);
    await run('checkout.cleanup(); checkout.cleanup()');
    assert.equal(await page.locator('iframe').count(), 0);
    assert.equal(await page.locator('#dibs-checkout-content').innerHTML(), '');
    await run(`told.length = 0; checkout = new Kassa.Checkout({
      checkoutKey: ${JSON.stringify(stage.shop.merchant.checkoutKey)}, paymentId: ${JSON.stringify(paymentId)} });
      checkout.on('payment-completed', (data) => told.push({ event: 'payment-completed', data }))`);
    await payByCard(await findFrame(page));
    await page.waitForFunction('told.length > 0');
    assert.deepEqual(await run('told'), [{ event: 'payment-completed', data: { paymentId } }]);
  });
});

describe('3-D Secure inside the frame', () => {
  test('declined, or rejected at the bank: the consumer is told, the shop hears nothing, and another card pays', async (t) => {
    const { frame, paymentId, told, hears } = await openEmbedded(t, {});
    await fillConsumer(frame);
    await payByCard(frame, CARDS.declined);
    await untilSaid(frame, '#notice', /declined/);
    await payByCard(frame, CARDS.challenge);
    await bank(frame).locator('[value=reject]').click();
    await untilSaid(frame, '#notice', /not confirmed.*Nothing has been charged/);
    assert.equal(await frame.locator('dialog[open]').count(), 0);
    assert.deepEqual(
      (await told()).map(({ event }) => event).filter((event) => event !== 'ready' && event !== 'address-changed'),
      [],
    );
    assert.equal(await reservedOf(paymentId), 0);
    assert.equal(await field(frame, 'consumer.email').inputValue(), 'ada@example.test');
    await payByCard(frame);
    assert.deepEqual(await hears('payment-completed'), { paymentId });
    await untilState(frame, 'paid');
    assert.equal(await notice(frame).count(), 0);
    assert.equal(await reservedOf(paymentId), 100_000);
  });

  test('approved: the bank is asked in a dialog, for which the frame has room also around a short checkout', async (t) => {
    const opened = await openEmbedded(t, KNOWN, { options: { language: 'de-DE' } });
    const { page, frame, paymentId, hears, told } = opened;
    await page.setViewportSize({ width: 390, height: 844 });
    await payByCard(frame, CARDS.challenge);
    await bank(frame).locator('[value=approve]').waitFor();
    await untilFits(frame);
    const dialog = await frame.locator('#challenge').evaluate((element) => element.getBoundingClientRect().toJSON());
    assert.ok(dialog.top >= 0 && dialog.bottom <= (await heightOf(opened)), JSON.stringify(dialog));
    await bank(frame).locator('[value=approve]').click();
    assert.deepEqual(await hears('payment-completed'), { paymentId });
    await untilState(frame, 'paid');
    assert.equal(await reservedOf(paymentId), 100_000);
    assert.equal((await told('payment-completed')).length, 1);
    assert.equal(new URL(page.url()).origin, site.origin);
  });
});

describe('payment-cancel-initiated', () => {
  const CANCEL = "checkout.send('payment-cancel-initiated')";

  test('closes the page of the bank, answers a shop that was asked, and is told as payment-cancelled; the payment stays open', async (t) => {
    const { page, frame, paymentId, hears, told, run } = await openEmbedded(t, KNOWN, { listens: SHOP_EVENTS });
    const untilCancelled = (times: number) =>
      page.waitForFunction(`told.filter(({ event }) => event === 'payment-cancelled').length === ${times}`);
    await run(CANCEL);
    assert.deepEqual(await hears('payment-cancelled'), { paymentId });

    await payByCard(frame, CARDS.challenge);
    await hears('pay-initialized');
    await run(CANCEL);
    await untilCancelled(2);
    await untilSaid(frame, '#form-error', 'The shop could not take the order. Nothing has been charged.');

    await press(frame);
    await page.waitForFunction(`told.filter(({ event }) => event === 'pay-initialized').length === 2`);
    await run("checkout.send('payment-order-finalized', true)");
    await bank(frame).locator('[value=approve]').waitFor();
    await run(CANCEL);
    await untilCancelled(3);
    assert.equal(await frame.locator('dialog[open]').count(), 0);
    assert.equal(await reservedOf(paymentId), 0);

    await payByCard(frame);
    await page.waitForFunction(`told.filter(({ event }) => event === 'pay-initialized').length === 3`);
    await run("checkout.send('payment-order-finalized', true)");
    await hears('payment-completed');
    await untilState(frame, 'paid');
    await run(CANCEL);
    await run("checkout.setLanguage('sv')");
    await frame.locator('html[lang=sv]').waitFor();
    assert.equal((await told('payment-cancelled')).length, 3);
  });
});

test('a payment that the shop terminates: the consumer is told on the next press, and the shop hears payment-cancelled', async (t) => {
  const { frame, paymentId, hears, told } = await openEmbedded(t, KNOWN);
  await stage.shop.client.must(204, 'PUT', `/v1/payments/${paymentId}/terminate`);
  await payByCard(frame);
  assert.deepEqual(await hears('payment-cancelled'), { paymentId });
  await untilState(frame, 'terminated');
  assert.equal((await told('payment-cancelled')).length, 1);
  assert.deepEqual(await told('payment-completed'), []);
});

if (isRelease)
  test('an invoice for a consumer whom the shop knows asks for the number of their country, and is approved', async (t) => {
    const { frame, paymentId, hears } = await openEmbedded(t, KNOWN);
    await choice(frame, 'type', 'invoice').check();
    await untilSaid(frame, 'label', 'Swedish personal identity number');
    await fillIn(frame, { [NATIONAL_NUMBER]: '19121212-1212' });
    await press(frame);
    assert.deepEqual(await hears('payment-completed'), { paymentId });
    assert.equal((await stage.shop.client.payment(paymentId)).paymentDetails.paymentType, 'INVOICE');
  });

describe('pages of others', () => {
  test("on an origin that is not the payment's, the browser refuses to show the checkout", async (t) => {
    const paymentId = await createFor(site.origin);
    const page = await stage.lend(t);
    await page.goto(`${site.otherOrigin}/checkout?kassa=${encodeURIComponent(stage.service.url)}`);
    const refused = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()));
    const key = stage.shop.merchant.checkoutKey;
    await page.evaluate(`new Dibs.Checkout({ checkoutKey: '${key}', paymentId: '${paymentId}' }); 0`);
    assert.match((await refused).text(), new RegExp(site.origin));
    const frame = await findFrame(page);
    await frame.waitForURL('chrome-error://chromewebdata/');
    assert.equal(await frame.locator('#pay').count(), 0);
  });

  const overlay = (url: string): string =>
    `document.body.append(Object.assign(document.createElement('iframe'), { src: '${url}', width: 640, height: 900 }))`;

  // decision: framing-the-hosted-page
  test('a hosted page is framed by the origin of its returnUrl alone: not by that of checkout.url, not by another', async (t) => {
    const { url } = await stage.create({ url: `${site.origin}/checkout`, returnUrl: `${site.otherOrigin}/thanks` });
    const page = await stage.lend(t);
    await page.goto(site.origin);
    const refused = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()));
    await page.evaluate(overlay(url));
    assert.match((await refused).text(), new RegExp(`frame-ancestors ${site.otherOrigin}"`));
    await page.frames()[1]?.waitForURL('chrome-error://chromewebdata/');
  });

  // decision: framing-the-hosted-page
  test('a hosted page over the page of its shop is paid there, the bank’s page in it, and returns inside the frame', async (t) => {
    const returnUrl = `${site.origin}/thanks`;
    const { paymentId, url } = await stage.create({ ...KNOWN, returnUrl });
    const page = await stage.open(t, site.origin);
    await page.evaluate(overlay(url));
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    assert.ok(frame);
    await payByCard(frame, CARDS.challenge);
    await bank(frame).locator('[value=approve]').click();
    await frame.waitForURL(`${returnUrl}?paymentid=${paymentId}`);
    assert.equal(await reservedOf(paymentId), 100_000);
    assert.equal(new URL(page.url()).pathname, '/');
  });

  test('the checkout hears no frame beside it, and the shop hears nobody but the checkout', async (t) => {
    const { page, frame, paymentId, told, run } = await openEmbedded(t, KNOWN, { listens: SHOP_EVENTS });
    const stranger = `Object.assign(document.createElement('iframe'), { id: 'stranger', src: '${site.otherOrigin}/' })`;
    await run(`document.body.append(${stranger})`);
    const other = await (await page.waitForSelector('#stranger')).contentFrame();
    assert.ok(other);
    await other.waitForURL(`${site.otherOrigin}/`);
    const count = `globalThis.marks = 0; addEventListener('message', ({ data }) => { if (data === 'mark') marks += 1; })`;
    await frame.evaluate(count);
    await run(count);

    // Messages of one sender arrive in order: after the mark, all before it have been heard.
    const lies = ['freeze', 'thaw', 'theme', 'language', 'payment-order-finalized', 'hello'];
    await other.evaluate(`for (const type of ${JSON.stringify(lies)})
      parent.frames[0].postMessage({ kassa: 1, type, data: type === 'language' ? 'sv-SE' : true }, '*');
      parent.frames[0].postMessage('mark', '*')`);
    await untilHolds(frame, 'marks === 1');
    const names = ['payment-completed', 'payment-cancelled', 'address-changed', 'pay-initialized', 'height'];
    const data = `type === 'height' ? 9999 : { paymentId: '${paymentId}' }`;
    const lie = `for (const type of ${JSON.stringify(names)}) parent.postMessage({ kassa: 1, type, data: ${data} }, '*');
      parent.postMessage('mark', '*')`;
    await other.evaluate(lie);
    await run(lie.replaceAll('parent.', 'window.'));
    await page.waitForFunction('marks === 2');

    assert.equal(await frame.locator('#pay-form[inert]').count(), 0);
    assert.equal(await frame.locator('html').getAttribute('lang'), 'en');
    assert.deepEqual(
      (await told()).map(({ event }) => event).filter((event) => event !== 'address-changed'),
      ['ready'],
    );
    assert.ok((await page.locator('#nets-checkout-iframe').evaluate((element) => element.clientHeight)) < 9_999);
  });

  test('the frame says nothing to a page that is not the shop: opened alone, it pays, and posts to nobody', async (t) => {
    const paymentId = await createFor(site.origin, KNOWN);
    const key = stage.shop.merchant.checkoutKey;
    const page = await stage.open(t, 'about:blank');
    await page.addInitScript('addEventListener("message", () => { throw new Error("somebody posted"); })');
    await page.goto(`${stage.service.url}/checkout/?checkoutKey=${key}&paymentId=${paymentId}`);
    await payByCard(page);
    await untilState(page, 'paid');
    assert.equal(await reservedOf(paymentId), 100_000);
  });
});
