// One Kassa for this file, a merchant for each test. Files run at once: each has a Kassa of its own.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cards, startKassa } from 'kassa/testing';

// The first payment of a Kassa takes longest; on a machine that runs other suites, more than vitest's five seconds.
vi.setConfig({ testTimeout: 30_000 });

let kassa;
beforeAll(async () => {
  kassa = await startKassa();
}, 60_000);
afterAll(() => kassa.stop());

const item = {
  reference: 'mug',
  name: 'Mug',
  quantity: 1,
  unit: 'pcs',
  unitPrice: 10_000,
  netTotalAmount: 10_000,
  grossTotalAmount: 10_000,
};
const wanted = {
  order: { items: [item], amount: 10_000, currency: 'SEK' },
  checkout: { url: 'https://shop.example/checkout', termsUrl: 'https://shop.example/terms' },
};

test('a payment that is paid can be charged and refunded', async () => {
  const shop = await kassa.merchant();
  const { paymentId } = await shop.createPayment(wanted);
  expect(await shop.pay(paymentId, cards.challenge)).toMatchObject({ outcome: 'paid' });
  const { chargeId } = await shop.chargePayment(paymentId, { amount: 10_000 });
  await shop.refundCharge(chargeId, { amount: 10_000 });
  await shop.waitFor('payment.refund.completed', { paymentId });
});

test('a declined card pays nothing', async () => {
  const shop = await kassa.merchant();
  const { paymentId } = await shop.createPayment(wanted);
  expect(await shop.pay(paymentId, cards.insufficientFunds)).toMatchObject({ outcome: 'declined' });
  await expect(shop.chargePayment(paymentId, { amount: 1 })).rejects.toMatchObject({ name: 'Refused' });
});
