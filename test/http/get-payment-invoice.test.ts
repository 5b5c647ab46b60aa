// Goal: the numbers of an invoice: every charge has an invoice number of 24 digits, an invoice also its OCR reference
// with a check digit by Luhn, and its due date at midnight UTC of the fourteenth day after the charge.
// Method: a running service, both dialects. The check digit is verified the way a bank does it, over the whole number.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { KASSA } from '../../src/domain/audit.ts';
import { changeMerchant } from '../../src/merchants/merchants.ts';
import { DIALECTS } from '../support/answers.ts';
import type { Client } from '../support/client.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const DAY_MS = 86_400_000;

/** Whether the digits pass the Luhn check, the last one being the check digit. */
function passesLuhn(digits: string): boolean {
  const sum = Array.from(digits, Number)
    .toReversed()
    .map((digit, index) => (index % 2 === 0 ? digit : digit * 2))
    .reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
  return sum % 10 === 0;
}

let service: SharedService;
before(async () => {
  service = shareService();
});
after(() => service.close());

async function createReservedByInvoice(client: Client): Promise<string> {
  const paymentId = await client.create();
  await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, { paymentType: 'INVOICE' });
  return paymentId;
}

const charge = (client: Client, paymentId: string, amount: number) =>
  client.must(201, 'POST', `/v1/payments/${paymentId}/charges`, { amount });

test('the check of these tests knows a right number from a wrong one', () => {
  assert.ok(passesLuhn('79927398713') && passesLuhn('4925000000000004'));
  assert.ok(!passesLuhn('79927398710') && !passesLuhn('4925000000000014'));
});

for (const dialect of DIALECTS)
  describe(`an invoice in the dialect ${dialect}`, () => {
    let client: Client;
    before(async () => {
      client = (await service.openShop({ dialect })).client;
    });

    // decision: invoice-of-a-charge-or-refund
    test('a charge read alone has the link to its invoice, a refund to its credit note; those paid by card have none', async () => {
      const paymentId = await createReservedByInvoice(client);
      const { chargeId } = await charge(client, paymentId, 100);
      const refundId = await client.refund(chargeId, 50);
      const { invoiceDetails } = await client.must(200, 'GET', `/v1/charges/${chargeId}`);
      const { invoiceDetails: credit } = await client.must(200, 'GET', `/v1/refunds/${refundId}`);
      const fields = dialect === 'nexi' ? ['link'] : ['link', 'number'];
      assert.deepEqual([Object.keys(invoiceDetails), Object.keys(credit)], [fields, fields]);
      if (dialect === 'spec') assert.deepEqual([invoiceDetails.number, credit.number], [1, 2]);
      assert.equal(credit.link, invoiceDetails.link.replace(chargeId, refundId));
      for (const [{ link }, name] of [
        [invoiceDetails, 'invoice-1.pdf'],
        [credit, 'credit-note-2.pdf'],
      ]) {
        const pdf = await fetch(link);
        assert.equal(pdf.headers.get('content-type'), 'application/pdf');
        assert.equal(pdf.headers.get('content-disposition'), `inline; filename="${name}"`);
        assert.equal((await fetch(`${link.slice(0, -1)}x`)).status, 404, 'who was not given it');
      }
      const payment = await client.payment(paymentId);
      assert.equal(payment.paymentDetails.invoiceDetails.pdfLink, invoiceDetails.link);
      assert.ok(!('invoiceDetails' in payment.charges[0]));
      const byCard = await client.createReserved();
      const { chargeId: other } = await charge(client, byCard, 100);
      assert.ok(!('invoiceDetails' in (await client.must(200, 'GET', `/v1/charges/${other}`))));
    });

    test('every charge of an invoice payment answers its invoice number: 24 digits, each another', async () => {
      const paymentId = await createReservedByInvoice(client);
      const answers = [await charge(client, paymentId, 100), await charge(client, paymentId, 200)];
      for (const answer of answers) {
        assert.deepEqual(answer, {
          chargeId: answer.chargeId,
          invoice: { invoiceNumber: answer.invoice.invoiceNumber },
        });
        assert.match(answer.invoice.invoiceNumber, /^\d{24}$/);
      }
      assert.notEqual(answers[0].invoice.invoiceNumber, answers[1].invoice.invoiceNumber);
    });

    // decision: invoice-number-of-a-charge
    test("invoiceDetails is empty until the first charge, then exactly the latest charge's", async () => {
      const paymentId = await createReservedByInvoice(client);
      assert.deepEqual((await client.payment(paymentId)).paymentDetails.invoiceDetails, {});
      for (const amount of [100, 200]) {
        const { invoice } = await charge(client, paymentId, amount);
        const { paymentDetails, charges } = await client.payment(paymentId);
        const { invoiceNumber, ocr, dueDate, pdfLink, ...others } = paymentDetails.invoiceDetails;
        assert.deepEqual(others, {});
        const link = new RegExp(`^http://[^/]+/invoices/${charges.at(-1).chargeId}/[0-9a-f]{32}$`);
        assert.match(pdfLink, link);
        assert.equal(invoiceNumber, invoice.invoiceNumber);
        assert.equal(ocr.slice(0, -1), invoiceNumber);
        assert.ok(passesLuhn(ocr), ocr);
        const chargedOn = Date.parse(charges.at(-1).created.slice(0, 10));
        assert.equal(dueDate, new Date(chargedOn + 14 * DAY_MS).toISOString());
      }
    });

    test('the check digit is right for every charge of many', async () => {
      const paymentId = await createReservedByInvoice(client);
      const lastDigits = new Set<string>();
      for (let count = 0; count < 40; count += 1) {
        await charge(client, paymentId, 1);
        const { ocr } = (await client.payment(paymentId)).paymentDetails.invoiceDetails;
        assert.ok(passesLuhn(ocr), ocr);
        lastDigits.add(ocr.at(-1));
      }
      assert.ok(lastDigits.size > 1, 'the check digit never changed');
    });
  });

describe('the events of an invoice', () => {
  test('tell its number, its reference and where it is paid to, and link to the invoice and the credit note', async () => {
    const { client, merchant } = await service.openShop();
    const seller = { country: 'SWE', bankgiro: '9912346', iban: 'SE3550000000054910000003' };
    await changeMerchant(service.pool, KASSA, merchant.id, { seller });
    const paymentId = await createReservedByInvoice(client);
    const { chargeId } = await charge(client, paymentId, 100);
    const refundId = await client.refund(chargeId, 50);
    const { events } = await client.must(200, 'GET', `/v1/events?paymentId=${paymentId}`);
    const dataOf = (name: string) =>
      events.find(({ event }: { event: string }) => event === name)?.data ?? assert.fail(name);
    const { invoiceDetails } = dataOf('payment.charge.created');
    const { invoiceDetails: invoiced } = await client.must(200, 'GET', `/v1/charges/${chargeId}`);
    const { ocr } = (await client.payment(paymentId)).paymentDetails.invoiceDetails;
    const { number, link, accountNumber, ocrOrkid } = invoiceDetails;
    assert.deepEqual({ number, link }, { number: 1, link: invoiced.link });
    assert.deepEqual([accountNumber, ocrOrkid], ['9912346', ocr]);
    const refunded = dataOf('payment.refund.completed');
    const { invoiceDetails: credited } = await client.must(200, 'GET', `/v1/refunds/${refundId}`);
    assert.deepEqual(refunded.invoiceDetails, invoiceDetails);
    assert.deepEqual([refunded.creditNoteNumber, refunded.creditNoteLink], [credited.number, credited.link]);
    for (const url of [link, refunded.creditNoteLink])
      assert.equal((await fetch(url)).headers.get('content-type'), 'application/pdf');
  });
});

describe('a card payment', () => {
  // decision: invoice-details-of-a-card-payment
  test('spec: every charge answers an invoice number, and invoiceDetails shows the latest one alone', async () => {
    const { client } = await service.openShop();
    const paymentId = await client.createReserved();
    const first = await charge(client, paymentId, 100);
    const second = await charge(client, paymentId, 200);
    for (const { invoice } of [first, second]) assert.match(invoice.invoiceNumber, /^\d{24}$/);
    assert.notEqual(first.invoice.invoiceNumber, second.invoice.invoiceNumber);
    assert.deepEqual((await client.payment(paymentId)).paymentDetails.invoiceDetails, second.invoice);
  });

  // decision: invoice-details-of-a-card-payment
  test('nexi: a charge answers exactly {chargeId}, and invoiceDetails stays empty', async () => {
    const { client } = await service.openShop({ dialect: 'nexi' });
    const paymentId = await client.createReserved();
    const answer = await charge(client, paymentId, 100);
    assert.deepEqual(answer, { chargeId: answer.chargeId });
    assert.deepEqual((await client.payment(paymentId)).paymentDetails.invoiceDetails, {});
  });

  // decision: invoice-number-of-a-charge
  test('invoice numbers of one merchant are all different', async () => {
    const { client } = await service.openShop({ reserveOnDemand: true });
    const answers = await Promise.all(
      Array.from({ length: 30 }, async () => charge(client, await client.create(), 100_000)),
    );
    assert.equal(new Set(answers.map(({ invoice }) => invoice.invoiceNumber)).size, 30);
  });
});
