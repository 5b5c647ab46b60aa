// Goal: GET /v1/paymentmethods is a bare array that says with what a consumer of this merchant can pay.
// Method: a running service with a test and a live merchant; the array is compared as a whole.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DIALECTS, expectErrors, expectNoBody } from '../support/answers.ts';
import { aCreate } from '../support/client.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const PATH = '/v1/paymentmethods';
const CURRENCIES = ['DKK', 'EUR', 'GBP', 'NOK', 'SEK', 'USD'];

const methods = (enabled: boolean) =>
  [
    ['Visa', 'CARD'],
    ['MasterCard', 'CARD'],
    ['EasyInvoice', 'INVOICE'],
    ['Swish', 'A2A', 'SEK'],
    ['Vipps', 'WALLET', 'NOK'],
    ['MobilePay', 'WALLET', 'DKK', 'EUR'],
  ].flatMap(([name, paymentType, ...only]) =>
    (only.length > 0 ? only : CURRENCIES).map((currency) => ({ name, paymentType, currency, enabled })),
  );

describe('payment methods', () => {
  let service: SharedService;
  before(async () => {
    service = shareService();
  });
  after(() => service.close());

  for (const dialect of DIALECTS) {
    // decision: payment-methods
    test(`${dialect}: a test merchant has every method of the simulator, enabled`, async () => {
      const { client } = await service.openShop({ dialect });
      const reply = await client.get(PATH);
      assert.equal(reply.status, 200);
      assert.deepEqual(reply.body, methods(true));
    });

    // decision: test-and-live-merchants, cards-of-live-merchants
    test(`${dialect}: a live merchant cannot use the simulator, so none is enabled`, async () => {
      const { client } = await service.openShop({ dialect, live: true });
      assert.deepEqual((await client.get(PATH)).body, methods(false));
    });
  }

  for (const dialect of DIALECTS)
    // decision: payment-methods
    test(`${dialect}: filtered by currency and by whether they are enabled, in any case of their names`, async () => {
      const { client } = await service.openShop({ dialect });
      const inSek = methods(true).filter(({ currency }) => currency === 'SEK');
      for (const query of ['currency=sek', 'Currency=SEK&MerchantNumber=100', 'Currency=SEK&Enabled=true'])
        assert.deepEqual((await client.get(`${PATH}?${query}`)).body, inSek);
      assert.deepEqual((await client.get(`${PATH}?enabled=False`)).body, []);
      assert.deepEqual((await client.get(`${PATH}?currency=&enabled=`)).body, methods(true));
      expectErrors(await client.get(`${PATH}?currency=ABC`), { currency: [/ISO 4217/] });
      expectErrors(await client.get(`${PATH}?Enabled=maybe`), { enabled: ['must be true or false'] });
    });

  test('a payment can be paid with each method that is enabled, and shows it by that name', async () => {
    const { client } = await service.openShop();
    const bodies = [{ card: '4925000000000004' }, { card: '5413000000000000' }, { paymentType: 'INVOICE' }];
    const apps = [
      ['SEK', 'Swish'],
      ['NOK', 'Vipps'],
      ['EUR', 'MobilePay'],
    ] as const;
    const ways: (readonly [body: object, currency: string, ...names: string[]])[] = [
      ...bodies.map((body) => [body, 'SEK'] as const),
      ...apps.map((app) => [{}, ...app] as const),
    ];
    const shown = await Promise.all(
      ways.map(async ([body, currency, ...names]) => {
        const { order, ...rest } = aCreate();
        const asked = { paymentMethodsConfiguration: names.map((name) => ({ name })) };
        const made = { ...rest, ...asked, order: { ...order, currency } };
        const { paymentId } = await client.must(201, 'POST', '/v1/payments', made);
        await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, body);
        const { paymentMethod, paymentType } = (await client.payment(paymentId)).paymentDetails;
        return `${paymentMethod} ${paymentType}`;
      }),
    );
    const listed = methods(true).map(({ name, paymentType }) => `${name} ${paymentType}`);
    assert.deepEqual(shown, [...new Set(listed)]);
  });

  test('the path in any case, with a trailing slash', async () => {
    const { client } = await service.openShop();
    assert.deepEqual((await client.get('/V1/PaymentMethods/')).body, methods(true));
  });

  test('401 without a body: no key, an unknown key', async () => {
    for (const key of [undefined, `test-secret-key-${'0'.repeat(32)}`])
      expectNoBody(await service.client(key).get(PATH), 401);
  });
});
