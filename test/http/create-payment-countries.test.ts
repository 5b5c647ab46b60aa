// Goal: countries come in by two or three letters and go out by three; ShippingCountries is taken in both spellings,
// but not in both at once.
// Method: a running service. The countries of a consumer are read back over HTTP; those a shop ships to are not part
// of any answer, so they are looked up in the row.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { expectErrors } from '../support/answers.ts';
import { aCreate } from '../support/client.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

const codes = (...list: string[]) => list.map((countryCode) => ({ countryCode }));

describe('countries of a payment', () => {
  let service: SharedService;
  let shop: Shop;
  before(async () => {
    service = shareService();
    shop = await service.openShop();
  });
  after(() => service.close());

  const create = (checkout: object) => shop.client.post('/v1/payments', aCreate(100_000, checkout));

  async function shippingCountriesOf(paymentId: string): Promise<unknown> {
    const rows = await service.pool.query<{ checkout: { shippingCountries?: string[] } }>(
      'select checkout from payments where id = $1',
      [paymentId],
    );
    return rows[0]?.checkout.shippingCountries;
  }

  for (const [spelling, checkout] of [
    ['ShippingCountries', { ShippingCountries: codes('SE', 'NOR', 'dk', 'fin') }],
    ['shippingCountries', { shippingCountries: codes('SE', 'NOR', 'dk', 'fin') }],
    ['shipping.countries', { shipping: { countries: codes('SE', 'NOR', 'dk', 'fin') } }],
    ['ShippingCountries beside a null', { ShippingCountries: codes('SE', 'NOR', 'DK', 'FI'), shippingCountries: null }],
  ] as const) {
    // decision: shipping-countries
    test(`countries to ship to are taken as ${spelling}, and kept by three letters`, async () => {
      const reply = await create(checkout);
      assert.equal(reply.status, 201, reply.text);
      assert.deepEqual(await shippingCountriesOf(reply.body.paymentId), ['SWE', 'NOR', 'DNK', 'FIN']);
    });
  }

  // decision: shipping-countries
  test('400: ShippingCountries and shippingCountries at once, even when they agree', async () => {
    for (const [spelled, alias] of [
      [codes('SWE'), codes('SWE')],
      [codes('SWE'), []],
    ]) {
      const reply = await create({ ShippingCountries: spelled, shippingCountries: alias });
      const text = 'must be given once, as ShippingCountries or as shippingCountries';
      expectErrors(reply, { 'checkout.ShippingCountries': [text] });
    }
  });

  for (const code of ['XX', 'ZZZ', 'SWED', 'S', '', '752'])
    // decision: countries
    test(`400: ${JSON.stringify(code)} is no country, in any spelling of the field`, async () => {
      for (const name of ['ShippingCountries', 'shippingCountries']) {
        const reply = await create({ [name]: codes('SE', code) });
        expectErrors(reply, { [`checkout.${name}[1].countryCode`]: [/^must be an ISO 3166 country code such as SWE/] });
      }
      const reply = await create({ consumer: { shippingAddress: { country: code } } });
      const field = 'checkout.consumer.shippingAddress.country';
      expectErrors(reply, { [field]: [/^must be an ISO 3166 country code such as SWE or SE, found /] });
    });

  test('400: a country to ship to without its code', async () => {
    const reply = await create({ ShippingCountries: [{}] });
    expectErrors(reply, { 'checkout.ShippingCountries[0].countryCode': ['is required'] });
  });

  // decision: countries
  test('countries of addresses: two or three letters in any case in, three letters out', async () => {
    for (const [given, shown] of [
      ['SE', 'SWE'],
      ['SWE', 'SWE'],
      ['no', 'NOR'],
      ['Dnk', 'DNK'],
      ['GB', 'GBR'],
    ]) {
      const address = { city: 'Stad', country: given };
      const paymentId = await shop.client.create(100_000, {
        consumer: { shippingAddress: address, billingAddress: address },
      });
      const { consumer } = await shop.client.payment(paymentId);
      assert.deepEqual(consumer.shippingAddress, { city: 'Stad', country: shown });
      assert.deepEqual(consumer.billingAddress, { city: 'Stad', country: shown });
    }
  });
});
