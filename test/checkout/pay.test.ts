// Goal: a script pays as the page does, every outcome has its own answer, and no consumer pays twice. Method: the
// page's API of a real service, and the merchant's API to see what came of it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { aCard, aConsumer, anInvoicePay, aPay, CARDS, Consumer } from '../support/checkout.ts';
import { anItem } from '../support/client.ts';
import { until } from '../support/kassa.ts';
import { exchange, requestText } from '../support/raw.ts';
import { shareService, startService } from '../support/service.ts';
import type { Service, SharedService, Shop } from '../support/service.ts';

describe('paying', () => {
  let service: SharedService;
  let shop: Shop;
  before(async () => {
    service = shareService();
    shop = await service.openShop();
  });
  after(() => service.close());

  const newConsumer = async (checkout: object = {}, amount = 100_000) => {
    const paymentId = await shop.client.create(amount, checkout);
    return { paymentId, consumer: new Consumer(service, shop, paymentId) };
  };

  // decision: answers-of-the-checkout-api
  test('a card: 201, reserved, with consumer, card and method in the payment', async () => {
    const { paymentId, consumer } = await newConsumer();
    const reply = await consumer.pay();
    assert.equal(reply.status, 201, reply.text);
    assert.deepEqual(reply.body, { paymentId });
    const payment = await shop.client.payment(paymentId);
    assert.equal(payment.summary.reservedAmount, 100_000);
    assert.equal(payment.paymentDetails.paymentMethod, 'Visa');
    assert.deepEqual(payment.paymentDetails.cardDetails, { maskedPan: '492500******0004', expiryDate: '1230' });
    assert.equal(payment.consumer.privatePerson.firstName, 'Ada');
    assert.deepEqual(payment.consumer.privatePerson.phoneNumber, { prefix: '+46', number: '701234567' });
    assert.equal(payment.consumer.shippingAddress.postalCode, '11122');
    assert.deepEqual(payment.consumer.billingAddress, payment.consumer.shippingAddress);
    assert.equal((await consumer.state()).body.state, 'paid');
  });

  // decision: answers-of-the-checkout-api, paying-without-a-consumer
  test('the body that an existing command-line client sends, without a consumer', async () => {
    const { paymentId, consumer } = await newConsumer();
    const body = {
      type: 'card',
      paymentType: { card: aCard(CARDS.challenge, { expiryMonth: 12, expiryYear: 2030 }) },
      amountConfirmedByConsumer: 100_000,
      acceptedTermsAndConditions: true,
    };
    const { status, body: answer } = await consumer.pay(body);
    assert.equal(status, 202);
    assert.match(answer.redirectUrl.split('/')[4], /^[0-9a-f]{64}$/);
    const finished = await consumer.answerChallenge(answer.redirectUrl);
    assert.equal(finished.status, 201, finished.text);
    assert.equal((await shop.client.payment(paymentId)).summary.reservedAmount, 100_000);
  });

  for (const [name, card] of Object.entries({ declined: CARDS.declined, 'no funds': CARDS.noFunds }))
    // decision: text-of-a-decline
    test(`${name}: 402 without the reason, and another try is welcome`, async () => {
      const { paymentId, consumer } = await newConsumer();
      const reply = await consumer.pay(aPay(card));
      assert.equal(reply.status, 402);
      assert.equal(reply.body.reason, 'declined');
      assert.doesNotMatch(reply.text, /funds|issuer/);
      assert.deepEqual(
        { state: (await consumer.state()).body.state, lastTry: (await consumer.state()).body.lastTry },
        { state: 'open', lastTry: 'declined' },
      );
      assert.equal((await shop.client.payment(paymentId)).summary.reservedAmount, 0);
      assert.equal((await consumer.pay()).status, 201);
    });

  test('charge: true charges at once; a decline of that charge leaves the reservation', async () => {
    const { paymentId, consumer } = await newConsumer({ charge: true });
    assert.equal((await consumer.pay()).status, 201);
    assert.equal((await shop.client.payment(paymentId)).summary.chargedAmount, 100_000);
    const other = await newConsumer({ charge: true });
    assert.equal((await other.consumer.pay(aPay(CARDS.chargeDeclined))).status, 201);
    const { summary } = await shop.client.payment(other.paymentId);
    assert.deepEqual([summary.reservedAmount, summary.chargedAmount], [100_000, 0]);
  });

  // decision: pressing-pay-twice
  test('twenty presses at once: one reservation, the others hear that it is paid', async () => {
    const { paymentId, consumer } = await newConsumer({ charge: true });
    const replies = await Promise.all(Array.from({ length: 20 }, () => consumer.pay()));
    assert.equal(replies.filter(({ status }) => status === 201).length, 1);
    assert.equal(replies.filter(({ body }) => body.reason === 'already_paid').length, 19);
    assert.equal((await shop.client.payment(paymentId)).summary.chargedAmount, 100_000);
  });

  // decision: the-confirmed-amount
  test('a total that changed is not paid: 409, and nothing happens', async () => {
    const { paymentId, consumer } = await newConsumer();
    const items = [anItem({ grossTotalAmount: 70_000 })];
    await shop.client.must(204, 'PUT', `/v1/payments/${paymentId}/orderitems`, { amount: 70_000, items });
    const reply = await consumer.pay();
    assert.deepEqual([reply.status, reply.body.reason], [409, 'amount_changed']);
    assert.equal((await consumer.pay(aPay(undefined, { amountConfirmedByConsumer: 70_000 }))).status, 201);
  });

  // decision: shipping-cost-by-the-shop
  test('a shop that adds the cost of shipping is waited for, on its own page', async () => {
    const shipping = { merchantHandlesShippingCost: true };
    const { paymentId, consumer } = await newConsumer({ shipping });
    const reply = await consumer.pay();
    assert.deepEqual([reply.status, reply.body.reason], [409, 'shipping_cost_missing']);
    assert.equal((await consumer.state()).body.shippingCostMissing, true);
    const cart = { items: [anItem({ grossTotalAmount: 105_000 })], shipping: { costSpecified: true } };
    await shop.client.must(204, 'PUT', `/v1/payments/${paymentId}/orderitems`, cart);
    assert.equal((await consumer.state()).body.shippingCostMissing, false);
    assert.equal((await consumer.pay(aPay(undefined, { amountConfirmedByConsumer: 105_000 }))).status, 201);
    const hosted = await newConsumer({
      shipping,
      integrationType: 'HostedPaymentPage',
      returnUrl: 'https://shop.example',
    });
    assert.equal((await hosted.consumer.pay()).status, 201);
  });

  // decision: answers-of-the-checkout-api
  test('a terminated payment is 410', async () => {
    const { paymentId, consumer } = await newConsumer();
    await shop.client.must(204, 'PUT', `/v1/payments/${paymentId}/terminate`);
    const reply = await consumer.pay();
    assert.deepEqual([reply.status, reply.body.reason], [410, 'terminated']);
    assert.equal((await consumer.state()).body.state, 'terminated');
  });

  // decision: failed-payments-in-a-row
  test('after ten declines a payment takes no more tries for a while', async () => {
    const { consumer } = await newConsumer();
    for (let tries = 0; tries < 10; tries += 1) assert.equal((await consumer.pay(aPay(CARDS.declined))).status, 402);
    const reply = await consumer.pay();
    assert.deepEqual([reply.status, reply.body.reason], [429, 'too_many_attempts']);
    assert.ok(Number(reply.headers.get('retry-after')) > 0);
  });

  // decision: access-to-an-invoice
  test('an invoice: approved, charged, with a number, OCR, due date and a link to its PDF', async () => {
    const { paymentId, consumer } = await newConsumer();
    assert.equal((await consumer.pay(anInvoicePay('19121212-1212'))).status, 201);
    await shop.client.charge(paymentId, 100_000);
    const { paymentDetails } = await shop.client.payment(paymentId);
    assert.equal(paymentDetails.paymentType, 'INVOICE');
    const { invoiceNumber, ocr, dueDate, pdfLink } = paymentDetails.invoiceDetails;
    assert.ok(ocr.startsWith(invoiceNumber) && dueDate.endsWith('T00:00:00.000Z'));
    const pdf = await fetch(pdfLink.replace('localhost', '127.0.0.1'));
    assert.equal(pdf.headers.get('content-type'), 'application/pdf');
    assert.equal(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString(),
      '%PDF-',
    );
    const guessed = pdfLink
      .replace('localhost', '127.0.0.1')
      .replace(/.$/, (digit: string) => (digit === '0' ? '1' : '0'));
    assert.equal((await fetch(guessed)).status, 404);
  });

  // decision: national-identity-numbers
  test('an invoice is refused for the person who is not approved, and asks for the number where there is one', async () => {
    for (const number of ['440424-1111', '4404241111', '19440424-1111', '４４０４２４-１１１１']) {
      const { consumer } = await newConsumer();
      const reply = await consumer.pay(anInvoicePay(number));
      assert.deepEqual([reply.status, reply.body.reason], [402, 'declined']);
    }
    const { consumer } = await newConsumer();
    const missing = await consumer.pay(anInvoicePay());
    assert.deepEqual(Object.keys(missing.body.errors), ['paymentType.invoice.nationalNumber']);
    const shippingAddress = { addressLine1: 'Weg 1', postalCode: '10115', city: 'Berlin', country: 'DE' };
    const german = anInvoicePay(undefined, { consumer: aConsumer({ shippingAddress }) });
    assert.equal((await consumer.pay(german)).status, 201);
  });

  // decision: paying-without-a-consumer, other-card-numbers-in-the-sandbox
  describe('bad input names its field', () => {
    const bad: readonly [string, object, string][] = [
      ['no card number', { paymentType: { card: aCard('') } }, 'paymentType.card.cardNumber'],
      ['a wrong digit', { paymentType: { card: aCard('4925000000000005') } }, 'paymentType.card.cardNumber'],
      [
        'no such month',
        { paymentType: { card: aCard(undefined, { expiryMonth: '13' }) } },
        'paymentType.card.expiryMonth',
      ],
      [
        'a card of the past',
        { paymentType: { card: aCard(undefined, { expiryYear: '20' }) } },
        'paymentType.card.expiryYear',
      ],
      [
        'a short CVC',
        { paymentType: { card: aCard(undefined, { cardVerificationCode: '1' }) } },
        'paymentType.card.cardVerificationCode',
      ],
      ['no amount', { amountConfirmedByConsumer: undefined }, 'amountConfirmedByConsumer'],
      ['terms not accepted', { acceptedTermsAndConditions: false }, 'acceptedTermsAndConditions'],
      ['no e-mail address', { consumer: aConsumer({ email: 'ada' }) }, 'consumer.email'],
      [
        'a card number in the place of a name',
        { consumer: aConsumer({ privatePerson: { firstName: '4925 0000 0000 0004', lastName: 'Ö' } }) },
        'consumer.privatePerson.firstName',
      ],
      [
        'a card of the year 2999',
        { paymentType: { card: aCard(undefined, { expiryYear: '2999' }) } },
        'paymentType.card.expiryMonth',
      ],
      ['no name', { consumer: aConsumer({ privatePerson: { lastName: 'Ö' } }) }, 'consumer.privatePerson.firstName'],
      [
        'a post code of nowhere',
        { consumer: aConsumer({ shippingAddress: { addressLine1: 'A', postalCode: '1', city: 'B', country: 'SE' } }) },
        'consumer.shippingAddress.postalCode',
      ],
    ];
    for (const [name, changes, field] of bad)
      test(name, async () => {
        const { paymentId, consumer } = await newConsumer();
        const reply = await consumer.pay(aPay(undefined, changes));
        assert.equal(reply.status, 400, reply.text);
        assert.deepEqual(Object.keys(reply.body.errors), [field]);
        assert.equal((await shop.client.payment(paymentId)).summary.reservedAmount, 0);
      });

    test('an invoice for nobody', async () => {
      const { consumer } = await newConsumer();
      const reply = await consumer.pay(anInvoicePay('19121212-1212', { consumer: undefined }));
      assert.deepEqual(Object.keys(reply.body.errors), ['consumer']);
    });

    test('an organisation number that its country would not know', async () => {
      const { consumer } = await newConsumer({ consumerType: { supportedTypes: ['B2B'] } });
      const company = { name: 'AB', organisationNumber: '12', contact: { firstName: 'A', lastName: 'B' } };
      const reply = await consumer.pay(aPay(undefined, { consumer: aConsumer({ privatePerson: undefined, company }) }));
      assert.deepEqual(Object.keys(reply.body.errors), ['consumer.company.organisationNumber']);
    });

    test('a country that the shop does not ship to', async () => {
      const { consumer } = await newConsumer({ ShippingCountries: [{ countryCode: 'NOR' }] });
      const reply = await consumer.pay();
      assert.deepEqual(Object.keys(reply.body.errors), ['consumer.shippingAddress.country']);
    });

    test('a company where the shop sells to persons, and the other way round', async () => {
      const company = { name: 'Bolaget AB', contact: { firstName: 'Ada', lastName: 'Ö' } };
      const asCompany = aPay(undefined, { consumer: aConsumer({ privatePerson: undefined, company }) });
      const persons = await newConsumer({ consumerType: { supportedTypes: ['B2C'] } });
      assert.deepEqual(Object.keys((await persons.consumer.pay(asCompany)).body.errors), ['consumer.company']);
      const companies = await newConsumer({ consumerType: { supportedTypes: ['B2B'] } });
      assert.deepEqual(Object.keys((await companies.consumer.pay()).body.errors), ['consumer.company']);
      assert.equal((await companies.consumer.pay(asCompany)).status, 201);
      assert.equal((await shop.client.payment(companies.paymentId)).consumer.company.name, 'Bolaget AB');
    });
  });

  // decision: other-card-numbers-in-the-sandbox
  test('a real card in the sandbox is refused with a sentence that says so', async () => {
    const { consumer } = await newConsumer();
    const reply = await consumer.pay(aPay('4111 1111 1111 1111'));
    assert.equal(reply.status, 400);
    assert.equal(reply.body.reason, 'not_a_test_card');
    assert.match(reply.body.errors['paymentType.card.cardNumber'][0], /published test cards: this is a sandbox/);
  });

  test('the shop that handles the consumer has the last word on them', async () => {
    const known = { email: 'shop@example.test', privatePerson: { firstName: 'Kari', lastName: 'Nordmann' } };
    const { paymentId, consumer } = await newConsumer({ merchantHandlesConsumerData: true, consumer: known });
    assert.equal((await consumer.pay()).status, 201);
    assert.equal((await shop.client.payment(paymentId)).consumer.privatePerson.email, 'shop@example.test');
  });

  // decision: sizes-and-times-of-requests
  test('a body has at most 16 KiB, and the answer of a bank 1 KiB: more is 413, and nothing happens', async () => {
    const { paymentId, consumer } = await newConsumer();
    const padded = (bytes: number): string => {
      const empty = JSON.stringify(aPay(undefined, { padding: '' }));
      return empty.replace('"padding":""', `"padding":"${'a'.repeat(bytes - Buffer.byteLength(empty))}"`);
    };
    const large = await consumer.pay(padded(16_385));
    assert.deepEqual([large.status, large.body.message], [413, 'The body is larger than 16 KiB.']);
    const session = 'a'.repeat(1_100);
    const pares = await service
      .client()
      .post('/api/v1/callback/pares', { SessionId: session, AuthenticationStatus: 'Y' });
    assert.deepEqual([pares.status, pares.body.message], [413, 'The body is larger than 1 KiB.']);
    assert.equal((await shop.client.payment(paymentId)).summary.reservedAmount, 0);
    assert.equal((await consumer.pay(padded(16_384))).status, 201);
  });

  // decision: two-host-headers
  test('a page that is asked for with two hosts is 400', async () => {
    const { paymentId } = await newConsumer();
    const path = `/hostedpaymentpage/?checkoutKey=${shop.merchant.checkoutKey}&pid=${paymentId}`;
    const [reply] = await exchange(
      service.url,
      requestText(`GET ${path}`, { Host: ['kassa.example', 'evil.example'] }),
    );
    assert.equal(reply?.status, 400);
  });

  // decision: access-to-the-checkout-page
  test('an unknown key is 401, another shop’s payment 404, a live shop 403 before the body is read', async () => {
    const { paymentId, consumer } = await newConsumer();
    assert.equal((await consumer.pay(aPay(), { checkoutKey: 'test-checkout-key-0' })).status, 401);
    const other = await service.openShop();
    assert.equal((await consumer.pay(aPay(), { checkoutKey: other.merchant.checkoutKey })).status, 404);
    assert.equal((await consumer.pay(aPay(), { paymentId: 'x' })).status, 404);
    const live = await service.openShop({ live: true });
    const livePayment = await live.client.create();
    const reply = await new Consumer(service, live, livePayment).pay('{not json');
    assert.deepEqual([reply.status, reply.body.reason], [403, 'not_available']);
    assert.equal((await shop.client.payment(paymentId)).summary.reservedAmount, 0);
  });
});

// decision: failed-payments-in-a-row
test('a proxy that is not named has twenty times as many, and is told of once; what asks itself is counted', async () => {
  const env = { KASSA_ADDRESS_ATTEMPTS: '3', KASSA_PAYMENT_ATTEMPTS: '5' };
  const behind = (headers: Record<string, string>) => async (service: Service, shop: Shop) =>
    new Consumer(service, shop, await shop.client.create()).pay(aPay(CARDS.declined), headers);
  const by = (chain: string) => behind({ 'x-forwarded-for': chain });
  const unnamed = await startService({ env });
  try {
    const shop = await unnamed.openShop();
    for (let tries = 0; tries < 8; tries += 1) assert.equal((await by('203.0.113.7')(unnamed, shop)).status, 402);
    const warnings = () =>
      unnamed
        .log()
        .split('\n')
        .filter((line) => line.includes('KASSA_TRUSTED_PROXIES: failed tries'));
    await until('the warning', () => warnings().length > 0);
    assert.equal(warnings().length, 1);
    assert.equal((JSON.parse(warnings()[0] ?? '') as { proxy: string }).proxy, '127.0.0.1');
    const consumer = new Consumer(unnamed, shop, await shop.client.create());
    const proxied = { 'x-forwarded-for': '203.0.113.7' };
    for (let tries = 0; tries < 5; tries += 1)
      assert.equal((await consumer.pay(aPay(CARDS.declined), proxied)).status, 402);
    assert.equal((await consumer.pay(aPay(CARDS.declined), proxied)).status, 429, 'the limit of a payment holds');
    for (const status of [402, 402, 402, 429]) assert.equal((await behind({})(unnamed, shop)).status, status);
    // Thirteen failed before.
    const more = await Promise.all(Array.from({ length: 60 }, () => by('203.0.113.9')(unnamed, shop)));
    const statuses = more.map(({ status }) => status);
    assert.deepEqual(
      [402, 429].map((each) => statuses.filter((status) => status === each).length),
      [47, 13],
    );
  } finally {
    await unnamed.stop();
  }
});

// decision: text-of-a-decline
test('what the consumer can mend is told to the first few tries of a payment and of an address, then no more', async () => {
  const service = await startService({ env: { KASSA_ADDRESS_ATTEMPTS: '60' } });
  try {
    const shop = await service.openShop();
    const consumerOf = async () => new Consumer(service, shop, await shop.client.create());
    const first = await consumerOf();
    const hints: unknown[] = [];
    for (const card of [CARDS.wrongCvc, CARDS.expired, CARDS.wrongCvc, CARDS.wrongCvc])
      hints.push((await first.pay(aPay(card))).body.hint);
    assert.deepEqual(hints, ['cvc', 'expiry', 'cvc', undefined]);
    assert.equal((await first.state()).body.lastTry, 'declined', 'whoever has only the link is told no reason');
    assert.equal((await (await consumerOf()).pay(aPay(CARDS.wrongCvc))).body.hint, 'cvc');
    const sixth = await (await consumerOf()).pay(aPay(CARDS.wrongCvc));
    assert.deepEqual([sixth.status, sixth.body.hint], [402, undefined], 'of another payment, too');
    assert.doesNotMatch(sixth.text, /cvc/i);
    const another = await service.openShop();
    const proxied = new Consumer(service, another, await another.client.create());
    const nobodys = await proxied.pay(aPay(CARDS.wrongCvc), { 'x-forwarded-for': '203.0.113.7' });
    assert.deepEqual([nobodys.status, nobodys.body.hint], [402, undefined], 'through a proxy that is not named');
  } finally {
    await service.stop();
  }
});

describe('of many tries of one address', () => {
  // Whoever asks comes from the address that the test says.
  let service: Service;
  let shop: Shop;
  before(async () => {
    service = await startService({
      env: { KASSA_ADDRESS_ATTEMPTS: '5', KASSA_PAYMENT_ATTEMPTS: 'off', KASSA_TRUSTED_PROXIES: '127.0.0.1' },
    });
    shop = await service.openShop();
  });
  after(() => service.stop());
  const payAt = async (chain: string, card?: string) =>
    new Consumer(service, shop, await shop.client.create()).pay(aPay(card), { 'x-forwarded-for': chain });

  // decision: failed-payments-in-a-row
  test('that fail at once, no more than may are let through', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => payAt('198.51.100.1', CARDS.declined)));
    assert.equal(replies.filter(({ status }) => status === 402).length, 5);
    assert.equal(replies.filter(({ status }) => status === 429).length, 15);
  });

  // decision: failed-payments-in-a-row
  test('those that fail are counted, whichever payment they are of, and a real card with them', async () => {
    for (const card of [CARDS.declined, CARDS.noFunds, CARDS.declined])
      assert.equal((await payAt('198.51.100.2', card)).status, 402);
    assert.equal((await payAt('198.51.100.2', '4111111111111111')).status, 400);
    assert.equal((await payAt('198.51.100.2', CARDS.declined)).status, 402);
    const reply = await payAt('198.51.100.2');
    assert.deepEqual([reply.status, reply.body.reason], [429, 'too_many_attempts']);
    assert.ok(Number(reply.headers.get('retry-after')) > 0);
  });

  // decision: failed-payments-in-a-row
  test('behind a proxy that is named, each consumer is counted, and nobody for whom one stands that is not', async () => {
    for (const status of [402, 402, 402, 402, 402, 429])
      assert.equal((await payAt('203.0.113.7', CARDS.declined)).status, status);
    assert.equal((await payAt('203.0.113.8', CARDS.declined)).status, 402, 'another consumer');
    // Two proxies, of which the inner one is not named.
    for (let tries = 0; tries < 7; tries += 1)
      assert.equal((await payAt('203.0.113.7, 10.0.0.9', CARDS.declined)).status, 402);
  });
});
