// Goal: a consumer reads what they agree to before they pay for something that is charged again, in every language.
// Method: the page as it is served, for each kind and language.
import assert from 'node:assert/strict';
import { checkoutTexts } from '../../src/checkout/texts.ts';
import { LANGUAGES } from '../../src/pages/language.ts';
import { after, before, describe, test } from 'node:test';
import { aPay, Consumer } from '../support/checkout.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';
import { createWith } from '../support/subscriptions.ts';

describe('consent on the page', () => {
  let service: SharedService;
  let shop: Shop;
  before(async () => {
    service = shareService();
    shop = await service.openShop();
  });
  after(() => service.close());

  const hosted = { integrationType: 'HostedPaymentPage', returnUrl: 'https://shop.example/done' };
  const pageOf = async (paymentId: string, language: string): Promise<string> => {
    const key = shop.merchant.checkoutKey;
    const path = `/hostedpaymentpage/?checkoutKey=${key}&pid=${paymentId}&language=${language}`;
    return (await service.client().get(path)).text;
  };

  for (const language of LANGUAGES)
    test(`${language}: interval, amount and end of a scheduled one`, async () => {
      const asked = { subscription: { interval: 30, endDate: '2031-06-01' } };
      const page = await pageOf(await createWith(shop.client, asked, 10_000, hosted), language);
      const texts = checkoutTexts(language).subscription;
      const [everyBefore, everyAfter] = texts.everyDays.split('{days}') as [string, string];
      assert.ok(page.includes('id="consent"') && page.includes(texts.heading), language);
      assert.ok(page.includes(`${everyBefore}30${everyAfter}`), texts.everyDays);
      assert.ok(page.includes('2031'), texts.until);
      const [statedBefore] = texts.amount.split('{amount}') as [string];
      assert.ok(page.includes(statedBefore) && page.includes('100'), 'an amount is the word of the shop');
      const { secure } = checkoutTexts(language).payment;
      assert.ok(page.includes(texts.secure) && !page.includes(`${secure}</p>`), 'a reference to the card is kept');
      assert.ok(page.includes(texts.canEnd), texts.canEnd);
      assert.ok(!page.includes('value="invoice"'), 'only a card can be charged again');
    });

  test('an unscheduled one, another card for 0, and no word where there is no subscription', async () => {
    const en = checkoutTexts('en').subscription;
    const unscheduled = { unscheduledSubscription: { create: true } };
    const zero = await pageOf(await createWith(shop.client, unscheduled, 0, hosted), 'en');
    for (const text of [en.unscheduled, en.variableAmount, en.noMoneyNow]) assert.ok(zero.includes(text), text);
    const variable = { subscription: { allowVariableAmount: true } };
    const page = await pageOf(await createWith(shop.client, variable, 10_000, hosted), 'en');
    assert.ok(page.includes(en.variableAmount) && !page.includes(en.noMoneyNow));
    const purchase = await pageOf(await createWith(shop.client, {}, 10_000, hosted), 'en');
    assert.ok(!purchase.includes('id="consent"') && purchase.includes('Your card number is never stored.</p>'));
  });

  test('without an interval: that the shop charges as agreed', async () => {
    for (const language of LANGUAGES) {
      const page = await pageOf(await createWith(shop.client, { subscription: {} }, 10_000, hosted), language);
      assert.ok(page.includes(checkoutTexts(language).subscription.noInterval), language);
    }
  });

  describe('another card', () => {
    const en = checkoutTexts('en').subscription;
    const asked = { subscription: { interval: 30, endDate: '2031-06-01' } };
    const pay = async (paymentId: string, amount: number): Promise<void> => {
      const body = aPay(undefined, { amountConfirmedByConsumer: amount, language: 'en' });
      const reply = await new Consumer(service, shop, paymentId).pay(body);
      assert.equal(reply.status, 201, reply.text);
    };
    const begin = async (terms: object = asked): Promise<string> => {
      const paymentId = await createWith(shop.client, terms, 10_000, hosted);
      await pay(paymentId, 10_000);
      return (await shop.client.payment(paymentId)).subscription.id;
    };
    const consentOf = async (id: string): Promise<object> => {
      const { agreedAt: _at, ...consent } = (await shop.client.get(`/v1/subscriptions/${id}`)).body.consent;
      return consent;
    };

    // decision: replacing-the-card-of-a-subscription
    test('for 0: the terms that hold are shown again, and kept', async () => {
      const id = await begin();
      const before_ = await consentOf(id);
      const update = await createWith(shop.client, { subscription: { subscriptionId: id } }, 0, hosted);
      const page = await pageOf(update, 'en');
      const terms = [
        'At most once every 30 days.',
        'The shop states SEK\u{a0}100.00 for each charge.',
        'Until 1 June 2031.',
      ];
      for (const text of [en.replaceHeading, ...terms, en.noMoneyNow, `>${en.saveCard}<`])
        assert.ok(page.includes(text), text);
      assert.ok(!page.includes(en.variableAmount) && !page.includes(en.heading));
      await pay(update, 0);
      assert.deepEqual(await consentOf(id), before_);
      const { body } = await shop.client.get(`/v1/subscriptions/${id}`);
      assert.deepEqual([body.interval, body.endDate], [30, '2031-06-01T00:00:00.000Z']);
      const paid = await pageOf(update, 'en');
      assert.ok(paid.includes(en.saved.title) && !paid.includes('refunded') && !paid.includes('0.00'));
    });

    // decision: replacing-the-card-of-a-subscription
    test('what the request changes is shown and kept as changed, the rest as it was', async () => {
      const id = await begin({ subscription: { ...asked.subscription, allowVariableAmount: true } });
      const update = { subscription: { subscriptionId: id, interval: 7, allowVariableAmount: false } };
      const paymentId = await createWith(shop.client, update, 20_000, hosted);
      const page = await pageOf(paymentId, 'en');
      for (const text of ['every 7 days.', 'SEK\u{a0}200.00 for each charge.', 'Until 1 June 2031.'])
        assert.ok(page.includes(text), text);
      await pay(paymentId, 20_000);
      assert.deepEqual(await consentOf(id), {
        amount: { amount: 20_000, currency: 'SEK' },
        allowVariableAmount: false,
        interval: 7,
        endDate: '2031-06-01T00:00:00.000Z',
        language: 'en',
      });
    });

    test('that the amount can differ holds on', async () => {
      const id = await begin({ subscription: { allowVariableAmount: true } });
      const page = await pageOf(
        await createWith(shop.client, { subscription: { subscriptionId: id } }, 0, hosted),
        'en',
      );
      assert.ok(page.includes(en.variableAmount) && page.includes(en.noInterval));
    });
  });
});
