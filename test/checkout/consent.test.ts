// Goal: a consumer reads what they agree to before they pay for something that is charged again, in every language.
// Method: the page as it is served, for each kind and language.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SUBSCRIPTION_TEXTS } from '../../src/checkout/languages/subscription-texts.ts';
import { LANGUAGES } from '../../src/checkout/view.ts';
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
      const texts = SUBSCRIPTION_TEXTS[language];
      const [everyBefore, everyAfter] = texts.everyDays.split('{days}') as [string, string];
      assert.ok(page.includes('id="consent"') && page.includes(texts.heading), language);
      assert.ok(page.includes(`${everyBefore}30${everyAfter}`), texts.everyDays);
      assert.ok(page.includes('2031'), texts.until);
      assert.ok(page.includes(texts.canEnd), texts.canEnd);
      assert.ok(!page.includes('value="invoice"'), 'only a card can be charged again');
    });

  test('an unscheduled one, another card for 0, and no word where there is no subscription', async () => {
    const { en } = SUBSCRIPTION_TEXTS;
    const unscheduled = { unscheduledSubscription: { create: true } };
    const zero = await pageOf(await createWith(shop.client, unscheduled, 0, hosted), 'en');
    for (const text of [en.unscheduled, en.variableAmount, en.noMoneyNow]) assert.ok(zero.includes(text), text);
    const variable = { subscription: { allowVariableAmount: true } };
    const page = await pageOf(await createWith(shop.client, variable, 10_000, hosted), 'en');
    assert.ok(page.includes(en.variableAmount) && !page.includes(en.noMoneyNow));
    assert.ok(!(await pageOf(await createWith(shop.client, {}, 10_000, hosted), 'en')).includes('id="consent"'));
  });
});
