// Goal: what a shop says of methods of payment, pictures and the like when it creates a payment or changes its cart is
// taken and used, or refused by name; the checkout's page and its API offer what the shop left on, for what it costs.
// Method: real requests in both dialects, as a shop and as a consumer; the page is read as it is sent.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { partOf } from '../../src/domain/id.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { DIALECTS, expectErrors, summaryIn } from '../support/answers.ts';
import { aPay, aConsumer, anInvoicePay, CARDS, Consumer } from '../support/checkout.ts';
import { aCreate, anItem } from '../support/client.ts';
import { until } from '../support/kassa.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

let service: SharedService;
before(() => {
  service = shareService();
});
after(() => service.close());

const FEE = anItem({
  reference: 'fee',
  name: 'Invoice fee',
  quantity: 1,
  unit: 'pcs',
  unitPrice: 2_000,
  taxAmount: 500,
  grossTotalAmount: 2_500,
  netTotalAmount: 2_000,
});
const NORWEGIAN = aConsumer({
  phoneNumber: { prefix: '+47', number: '40000000' },
  shippingAddress: { addressLine1: 'Gata 1', postalCode: '0150', city: 'Oslo', country: 'GBR' },
});

for (const dialect of DIALECTS)
  describe(`methods of payment in the dialect ${dialect}`, () => {
    let shop: Shop;
    before(async () => {
      shop = await service.openShop({ dialect });
    });

    const create = async (fields: object, amount = 100_000, checkout: object = {}): Promise<string> =>
      (await shop.client.must(201, 'POST', '/v1/payments', { ...aCreate(amount, checkout), ...fields })).paymentId;
    const refused = (fields: object, amount = 100_000) =>
      shop.client.post('/v1/payments', { ...aCreate(amount), ...fields });
    const configured = (...paymentMethodsConfiguration: object[]) => ({ paymentMethodsConfiguration });
    const offeredTo = async (paymentId: string): Promise<string[]> => {
      const { body } = await new Consumer(service, shop, paymentId).state();
      return body.paymentTypes.flatMap(({ methods }: { methods: string[] }) => methods);
    };
    const pageOf = async (paymentId: string): Promise<string> => {
      const query = new URLSearchParams({ checkoutKey: shop.merchant.checkoutKey, pid: paymentId });
      return (await fetch(`${service.url}/hostedpaymentpage/?${query.toString()}`)).text();
    };
    const reserve = (paymentId: string, body: object = {}) =>
      shop.client.post(`/v1/sandbox/payments/${paymentId}/reserve`, body);

    // decision: enabled-methods-of-a-payment
    test('a configuration that is left out, null or empty: every method', async () => {
      for (const fields of [{}, { paymentMethodsConfiguration: null }, configured()])
        assert.deepEqual(await offeredTo(await create(fields)), ['Visa', 'MasterCard', 'EasyInvoice']);
    });

    // decision: enabled-methods-of-a-payment
    test('once one is listed all others are off; names in any case, types, and what nobody has here', async () => {
      const cases: readonly (readonly [object, string[]])[] = [
        [configured({ name: 'visa' }), ['Visa']],
        [configured({ name: 'CARD', enabled: true }), ['Visa', 'MasterCard']],
        [configured({ name: 'Invoice' }, { name: 'Vipps' }), ['EasyInvoice']],
        [configured({ name: 'easy-invoice' }, { name: 'MasterCard' }), ['MasterCard', 'EasyInvoice']],
        [configured({ name: 'Card', enabled: false }, { name: 'EasyInvoice', enabled: null }), ['EasyInvoice']],
      ];
      for (const [fields, expected] of cases) assert.deepEqual(await offeredTo(await create(fields)), expected);
    });

    test('texts and other cases of names are read as everywhere in the dialect nexi, and refused in spec', async () => {
      const PaymentMethodsConfiguration = [
        { Name: 'Visa', Enabled: 'true' },
        { Name: 'EasyInvoice', Enabled: '0' },
      ];
      const spelled = await refused({ PaymentMethodsConfiguration });
      const texts = await refused(configured({ name: 'Visa', enabled: 'false' }, { name: 'MasterCard' }));
      if (dialect === 'spec') {
        assert.deepEqual(await offeredTo(spelled.body.paymentId), ['Visa', 'MasterCard', 'EasyInvoice']);
        expectErrors(texts, { 'paymentMethodsConfiguration[0].enabled': [/^must be true or false/] });
      } else {
        assert.equal(spelled.status, 400, 'a text 0 is no boolean');
        assert.deepEqual(await offeredTo(texts.body.paymentId), ['MasterCard']);
        const taken = await refused({ PaymentMethodsConfiguration: [{ Name: 'Visa', Enabled: 'true' }] });
        assert.deepEqual(await offeredTo(taken.body.paymentId), ['Visa']);
      }
    });

    // decision: enabled-methods-of-a-payment
    test('400: a type beside a method of it, one entry against another, none left, an entry without a name', async () => {
      const at = (index: number): string => `paymentMethodsConfiguration[${index}].name`;
      expectErrors(await refused(configured({ name: 'Visa' }, { name: 'Card' })), {
        [at(1)]: ['a type cannot stand beside a method of it, which Visa is'],
      });
      expectErrors(await refused(configured({ name: 'Wallet' }, { name: 'PayPal' })), { [at(0)]: [/beside a method/] });
      expectErrors(await refused(configured({ name: 'Visa' }, { name: 'VISA', enabled: false })), {
        [at(1)]: [/listed twice/],
      });
      const left =
        'leaves no method to pay with; in SEK there are Visa, MasterCard, EasyInvoice, Swish, by type Card, Invoice, A2A';
      for (const nothing of [[{ name: 'Vipps' }], [{ name: 'Visa', enabled: false }], [{ name: 'Vsia' }]])
        expectErrors(await refused(configured(...nothing)), { [at(0)]: [left] });
      expectErrors(await refused(configured({ enabled: true })), { [at(0)]: ['is required'] });
    });

    // decision: enabled-methods-of-a-payment
    test('the page and its API offer only what is on', async () => {
      const cards = await create(configured({ name: 'Visa' }));
      const page = await pageOf(cards);
      assert.match(page, /value="card" checked/);
      assert.doesNotMatch(page, /value="invoice"|5413 0000/);
      const visa = new Consumer(service, shop, cards);
      expectErrors(await visa.pay(aPay(CARDS.mastercard)), {
        'paymentType.card.cardNumber': ['this payment does not offer MasterCard; it offers Visa'],
      });
      expectErrors(await visa.pay(anInvoicePay(undefined, { consumer: NORWEGIAN })), {
        type: ['this payment offers only Visa'],
      });
      assert.equal((await visa.pay(aPay())).status, 201);
      const invoice = await create(configured({ name: 'EasyInvoice' }));
      const other = await pageOf(invoice);
      assert.match(other, /value="invoice" checked/);
      assert.doesNotMatch(other, /value="card"/);
      expectErrors(await new Consumer(service, shop, invoice).pay(aPay()), { type: [/only EasyInvoice/] });
    });

    // decision: enabled-methods-of-a-payment
    test('a payment of which no method can be used is not open for paying', async () => {
      const checkout = { merchantHandlesConsumerData: true };
      const paymentId = await create(configured({ name: 'EasyInvoice' }), 100_000, checkout);
      assert.equal((await new Consumer(service, shop, paymentId).state()).body.state, 'unavailable');
    });

    // decision: enabled-methods-of-a-payment
    test('the sandbox call reserves by what is on, and refuses what is off', async () => {
      const visa = await create(configured({ name: 'Visa' }));
      expectErrors(await reserve(visa, { card: CARDS.mastercard }), { card: [/does not offer MasterCard/] });
      expectErrors(await reserve(visa, { paymentType: 'INVOICE' }), { paymentType: [/does not offer EasyInvoice/] });
      expectErrors(await reserve(visa, { paymentType: 'A2A' }), { paymentType: [/does not offer Swish/] });
      expectErrors(await reserve(visa, { paymentType: 'WALLET', card: CARDS.approved }), {
        card: ['must be left out when paymentType is WALLET'],
      });
      const swish = await create(configured({ name: 'Swish' }, { name: 'Card' }));
      assert.equal((await reserve(swish, { paymentType: 'A2A' })).status, 201);
      assert.equal((await shop.client.payment(swish)).paymentDetails.paymentType, 'A2A');
      for (const name of ['Visa', 'MasterCard', 'EasyInvoice', 'Swish']) {
        const paymentId = await create(configured({ name }));
        assert.equal((await reserve(paymentId)).status, 201);
        assert.equal((await shop.client.payment(paymentId)).paymentDetails.paymentMethod, name);
      }
    });

    // decision: invoice-fees
    test('a fee is an item and amount of the order once an invoice is reserved, and not by card', async () => {
      const { client } = shop;
      const ours = new Set<string | undefined>();
      for (const name of ['easy-invoice', 'easyinvoice', 'EasyInvoice']) {
        const paymentMethods = [{ name, fee: FEE }];
        const byCard = await create({ paymentMethods });
        await client.must(201, 'POST', `/v1/sandbox/payments/${byCard}/reserve`);
        assert.deepEqual((await client.payment(byCard)).summary, summaryIn(dialect, { reserved: 100_000 }));
        const paymentId = await create({ paymentMethods }, 100_000, { charge: true });
        ours.add(byCard).add(paymentId);
        assert.equal((await client.payment(paymentId)).orderDetails.amount, 100_000);
        await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, { paymentType: 'INVOICE' });
        const { summary, orderDetails, charges } = await client.payment(paymentId);
        assert.deepEqual(summary, summaryIn(dialect, { reserved: 102_500, charged: 102_500 }));
        assert.equal(orderDetails.amount, 102_500);
        assert.deepEqual(charges[0].orderItems, [anItem(), FEE]);
      }
      const { differences } = await verifyBooks(service.pool);
      assert.deepEqual(
        differences.filter(({ paymentId }) => ours.has(paymentId)),
        [],
      );
    });

    // decision: invoice-fees
    test('the consumer sees and confirms the fee; without it the total is another one', async () => {
      const paymentId = await create({ paymentMethods: [{ name: 'easyinvoice', fee: FEE }] });
      const page = await pageOf(paymentId);
      assert.match(page, /data-invoice-amount="102500"/);
      assert.match(page, /data-fee="with">\s*<span class="item-name">Invoice fee</);
      assert.match(page, /data-fee="without">[^<]*1,000\.00[^<]*<\/span><span data-fee="with">[^<]*1,025\.00/);
      const consumer = new Consumer(service, shop, paymentId);
      const { body } = await consumer.state();
      assert.deepEqual(
        body.paymentTypes.map(({ type, amount }: { type: string; amount: number }) => [type, amount]),
        [
          ['card', 100_000],
          ['invoice', 102_500],
        ],
      );
      const wrong = await consumer.pay(anInvoicePay(undefined, { consumer: NORWEGIAN }));
      assert.deepEqual([wrong.status, wrong.body.reason], [409, 'amount_changed']);
      const asCard = await consumer.pay(aPay(undefined, { amountConfirmedByConsumer: 102_500 }));
      assert.deepEqual([asCard.status, asCard.body.reason], [409, 'amount_changed']);
      const paid = await consumer.pay(
        anInvoicePay(undefined, { consumer: NORWEGIAN, amountConfirmedByConsumer: 102_500 }),
      );
      assert.equal(paid.status, 201, paid.text);
      assert.equal((await shop.client.payment(paymentId)).summary.reservedAmount, 102_500);
      const then = (await consumer.state()).body;
      assert.deepEqual([then.amount, then.paymentTypes], [102_500, []], 'the fee is not added once more');
    });

    // decision: invoice-fees
    test('an invoice that is declined leaves the order without the fee', async () => {
      const paymentId = await create({ paymentMethods: [{ name: 'easyinvoice', fee: FEE }] });
      const declined = await new Consumer(service, shop, paymentId).pay(
        anInvoicePay('440424-1111', { amountConfirmedByConsumer: 102_500 }),
      );
      assert.equal(declined.status, 402, declined.text);
      assert.equal((await shop.client.payment(paymentId)).orderDetails.amount, 100_000);
      assert.equal((await reserve(paymentId, { paymentType: 'INVOICE' })).status, 201);
      assert.equal((await shop.client.payment(paymentId)).orderDetails.amount, 102_500);
    });

    // decision: invoice-fees
    test('the cart: fees that are left out stay, [] removes them, others replace them', async () => {
      const { client } = shop;
      const paymentId = await create({ paymentMethods: [{ name: 'easyinvoice', fee: FEE }] });
      const cart = (fields: object) =>
        client.put(`/v1/payments/${paymentId}/orderitems`, { items: [anItem({ grossTotalAmount: 1_000 })], ...fields });
      const invoiceAmount = async (): Promise<number> =>
        (await new Consumer(service, shop, paymentId).state()).body.paymentTypes[1].amount;
      assert.equal((await cart({})).status, 204);
      assert.equal(await invoiceAmount(), 3_500);
      assert.equal((await cart({ paymentMethods: [] })).status, 204);
      assert.equal(await invoiceAmount(), 1_000);
      const fee = { ...FEE, grossTotalAmount: 100 };
      assert.equal((await cart({ paymentMethods: [{ name: 'Easy-Invoice', fee }] })).status, 204);
      assert.equal(await invoiceAmount(), 1_100);
      assert.equal((await cart({ paymentMethods: null })).status, 204);
      assert.equal(await invoiceAmount(), 1_100);
      expectErrors(await cart(configured({ name: 'Visa' })), {
        paymentMethodsConfiguration: ['can be given only when the payment is created'],
      });
    });

    // decision: invoice-fees
    test('400 by name: a fee of a card, of no method, of nobody, twice, or out of range', async () => {
      const fees = (...paymentMethods: object[]) => refused({ paymentMethods });
      const at = (index: number): string => `paymentMethods[${index}].name`;
      expectErrors(await fees({ name: 'Visa', fee: FEE }), { [at(0)]: ['only easy-invoice can have a fee'] });
      expectErrors(await fees({ name: 'easyinvioce', fee: FEE }), { [at(0)]: [/^is no method of payment; there are/] });
      // A type of methods is none: a fee that nobody would ever pay must not be taken.
      for (const name of ['invoice', 'Card'])
        expectErrors(await fees({ name, fee: FEE }), { [at(0)]: [/^is no method of payment; there are/] });
      expectErrors(await fees({ fee: FEE }), { [at(0)]: ['is required'] });
      expectErrors(await fees({ name: 'easyinvoice', fee: FEE }, { name: 'EASY-INVOICE', fee: FEE }), {
        [at(1)]: ['has a fee already'],
      });
      const free = { ...FEE, grossTotalAmount: -100_000 };
      expectErrors(await fees({ name: 'easyinvoice', fee: free }), {
        paymentMethods: ['the fee of EasyInvoice makes the amount 0; it must be from 1 to 1000000000000'],
      });
      const { client } = shop;
      const paymentId = await create({
        paymentMethods: [{ name: 'easyinvoice', fee: { ...free, grossTotalAmount: -5 } }],
      });
      const small = { items: [anItem({ grossTotalAmount: 5 })] };
      expectErrors(await client.put(`/v1/payments/${paymentId}/orderitems`, small), { paymentMethods: [/amount 0/] });
      await create({ paymentMethods: [{ name: 'swish', fee: FEE }, { name: 'easyinvoice' }, {}] });
    });

    // decision: pictures-of-items
    test('imageUrl of an item is kept for the checkout, and is in no event and in no charge that names items', async () => {
      const { client } = shop;
      const imageUrl = 'https://shop.example/sneakers.webp';
      const { order, ...rest } = aCreate();
      const items = [anItem({ imageUrl })];
      const { paymentId } = await client.must(201, 'POST', '/v1/payments', { ...rest, order: { ...order, items } });
      assert.deepEqual(await itemsOf(paymentId), [anItem({ imageUrl })]);
      await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
      await client.must(201, 'POST', `/v1/payments/${paymentId}/charges`, { amount: 100_000, orderItems: items });
      let told = '';
      await until('the events', async () => {
        told = (await client.get(`/v1/events?paymentId=${paymentId}&limit=100`)).text;
        return told.includes('payment.charge.created.v2');
      });
      assert.doesNotMatch(told, /imageUrl/);
      assert.deepEqual((await client.payment(paymentId)).charges[0].orderItems, [anItem()]);
      const whole = await client.must(201, 'POST', '/v1/payments', { ...rest, order: { ...order, items } });
      await client.must(201, 'POST', `/v1/sandbox/payments/${whole.paymentId}/reserve`);
      await client.charge(whole.paymentId, 100_000);
      const [charge] = (await client.payment(whole.paymentId)).charges;
      const shown = [dialect === 'nexi' ? anItem({ imageUrl }) : anItem()];
      assert.deepEqual(charge.orderItems, shown);
      assert.deepEqual((await client.must(200, 'GET', `/v1/charges/${charge.chargeId}`)).orderItems, shown);
      for (const none of ['', 'no picture', null]) {
        const other = { ...order, items: [anItem({ imageUrl: none })] };
        const made = await client.must(201, 'POST', '/v1/payments', { ...rest, order: other });
        assert.deepEqual(await itemsOf(made.paymentId), [anItem()]);
      }
      const long = { ...order, items: [anItem({ imageUrl: 'h'.repeat(2_049) })] };
      expectErrors(await client.post('/v1/payments', { ...rest, order: long }), {
        'order.items[0].imageUrl': [/at most 2048 characters/],
      });
    });

    // decision: fields-without-effect
    test('merchantNumber, countryCode, enableBillingAddress and additional data are taken and bounded', async () => {
      const checkout = { countryCode: 'fi', shipping: { enableBillingAddress: true } };
      const payPal = { orderReference: 'r'.repeat(127) };
      const additionalPaymentMethodData = { riverty: { any: ['thing'] }, payPal };
      const paymentId = await create({ merchantNumber: 123_456, additionalPaymentMethodData }, 100_000, checkout);
      assert.match(await pageOf(paymentId), /<option value="FIN" selected/);
      await create({ merchantNumber: '', additionalPaymentMethodData: null }, 100_000, { countryCode: '' });
      const bad = {
        ...aCreate(100_000, { countryCode: 'XX', shipping: { enableBillingAddress: true } }),
        additionalPaymentMethodData: {},
      };
      expectErrors(await shop.client.post('/v1/payments', bad), { 'checkout.countryCode': [/ISO 3166/] });
      expectErrors(await refused({ merchantNumber: 'n'.repeat(65) }), { merchantNumber: [/at most 64 characters/] });
      expectErrors(await refused({ additionalPaymentMethodData: { payPal: { orderReference: 'r'.repeat(128) } } }), {
        'additionalPaymentMethodData.payPal.orderReference': [/at most 127 characters/],
      });
      expectErrors(await refused({ additionalPaymentMethodData: { riverty: { a: 'x'.repeat(9_000) } } }), {
        additionalPaymentMethodData: [/^must have at most 8192 characters as JSON, found /],
      });
    });
  });

async function itemsOf(paymentId: string): Promise<unknown> {
  const [row] = await service.pool.query<{ items: unknown }>('select items from payments where part = $1 and id = $2', [
    partOf(paymentId),
    paymentId,
  ]);
  return row?.items;
}
