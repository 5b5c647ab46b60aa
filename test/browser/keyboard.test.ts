// Goal: the whole checkout can be used with keys alone: every stop can be seen, stops come in the order of reading,
// nothing holds the focus, and the focus goes where the next thing is to be done. Method: a real Chromium, and no mouse.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { CARDS } from '../support/checkout.ts';
import { isRelease } from '../support/depth.ts';
import { until } from '../support/kassa.ts';
import { embedCheckout, openShopSite } from './embedding-shop.ts';
import type { ShopSite } from './embedding-shop.ts';
import {
  ADA,
  bank,
  CARD_NUMBER,
  choice,
  CVC,
  EXPIRY,
  field,
  fillConsumer,
  focused,
  KNOWN,
  NATIONAL_NUMBER,
  openStage,
  untilSaid,
  untilState,
} from './paying-page.ts';

const stage = openStage();
let site: ShopSite;
before(async () => {
  site = await openShopSite();
});
after(() => site.close());

const BOTH = { consumerType: { default: 'B2C', supportedTypes: ['B2C', 'B2B'] } };
const TERMS = { termsUrl: 'https://shop.example/terms' };

async function openForm(t: TestContext, checkout: object = {}, options: object = {}): Promise<Page> {
  const { url } = await stage.create({ ...BOTH, ...TERMS, ...checkout });
  return stage.open(t, url, options);
}

/** What has the focus in a page or frame: its name, its id, or the words on it; `body` when nothing has. */
const stopIn = (place: Page | Frame): Promise<string> =>
  place.evaluate(`(() => {
    const stop = document.activeElement;
    if (!stop || stop === document.body) return 'body';
    return stop.getAttribute('name') || stop.id || stop.className || stop.textContent.trim() || stop.localName;
  })()`);

/** How the marked stop looks as far as it shows the focus. */
const LOOK = `(() => {
  const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(globalThis.stop);
  return [outlineStyle === 'none' ? 'none' : [outlineStyle, outlineWidth, outlineColor].join(' '), boxShadow].join(' / ');
})()`;

const IS_IN_VIEW = `(() => {
  const { top, bottom, width } = globalThis.stop.getBoundingClientRect();
  return width > 0 && top > -1 && bottom < innerHeight + 1;
})()`;

/** Presses Tab until the page has been gone through, and gives the stops; each must show that it has the focus. */
async function walk(page: Page, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<string[]> {
  const stops: string[] = [];
  for (;;) {
    await page.keyboard.press(key);
    const name = await stopIn(page);
    // Behind the last stop come the browser's own bars, and then the first again.
    if (name === 'body' || (name === stops[0] && stops.length > 1) || stops.length > 60) return stops;
    stops.push(name);
    const seen = await page.evaluate<string>(`globalThis.stop = document.activeElement; ${LOOK}`);
    // The browser scrolls there in a frame of its own.
    await until(`the sight of ${name}`, () => page.evaluate<boolean>(IS_IN_VIEW));
    // The same element without the focus, which is given back.
    await page.evaluate('stop.blur()');
    assert.notEqual(await page.evaluate(LOOK), seen, `nobody sees the focus on ${name}`);
    await page.evaluate('stop.focus({ focusVisible: true })');
  }
}

/** Presses Tab until the stop is reached. */
async function tabTo(page: Page, name: string, place: Page | Frame = page, key = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 60; presses += 1) {
    const stop = await stopIn(place);
    if (stop === name) return;
    passed.push(stop);
    await page.keyboard.press(key);
  }
  assert.fail(`${name} is not reached: ${passed.join(', ')}`);
}

/** Types into the stops of those names, one after the other. */
async function typeConsumer(page: Page): Promise<void> {
  const order = [
    'consumer.privatePerson.firstName',
    'consumer.privatePerson.lastName',
    'consumer.email',
    'consumer.phoneNumber.number',
    'consumer.shippingAddress.addressLine1',
    'consumer.shippingAddress.postalCode',
    'consumer.shippingAddress.city',
  ];
  for (const name of order) {
    await tabTo(page, name);
    await page.keyboard.type(ADA[name] ?? '');
  }
}

async function typeCard(page: Page, number: string = CARDS.approved): Promise<void> {
  await tabTo(page, CARD_NUMBER);
  await page.keyboard.type(number);
  await tabTo(page, EXPIRY);
  await page.keyboard.type('1230');
  await tabTo(page, CVC);
  await page.keyboard.type('123');
}

describe('the stops', () => {
  const FORM = [
    'language',
    'consumerType',
    'consumer.privatePerson.firstName',
    'consumer.privatePerson.lastName',
    'consumer.email',
    'consumer.phoneNumber.prefix',
    'consumer.phoneNumber.number',
    'consumer.shippingAddress.addressLine1',
    'consumer.shippingAddress.addressLine2',
    'consumer.shippingAddress.postalCode',
    'consumer.shippingAddress.city',
    'consumer.shippingAddress.country',
    'separateBilling',
    'remember',
    'type',
    'Test cards',
    CARD_NUMBER,
    EXPIRY,
    CVC,
    'pay',
    'terms and conditions (opens in a new window)',
    'cancel',
  ];

  test('of the form: in the order of reading, all to be seen, and the same backwards', async (t) => {
    const page = await openForm(t);
    assert.deepEqual(await walk(page), FORM);
    assert.deepEqual(await walk(page, 'Shift+Tab'), FORM.toReversed());
  });

  if (isRelease) {
    test('in the dark, and on a phone with a keyboard, where the order comes first and opens by Enter', async (t) => {
      const viewport = { width: 390, height: 844 };
      const page = await openForm(t, {}, { colorScheme: 'dark', viewport });
      const stops = await walk(page);
      assert.deepEqual(stops.toSpliced(1, 1), FORM);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      assert.equal(await page.locator('#order details[open] .items').isVisible(), true);
    });

    test('of a company with another billing address that pays by invoice', async (t) => {
      const page = await openForm(t);
      await tabTo(page, 'consumerType');
      await page.keyboard.press('ArrowRight');
      await tabTo(page, 'separateBilling');
      await page.keyboard.press('Space');
      await tabTo(page, 'type');
      await page.keyboard.press('ArrowDown');
      await page.evaluate('document.activeElement.blur()');
      const company = ['name', 'organisationNumber', 'contact.firstName', 'contact.lastName'];
      const billing = ['addressLine1', 'addressLine2', 'postalCode', 'city', 'country'];
      const expected = FORM.filter((name) => !/Person|paymentType|Test cards/.test(name));
      expected.splice(2, 0, ...company.map((part) => `consumer.company.${part}`));
      expected.splice(
        expected.indexOf('separateBilling') + 1,
        0,
        ...billing.map((part) => `consumer.billingAddress.${part}`),
      );
      await page.keyboard.press('Tab');
      await tabTo(page, 'body');
      assert.deepEqual(await walk(page), expected);
    });
  }

  test('of a page that says one thing: its heading is read, then the ways on', async (t) => {
    const { url, paymentId } = await stage.create();
    await stage.shop.client.must(204, 'PUT', `/v1/payments/${paymentId}/terminate`);
    const page = await stage.open(t, url);
    assert.deepEqual(await walk(page), ['language', 'cancel']);
    await tabTo(page, 'cancel');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${stage.shopOrigin}/cart`);
  });
});

test('a whole purchase: consumer, card, the bank left and asked again, the shop', async (t) => {
  const ShippingCountries = [{ countryCode: 'SWE' }, { countryCode: 'FIN' }];
  const { url, paymentId } = await stage.create({ ...BOTH, ...TERMS, ShippingCountries });
  const page = await stage.open(t, url);

  await tabTo(page, 'consumerType');
  await page.keyboard.press('ArrowRight');
  assert.equal(await field(page, 'consumer.company.name').isVisible(), true);
  assert.equal(await field(page, 'consumer.privatePerson.firstName').isVisible(), false);
  await page.keyboard.press('ArrowLeft');
  await typeConsumer(page);
  await tabTo(page, 'consumer.shippingAddress.country');
  await page.keyboard.press('ArrowDown');
  assert.equal(await field(page, 'consumer.shippingAddress.country').inputValue(), 'FIN');
  await page.keyboard.press('ArrowUp');
  assert.equal(await field(page, 'consumer.shippingAddress.country').inputValue(), 'SWE');
  await tabTo(page, 'separateBilling');
  await page.keyboard.press('Space');
  assert.equal(await field(page, 'consumer.billingAddress.city').isVisible(), true);
  await page.keyboard.press('Space');
  assert.equal(await field(page, 'consumer.billingAddress.city').isVisible(), false);

  await tabTo(page, 'type');
  await page.keyboard.press('ArrowDown');
  assert.equal(await choice(page, 'type', 'invoice').isChecked(), true);
  assert.equal(await field(page, NATIONAL_NUMBER).isVisible(), true);
  await page.keyboard.press('ArrowUp');
  await typeCard(page, CARDS.challenge);
  assert.equal(await field(page, CARD_NUMBER).inputValue(), '4268 2700 8737 4847');
  await tabTo(page, 'pay');
  await page.keyboard.press('Enter');

  // The focus goes into the dialog and stays there, or in the browser's own bars; the page behind it gets none.
  await page.locator('dialog[open]').waitFor();
  await bank(page).locator('[value=approve]').waitFor();
  const inside = `!!document.activeElement.closest('dialog[open]')`;
  assert.equal(await page.evaluate(inside), true);
  const stops = new Set<string>();
  for (let presses = 0; presses < 12; presses += 1) {
    await page.keyboard.press('Tab');
    const stop = await stopIn(page);
    assert.ok(stop === 'body' || (await page.evaluate(inside)), `${stop} is behind the dialog`);
    stops.add(stop);
  }
  for (const stop of ['challenge-close', 'challenge-link', 'challenge-frame']) assert.ok(stops.has(stop), stop);
  await page.keyboard.press('Escape');
  await page.locator('dialog:not([open])').waitFor({ state: 'attached' });

  // Left without an answer: the bank still waits, and the way to it has the focus.
  await page.locator('#announcer', { hasText: /Nothing has been charged/ }).waitFor({ state: 'attached' });
  await until('the way to the bank', async () => (await stopIn(page)) === 'Continue at your bank');
  await page.keyboard.press('Enter');
  await bank(page).locator('[value=approve]').waitFor();
  await tabTo(page, 'challenge-frame');
  const frame = page.frames().find((one) => one.url().includes('/challenge/'));
  assert.ok(frame);
  assert.equal(await frame.evaluate('document.activeElement.value'), 'approve');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${stage.shopOrigin}/thanks?paymentid=${paymentId}`);
  assert.equal((await stage.shop.client.payment(paymentId)).summary.reservedAmount, 100_000);
});

test('the focus goes where the next thing is to be done: what is wrong, the card, and in the end the thanks', async (t) => {
  const page = await openForm(t, { returnUrl: `${stage.shopOrigin}/thanks` });
  // The shop's page is slow, so that the page of the checkout can be looked at.
  await page.route('**/thanks*', () => {});

  // An empty form: to the first field that is wrong, which says what is.
  await tabTo(page, 'pay');
  await page.keyboard.press('Space');
  assert.equal(await focused(page), 'consumer.privatePerson.firstName');
  assert.equal(await page.locator(':focus').getAttribute('aria-invalid'), 'true');
  const error = await page.locator(':focus').getAttribute('aria-describedby');
  assert.equal(await page.locator(`#${error}`).textContent(), 'Enter your name.');
  assert.equal(await page.locator('#form-error[role=alert]').textContent(), '10 fields need your attention.');

  // Enter in a field pays as the button does, and goes to the card when that alone is missing.
  await fillConsumer(page);
  await field(page, 'consumer.shippingAddress.city').focus();
  await page.keyboard.press('Enter');
  assert.equal(await focused(page), CARD_NUMBER);

  // A decline: to the empty number, below the sentence that says why.
  await typeCard(page, CARDS.declined);
  await page.keyboard.press('Enter');
  await untilSaid(page, '#notice[role=alert]', /declined/);
  await until('the card number', async () => (await focused(page)) === CARD_NUMBER);

  // Rejected at the bank: back to the card.
  await typeCard(page, CARDS.challenge);
  await page.keyboard.press('Enter');
  await bank(page).locator('[value=reject]').waitFor();
  await tabTo(page, 'challenge-frame');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await untilSaid(page, '#notice', /not confirmed/);
  await until('the card number', async () => (await focused(page)) === CARD_NUMBER);

  // The list of test cards opens, a card fills the fields, and the list can be passed by.
  await tabTo(page, 'Test cards', page, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await tabTo(page, 'test-card');
  await page.keyboard.press('Enter');
  assert.equal(await field(page, CARD_NUMBER).inputValue(), '4925 0000 0000 0004');
  await tabTo(page, 'pay');
  await page.keyboard.press('Enter');
  await untilState(page, 'paid');
  assert.equal(await stopIn(page), 'Thank you, your payment is complete');
});

test('an embedded checkout is entered and left by Tab, both ways, and gives the focus back after freezing', async (t) => {
  const paymentId = await stage.shop.client.create(100_000, { url: `${site.origin}/checkout`, ...KNOWN });
  const page = await stage.open(t, 'about:blank');
  const { frame, run } = await embedCheckout(page, stage.service, stage.shop, site, paymentId);
  await run(`for (const [place, name] of [['afterbegin', 'first'], ['beforeend', 'last']])
    document.body.insertAdjacentHTML(place, '<button name=' + name + '>x</button>')`);
  await page.keyboard.press('Tab');
  assert.equal(await stopIn(page), 'first');
  await page.keyboard.press('Tab');
  assert.equal(await stopIn(page), 'nets-checkout-iframe');
  assert.equal(await stopIn(frame), 'language');
  await tabTo(page, 'last');
  await page.keyboard.press('Shift+Tab');
  assert.equal(await stopIn(page), 'nets-checkout-iframe');
  await tabTo(page, 'first', page, 'Shift+Tab');

  await page.keyboard.press('Tab');
  await tabTo(page, CVC, frame);
  await page.keyboard.type('12');
  await run('checkout.freezeCheckout()');
  await frame.locator('#pay-form[inert]').waitFor();
  await run('checkout.thawCheckout()');
  await frame.locator('#pay-form:not([inert])').waitFor();
  await until('the focus', async () => (await stopIn(frame)) === CVC);
  await page.keyboard.type('3');
  assert.equal(await field(frame, CVC).inputValue(), '123');
});
