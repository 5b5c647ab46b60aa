// Goal: 3-D Secure in the browser ends right whatever the consumer does at their bank: approve, reject, turn back, close,
// reload, come another time; and it reserves once. Method: a real Chromium, wide enough for the bank's page in a dialog
// and narrow enough to be sent there, and the merchant's API to see what came of it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { BrowserContextOptions, FrameLocator, Page } from 'playwright-core';
import { PHONE } from '../support/browser.ts';
import { CARDS } from '../support/checkout.ts';
import { anOrder } from '../support/client.ts';
import { depth, isRelease } from '../support/depth.ts';
import { until } from '../support/kassa.ts';
import {
  ADA,
  bank,
  CARD_NUMBER,
  choice,
  countReservations,
  CVC,
  field,
  fillConsumer,
  focused,
  heading,
  KNOWN,
  notice,
  openStage,
  payByCard,
  press,
  stayWhenPaid,
  untilTyped,
  untilSaid,
  untilState,
} from './paying-page.ts';

const LEFT = 'You left your bank’s page before confirming. Nothing has been charged. You can try again.';
const REJECTED = 'The payment was not confirmed with your bank. Nothing has been charged. You can try again.';
const APPROVE = '[name="outcome"][value="approve"]';
const REJECT = '[name="outcome"][value="reject"]';
const LEAVE = '[name="outcome"][value="leave"]';

const stage = openStage();

const thanks = (paymentId: string): string => `${stage.shopOrigin}/thanks?paymentid=${paymentId}`;
const reservedOf = async (paymentId: string): Promise<number> =>
  (await stage.shop.client.payment(paymentId)).summary.reservedAmount;

type AtBank = { readonly page: Page; readonly paymentId: string; readonly url: string; readonly bankUrl: string };

type Way = Partial<{ checkout: object; card: string; browser: BrowserContextOptions; isDialog: boolean }>;

/** A consumer who has pressed the button and now is asked by their bank, in a dialog or on a page of its own. */
async function goToBank(t: TestContext, way: Way = {}): Promise<AtBank> {
  const { checkout = KNOWN, card = CARDS.challenge, browser = {}, isDialog = browser !== PHONE } = way;
  const { paymentId, url } = await stage.create(checkout);
  const page = await stage.open(t, url, browser);
  if (checkout !== KNOWN) await fillConsumer(page);
  await payByCard(page, card);
  if (isDialog) await bank(page).locator(APPROVE).waitFor();
  else await page.waitForURL('**/challenge/*');
  const path = isDialog ? await page.getAttribute('#challenge-frame', 'src') : page.url();
  return { page, paymentId, url, bankUrl: new URL(path ?? '', url).href };
}

async function expectPaidOnce(paymentId: string): Promise<void> {
  assert.equal(await reservedOf(paymentId), 100_000);
  assert.equal(await countReservations(stage, paymentId), 1);
}

/** The consumer closed the dialog: one message is seen, and those who listen hear what happened. */
async function expectWaiting(page: Page): Promise<void> {
  await page.locator('#challenge').waitFor({ state: 'hidden' });
  await untilSaid(page, '#notice', 'Your bank is waiting for you');
  await until('who listens hears it', async () => (await page.locator('#announcer').textContent()) === LEFT);
  assert.equal(await page.locator('#form-error').textContent(), '');
}

/** Pays with another card what is still open. */
async function payOtherwise(page: Page, paymentId: string): Promise<void> {
  assert.equal(await reservedOf(paymentId), 0);
  for (const name of [CARD_NUMBER, CVC]) assert.equal(await field(page, name).inputValue(), '', name);
  await payByCard(page);
  await untilState(page, 'paid');
  await expectPaidOnce(paymentId);
}

describe('the bank in a dialog', () => {
  test('shows who asks for how much; approved by a double click it is paid once, also when its address is used again', async (t) => {
    const { page, paymentId, bankUrl } = await goToBank(t);
    const shown = await bank(page).locator('#main').innerText();
    for (const words of [/Simulated bank/, /Test shop/, /SEK\s1,000\.00/, /•••• 4847/]) assert.match(shown, words);
    assert.doesNotMatch(shown, /426827/);
    await bank(page).locator(APPROVE).dblclick();
    await page.waitForURL(thanks(paymentId));
    await expectPaidOnce(paymentId);
    await stayWhenPaid(page);
    await page.goto(bankUrl);
    await untilState(page, 'paid');
    await expectPaidOnce(paymentId);
  });

  test('left by its own button, approved but declined by the bank, or rejected: it says so, keeps what was typed, and can be tried again', async (t) => {
    const { page, paymentId } = await goToBank(t, { checkout: {} });
    const ends = [
      [LEAVE, LEFT, CARDS.challengeDeclined],
      [APPROVE, 'The payment was declined. Nothing has been charged.', CARDS.challenge],
      [REJECT, REJECTED, undefined],
    ] as const;
    for (const [answer, said, next] of ends) {
      await bank(page).locator(answer).click();
      await untilSaid(page, '#notice', said);
      assert.equal(await page.locator('#challenge').isVisible(), false);
      await until('the focus', async () => (await focused(page)) === CARD_NUMBER);
      assert.equal(await reservedOf(paymentId), 0);
      if (next) await payByCard(page, next);
    }
    for (const [name, value] of Object.entries(ADA)) assert.equal(await field(page, name).inputValue(), value, name);
    await payOtherwise(page, paymentId);
  });

  test('closed by Escape and by its close button, it leaves a way back to the bank, also on a page of its own', async (t) => {
    const { page, paymentId } = await goToBank(t);
    await page.keyboard.press('Escape');
    await expectWaiting(page);
    await page.getByText('Continue at your bank').click();
    await bank(page).locator(APPROVE).waitFor();
    await page.click('#challenge-close');
    await expectWaiting(page);
    await page.getByText('Continue at your bank').click();
    await page.click('#challenge-link');
    await page.waitForURL('**/challenge/*');
    await page.click(APPROVE);
    await page.waitForURL(thanks(paymentId));
    await expectPaidOnce(paymentId);
  });

  if (isRelease) {
    test('closed, it lets another card pay; the bank then asks for nothing any more', async (t) => {
      const { page, paymentId, bankUrl } = await goToBank(t);
      await page.keyboard.press('Escape');
      await expectWaiting(page);
      await payOtherwise(page, paymentId);
      const late = await stage.open(t, bankUrl);
      assert.equal(await late.locator(APPROVE).count(), 0);
      await untilState(late, 'paid');
      await expectPaidOnce(paymentId);
    });

    test('lost by a reload, it is offered again', async (t) => {
      const { page, paymentId } = await goToBank(t, { checkout: {} });
      await page.reload();
      assert.match(await notice(page).innerText(), /Your bank is waiting for you/);
      assert.equal(await field(page, 'consumer.email').inputValue(), ADA['consumer.email']);
      await page.getByText('Continue at your bank').click();
      await bank(page).locator(APPROVE).click();
      await page.waitForURL(thanks(paymentId));
      await expectPaidOnce(paymentId);
    });
  }
});

describe('the bank by redirect, on a phone', () => {
  const phone = { browser: PHONE };

  test('approved, it comes back to the checkout and from there to the shop', async (t) => {
    const { page, paymentId } = await goToBank(t, phone);
    await stayWhenPaid(page);
    const wayBack = page.waitForRequest(thanks(paymentId));
    await page.tap(APPROVE);
    await page.waitForURL(/hostedpaymentpage/);
    assert.equal(await heading(page).innerText(), 'Thank you, your payment is complete');
    await wayBack;
    await expectPaidOnce(paymentId);
  });

  test('left and then rejected, it comes back with what was typed and says what happened, and another card pays', async (t) => {
    const { page, paymentId } = await goToBank(t, { ...phone, checkout: {} });
    await page.tap(LEAVE);
    await untilSaid(page, '#notice', LEFT);
    for (const [name, value] of Object.entries(ADA)) await untilTyped(page, name, value);
    await payByCard(page, CARDS.challenge);
    await page.waitForURL('**/challenge/*');
    await page.tap(REJECT);
    await untilSaid(page, '#notice', 'The payment was not confirmed');
    for (const [name, value] of Object.entries(ADA)) await untilTyped(page, name, value);
    await payOtherwise(page, paymentId);
  });

  test('left by the back button, it is offered again', async (t) => {
    const { page, paymentId } = await goToBank(t, phone);
    await page.goBack();
    await untilSaid(page, '#notice', 'Your bank is waiting for you');
    await page.getByText('Continue at your bank').tap();
    await page.waitForURL('**/challenge/*');
    await page.tap(APPROVE);
    await page.waitForURL(thanks(paymentId));
    await expectPaidOnce(paymentId);
  });

  if (isRelease)
    test('is a dialog on a public device, where nothing may be kept for the way back', async (t) => {
      const { page, paymentId } = await goToBank(t, { ...phone, checkout: { publicDevice: true }, isDialog: true });
      await bank(page).locator(APPROVE).tap();
      await page.waitForURL(thanks(paymentId));
      await expectPaidOnce(paymentId);
    });
});

describe('the hosted page in a frame over the shop’s own page, narrow on a wide screen', () => {
  /** The overlay of a shop: its page is around the frame, on another origin. */
  async function openOverlay(t: TestContext, url: string): Promise<{ shop: Page; frame: FrameLocator }> {
    const shop = await stage.open(t, `${stage.shopOrigin}/cart`, { viewport: { width: 1280, height: 900 } });
    const overlay = 'position: fixed; inset: 0 0 0 390px; width: 500px; height: 880px; border: 0';
    await shop.evaluate(
      `document.body.append(Object.assign(document.createElement('iframe'), { src: '${url}', style: '${overlay}' }))`,
    );
    return { shop, frame: shop.frameLocator('iframe') };
  }
  const ledBack = (shop: Page, paymentId: string): Promise<boolean> =>
    until('the frame is led to the shop', async () => shop.frames().some((frame) => frame.url() === thanks(paymentId)));

  // decision: framing-the-hosted-page
  test('asks in a dialog, as one that stands alone does, and leads the frame back to the shop', async (t) => {
    const { paymentId, url } = await stage.create();
    const { shop, frame } = await openOverlay(t, url);
    await fillConsumer(frame);
    await payByCard(frame, CARDS.challenge);
    await bank(frame).locator(APPROVE).waitFor();
    assert.equal(await frame.locator('#challenge-link').getAttribute('target'), '_blank');
    await bank(frame).locator(APPROVE).click();
    await ledBack(shop, paymentId);
    await expectPaidOnce(paymentId);
  });

  // decision: swish-vipps-and-mobilepay
  test('asks an app in a dialog: a decline is told, and who decides later is led on once they have answered elsewhere', async (t) => {
    const { client } = stage.shop;
    const { paymentId, hostedPaymentPageUrl } = await client.must(201, 'POST', '/v1/payments', {
      order: anOrder(100_000),
      checkout: { integrationType: 'HostedPaymentPage', returnUrl: `${stage.shopOrigin}/thanks`, ...KNOWN },
      paymentMethodsConfiguration: [{ name: 'Card' }, { name: 'Swish' }],
    });
    const { shop, frame } = await openOverlay(t, hostedPaymentPageUrl as string);
    await choice(frame, 'type', 'swish').check();
    await press(frame);
    await bank(frame).getByText('Simulated Swish').waitFor();
    assert.equal(await frame.locator('#challenge-heading').innerText(), 'Approve in Swish');
    await bank(frame).locator(REJECT).click();
    await untilSaid(frame, '#notice', 'The payment was declined in Swish');
    assert.equal(await choice(frame, 'type', 'swish').isChecked(), true);
    await press(frame);
    await bank(frame).locator('[name="outcome"][value="later"]').click();
    await untilSaid(frame, '#notice', 'Swish is waiting for you');
    assert.equal(await frame.locator('#challenge').isVisible(), false);
    assert.equal(await reservedOf(paymentId as string), 0);
    const app = await frame.locator('#notice a').getAttribute('href');
    await fetch(app ?? '', { method: 'POST', body: new URLSearchParams({ outcome: 'approve' }) });
    await ledBack(shop, paymentId as string);
    await expectPaidOnce(paymentId as string);
  });

  // decision: framing-the-hosted-page
  test('is reached again from the bank’s page when that is what stands in the frame', async (t) => {
    const { paymentId, bankUrl, page } = await goToBank(t);
    await page.keyboard.press('Escape');
    const { frame } = await openOverlay(t, bankUrl);
    await frame.locator(APPROVE).click();
    await untilState(frame, 'paid');
    await expectPaidOnce(paymentId);
  });
});

describe('the bank’s address', () => {
  const REJECTED_THEN = ['rejected', REJECT] as const;
  for (const [name, second] of depth<readonly (readonly [string, string])[]>({
    daily: [REJECTED_THEN],
    release: [['approved', APPROVE], REJECTED_THEN],
  }))
    test(`approved in one window and ${name} in another is paid once`, async (t) => {
      const { page, paymentId, bankUrl } = await goToBank(t);
      const other = await page.context().newPage();
      await other.goto(bankUrl);
      await other.locator(second).waitFor();
      await bank(page).locator(APPROVE).click();
      await untilState(page, 'paid');
      await other.click(second);
      await untilState(other, 'paid');
      await expectPaidOnce(paymentId);
    });

  test('of a challenge whose place a newer one took asks for nothing', async (t) => {
    const { page, paymentId, bankUrl } = await goToBank(t);
    await page.keyboard.press('Escape');
    await expectWaiting(page);
    await payByCard(page, CARDS.challenge);
    await bank(page).locator(APPROVE).waitFor();
    const old = await page.context().newPage();
    await old.goto(bankUrl);
    assert.equal(await old.locator(APPROVE).count(), 0);
    assert.equal(await heading(old).innerText(), 'We cannot find this payment');
    assert.equal(await reservedOf(paymentId), 0);
    await bank(page).locator(APPROVE).click();
    await untilState(page, 'paid');
    await expectPaidOnce(paymentId);
  });

  test('confirmed in another window is noticed by the page that waits', async (t) => {
    const { page, paymentId, bankUrl } = await goToBank(t);
    const phone = await stage.open(t, bankUrl, PHONE);
    await phone.tap(APPROVE);
    await untilState(phone, 'paid');
    await page.keyboard.press('Escape');
    await untilState(page, 'paid');
    await page.waitForURL(thanks(paymentId));
    await expectPaidOnce(paymentId);
  });
});

// The last ones, because a context that was closed is not lent again.
describe('a browser that was closed at the bank', () => {
  test('loses nothing: another one can go on there', async (t) => {
    const { page, paymentId, url } = await goToBank(t, { browser: PHONE });
    await page.context().close();
    const other = await stage.open(t, url);
    assert.equal(await other.getAttribute('body', 'data-state'), 'open');
    assert.match(await notice(other).innerText(), /Your bank is waiting for you/);
    await other.getByText('Continue at your bank').click();
    await bank(other).locator(APPROVE).click();
    await untilState(other, 'paid');
    await expectPaidOnce(paymentId);
  });

  if (isRelease)
    test('loses nothing: another one can pay otherwise', async (t) => {
      const { page, paymentId, url } = await goToBank(t);
      await page.context().close();
      await payOtherwise(await stage.open(t, url), paymentId);
    });

  if (isRelease)
    test('after approving, before it came back: another one sees that it is paid', async (t) => {
      const { page, paymentId, url } = await goToBank(t, { browser: PHONE });
      await page.route('**/hostedpaymentpage/**', (route) => route.abort());
      const lost = page.waitForEvent('requestfailed', (request) => request.url().includes('/hostedpaymentpage/'));
      await page.tap(APPROVE);
      await lost;
      await page.context().close();
      const other = await stage.open(t, url);
      assert.equal(await other.getAttribute('body', 'data-state'), 'paid');
      assert.equal(await other.getAttribute('#return', 'href'), thanks(paymentId));
      await expectPaidOnce(paymentId);
    });
});
