// Goal: every published test card does in the browser what the list says, a decline tells no more than that and loses
// nothing, what is wrong is said at its field before anything is sent, and an invoice is asked for, refused and issued as
// it should be. Method: a real Chromium on the hosted page; the merchant's API and a reader of PDF see what came of it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { extractText } from 'unpdf';
import { testCards } from '../../src/acquirers/test-cards.ts';
import { until } from '../support/kassa.ts';
import { aPay, CARDS, Consumer } from '../support/checkout.ts';
import { depth, isRelease } from '../support/depth.ts';
import {
  ADA,
  bank,
  CARD_NUMBER,
  choice,
  CVC,
  errorAt,
  EXPIRY,
  field,
  fillCard,
  fillConsumer,
  fillIn,
  focused,
  formError,
  heading,
  KNOWN,
  NATIONAL_NUMBER,
  notice,
  openStage,
  payByCard,
  press,
  stayWhenPaid,
  untilSaid,
  untilState,
  untilTyped,
  watchPays,
} from './paying-page.ts';
import type { Values } from './paying-page.ts';

const DECLINED = 'The payment was declined. Nothing has been charged. Try another card or another way to pay.';
const NOT_TEST_CARD = 'This is test mode: only the test cards are accepted. Never use a real card here.';

const stage = openStage();

async function openNew(t: TestContext, checkout: object = {}): Promise<{ page: Page; paymentId: string }> {
  const { paymentId, url } = await stage.create(checkout);
  return { page: await stage.open(t, url), paymentId };
}

const paymentOf = (paymentId: string) => stage.shop.client.payment(paymentId);
const reservedOf = async (paymentId: string): Promise<number> => (await paymentOf(paymentId)).summary.reservedAmount;

async function expectDecline(page: Page): Promise<void> {
  await untilSaid(page, '#notice', 'declined');
  assert.equal(await notice(page).innerText(), DECLINED);
  for (const name of [CARD_NUMBER, CVC]) assert.equal(await field(page, name).inputValue(), '', name);
  assert.equal(await field(page, EXPIRY).inputValue(), '12 / 30');
  await until('the focus', async () => (await focused(page)) === CARD_NUMBER);
}

/** What a consumer can mend, by the card that is declined for it: the sentence, and where they begin. */
const MENDED: Readonly<Partial<Record<string, readonly [said: string, first: string]>>> = {
  sim_wrong_cvc: [
    'Your bank did not accept the security code. Nothing has been charged. Check the code and try again.',
    CVC,
  ],
  sim_expired_card: [
    'Your bank says that this card has expired. Nothing has been charged. Check the date, or use another card.',
    EXPIRY,
  ],
};

async function expectHint(page: Page, [said, first]: readonly [string, string], number: string): Promise<void> {
  await untilSaid(page, '#notice', said);
  await until('the focus', async () => (await focused(page)) === first);
  assert.equal((await field(page, CARD_NUMBER).inputValue()).replaceAll(' ', ''), number);
  assert.equal(await field(page, CVC).inputValue(), first === CVC ? '' : '123');
}

const pays = (source: string): boolean => /approved|charge_declined|refund_|cancel_declined|renewal_/.test(source);

// All cards are tried by the API, in test/http/sandbox-reserve.test.ts; those that are paid, declined or challenged are in
// every other test, so that what can be mended in the card's date is left for every day.
const MENDED_DAILY = testCards.filter(({ number }) => number === CARDS.expired);

describe('a test card', () => {
  for (const { number, source, challenge, what } of depth({ daily: MENDED_DAILY, release: testCards }))
    test(`${number} (${what}) ends so`, async (t) => {
      const { page, paymentId } = await openNew(t, KNOWN);
      const answer = page.waitForResponse('**/api/v1/pay');
      await payByCard(page, number);
      const { status, text } = { status: (await answer).status(), text: await (await answer).text() };
      if (challenge) {
        assert.equal(status, 202);
        assert.equal(await reservedOf(paymentId), 0);
        await bank(page).locator('[value="approve"]').click();
      }
      if (pays(source)) {
        await untilState(page, 'paid');
        assert.equal(await reservedOf(paymentId), 100_000);
        const { cardDetails } = (await paymentOf(paymentId)).paymentDetails;
        assert.equal(cardDetails.maskedPan, `${number.slice(0, 6)}******${number.slice(-4)}`);
        return;
      }
      const mended = MENDED[source];
      if (mended) await expectHint(page, mended, number);
      else {
        await expectDecline(page);
        assert.doesNotMatch(text, /fund|expired|cvc|issuer|process/i);
      }
      assert.equal(await reservedOf(paymentId), 0);
      await payByCard(page);
      await untilState(page, 'paid');
      assert.equal(await reservedOf(paymentId), 100_000);
    });

  if (isRelease) {
    test('whose charge will be declined is paid, also when the shop charges at once', async (t) => {
      const { page, paymentId } = await openNew(t, { ...KNOWN, charge: true });
      await payByCard(page, CARDS.chargeDeclined);
      await untilState(page, 'paid');
      const { summary } = await paymentOf(paymentId);
      assert.deepEqual([summary.reservedAmount, summary.chargedAmount], [100_000, 0]);
    });

    test('of the page’s own list is filled in by a click, and pays', async (t) => {
      const { page, paymentId } = await openNew(t, KNOWN);
      await page.click('.test-cards summary');
      assert.equal(await page.locator('.test-card').count(), testCards.length);
      await page.click(`.test-card[data-number="${CARDS.mastercard}"]`);
      assert.equal(await field(page, CARD_NUMBER).inputValue(), '5413 0000 0000 0000');
      await press(page);
      await untilState(page, 'paid');
      assert.equal((await paymentOf(paymentId)).paymentDetails.paymentMethod, 'MasterCard');
    });
  }

  test('that is declined loses nothing of what was typed, is told of by one message at a time, also on a reload, and the next one pays', async (t) => {
    const { page, paymentId } = await openNew(t);
    await fillConsumer(page);
    await fillIn(page, { 'consumer.shippingAddress.addressLine2': '2 tr' });
    await page.check('#remember');
    const answer = page.waitForResponse('**/api/v1/pay');
    await payByCard(page, CARDS.noFunds);
    await expectDecline(page);
    assert.doesNotMatch(await (await answer).text(), /fund|expired|cvc|issuer|process/i);
    const expectKept = async (): Promise<void> => {
      for (const [name, value] of Object.entries(ADA)) assert.equal(await field(page, name).inputValue(), value, name);
      assert.equal(await field(page, 'consumer.shippingAddress.addressLine2').inputValue(), '2 tr');
      assert.equal(await page.isChecked('#remember'), true);
    };
    await expectKept();

    // The newer message takes the place of the older.
    await press(page);
    await untilSaid(page, '#form-error', /attention/);
    assert.equal(await notice(page).isVisible(), false);
    await payByCard(page, CARDS.declined);
    await expectDecline(page);
    assert.equal(await formError(page).innerText(), '');

    await page.reload();
    assert.match(await notice(page).innerText(), /^The payment was declined\s+Nothing has been charged/);
    assert.doesNotMatch(await notice(page).innerText(), /fund/);
    await untilTyped(page, 'consumer.email', ADA['consumer.email'] ?? '');
    await expectKept();
    await fillIn(page, { [CARD_NUMBER]: CARDS.approved, [EXPIRY]: '12/30', [CVC]: '123' });
    await press(page);
    await untilState(page, 'paid');
    assert.equal((await paymentOf(paymentId)).consumer.shippingAddress.addressLine2, '2 tr');
  });

  test('that is declined for its code says so, and again and again is told no more of it', async (t) => {
    const { page } = await openNew(t, KNOWN);
    for (let tries = 0; tries < 3; tries += 1) {
      await payByCard(page, CARDS.wrongCvc);
      await expectHint(page, MENDED['sim_wrong_cvc'] as [string, string], CARDS.wrongCvc);
    }
    await payByCard(page, CARDS.wrongCvc);
    await expectDecline(page);
    await page.reload();
    assert.doesNotMatch(await notice(page).innerText(), /code/);
  });

  test('after too many declines is not tried any more for a while', async (t) => {
    const { page, paymentId } = await openNew(t, KNOWN);
    const consumer = new Consumer(stage.service, stage.shop, paymentId);
    for (let tries = 1; tries < 10; tries += 1) assert.equal((await consumer.pay(aPay(CARDS.declined))).status, 402);
    await payByCard(page, CARDS.declined);
    await expectDecline(page);
    await payByCard(page);
    await untilSaid(page, '#form-error', 'Too many attempts. Nothing has been charged.');
  });
});

describe('what is wrong', () => {
  /** Presses with one thing wrong, and looks that it is said there and announced. */
  const expectError = async (page: Page, values: Values, name: string, words: string): Promise<void> => {
    await fillCard(page, CARDS.approved, values);
    await press(page);
    await untilSaid(page, '#form-error', 'One field needs your attention.');
    assert.equal(await errorAt(page, name).innerText(), words);
    assert.equal(await field(page, name).getAttribute('aria-invalid'), 'true');
    const described = (await field(page, name).getAttribute('aria-describedby')) ?? '';
    assert.ok(described.split(' ').includes((await errorAt(page, name).getAttribute('id')) ?? '-'));
    assert.equal(await formError(page).getAttribute('role'), 'alert');
    assert.equal(await focused(page), name);
  };

  const cases: readonly (readonly [what: string, values: Values, name: string, words: string])[] = [
    [
      'a slip in the number',
      { [CARD_NUMBER]: '4925000000000005' },
      CARD_NUMBER,
      'Check the card number. A digit seems to be wrong.',
    ],
    ['a number with too few digits', { [CARD_NUMBER]: '4925 0000' }, CARD_NUMBER, 'The card number is too short.'],
    ['a real card', { [CARD_NUMBER]: '4111111111111111' }, CARD_NUMBER, NOT_TEST_CARD],
    ['a month that was', { [EXPIRY]: '10/20' }, EXPIRY, 'This card has expired.'],
    ['a month that is none', { [EXPIRY]: '00/30' }, EXPIRY, 'Enter the expiry date as MM/YY.'],
    ['a short security code', { [CVC]: '12' }, CVC, 'Check the security code.'],
    ['no security code', { [CVC]: '' }, CVC, 'Enter the security code.'],
  ];
  test('is said at the field, which gets the focus, and nothing is sent until it is right', async (t) => {
    const { page, paymentId } = await openNew(t, KNOWN);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    for (const [what, values, name, words] of cases) {
      await expectError(page, values, name, words);
      await fillCard(page);
      assert.equal(await errorAt(page, name).isVisible(), false, what);
      assert.equal(await field(page, name).getAttribute('aria-invalid'), null, what);
      assert.equal(await formError(page).innerText(), '', what);
      assert.deepEqual(requests, [], what);
    }
    await press(page);
    await untilState(page, 'paid');
    assert.equal(await reservedOf(paymentId), 100_000);
  });

  test('an empty form on a narrow phone: each field says so, those side by side stay level, the count is announced, the first gets the focus', async (t) => {
    const { page } = await openNew(t);
    await page.setViewportSize({ width: 360, height: 800 });
    const sent = watchPays(page);
    await press(page);
    const names = [
      ...['privatePerson.firstName', 'privatePerson.lastName', 'email', 'phoneNumber.number'].map(
        (n) => `consumer.${n}`,
      ),
      ...['addressLine1', 'postalCode', 'city'].map((n) => `consumer.shippingAddress.${n}`),
      CARD_NUMBER,
      EXPIRY,
      CVC,
    ];
    await untilSaid(page, '#form-error', `${names.length} fields need your attention.`);
    const wrong = await page
      .locator('[aria-invalid="true"]')
      .evaluateAll((all) => all.map((e) => e.getAttribute('name')));
    assert.deepEqual(wrong, names);
    for (const name of names) assert.match(await errorAt(page, name).innerText(), /^(?:Enter|Choose) /, name);
    assert.equal(await focused(page), names[0]);
    assert.equal(sent.length, 0);
    // One of two labels takes two lines there, and of two others one has an error below it.
    const topOf = async (name: string): Promise<number | undefined> =>
      (await field(page, name).boundingBox())?.y ?? assert.fail(name);
    const [prefix, number] = ['prefix', 'number'].map((part) => `consumer.phoneNumber.${part}`) as [string, string];
    assert.equal(await topOf(prefix), await topOf(number));
    assert.equal(await topOf(EXPIRY), await topOf(CVC));

    // It counts down as they are filled in, and says so to nobody who listens; pressed again, it does.
    const [first = '', ...rest] = names;
    await page.locator(`[name="${first}"]`).fill('Ada');
    await untilSaid(page, '#form-error', `${rest.length} fields need your attention.`);
    assert.equal(await page.locator('#form-error').getAttribute('aria-live'), 'off');
    await press(page);
    await untilSaid(page, '#form-error', `${rest.length} fields need your attention.`);
    assert.equal(await page.locator('#form-error').getAttribute('aria-live'), null);
    // What is hidden is not asked for, and not counted either.
    await choice(page, 'type', 'invoice').check();
    await untilSaid(page, '#form-error', `${rest.length - 3} fields need your attention.`);
  });

  test('a postcode of another country: said when the field is left, and gone when the country fits', async (t) => {
    const { page } = await openNew(t);
    const postalCode = 'consumer.shippingAddress.postalCode';
    await fillIn(page, { 'consumer.shippingAddress.country': 'SWE', [postalCode]: '0150' });
    await field(page, 'consumer.shippingAddress.city').focus();
    assert.match(await errorAt(page, postalCode).innerText(), /^Enter a postcode like \d{3} \d{2}\.$/);
    await fillIn(page, { 'consumer.shippingAddress.country': 'NOR' });
    assert.equal(await errorAt(page, postalCode).isVisible(), false);
  });
});

describe('the number of a card', () => {
  test('is grouped while it is typed or pasted, the caret stays where it was, and its brand is shown, also to those who listen', async (t) => {
    const { page } = await openNew(t, KNOWN);
    const number = field(page, CARD_NUMBER);
    await number.pressSequentially('49250000000');
    assert.equal(await number.inputValue(), '4925 0000 000');
    await number.press('Home');
    for (let step = 0; step < 4; step += 1) await number.press('ArrowRight');
    await number.pressSequentially('67');
    assert.equal(await number.inputValue(), '4925 6700 0000 0');
    await number.press('Backspace');
    await number.press('Backspace');
    await number.press('Backspace');
    assert.equal(await number.inputValue(), '4920 0000 00');
    await number.pressSequentially('5');
    await number.press('End');
    await number.pressSequentially('0000499');
    assert.equal(await number.inputValue(), '4925 0000 0000 0004 99');

    // Pasted, with whatever stands between its digits.
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    for (const pasted of ['4925-0000-0000-0004', ' 4925 0000 0000 0004\n', '4925000000000004']) {
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(pasted)})`);
      await field(page, CARD_NUMBER).fill('');
      await field(page, CARD_NUMBER).press('ControlOrMeta+v');
      assert.equal(await field(page, CARD_NUMBER).inputValue(), '4925 0000 0000 0004');
    }

    const brands = { '4': 'Visa', '54': 'Mastercard', '5019': 'Dankort', '1': '' };
    for (const [digits, brand] of Object.entries(brands)) {
      await fillIn(page, { [CARD_NUMBER]: digits });
      // By its mark, or by its name where there is none.
      const isDrawn = (await page.locator(`.brand .mark-${brand.toLowerCase() || 'none'}`).count()) === 1;
      if (isDrawn) assert.equal(await page.locator(`.brand .mark-${brand.toLowerCase()}`).isVisible(), true);
      assert.equal(await page.locator('.brand .mark').filter({ visible: true }).count(), isDrawn ? 1 : 0);
      assert.equal(await page.locator('.brand').textContent(), isDrawn ? '' : brand);
      if (brand) assert.equal(await page.locator('#announcer').textContent(), `${brand} card`);
    }

    // It can be filled in by the browser, and brings up a keyboard of digits.
    const tokens = { [CARD_NUMBER]: 'cc-number', [EXPIRY]: 'cc-exp', [CVC]: 'cc-csc' };
    for (const [name, token] of Object.entries(tokens)) {
      assert.equal(await field(page, name).getAttribute('autocomplete'), token);
      assert.equal(await field(page, name).getAttribute('inputmode'), 'numeric');
    }
    await field(page, EXPIRY).pressSequentially('330');
    assert.equal(await field(page, EXPIRY).inputValue(), '03 / 30');
    await fillIn(page, { [EXPIRY]: '2030-12' });
    assert.equal(await field(page, EXPIRY).inputValue(), '12 / 30');
  });
});

describe('an invoice', () => {
  test('asks for the national number where the country has one, is not sent with a wrong one, and refused without a why; the card works', async (t) => {
    const { page, paymentId } = await openNew(t);
    const sent = watchPays(page);
    await choice(page, 'type', 'invoice').check();
    const labels = {
      SWE: 'Swedish personal identity number',
      NOR: 'Norwegian national identity number',
      DNK: 'Danish CPR number',
      FIN: 'Finnish personal identity code',
    };
    for (const [country, label] of Object.entries(labels)) {
      await fillIn(page, { 'consumer.shippingAddress.country': country });
      assert.equal(await page.locator(`[data-field="${NATIONAL_NUMBER}"] label`).innerText(), label);
      assert.equal(await field(page, NATIONAL_NUMBER).isVisible(), true);
    }
    await fillIn(page, { 'consumer.shippingAddress.country': 'DEU' });
    assert.equal(await field(page, NATIONAL_NUMBER).isVisible(), false);

    await fillConsumer(page);
    await press(page);
    assert.equal(await errorAt(page, NATIONAL_NUMBER).innerText(), 'Enter your national identity number.');
    await fillIn(page, { [NATIONAL_NUMBER]: '12' });
    await press(page);
    assert.match(await errorAt(page, NATIONAL_NUMBER).innerText(), /^Check the number\. It is written like /);
    assert.equal(sent.length, 0);

    await fillIn(page, { [NATIONAL_NUMBER]: '440424-1111' });
    await press(page);
    await untilSaid(page, '#notice', 'We cannot offer you an invoice for this order. Nothing has been charged.');
    assert.equal(await reservedOf(paymentId), 0);
    await choice(page, 'type', 'card').check();
    await payByCard(page);
    await untilState(page, 'paid');
    assert.equal((await paymentOf(paymentId)).paymentDetails.paymentType, 'CARD');
  });

  test('without a national number, in a country that has none, is approved', async (t) => {
    const { page, paymentId } = await openNew(t);
    const address = { 'consumer.shippingAddress.country': 'DEU', 'consumer.shippingAddress.postalCode': '10115' };
    await fillConsumer(page, address);
    await choice(page, 'type', 'invoice').check();
    await press(page);
    await untilState(page, 'paid');
    assert.equal((await paymentOf(paymentId)).paymentDetails.paymentType, 'INVOICE');
  });

  test('is issued when the shop charges: a PDF with the shop, the items, the total, the OCR and the due date', async (t) => {
    const { page, paymentId } = await openNew(t);
    await stayWhenPaid(page);
    await fillConsumer(page);
    await choice(page, 'type', 'invoice').check();
    await fillIn(page, { [NATIONAL_NUMBER]: '19121212-1212' });
    await press(page);
    await untilState(page, 'paid');
    assert.equal(await heading(page).innerText(), 'Thank you for your order');
    await stage.shop.client.charge(paymentId, 100_000);
    const { invoiceDetails } = (await paymentOf(paymentId)).paymentDetails;
    const opened = await page.context().request.get(invoiceDetails.pdfLink);
    assert.equal(opened.headers()['content-type'], 'application/pdf');
    const { text } = await extractText(new Uint8Array(await opened.body()), { mergePages: true });
    const read = text.replaceAll(/\s+/g, ' ');
    const due = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
    const expected = [
      'Test shop',
      'Sneakers',
      '1,000.00',
      invoiceDetails.ocr,
      due.format(new Date(invoiceDetails.dueDate)),
    ];
    for (const words of expected) assert.ok(read.includes(words), `${words} in: ${read}`);
    assert.match(read, /Ada Öberg Storgatan 1/);
    const guessed = invoiceDetails.pdfLink.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'));
    assert.equal((await page.context().request.get(guessed)).status(), 404);
  });
});
