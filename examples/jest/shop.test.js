// One Kassa for this file, a merchant for each test. jest runs CommonJS by itself, so the kit is required.
const { cards, startKassa } = require('kassa/testing');

let kassa;
beforeAll(async () => {
  kassa = await startKassa();
}, 60_000);
afterAll(() => kassa.stop(), 60_000);

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

test('a payment that is paid can be charged', async () => {
  const shop = await kassa.merchant();
  const { paymentId } = await shop.createPayment(wanted);
  expect(await shop.pay(paymentId, cards.approved)).toEqual({ paymentId, outcome: 'paid' });
  await shop.chargePayment(paymentId, { amount: 10_000 });
  const { payment } = await shop.getPayment(paymentId);
  expect(payment.summary.chargedAmount).toBe(10_000);
}, 30_000);

test('a reservation of a week ago is over', async () => {
  const shop = await kassa.merchant();
  const { paymentId } = await shop.createPayment(wanted);
  await shop.pay(paymentId);
  await shop.clock.advance('8d');
  await expect(shop.chargePayment(paymentId, { amount: 1 })).rejects.toMatchObject({ code: '1010' });
}, 30_000);
