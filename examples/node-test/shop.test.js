// The shop, tested against a real Kassa: what is ordered and paid is shipped, and what is declined is not.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, afterEach, test } from 'node:test';
import { cards, startKassa } from 'kassa/testing';
import { openShop } from './shop.js';

let kassa;
before(async () => (kassa = await startKassa()));
after(() => kassa.stop());

let merchant;
let shop;
beforeEach(async () => {
  merchant = await kassa.merchant();
  const webhookSecret = `whsec_${randomBytes(32).toString('base64')}`;
  shop = await openShop({ kassaUrl: kassa.url, secretKey: merchant.secretKey, webhookSecret });
  await merchant.createWebhook({ url: `${shop.url}/hooks`, secret: webhookSecret });
});
afterEach(() => shop.close());

const order = async (mugs) =>
  (await fetch(`${shop.url}/orders`, { method: 'POST', body: JSON.stringify({ mugs }) })).json();
const stateOf = async ({ paymentId }) => (await (await fetch(`${shop.url}/orders/${paymentId}`)).json()).state;

test('what is paid is charged and shipped', async () => {
  const ordered = await order(2);
  assert.equal((await merchant.pay(ordered, cards.approved)).outcome, 'paid');
  await merchant.waitFor('payment.charge.created.v2', ordered);
  while ((await stateOf(ordered)) !== 'shipped') await new Promise((resolve) => setTimeout(resolve, 20));
  const { payment } = await merchant.getPayment(ordered.paymentId);
  assert.equal(payment.summary.chargedAmount, 20_000);
});

test('what is declined is not shipped', async () => {
  const ordered = await order(1);
  assert.equal((await merchant.pay(ordered, cards.declined)).outcome, 'declined');
  await merchant.waitFor('payment.reservation.failed', ordered);
  assert.equal(await stateOf(ordered), 'open');
});

test('what Kassa did not sign is not believed', async () => {
  const forged = await fetch(`${shop.url}/hooks`, { method: 'POST', body: '{"event":"payment.charge.created.v2"}' });
  assert.equal(forged.status, 400);
});
