// Goal: who chooses an invoice sees its fee in the order, in the total and on the button before they pay, and pays just
// that; who chooses a card sees none of it; a method that the shop turned off is not on the page. Method: a real service,
// a real Chromium, and the merchant's API to see what came of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { aCreate, anItem } from '../support/client.ts';
import { isRelease } from '../support/depth.ts';
import { choice, fillCard, fillConsumer, fillIn, NATIONAL_NUMBER, openStage, payButton, press } from './paying-page.ts';
import { stayWhenPaid, untilState } from './paying-page.ts';

const stage = openStage();

const FEE = anItem({ reference: 'fee', name: 'Invoice fee', quantity: 1, unit: 'pcs', grossTotalAmount: 2_500 });

async function create(fields: object): Promise<{ paymentId: string; url: string }> {
  const checkout = { integrationType: 'HostedPaymentPage', returnUrl: `${stage.shopOrigin}/thanks` };
  const body = { ...aCreate(100_000, checkout), ...fields };
  const { paymentId, hostedPaymentPageUrl } = await stage.shop.client.must(201, 'POST', '/v1/payments', body);
  return { paymentId, url: `${hostedPaymentPageUrl}&language=en` };
}

const total = (page: Page): Promise<string> => page.locator('#order .total dd').innerText();
const feeLine = (page: Page) => page.locator('#order .items').getByText('Invoice fee');

test('the fee comes and goes with the invoice, and is paid with it', async (t) => {
  const { paymentId, url } = await create({ paymentMethods: [{ name: 'easyinvoice', fee: FEE }] });
  const page = await stage.open(t, url);
  await stayWhenPaid(page);
  assert.match(await total(page), /1,000\.00/);
  assert.equal(await feeLine(page).isVisible(), false);
  await choice(page, 'type', 'invoice').check();
  assert.match(await total(page), /^[^\d]*1,025\.00/);
  assert.equal(await feeLine(page).isVisible(), true);
  assert.match(await payButton(page).innerText(), /1,025\.00/);
  assert.doesNotMatch(await payButton(page).innerText(), /1,000\.00/);
  await choice(page, 'type', 'card').check();
  assert.match(await payButton(page).innerText(), /1,000\.00/);
  await choice(page, 'type', 'invoice').check();
  await fillConsumer(page);
  await fillIn(page, { [NATIONAL_NUMBER]: '19850714-9883' });
  await press(page);
  await untilState(page, 'paid');
  assert.equal((await stage.shop.client.payment(paymentId)).summary.reservedAmount, 102_500);
  assert.match(await page.locator('.receipt').innerText(), /1,025\.00/);
});

test('on a phone the fee stands with the invoice, before it is chosen and while the order is folded', async (t) => {
  const { url } = await create({ paymentMethods: [{ name: 'easyinvoice', fee: FEE }] });
  const page = await stage.open(t, url);
  await page.setViewportSize({ width: 390, height: 844 });
  const fee = page.locator('.method').getByText('Invoice fee: SEK 25.00');
  assert.equal(await feeLine(page).isVisible(), false);
  assert.equal(await fee.isVisible(), true);
  await choice(page, 'type', 'invoice').check();
  assert.equal(await fee.isVisible(), true);
  const { url: free } = await create({});
  await page.goto(free);
  assert.equal(await page.locator('.method-fee').count(), 0);
});

if (isRelease)
  test('who pays by card pays no fee', async (t) => {
    const { paymentId, url } = await create({ paymentMethods: [{ name: 'easyinvoice', fee: FEE }] });
    const page = await stage.open(t, url);
    await stayWhenPaid(page);
    await fillConsumer(page);
    await fillCard(page);
    await press(page);
    await untilState(page, 'paid');
    assert.equal((await stage.shop.client.payment(paymentId)).summary.reservedAmount, 100_000);
  });

test('a page with one method has that one chosen, and is paid by it', async (t) => {
  const { paymentId, url } = await create({ paymentMethodsConfiguration: [{ name: 'EasyInvoice' }] });
  const page = await stage.open(t, url);
  await stayWhenPaid(page);
  assert.equal(await page.locator('#pay-form [name="type"]').count(), 1);
  await fillConsumer(page);
  await fillIn(page, { [NATIONAL_NUMBER]: '19850714-9883' });
  await press(page);
  await untilState(page, 'paid');
  assert.equal((await stage.shop.client.payment(paymentId)).paymentDetails.paymentMethod, 'EasyInvoice');
});
