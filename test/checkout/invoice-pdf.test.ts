// Goal: an invoice says everything that a payer needs, exactly, in any language and currency, whatever names a shop and
// its consumers have, and nothing that must not be printed. Method: real PDFs, made from payments of the domain, read
// back with a reader of PDF; properties over currencies and amounts; the place of every word on its page.
import assert from 'node:assert/strict';
import { checkoutTexts } from '../../src/checkout/texts.ts';
import { LANGUAGES, languageOfCountry } from '../../src/pages/language.ts';
import type { Language } from '../../src/pages/language.ts';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { extractText, extractTextItems, getDocumentProxy } from 'unpdf';
import { formatOf } from '../../src/checkout/invoice/format.ts';
import { creditNoteOf, invoiceOf } from '../../src/checkout/invoice/invoice.ts';
import type { Invoice } from '../../src/checkout/invoice/invoice.ts';
import type { PrintedSeller } from '../../src/checkout/invoice/printed-seller.ts';
import { renderInvoice } from '../../src/checkout/invoice/pdf.ts';
import type { Consumer } from '../../src/domain/consumer.ts';
import { currencies, showAmount } from '../../src/domain/currency.ts';
import { invoiceNumberOf, ocrOf } from '../../src/domain/invoice.ts';
import type { OrderItem } from '../../src/domain/item.ts';
import type { Payment } from '../../src/domain/payment.ts';
import { findCharge } from '../../src/domain/refund.ts';
import type { Seller } from '../../src/domain/seller.ts';
import { fillIn } from '../../web/shared/fill-in.ts';
import { depth } from '../support/depth.ts';
import { anOrderItem, charged, chargeIdOf, idOf, refunded, reserved } from '../support/domain-payment.ts';

const HIGHEST_AMOUNT = 1_000_000_000_000;
const HIGHEST_FILE_BYTES = 100_000;
const SHOP = { id: 100_000_001, name: 'Andersson & Söner AB', live: true };

const shoes = anOrderItem(125_000, {
  reference: 'shoe-42',
  name: 'Sneakers, vita',
  quantity: 2,
  unit: 'par',
  unitPrice: 50_000,
  taxRate: 2500,
  taxAmount: 25_000,
  netTotalAmount: 100_000,
});
const coffee = anOrderItem(11_200, {
  reference: 'coffee',
  name: 'Kaffe',
  quantity: 0.5,
  unit: 'kg',
  unitPrice: 20_000,
  taxRate: 1200,
  taxAmount: 1_200,
  netTotalAmount: 10_000,
});

const anInvoice = (changes: Partial<Invoice> = {}): Invoice => {
  const invoiceNumber = invoiceNumberOf(idOf(2));
  return {
    language: 'en',
    merchant: { name: SHOP.name, number: SHOP.id },
    seller: { name: SHOP.name, address: [], numbers: [], accounts: [], isExample: false },
    invoiceNumber,
    number: 17,
    ocr: ocrOf(invoiceNumber),
    issuedAt: Date.UTC(2026, 10, 15, 8),
    dueAt: Date.UTC(2026, 10, 29),
    reference: 'order-1187',
    paymentId: idOf(0),
    currency: 'SEK',
    buyer: ['Ann Åkerström', 'Storgatan 12', '113 51 Stockholm', 'Sweden'],
    items: [shoes, coffee],
    amount: 136_200,
    isTest: false,
    ...changes,
  };
};

const SELLER: PrintedSeller = {
  name: SHOP.name,
  address: ['Storgatan 1', '111 22 Stockholm'],
  numbers: [
    { name: 'vatNumber', text: 'SE556016068001' },
    { name: 'companyNumber', text: '556016-0680' },
  ],
  accounts: [
    { name: 'Bankgiro', text: '991-2346' },
    { name: 'account', text: '8601.11.17947' },
    { name: 'IBAN', text: 'SE35 5000 0000 0549 1000 0003' },
    { name: 'BIC', text: 'ESSESESS' },
  ],
  isExample: false,
};

const ofOneItem = (amount: number, changes: Partial<Invoice>, item: Partial<OrderItem> = {}): Invoice =>
  anInvoice({ items: [anOrderItem(amount, item)], amount, ...changes });

// Intl parts figures by spaces that do not break; any space is one here.
const spaced = (text: string): string => text.replaceAll(/\s+/g, ' ');
const joined = (text: string): string => text.replaceAll(/\s+/g, '');

/** The pages of the rendered invoice as texts. */
async function pagesOf(invoice: Invoice): Promise<string[]> {
  const { text } = await extractText(new Uint8Array(await renderInvoice(invoice)));
  return text.map(spaced);
}

/** Every piece of text with its place, in points from the lower left corner of its page. */
const wordsOf = async (invoice: Invoice) =>
  (await extractTextItems(new Uint8Array(await renderInvoice(invoice)))).items.flat();

const textOf = async (invoice: Invoice): Promise<string> => (await pagesOf(invoice)).join(' ');

function assertHas(text: string, ...facts: readonly string[]): void {
  for (const fact of facts) assert.ok(text.includes(spaced(fact)), `${fact} is missing in: ${text}`);
}

function passesModulus10(digits: string): boolean {
  const sum = Array.from(digits)
    .toReversed()
    .map((digit, index) => Number(digit) * (index % 2 === 0 ? 1 : 2))
    .reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
  return sum % 10 === 0;
}

describe('made from a charge', () => {
  const consumer: Consumer = {
    email: 'ann@example.com',
    phone: { prefix: '+46', number: '701234567' },
    person: { firstName: 'Ann', lastName: 'Åkerström', dateOfBirth: Date.UTC(1985, 3, 9) },
    billingAddress: { addressLine1: 'Storgatan 12', postalCode: '113 51', city: 'Stockholm', country: 'SWE' },
    shippingAddress: { addressLine1: 'Kajen 1', postalCode: '211 20', city: 'Malmö', country: 'SWE' },
  };
  const bought = reserved(136_200, [shoes, coffee]);
  const ordered: Payment = { ...bought, consumer, order: { ...bought.order, reference: 'order-1187' } };

  function chargeOf(amount: number, items?: readonly OrderItem[], payment = ordered, merchant = SHOP): Invoice {
    const after = charged(payment, amount, items);
    const charge = findCharge(after, chargeIdOf(after)) ?? assert.fail('there is no charge');
    return invoiceOf(after, { ...charge, issued: { number: 17, seller: {} } }, merchant, 'sv');
  }

  test('every fact of a whole charge can be read', async () => {
    const invoice = chargeOf(136_200);
    const text = await textOf(invoice);
    assertHas(text, 'Andersson & Söner AB', '100000001', 'Faktura', invoice.invoiceNumber, 'order-1187', ordered.id);
    assertHas(text, 'Ann Åkerström', 'Storgatan 12', '113 51 Stockholm', 'Sverige', '15 november 2026');
    assertHas(text, 'Förfallodatum 29 november 2026', `OCR-nummer ${invoice.ocr}`, 'Att betala 1 362,00 kr');
    assertHas(text, 'Sneakers, vita shoe-42 2 par 500,00 25 % 250,00 1 250,00');
    assertHas(text, 'Kaffe coffee 0,5 kg 200,00 12 % 12,00 112,00');
    assertHas(text, '25 % 1 000,00 250,00 1 250,00', '12 % 100,00 12,00 112,00');
    assertHas(text, 'Totalt 1 100,00 262,00 1 362,00', 'Sida 1 av 1', 'Totalt (SEK)', 'Ordernummer order-1187');
    assert.ok(!text.includes(checkoutTexts('sv').invoice.rounding), 'net and tax make up the amount');
    assert.ok(!text.includes('Malmö'), 'the billing address goes before the shipping address');
  });

  test('the payment reference that is printed is the invoice number with its check digit', async () => {
    const invoice = chargeOf(136_200);
    const text = await textOf(invoice);
    const found = text.match(/\b\d{25}\b/g) ?? [];
    assert.deepEqual([...new Set(found)], [invoice.ocr]);
    assert.ok(passesModulus10(invoice.ocr));
    assert.equal(invoice.ocr.slice(0, -1), invoice.invoiceNumber);
  });

  test('a charge of some items has these alone', async () => {
    const text = await textOf(chargeOf(11_200, [coffee]));
    assertHas(text, 'Kaffe', 'Att betala 112,00 kr');
    assert.ok(!text.includes('Sneakers'));
  });

  // decision: tax-without-items
  test('a charge of an amount alone says which order it is a part of, and its share of the tax of each rate', async () => {
    const invoice = chargeOf(50_000);
    const text = await textOf(invoice);
    assertHas(text, 'Delbelopp Ordernummer: order-1187 500,00', 'Att betala 500,00 kr');
    assertHas(text, '25 % 367,10 91,78 458,88', '12 % 36,71 4,41 41,12');
    assertHas(text, 'Totalt 403,81 96,19 500,00');
    assert.ok(!text.includes('Sneakers'), text);
    const { reference: _, ...nameless } = invoice;
    assertHas(await textOf(nameless), `Delbelopp Betalnings-id: ${ordered.id} 500,00`);
  });

  test('without a billing address the shipping address is taken; an erased consumer leaves no block', async () => {
    const { billingAddress: _, ...shipped } = consumer;
    assertHas(await textOf(chargeOf(136_200, [], { ...ordered, consumer: shipped })), 'Kajen 1', '211 20 Malmö');
    const erased = chargeOf(136_200, [], { ...ordered, consumer: {} });
    assert.deepEqual(erased.buyer, []);
    assert.ok(!(await textOf(erased)).includes(checkoutTexts('sv').invoice.billTo));
  });

  test('no number that names a person, no card and no way to reach anybody is printed', async () => {
    const company = { name: 'Ann Åkerström Konsult', organisationNumber: '850409-2384', firstName: 'Ann' };
    const text = await textOf(chargeOf(136_200, [], { ...ordered, consumer: { ...consumer, company } }));
    assertHas(text, 'Ann Åkerström Konsult');
    for (const secret of ['850409', '2384', '1985', '492500', 'ann@example.com', '701234567'])
      assert.ok(!joined(text).includes(secret), secret);
  });

  const SWEDISH: Seller = {
    name: 'Andersson & Söner AB',
    address: 'Storgatan 1',
    postalCode: '111 22',
    city: 'Stockholm',
    country: 'SWE',
    vatNumber: 'SE556016068001',
    companyNumber: '556016-0680',
    bankgiro: '9912346',
    plusgiro: '9019506',
    iban: 'SE3550000000054910000003',
    bic: 'ESSESESS',
  };
  type Issued = { readonly payment: Payment; readonly invoice: Invoice };

  /** Of a charge that has its number. */
  function issuedOf(seller: Seller, amount = 136_200, merchant: { live: boolean } = SHOP): Issued {
    const after = charged(ordered, amount);
    const movements = after.movements.map((movement) =>
      movement.kind === 'charge' ? { ...movement, issued: { number: 17, seller } } : movement,
    );
    const payment = { ...after, movements };
    const charge = findCharge(payment, chargeIdOf(payment)) ?? assert.fail('there is no charge');
    return { payment, invoice: invoiceOf(payment, charge, { ...SHOP, ...merchant }, 'sv') };
  }

  test('an invoice that was issued says who sells, its number, and where the money goes', async () => {
    const { invoice } = issuedOf(SWEDISH);
    const text = await textOf(invoice);
    assertHas(text, 'Storgatan 1, 111 22 Stockholm, Sverige', 'Momsreg.nr SE556016068001 · Org.nr 556016-0680');
    assertHas(text, 'Fakturanummer 17', `Faktura-id ${invoice.invoiceNumber}`, `OCR-nummer ${invoice.ocr}`);
    assertHas(text, 'Bankgiro 991-2346', 'Plusgiro 90 19 50-6', 'IBAN SE35 5000 0000 0549 1000 0003', 'BIC ESSESESS');
    assert.ok(!text.includes('Exempel'));
  });

  test('what is paid to and with which reference is as the country has it', async () => {
    const norwegian = await textOf(issuedOf({ country: 'NOR', account: '86011117947' }).invoice);
    assertHas(norwegian, 'Bankkonto 8601.11.17947', 'Norge');
    const danish = await textOf(
      issuedOf({ country: 'DNK', account: '1234 0001234567', creditorNumber: '12345678' }).invoice,
    );
    assertHas(danish, '1234 0001234567', 'FI-kort +71<000000000000174 +12345678<', 'OCR-nummer 000000000000174');
    const finnish = issuedOf({ country: 'FIN', iban: 'FI2112345600000785' }).invoice;
    assert.equal(finnish.ocr, '10000171');
    assertHas(await textOf(finnish), 'FI21 1234 5600 0007 85', 'OCR-nummer 10000171');
    assert.match(issuedOf({ country: 'DEU', iban: 'DE89370400440532013000' }).invoice.ocr, /^RF\d{2}000017$/);
  });

  // decision: seller-on-an-invoice
  test('a test merchant without a seller sells as an example that says so; a real one never does', async () => {
    const { invoice } = issuedOf({ name: 'Butiken' }, 136_200, { live: false });
    const text = await textOf(invoice);
    assertHas(
      text,
      'Butiken',
      'Exempelgatan 1',
      'Bankgiro 991-2346',
      checkoutTexts('sv').invoice.testSeller,
      checkoutTexts('sv').invoice.test,
    );
    const real = await textOf(issuedOf({ name: 'Butiken' }).invoice);
    assert.ok(!real.includes('Exempel') && !real.includes('Bankgiro'));
    const given = await textOf(issuedOf(SWEDISH, 136_200, { live: false }).invoice);
    assert.ok(!given.includes('Exempel'), 'what was given is taken');
  });

  // decision: tax-without-items, credit-notes
  test('a credit note names the invoice, its own number, and what is given back with its tax', async () => {
    const { payment } = issuedOf(SWEDISH);
    const chargeId = chargeIdOf(payment);
    const creditOf = (amount: number, items: readonly OrderItem[] = []): Invoice => {
      const after = refunded(payment, chargeId, amount, items);
      const last = after.movements.at(-1) ?? assert.fail('there is no refund');
      const charge = findCharge(after, chargeId) ?? assert.fail('there is no charge');
      const refund = { ...last, issued: { number: 18, seller: SWEDISH } };
      return creditNoteOf(after, charge, refund, SHOP, 'sv');
    };
    const whole = await textOf(creditOf(136_200));
    assertHas(
      whole,
      'Kreditfaktura',
      'Kreditfakturanummer 18',
      'Krediterar faktura 17',
      'Krediterat belopp 1 362,00 kr',
    );
    assertHas(
      whole,
      'Kreditfakturan avser faktura 17, daterad 15 november 2026.',
      checkoutTexts('sv').invoice.creditExplained,
    );
    assertHas(whole, 'Sneakers, vita', '25 % 1 000,00 250,00 1 250,00', 'Storgatan 1');
    assert.ok(!/Att betala|OCR|Bankgiro|Förfallodatum/.test(whole), whole);
    const some = await textOf(creditOf(11_200, [coffee]));
    assertHas(some, 'Kaffe', '12 % 100,00 12,00 112,00');
    assert.ok(!some.includes('Sneakers'));
    const part = await textOf(creditOf(50_000));
    assertHas(part, 'Del av faktura 17 Ordernummer: order-1187 500,00', '25 % 367,10 91,78 458,88');
    assertHas(part, 'Krediterat belopp 500,00 kr');
  });

  test('a test merchant has a test invoice', () => {
    assert.equal(chargeOf(136_200).isTest, false);
    assert.equal(chargeOf(136_200, [], ordered, { ...SHOP, live: false }).isTest, true);
  });
});

describe('amounts', () => {
  const samples = [
    ['sv', 'SEK', 123_456, '1 234,56 kr'],
    ['de', 'EUR', 123_456, '1.234,56 €'],
    ['en', 'EUR', 123_456, '€1,234.56'],
    ['en', 'JPY', 123_456, 'JP¥123,456'],
    ['en', 'KWD', 123_456, 'KWD 123.456'],
    ['en', 'IQD', 123_456, 'IQD 123.456'],
    ['nb', 'NOK', 5, '0,05 kr'],
    ['es', 'EUR', 123_456, '1.234,56 €'],
    ['pl', 'PLN', 123_456, '1 234,56 zł'],
    ['sv', 'SEK', HIGHEST_AMOUNT, '10 000 000 000,00 kr'],
    ['da', 'JPY', HIGHEST_AMOUNT, '1.000.000.000.000 JP¥'],
    ['en', 'KWD', HIGHEST_AMOUNT - 1, 'KWD 999,999,999.999'],
  ] as const;
  for (const [language, currency, amount, shown] of samples)
    test(`${amount} ${currency} in ${language} is ${shown}`, () =>
      assert.equal(spaced(formatOf(language, currency).money(amount)), shown));

  test('are printed as they are written', async () => {
    const printed = samples.filter(([language]) => ['sv', 'pl', 'da'].includes(language));
    for (const [language, currency, amount, shown] of depth<readonly (typeof samples)[number][]>({
      daily: printed,
      release: samples,
    })) {
      const text = await textOf(ofOneItem(amount, { language, currency }));
      assertHas(text, `${checkoutTexts(language).invoice.toPay} ${shown}`);
    }
  });

  test('every currency keeps all of its digits', () => {
    const signs = { minimum: -HIGHEST_AMOUNT, maximum: HIGHEST_AMOUNT };
    fc.assert(
      fc.property(
        fc.constantFrom(...currencies),
        fc.constantFrom(...LANGUAGES),
        fc.integer({ min: signs.minimum, max: signs.maximum }),
        (currency, language, amount) => {
          const format = formatOf(language, currency);
          const digits = showAmount(amount, currency).replaceAll(/\D/g, '');
          assert.equal(format.money(amount).replaceAll(/\D/g, ''), digits);
          assert.equal(format.figure(amount).replaceAll(/\D/g, ''), digits);
        },
      ),
    );
  });

  test('a discount is negative, and the sums are over what is there', async () => {
    const discount = anOrderItem(-2_500, { name: 'Rabatt', taxRate: 2500, taxAmount: -500, netTotalAmount: -2_000 });
    const text = await textOf(anInvoice({ items: [shoes, discount], amount: 122_500 }));
    assertHas(text, '-5.00 -25.00', '25% 980.00 245.00 1,225.00');
  });

  test('a tax rate is shown as exactly as it is', async () => {
    const rates = [
      [0, '0%'],
      [2550, '25.5%'],
      [812, '8.12%'],
      [99_999, '999.99%'],
    ] as const;
    const items = rates.map(([taxRate]) => anOrderItem(100, { taxRate }));
    const text = await textOf(anInvoice({ items, amount: 400 }));
    for (const [, shown] of rates) assertHas(text, `1 pair 1.00 ${shown} 0.00 1.00`, ` ${shown} 1.00 0.00 1.00`);
  });

  // decision: rounding-on-an-invoice
  test('what net and tax lack of the amount is a rounding, and the figures add up', async () => {
    // 33.33 with a quarter of tax is 41.6625: each line is rounded down, and the shop asks for whole crowns.
    const third = anOrderItem(4_166, { taxRate: 2500, taxAmount: 833, netTotalAmount: 3_333 });
    const crowns = { ...third, grossTotalAmount: 4_200 };
    const text = await textOf(anInvoice({ items: [third, crowns], amount: 8_366 }));
    assertHas(text, '25% 66.66 16.66 83.32 Rounding 0.34 Total 66.66 16.66 83.66');
    // Not a rounding, but a tax that was left out: nothing is made up.
    const taxless = anOrderItem(12_500, { taxRate: 2500, netTotalAmount: 10_000 });
    const other = await textOf(anInvoice({ items: [taxless], amount: 12_500 }));
    assertHas(other, '25% 100.00 0.00 125.00 Total 100.00 0.00 125.00');
    assert.ok(!other.includes('Rounding'));
  });

  test('figures end where those above and below them end, and the sums where the items do', async () => {
    const items = [shoes, coffee, anOrderItem(HIGHEST_AMOUNT), anOrderItem(-5, { taxAmount: -1 })];
    const amount = items.reduce((sum, { grossTotalAmount }) => sum + grossTotalAmount, 0);
    const figures = await wordsOf(anInvoice({ items, amount }));
    const endsOf = (pattern: RegExp): number[] =>
      figures.filter(({ str }) => pattern.test(str.trim())).map(({ x, width }) => Math.round(x + width));
    const gross = endsOf(/^(?:1,250\.00|112\.00|10,000,000,000\.00|-0\.05|10,000,001,361\.95)$/);
    assert.ok(gross.length >= 7, gross.join(' '));
    assert.ok(gross.filter((end) => end === 538).length >= 7, gross.join(' '));
  });
});

describe('in each language', () => {
  const samples = [
    ['en', 'Invoice', 'Payment reference (OCR)', 'Due date 29 November 2026', 'To pay', 'Page 1 of 1'],
    ['sv', 'Faktura', 'OCR-nummer', 'Förfallodatum 29 november 2026', 'Att betala', 'Sida 1 av 1'],
    ['nb', 'Faktura', 'KID', 'Forfallsdato 29. november 2026', 'Å betale', 'Side 1 av 1'],
    ['da', 'Faktura', 'Betalingsidentifikation', 'Forfaldsdato 29. november 2026', 'Til betaling', 'Side 1 af 1'],
    ['fi', 'Lasku', 'Viitenumero', 'Eräpäivä 29. marraskuuta 2026', 'Maksettavaa', 'Sivu 1/1'],
    ['de', 'Rechnung', 'Zahlungsreferenz', 'Fällig am 29. November 2026', 'Zu zahlen', 'Seite 1 von 1'],
    ['fr', 'Facture', 'Référence de paiement', 'Date d’échéance 29 novembre 2026', 'À payer', 'Page 1 sur 1'],
    ['nl', 'Factuur', 'Betalingskenmerk', 'Vervaldatum 29 november 2026', 'Te betalen', 'Pagina 1 van 1'],
    ['es', 'Factura', 'Referencia de pago', 'Vencimiento 29 de noviembre de 2026', 'A pagar', 'Página 1 de 1'],
    ['pl', 'Faktura', 'Tytuł płatności', 'Termin płatności 29 listopada 2026', 'Do zapłaty', 'Strona 1 z 1'],
  ] as const;
  /** What a shop calls its orders begins with the word for one. */
  const ORDERS: Readonly<Record<(typeof samples)[number][0], string>> = {
    en: 'Order',
    sv: 'Order',
    nb: 'Ordre',
    da: 'Ordre',
    fi: 'Tilaus',
    de: 'Bestellung',
    fr: 'Commande',
    nl: 'Bestelling',
    es: 'Pedido',
    pl: 'Zamówienie',
  };

  // Those with letters, dates or lengths of words of their own; English is what all others are tested in.
  const daily = samples.filter(([language]) => ['sv', 'fi', 'de', 'pl'].includes(language));
  for (const [language, ...facts] of depth<readonly (typeof samples)[number][]>({ daily, release: samples })) {
    const labels = checkoutTexts(language).invoice;
    test(language, async () => {
      const invoice = anInvoice({ language, number: 17, seller: SELLER });
      const bytes = await renderInvoice(invoice);
      const file = await getDocumentProxy(new Uint8Array(bytes));
      const text = spaced((await extractText(file)).text.join(' '));
      assertHas(text, ...facts, invoice.invoiceNumber, invoice.ocr);
      // All labels but those of a part of an order, of a rounding, of a test and of a credit note are printed.
      for (const [name, label] of Object.entries(labels))
        if (!label.includes('{') && !/^(?:test|credit|rounding$|partialAmount$)/.test(name)) assertHas(text, label);
      const { info } = await file.getMetadata();
      assert.equal((info as Record<string, unknown>)['Language'], language);
      const issuedAt = Date.UTC(2026, 9, 3);
      const credits = { number: 17, invoiceNumber: invoice.invoiceNumber, issuedAt };
      const credit = await textOf({ ...invoice, number: 18, credits });
      for (const [name, label] of Object.entries(labels))
        if (!label.includes('{') && name.startsWith('credit')) assertHas(credit, label);
      // Which invoice, of which day, in a sentence.
      assertHas(credit, fillIn(labels.creditsInvoice, { invoice: '17', day: formatOf(language, 'SEK').day(issuedAt) }));
      for (const label of ['paymentReference', 'dueOn', 'toPay', 'stateReference'] as const)
        assert.ok(!credit.includes(spaced(` ${labels[label]} `)), label);
      for (const { text: account } of SELLER.accounts) assert.ok(!credit.includes(account), account);
      assert.ok(!credit.includes(invoice.ocr), 'nobody pays a credit note');
    });

    test(`${language}: a part of an order, and no word twice beside its reference`, async () => {
      const taxes = [{ rate: 2500, net: 40_000, tax: 9_999, gross: 50_000 }];
      const reference = `${ORDERS[language]}-1042`;
      const text = await textOf(anInvoice({ language, reference, items: [], taxes, amount: 50_000 }));
      assertHas(text, labels.partialAmount, labels.rounding, `${labels.orderReference}: ${reference}`);
      const [aboveIds = ''] = text.split(labels.invoiceId);
      assert.doesNotMatch(aboveIds, /(?<!\p{L})(\p{L}{2,})[\s:,.-]+\1(?!\p{L})/iu);
    });
  }

  test('a consumer of whom only the country is known gets its language', () => {
    const countries = ['SWE', 'NOR', 'DNK', 'FIN', 'DEU', 'AUT', 'FRA', 'NLD', 'ESP', 'POL', 'GBR', 'JPN', undefined];
    const languages = ['sv', 'nb', 'da', 'fi', 'de', 'de', 'fr', 'nl', 'es', 'pl', 'en', 'en', 'en'];
    assert.deepEqual(countries.map(languageOfCountry), languages);
  });
});

describe('many items', () => {
  const itemsOf = (count: number): OrderItem[] =>
    Array.from({ length: count }, (_, index) => ({ ...shoes, reference: `ref-${index}`, name: `Thing ${index}.` }));

  test('many go over pages, each with the head of the table, its number and the mark of a test', async () => {
    // A few pages, the last of them with the sums; and as many items as an order may have.
    const items = itemsOf(depth({ daily: 150, release: 1_000 }));
    const pages = await pagesOf(anInvoice({ items, amount: items.length * 125_000, isTest: true }));
    assert.ok(pages.length >= items.length / 50);
    for (const [index, page] of pages.entries()) {
      assertHas(page, `Page ${index + 1} of ${pages.length}`, SHOP.name, checkoutTexts('en').invoice.test);
      assertHas(page, 'Item Item no. Quantity Unit price excl. tax Tax rate Tax Total (SEK)');
    }
    const whole = pages.join(' ');
    for (const { name, reference } of items) assertHas(whole, `${name} ${reference} 2 par`);
    assertHas(whole, `To pay ${formatOf('en', 'SEK').money(items.length * 125_000)}`);
  });

  test('whatever their number, the sums and what is to be paid stay together, with the last items', async () => {
    // Of three lines each, so that few of them fill a page.
    const tall = itemsOf(18).map((item) => ({ ...item, name: `${item.name} ${'long name '.repeat(9)}` }));
    const counts = new Set<number>();
    // Around the first that does not fit on one page.
    const [from, to] = depth({ daily: [11, 15] as const, release: [5, 18] as const });
    for (let count = from; count <= to; count += 1) {
      const items = tall.slice(0, count);
      const pages = await pagesOf(anInvoice({ items, amount: count * 125_000, seller: SELLER }));
      const last = pages.at(-1) ?? '';
      assertHas(
        last,
        'Net Tax Gross',
        'To pay',
        checkoutTexts('en').invoice.stateReference,
        `Thing ${count - 2}.`,
        `Thing ${count - 1}.`,
      );
      assert.ok(pages.length <= 2, `${count} items on ${pages.length} pages`);
      counts.add(pages.length);
    }
    assert.deepEqual([...counts], [1, 2]);
  });

  test('as many tax rates as items have a sum each', async () => {
    const items = itemsOf(30).map((item, index) => ({ ...item, taxRate: index * 100 }));
    const pages = await pagesOf(anInvoice({ items, amount: 3_750_000 }));
    const text = pages.join(' ');
    assertHas(pages.at(-1) ?? '', 'Total 30,000.00 7,500.00 37,500.00', 'To pay');
    for (const { taxRate } of items) assertHas(text, ` ${taxRate / 100}% 1,000.00 250.00 1,250.00`);
  });
});

describe('names of any kind', () => {
  const samples: readonly (readonly [what: string, name: string, shown: string])[] = [
    ['markup', '<script>alert("1")</script> &amp;', '<script>alert("1")</script> &amp;'],
    ['brackets and escapes of PDF', String.raw`(a\) >> endobj <</JS`, String.raw`(a\) >> endobj <</JS`],
    ['control characters', 'one\u0007two\nthree\u001B[31m\u0085four', 'one two three [31m four'],
    ['characters that turn the text around', 'abc\u202Edef\u2066ghi\u200F', 'abcdefghi'],
    ['characters that show nothing', 'zero\u200Bwidth\uFEFF\u00AD', 'zerowidth'],
    ['Greek and Cyrillic', 'Αθήνα Санкт-Петербург Łódź', 'Αθήνα Санкт-Петербург Łódź'],
    ['letters with marks of their own', 'A\u030Angstro\u0308m', 'Ångström'],
    ['letters that print as one', 'office fjord affix', 'office fjord affix'],
    ['what the typeface lacks', 'Tea 茶 from 京都 🫖', 'Tea \uFFFD from \uFFFD\uFFFD \uFFFD'],
  ];
  for (const [what, name, shown] of samples) {
    test(what, async () => {
      const everywhere = { merchant: { name, number: 1 }, buyer: [name, name], reference: name };
      const text = await textOf(ofOneItem(100, everywhere, { name }));
      assertHas(text, `${shown} sneaky-1 1 pair`);
      // The merchant at the top and in the footer, the buyer's two lines, the order, the item.
      assert.equal(joined(text).split(joined(shown)).length - 1, 6, text);
    });
  }

  test('Hebrew and Arabic are drawn', async () => {
    const text = await textOf(ofOneItem(100, {}, { name: 'שלום عليكم' }));
    assert.match(text, /\p{Script=Hebrew}/u);
    assert.match(text, /\p{Script=Arabic}|[\uFE70-\uFEFC]/u);
  });

  test('nothing but spaces, and names that break in the middle of a sign', async () => {
    const names = [' ', '\u200B', '😀'.repeat(64), 'e\u0301\u0302'.repeat(40), '-'.repeat(128), '/ '.repeat(64)];
    const items = names.map((name) => anOrderItem(100, { name, unit: name }));
    const text = await textOf(anInvoice({ items, buyer: names, amount: 600 }));
    assertHas(text, 'SEK 6.00');
    assert.equal(text.match(/ 1\.00 0% 0\.00 1\.00/g)?.length, 6, text);
    assertHas(await textOf(ofOneItem(100, { buyer: [' '] }, { name: ' ', unit: ' ', reference: '' })), 'SEK 1.00');
  });

  test('any text at all', async () => {
    // Of code points, halves of pairs among them: a string of any characters takes seconds to set up.
    const codePoint = fc.oneof(fc.integer({ min: 0, max: 0x2f_ff }), fc.integer({ min: 0, max: 0x10_ff_ff }));
    const aText = fc.array(codePoint, { maxLength: 128 }).map((points) => String.fromCodePoint(...points));
    const sixTexts = fc.array(aText, { minLength: 6, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(sixTexts, async (texts) => {
        const items = texts.map((name) => anOrderItem(100, { name, unit: name, reference: name.slice(1) }));
        const merchant = { name: texts.map((name) => name.slice(0, 20)).join(''), number: 1 };
        const invoice = anInvoice({ merchant, buyer: texts, items, amount: 600 });
        const text = await textOf(invoice);
        assertHas(text, 'SEK 6.00');
        assert.equal(text.match(/ 1\.00 0% 0\.00 1\.00/g)?.length, 6);
      }),
      { numRuns: depth({ daily: 2, release: 5 }) },
    );
  });

  test('the longest texts wrap, whole, and nothing leaves its page', async () => {
    // Wide letters that no label has, so that they can be counted.
    const wide = (letter: string): string => letter.repeat(128);
    const invoice = anInvoice({
      merchant: { name: wide('Щ'), number: SHOP.id },
      number: 999_999_999,
      seller: {
        name: wide('Щ'),
        address: [wide('Б'), wide('Б'), wide('Б'), 'Б'.repeat(64)],
        numbers: [
          { name: 'vatNumber', text: 'Д'.repeat(20) },
          { name: 'companyNumber', text: 'Д'.repeat(32) },
        ],
        accounts: (['Bankgiro', 'Plusgiro', 'account', 'FI-kort', 'IBAN', 'BIC'] as const).map((name) => ({
          name,
          text: '9'.repeat(42),
        })),
        isExample: true,
      },
      reference: wide('Ф'),
      currency: 'KWD',
      buyer: Array.from({ length: 7 }, () => 'Ж'.repeat(256)),
      items: Array.from({ length: 3 }, () => ({
        reference: wide('Ю'),
        name: wide('Ы'),
        quantity: 999_999_999.123456,
        unit: wide('Ш'),
        unitPrice: -HIGHEST_AMOUNT,
        taxRate: 99_999,
        taxAmount: -HIGHEST_AMOUNT,
        grossTotalAmount: -HIGHEST_AMOUNT,
        netTotalAmount: -HIGHEST_AMOUNT,
      })),
      amount: HIGHEST_AMOUNT,
      isTest: true,
    });
    const { items } = await extractTextItems(new Uint8Array(await renderInvoice(invoice)));
    for (const { str, x, y, width, fontSize } of items.flat()) {
      if (str.trim() === '' || fontSize > 100) continue;
      assert.ok(x >= 56 && x + width <= 543, `${str} is from ${x} to ${x + width}`);
      assert.ok(y >= 30 && y <= 815, `${str} is at ${y}`);
    }
    const inFooter = items.flatMap((page) => page.filter(({ y }) => y < 66).map(({ str }) => str));
    assert.doesNotMatch(inFooter.join(''), /[ЫЖЮШФ]/, 'text runs into the footer');
    const letters = items
      .flat()
      .map(({ str }) => str)
      .join('');
    const countOf = (letter: string): number => letters.split(letter).length - 1;
    assert.deepEqual(['Ы', 'Ю', 'Ш', 'Ф'].map(countOf), [3 * 128, 3 * 128, 3 * 128, 128]);
    const [first = []] = items;
    assert.ok(
      first
        .map(({ str }) => str)
        .join('')
        .includes(wide('Щ')),
      'the merchant is not whole',
    );
  });
});

describe('the mark of the sandbox', () => {
  // Of units that take many lines, so that few of them go over pages.
  const tall = Array.from({ length: 10 }, () => ({ ...shoes, unit: 'u'.repeat(128) }));
  for (const language of depth<readonly Language[]>({ daily: ['en', 'fi'], release: LANGUAGES })) {
    test(`is on every page of a test and on none of a real invoice in ${language}`, async () => {
      const invoice = anInvoice({ language, items: tall, amount: 1_250_000 });
      const mark = spaced(checkoutTexts(language).invoice.test);
      const pages = await pagesOf({ ...invoice, isTest: true });
      assert.ok(pages.length > 2 && pages.every((page) => page.includes(mark)));
      assertHas(pages.at(-1) ?? '', checkoutTexts(language).invoice.testExplained);
      assert.ok(!pages.join(' ').includes(checkoutTexts(language).invoice.stateReference));
      const real = await pagesOf(invoice);
      assert.ok(real.length > 2 && !real.join(' ').includes('TEST') && !real.join(' ').includes(mark));
    });
  }
});

describe('the paper', () => {
  test('sixty items of one line take two pages, with the sums and every way to pay', async () => {
    const items = Array.from({ length: 60 }, (_, index) => ({ ...shoes, reference: `ref-${index}` }));
    for (const language of depth<readonly Language[]>({ daily: ['de'], release: ['en', 'sv', 'de'] })) {
      const pages = await pagesOf(anInvoice({ language, items, amount: 7_500_000, number: 17, seller: SELLER }));
      assert.equal(pages.length, 2, language);
      assertHas(pages[1] ?? '', checkoutTexts(language).invoice.toPay, SELLER.accounts[0]?.text ?? '', 'ref-59');
    }
  });

  test('the head has what people look for; ids stand once, smaller than all else, at the foot', async () => {
    const invoice = anInvoice({ number: 17, seller: SELLER });
    const words = await wordsOf(invoice);
    const smallest = Math.min(...words.filter(({ str }) => str.trim() !== '').map(({ fontSize }) => fontSize));
    for (const id of [invoice.paymentId, invoice.invoiceNumber, String(SHOP.id)]) {
      const found = words.filter(({ str }) => str.replace(invoice.ocr, '').includes(id));
      assert.equal(found.length, 1, id);
      assert.ok(
        found.every(({ y, fontSize }) => y < 50 && fontSize === smallest),
        id,
      );
    }
    const yOf = (text: string): number => words.find(({ str }) => str.trim() === text)?.y ?? assert.fail(text);
    const falling = ['Invoice number', 'Invoice date', 'Due date', 'Order number', 'Item', 'Gross', 'To pay'].map(yOf);
    assert.deepEqual(
      falling,
      falling.toSorted((one, other) => other - one),
    );
    const [seller, title] = [yOf(SHOP.name), yOf('Invoice')];
    assert.ok(seller === title && seller > yOf('Bill to'));
  });

  test('an item’s number stands beside its name, and below it where it is long', async () => {
    const long = { ...coffee, reference: 'a-number-that-is-as-long-as-some-shops-have-them' };
    const words = await wordsOf(anInvoice({ items: [shoes, { ...shoes, reference: 'shoe-43' }, long] }));
    const yOf = (text: string): number => words.find(({ str }) => str.trim() === text)?.y ?? assert.fail(text);
    assert.equal(yOf('shoe-42'), yOf('Sneakers, vita'));
    assert.ok(yOf(long.reference) < yOf('Kaffe'));
    const text = await textOf(anInvoice({ items: [long, { ...shoes, reference: shoes.name }] }));
    assert.ok(!text.includes('Item no.'), 'a column of nothing');
    assertHas(text, 'Sneakers, vita 2 par', `Kaffe ${long.reference} 0.5 kg`);
  });
});

describe('the file', () => {
  test('is a small PDF 1.7 that holds parts of two typefaces and nothing that runs', async () => {
    const bytes = await renderInvoice(anInvoice());
    const raw = bytes.toString('latin1');
    assert.ok(raw.startsWith('%PDF-1.7\n') && raw.trimEnd().endsWith('%%EOF'));
    assert.ok(bytes.length < HIGHEST_FILE_BYTES, `${bytes.length} bytes`);
    const names = new Set(Array.from(raw.matchAll(/\/FontName \/(\S+)/g), (match) => match[1]));
    assert.equal(names.size, 2);
    for (const name of names) assert.match(name ?? '', /^[A-Z]{6}\+DejaVuSansCondensed/);
    assert.doesNotMatch(raw, /\/JavaScript|\/JS\b|\/URI|\/Launch/);
  });

  test('has a title that is shown, an author, and metadata that is XML', async () => {
    const name = '<Ann> & "Söner" \u0007';
    const bytes = await renderInvoice(anInvoice({ merchant: { name, number: 1 } }));
    const file = await getDocumentProxy(new Uint8Array(bytes));
    const info = (await file.getMetadata()).info as Record<string, unknown>;
    assert.equal(info['Title'], 'Invoice 17');
    assert.equal(info['Author'], '‹Ann› ＆ "Söner"');
    assert.equal(info['Creator'], 'Kassa');
    assert.match(bytes.toString('latin1'), /\/DisplayDocTitle true/);
    const xml = /<x:xmpmeta[\s\S]*<\/x:xmpmeta>/.exec(bytes.toString())?.[0] ?? '';
    assert.ok(xml.includes('‹Ann› ＆ "Söner"'));
    assert.doesNotMatch(xml.replaceAll(/<[^<>]*>/g, ''), /[<>&]/);
  });

  test('is structured for a listener: a heading, tables with heads, all text in reading order', async () => {
    const file = await getDocumentProxy(new Uint8Array(await renderInvoice(anInvoice())));
    assert.deepEqual(await file.getMarkInfo(), { Marked: true, UserProperties: false, Suspects: false });
    const tree = JSON.stringify(await (await file.getPage(1)).getStructTree());
    const kinds = Array.from(tree.matchAll(/"role":"(\w+)"/g), (match) => match[1] ?? '');
    const countOf = (kind: string): number => kinds.filter((one) => one === kind).length;
    assert.deepEqual(['H1', 'Table', 'TR', 'TH', 'TD'].map(countOf), [1, 2, 7, 11, 26]);
  });

  test('is the same, byte for byte, whenever it is made', async () => {
    const [one, other] = [await renderInvoice(anInvoice()), await renderInvoice(anInvoice())];
    assert.ok(one.equals(other));
  });

  test('letters of one can be read, whatever letters were parts of letters in another', async () => {
    const [parts, whole] = ['ÝýÇçÑñŜŝ', 'YyCcNnSs'];
    await renderInvoice(anInvoice({ buyer: [parts] }));
    assertHas(await textOf(anInvoice({ buyer: [whole, whole] })), `${whole} ${whole}`);
  });

  test('many are made at once without a word of each other', async () => {
    const texts = await Promise.all(['Ada', 'Bo', 'Cy'].map((name) => textOf(anInvoice({ buyer: [name] }))));
    for (const [index, name] of ['Ada', 'Bo', 'Cy'].entries())
      assert.deepEqual(texts[index]?.match(/\b(?:Ada|Bo|Cy)\b/g), [name]);
  });
});
