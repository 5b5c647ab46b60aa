// Goal: POST /v1/sandbox/payments/{paymentId}/reserve does all that a finished checkout does, with every test card,
// for test merchants alone. Method: real requests in both dialects; effects read back, events and the log looked into.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { testCards } from '../../src/acquirers/test-cards.ts';
import { partOf } from '../../src/domain/id.ts';
import { accountReferenceAt } from '../support/account-reference.ts';
import { DIALECTS, expectErrors, expectFailure, expectNoBody, summaryIn } from '../support/answers.ts';
import { readEventNames, readEvents, RESERVED } from '../support/events.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

// What each card comes to here, as published; a card that is added to the program must be added here.
const DECLINES: Readonly<Record<string, string>> = {
  '4925000000000087': 'declined by the issuer',
  '4000000000000002': 'declined by the issuer',
  '4000000000009995': 'insufficient funds',
  '4000000000000069': 'expired card',
  '4000000000000127': 'wrong CVC',
  '4000000000000119': 'processing error',
  '4000008400001629': 'declined by the issuer',
};
const APPROVED = [
  '4925000000000004',
  '5413000000000000',
  '4242424242424242',
  '5544330000000235',
  '4925000000000079',
  '4000000000005126',
  '4000000000007726',
  '4925000000000061',
  '4000000000000341',
  '4000000000004954',
  '4000000000003220',
  '4268270087374847',
  '5213199803453465',
  '4000002760003184',
];
// Valid by its check digit, and no test card.
const NO_TEST_CARD = '4111111111111111';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const reserve = (paymentId: string): string => `/v1/sandbox/payments/${paymentId}/reserve`;
const maskOf = (card: string): string => `${card.slice(0, 6)}******${card.slice(-4)}`;

// decision: test-cards
test('every test card of the program is tried here', () => {
  const tried = [...Object.keys(DECLINES), ...APPROVED];
  assert.deepEqual(testCards.map(({ number }) => number).toSorted(), tried.toSorted());
});

for (const dialect of DIALECTS) {
  describe(`sandbox reserve in the dialect ${dialect}`, () => {
    let shop: Shop;
    before(async () => {
      shop = await service.openShop({ dialect });
    });

    for (const card of APPROVED)
      // decision: sandbox-reservation, test-cards
      test(`201: card ${card} is approved`, async () => {
        const { client } = shop;
        const paymentId = await client.create(100_000);
        const reply = await client.post(reserve(paymentId), { card });
        assert.equal(reply.status, 201);
        assert.deepEqual(Object.keys(reply.body), ['reservationId']);
        assert.match(reply.body.reservationId, /^[0-9a-f]{32}$/);
        const { summary, paymentDetails } = await client.payment(paymentId);
        assert.deepEqual(summary, summaryIn(dialect, { reserved: 100_000 }));
        assert.deepEqual(paymentDetails, {
          paymentType: 'CARD',
          paymentMethod: card.startsWith('5') ? 'MasterCard' : 'Visa',
          invoiceDetails: {},
          cardDetails: { maskedPan: maskOf(card), expiryDate: paymentDetails.cardDetails.expiryDate },
          paymentAccountReference: accountReferenceAt(shop.merchant, card),
        });
        assert.match(paymentDetails.cardDetails.expiryDate, /^(0[1-9]|1[0-2])\d\d$/);
      });

    for (const [card, reason] of Object.entries(DECLINES))
      // decision: test-cards, decline-in-the-sandbox
      test(`402 (1022): card ${card} is declined, with the reason; nothing is reserved`, async () => {
        const { client } = shop;
        const paymentId = await client.create(100_000);
        const reply = await client.post(reserve(paymentId), { card });
        const message = `The reservation was declined: ${reason}.`;
        expectFailure(reply, { status: 402, code: '1022', message, source: 'simulator' });
        assert.deepEqual((await client.payment(paymentId)).summary, summaryIn(dialect, {}));
        const told = ['payment.created', 'payment.reservation.failed'];
        assert.deepEqual(await readEventNames(service.pool, paymentId), told);
      });

    // decision: decline-in-the-sandbox
    test('201 after a decline: another card can be tried, and payment.created is told once', async () => {
      const { client } = shop;
      const paymentId = await client.create(100_000);
      for (const card of ['4925000000000087', '4000000000009995'])
        await client.must(402, 'POST', reserve(paymentId), { card });
      const { reservationId } = await client.must(201, 'POST', reserve(paymentId), { card: '5413000000000000' });
      const events = await readEvents(service.pool, paymentId);
      assert.deepEqual(
        events.map(({ name }) => name),
        ['payment.created', 'payment.reservation.failed', 'payment.reservation.failed', ...RESERVED.slice(1)],
      );
      assert.equal(events.at(-1)?.movement_id, reservationId);
      assert.equal((await client.payment(paymentId)).paymentDetails.paymentMethod, 'MasterCard');
    });

    // decision: sandbox-reservation
    test('201: the card left out is the approved one, whatever way the body is empty', async () => {
      const { client } = shop;
      for (const body of [undefined, '', '{}', '[]', 'null', { card: null, paymentType: null, consumer: null }]) {
        const paymentId = await client.create();
        assert.equal((await client.post(reserve(paymentId), body)).status, 201);
        const { cardDetails } = (await client.payment(paymentId)).paymentDetails;
        assert.equal(cardDetails.maskedPan, maskOf('4925000000000004'));
      }
    });

    test('201: spaces and dashes in the number, and paymentType CARD', async () => {
      const { client } = shop;
      for (const card of ['4242 4242 4242 4242', '4242-4242-4242-4242'])
        assert.equal((await client.post(reserve(await client.create()), { card, paymentType: 'CARD' })).status, 201);
    });

    // decision: other-card-numbers-in-the-sandbox
    test('400 errors.card: a number that is no test card, in any form; it is not repeated, nor logged', async () => {
      const { client } = shop;
      const paymentId = await client.create();
      const forms = [
        NO_TEST_CARD,
        '4111 1111 1111 1111',
        Number(NO_TEST_CARD),
        NO_TEST_CARD.repeat(3),
        '',
        'sim_approved',
      ];
      for (const card of forms) {
        const reply = await client.post(reserve(paymentId), { card });
        assert.equal(reply.status, 400);
        assert.deepEqual(Object.keys(reply.body.errors), ['card']);
        assert.doesNotMatch(reply.text.replaceAll(/[ -]/g, ''), /4111/);
      }
      expectErrors(await client.post(reserve(paymentId), { card: NO_TEST_CARD }), {
        card: ['must be one of the published test card numbers'],
      });
      assert.doesNotMatch(service.log(), /4111111111111111/);
      assert.deepEqual((await client.payment(paymentId)).summary, summaryIn(dialect, {}));
    });

    // decision: other-card-numbers-in-the-sandbox
    test('400 errors.card: a JSON number, also of a test card; it is not repeated', async () => {
      const reply = await shop.client.post(reserve(await shop.client.create()), { card: 4925000000000004 });
      expectErrors(reply, { card: [/^must be a text, found /] });
      assert.doesNotMatch(reply.text, /4925/);
    });

    // decision: sandbox-reservation
    test('201 with INVOICE: an invoice payment; its charge has an invoice with number, ocr and due date', async () => {
      const { client } = shop;
      const paymentId = await client.create(100_000);
      await client.must(201, 'POST', reserve(paymentId), { paymentType: 'INVOICE' });
      const nothingYet = { paymentType: 'INVOICE', paymentMethod: 'EasyInvoice', invoiceDetails: {}, cardDetails: {} };
      assert.deepEqual((await client.payment(paymentId)).paymentDetails, nothingYet);
      const { invoice } = await client.must(201, 'POST', `/v1/payments/${paymentId}/charges`, { amount: 100_000 });
      const payment = await client.payment(paymentId);
      const { invoiceDetails } = payment.paymentDetails;
      const due = Date.parse(payment.charges[0].created) + 14 * 86_400_000;
      assert.equal(invoiceDetails.invoiceNumber, invoice.invoiceNumber);
      assert.equal(invoiceDetails.ocr.slice(0, -1), invoice.invoiceNumber);
      assert.equal(invoiceDetails.dueDate, `${new Date(due).toISOString().slice(0, 10)}T00:00:00.000Z`);
    });

    // decision: invoice-together-with-a-card
    test('400: INVOICE together with a card; a paymentType that is none', async () => {
      const paymentId = await shop.client.create();
      const both = { paymentType: 'INVOICE', card: '4925000000000004' };
      const text = 'must be left out when paymentType is INVOICE';
      expectErrors(await shop.client.post(reserve(paymentId), both), { card: [text] });
      const reply = await shop.client.post(reserve(paymentId), { paymentType: 'CASH' });
      expectErrors(reply, { paymentType: [/^must be one of CARD, INVOICE, A2A, WALLET; found /] });
    });

    // decision: sandbox-reservation
    test('405 (1004): twice, also with a card that would be declined', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved();
      const beforehand = await client.payment(paymentId);
      for (const body of [{}, { card: '4925000000000087' }]) {
        const reply = await client.post(reserve(paymentId), body);
        expectFailure(reply, { status: 405, code: '1004', message: 'The payment is already reserved.' });
      }
      assert.deepEqual(await client.payment(paymentId), beforehand);
      assert.deepEqual(await readEventNames(service.pool, paymentId), RESERVED);
    });

    // decision: test-and-live-merchants, cards-of-live-merchants
    test('404 for a live merchant, whatever the body', async () => {
      const { client } = await service.openShop({ dialect, live: true });
      const paymentId = await client.create();
      for (const body of [undefined, {}, { card: NO_TEST_CARD }, { card: 7 }, '{"card":', 'null'])
        expectNoBody(await client.post(reserve(paymentId), body), 404);
      assert.deepEqual((await client.payment(paymentId)).summary, summaryIn(dialect, {}));
    });

    // decision: sandbox-reservation, consumer-of-the-sandbox-call
    test('the consumer is the call’s, or else the create’s, or else the sandbox’s own', async () => {
      const { client } = shop;
      const consumer = { email: 'ada@example.com', privatePerson: { firstName: 'Ada', lastName: 'Lovelace' } };
      const given = await client.create();
      await client.must(201, 'POST', reserve(given), { consumer });
      const created = await client.create(100, { merchantHandlesConsumerData: true, consumer });
      await client.must(201, 'POST', reserve(created));
      for (const paymentId of [given, created]) {
        const { privatePerson } = (await client.payment(paymentId)).consumer;
        assert.deepEqual([privatePerson.firstName, privatePerson.email], ['Ada', 'ada@example.com']);
      }
      const { privatePerson, billingAddress } = (await client.payment(await client.createReserved())).consumer;
      assert.match(privatePerson.email, /@example\.test$/);
      assert.equal(billingAddress.country, 'NOR');
    });

    test('the address of the caller is kept as the consumer’s, for events, and no answer shows it', async () => {
      const { client } = shop;
      const paymentId = await client.createReserved();
      const [row] = await service.pool.query<{ ip: string }>(
        `select consumer ->> 'ip' as ip from payments where part = $1 and id = $2`,
        [partOf(paymentId), paymentId],
      );
      assert.match(row?.ip ?? '', /^(?:127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/);
      const { text } = await client.get(`/v1/payments/${paymentId}`);
      assert.doesNotMatch(text, /"ip"|127\.0\.0\.1|::1|creditDebitIndicator|issuerCountry/);
    });

    // decision: charge-at-the-reservation, sandbox-reservation
    test('checkout.charge: the reservation is charged at once, whole, with the order’s items', async () => {
      const { client } = shop;
      const paymentId = await client.create(100_000, { charge: true });
      await client.must(201, 'POST', reserve(paymentId));
      const { summary, charges } = await client.payment(paymentId);
      assert.deepEqual(summary, summaryIn(dialect, { reserved: 100_000, charged: 100_000 }));
      assert.deepEqual([charges.length, charges[0].amount, charges[0].orderItems.length], [1, 100_000, 1]);
      const events = await readEvents(service.pool, paymentId);
      assert.deepEqual(
        events.map(({ name, version }) => [name, version]),
        [...RESERVED, 'payment.charge.created'].map((name) => [name, 2]),
      );
    });

    // decision: charge-at-the-reservation
    test('checkout.charge declined: the reservation stands, payment.charge.failed tells', async () => {
      const { client } = shop;
      const paymentId = await client.create(100_000, { charge: true });
      assert.equal((await client.post(reserve(paymentId), { card: '4925000000000079' })).status, 201);
      const { summary, charges } = await client.payment(paymentId);
      assert.deepEqual(summary, summaryIn(dialect, { reserved: 100_000 }));
      assert.deepEqual(charges, dialect === 'spec' ? [] : undefined);
      assert.deepEqual(await readEventNames(service.pool, paymentId), [...RESERVED, 'payment.charge.failed']);
      assert.equal((await client.post(`/v1/payments/${paymentId}/charges`, { amount: 1 })).body.code, '1020');
      await client.cancel(paymentId, 100_000);
    });

    test('checkout.charge false, or a declined reservation: nothing is charged', async () => {
      const { client } = shop;
      const unwanted = await client.create(100, { charge: false });
      await client.must(201, 'POST', reserve(unwanted));
      assert.deepEqual((await client.payment(unwanted)).summary, summaryIn(dialect, { reserved: 100 }));
      const declined = await client.create(100, { charge: true });
      await client.must(402, 'POST', reserve(declined), { card: '4925000000000087' });
      assert.deepEqual((await client.payment(declined)).summary, summaryIn(dialect, {}));
    });
  });
}
