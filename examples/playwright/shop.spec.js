// A consumer in a browser: `kassa` is one for each worker, `shop` a merchant for each test.
import { expect, test as base } from '@playwright/test';
import { cards, fixtures, payOnPage } from 'kassa/testing';

const test = base.extend(fixtures);

const item = {
  reference: 'mug',
  name: 'Mug',
  quantity: 1,
  unit: 'pcs',
  unitPrice: 10_000,
  netTotalAmount: 10_000,
  grossTotalAmount: 10_000,
};

/** In place of your shop's own page: a payment on the hosted page. */
async function checkoutOf(shop) {
  const { hostedPaymentPageUrl } = await shop.createPayment({
    order: { items: [item], amount: 10_000, currency: 'SEK' },
    checkout: {
      integrationType: 'HostedPaymentPage',
      returnUrl: 'https://shop.example/thanks',
      termsUrl: 'https://shop.example/terms',
    },
  });
  return hostedPaymentPageUrl;
}

test('pays with a card that the bank asks about', async ({ page, shop }) => {
  await page.goto(await checkoutOf(shop));
  await payOnPage(page, { card: cards.challenge });
  const { data } = await shop.waitFor('payment.checkout.completed');
  const { payment } = await shop.getPayment(data.paymentId);
  expect(payment.summary.reservedAmount).toBe(10_000);
});
