// Goal: every state of a payment has a page that says so, the page asks for what the shop wants and nothing else, and
// nothing that a shop or a consumer wrote can break out of it. Method: pages are drawn from plain views and read with
// regular expressions; what must hold of any page is held of all of them, in every language.
import assert from 'node:assert/strict';
import { countryName, formatAmount } from '../../src/checkout/formats.ts';
import { checkoutTexts } from '../../src/checkout/texts.ts';
import { LANGUAGES } from '../../src/pages/language.ts';
import type { Language } from '../../src/pages/language.ts';
import { describe, test } from 'node:test';
import { testCards } from '../../src/acquirers/test-cards.ts';
import { renderChallenge, renderChallengeFinished } from '../../src/checkout/page/challenge-page.ts';
import { renderCheckout } from '../../src/checkout/page/checkout-page.ts';
import { renderFault } from '../../src/checkout/page/fault-page.ts';
import type { ChallengeView, CheckoutState, CheckoutView, Fault, Frame, Mode } from '../../src/checkout/view.ts';
import { countries } from '../../src/domain/country.ts';
import type { OrderItem } from '../../src/domain/item.ts';
import { NO_TOTALS } from '../../src/domain/payment.ts';
import type { Checkout, Payment } from '../../src/domain/payment.ts';

const frame = (mode: Mode = 'hosted', language: Language = 'en'): Frame => ({
  mode,
  language,
  root: '/pay',
  assets: { css: '/pay/page.css', js: '/pay/page.js' },
  self: '/pay/hostedpaymentpage/?checkoutKey=k&pid=p',
});

const item = (name: string, gross: number, more: Partial<OrderItem> = {}): OrderItem => ({
  reference: name,
  name,
  quantity: 1,
  unit: 'pcs',
  unitPrice: gross,
  taxRate: 2_500,
  taxAmount: gross / 5,
  grossTotalAmount: gross,
  netTotalAmount: gross - gross / 5,
  ...more,
});

const checkout: Checkout = {
  integrationType: 'HostedPaymentPage',
  cancelUrl: 'https://shop.example/cart',
  termsUrl: 'https://shop.example/terms',
};

const paymentOf = (more: Partial<Payment> = {}): Payment => ({
  id: '0123456789abcdef0123456789abcdef',
  merchantId: 1,
  version: 1,
  order: { amount: 15_000, currency: 'SEK', items: [item('Shirt', 16_000), item('Voucher', -1_000)] },
  checkout,
  consumer: {},
  totals: NO_TOTALS,
  movements: [],
  ...more,
});

const viewOf = (more: Partial<CheckoutView> = {}): CheckoutView => ({
  ...frame(more.mode, more.language),
  state: 'open',
  payment: paymentOf(),
  shopName: 'Nordlys',
  live: false,
  checkoutKey: 'test-checkout-key',
  shippingCostMissing: false,
  pictureOrigins: [],
  ...more,
});

const withCheckout = (more: Partial<Checkout>, rest: Partial<Payment> = {}): Partial<CheckoutView> => ({
  payment: paymentOf({ checkout: { ...checkout, ...more }, ...rest }),
});
/** The space that a missing attribute leaves behind means nothing. */
const draw = (...more: readonly Partial<CheckoutView>[]): string =>
  renderCheckout(viewOf(Object.assign({}, ...more))).replaceAll(/ +(?=[ >])/g, '');

const BOTH_KINDS: Partial<Checkout> = { consumerType: { default: 'B2C', supportedTypes: ['B2C', 'B2B'] } };
const challenge = (more: Partial<ChallengeView> = {}): ChallengeView => ({
  ...frame(),
  shopName: 'Nordlys',
  amount: 15_000,
  currency: 'SEK',
  method: { paymentType: 'CARD', paymentMethod: 'Visa', maskedPan: '426827******4847' },
  action: '/pay/challenge/abc',
  ...more,
});

const STATES: readonly CheckoutState[] = ['open', 'paid', 'pending', 'expired', 'terminated', 'unavailable'];
const FAULTS: readonly Fault[] = ['wrong_key', 'no_such_payment', 'wrong_address', 'database_away'];

/** What a reader sees of a piece of HTML. */
const textOf = (html: string): string =>
  html
    .replaceAll(/<(script|style|svg)\b[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');
const attributesOf = (html: string, name: string): string[] =>
  Array.from(html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g')), ([, value = '']) => value);
const tagsOf = (html: string, tag: string): string[] => html.match(new RegExp(`<${tag}\\b[^>]*>`, 'g')) ?? [];
const optionsOf = (html: string, name: string): string[] => {
  const select = new RegExp(`<select[^>]*name="${name}"[\\s\\S]*?</select>`).exec(html)?.[0] ?? '';
  return attributesOf(select, 'value');
};
const jsonIn = (html: string, id: string): unknown =>
  JSON.parse(new RegExp(`id="${id}">([\\s\\S]*?)</script>`).exec(html)?.[1] ?? 'null');

/** Every page there is, in a language. */
function everyPage(language: Language): Map<string, string> {
  const here = frame('hosted', language);
  const pages = STATES.flatMap((state) =>
    (['hosted', 'embedded'] as const).map(
      (mode) => [`${state} ${mode}`, draw({ state, mode, language, returnUrl: 'https://shop.example/' })] as const,
    ),
  );
  return new Map([
    ...pages,
    ['both kinds', draw({ language }, withCheckout(BOTH_KINDS))],
    ['declined', draw({ language, lastTry: 'declined' })],
    ['challenge open', draw({ language, challengeUrl: '/pay/challenge/abc', lastTry: 'declined' })],
    ['live', draw({ language, live: true })],
    ...FAULTS.map((fault) => [fault, renderFault({ ...here, fault })] as const),
    ['challenge', renderChallenge(challenge(here))],
    ['challenge finished', renderChallengeFinished(here, '/pay/')],
  ]);
}

describe('every page', () => {
  for (const language of LANGUAGES)
    for (const [name, page] of everyPage(language)) {
      test(`${language}, ${name}: is well made`, () => {
        assert.ok(page.startsWith('<!doctype html>\n<html lang='), 'a document');
        assert.equal(tagsOf(page, 'h1').length, 1, 'one first heading');
        assert.equal(tagsOf(page, 'main').length, 1, 'one main part');
        assert.match(page, /<title>[^<]+<\/title>/);
        assert.doesNotMatch(page, /undefined|\[object|NaN|\{\w+\}(?=[^"]*<)(?<!"[^"]*)/, 'no value is missing');
        const headings = Array.from(page.matchAll(/<h([1-6])\b/g), ([, level]) => Number(level));
        for (const [index, level] of headings.entries()) assert.ok(level <= (headings[index - 1] ?? 0) + 1, 'headings');
      });

      test(`${language}, ${name}: has no inline style or script, and nothing from elsewhere`, () => {
        assert.doesNotMatch(page, /<style|\sstyle=|\son\w+=|javascript:/i);
        for (const script of page.match(/<script\b[^>]*>/g) ?? [])
          assert.match(script, / src="\/pay\/[\w.]+"| type="application\/json"/);
        for (const tag of [...tagsOf(page, 'link'), ...tagsOf(page, 'img'), ...tagsOf(page, 'iframe')])
          assert.doesNotMatch(tag, /(?:src|href)="(?!\/pay\/|data:)/);
      });

      test(`${language}, ${name}: gives every id once, and every field a label`, () => {
        const ids = attributesOf(page, 'id');
        assert.deepEqual(
          ids.filter((id, index) => ids.indexOf(id) !== index),
          [],
        );
        for (const attribute of ['aria-describedby', 'aria-labelledby', 'for'])
          for (const id of attributesOf(page, attribute).flatMap((list) => list.split(' ')))
            assert.ok(ids.includes(id), `${attribute}="${id}"`);
        const labelled = new Set(attributesOf(page, 'for'));
        const fields = [...tagsOf(page, 'input'), ...tagsOf(page, 'select')].filter((tag) => !tag.includes('"hidden"'));
        const wrapped = Array.from(page.matchAll(/<label(?![^>]*\sfor=)[^>]*>[\s\S]*?<\/label>/g), ([label]) => label);
        for (const field of fields) {
          const [id = ''] = attributesOf(field, 'id');
          assert.ok(labelled.has(id) || wrapped.some((label) => label.includes(field)), field);
        }
      });
    }

  test('is small enough for a bad connection', () => {
    // Of the 40 KB that the first view may have, compressed; uncompressed it is about six times that.
    assert.ok(draw(withCheckout({ shippingCountries: ['SWE', 'NOR'] })).length < 30_000);
  });
});

describe('what a shop or a consumer wrote', () => {
  const evil = `</script><script>alert(1)</script>"'><img src=x onerror=alert(1)>`;

  test('stays text wherever it stands', () => {
    const payment = paymentOf({
      order: { amount: 1, currency: 'SEK', reference: evil, items: [item(evil, 1, { unit: evil, quantity: 2 })] },
      consumer: {
        email: evil,
        phone: { prefix: evil, number: evil },
        person: { firstName: evil, lastName: evil },
        shippingAddress: { addressLine1: evil, postalCode: evil, city: evil, country: evil },
      },
      checkout: {
        ...checkout,
        termsUrl: `https://shop.example/?${evil}`,
        cancelUrl: `https://shop.example/?${evil}`,
        shippingCountries: ['SWE', 'NOR'],
        appearance: { textOptions: { completePaymentButtonText: evil }, displayOptions: evil },
      },
    });
    const views = [
      viewOf({ payment, shopName: evil, checkoutKey: evil, shopOrigin: evil, self: evil, mode: 'embedded' }),
    ];
    for (const state of STATES)
      views.push(viewOf({ payment, shopName: evil, state, challengeUrl: evil, returnUrl: evil }));
    views.push(
      viewOf({ payment: { ...payment, checkout: { ...payment.checkout, merchantHandlesConsumerData: true } } }),
    );
    for (const view of views) {
      const page = renderCheckout(view);
      assert.doesNotMatch(page, /<img|<script>|alert\(1\)<\/script>/);
      assert.equal(
        page.match(/<script\b/g)?.length,
        view.state === 'open' ? 3 : 2,
        'the page’s script, the rest is data',
      );
    }
    assert.doesNotMatch(renderChallenge(challenge({ shopName: evil, action: evil })), /<img|<script/);
    assert.doesNotMatch(renderChallengeFinished(frame(), evil), /<img|<script>/);
  });

  test('cannot end the data for the script', () => {
    const page = draw();
    assert.deepEqual(jsonIn(page, 'texts'), checkoutTexts('en').script);
    assert.equal((jsonIn(page, 'test-cards') as readonly unknown[]).length, testCards.length);
  });
});

describe('the body', () => {
  test('tells the script where the payment stands', () => {
    const [body = ''] = tagsOf(draw({ challengeUrl: '/c', shippingCostMissing: true }), 'body');
    for (const part of [
      'data-mode="hosted"',
      'data-state="open"',
      'data-payment-id="0123456789abcdef0123456789abcdef"',
      'data-checkout-key="test-checkout-key"',
      'data-root="/pay"',
      'data-language="en"',
      'data-amount="15000"',
      'data-currency="SEK"',
      'data-public-device="false"',
      'data-shipping-cost-missing="true"',
      'data-challenge-url="/c"',
      'data-live="false"',
    ])
      assert.ok(body.includes(part), part);
    assert.doesNotMatch(body, /data-shop-origin/);
    assert.match(draw({ mode: 'embedded', shopOrigin: 'https://a.example' }), /data-shop-origin="https:\/\/a.example"/);
  });
});

describe('the order', () => {
  const orderIn = (page: string): string => /<section id="order"[\s\S]*?<\/section>/.exec(page)?.[0] ?? '';

  test('shows items, discounts, tax and total in the currency’s own format', () => {
    for (const language of LANGUAGES) {
      const text = textOf(orderIn(draw({ language })));
      for (const amount of [16_000, -1_000, 15_000, 3_000])
        assert.ok(text.includes(formatAmount(amount, 'SEK', language).replaceAll(/\s/g, ' ')), `${language} ${amount}`);
      assert.ok(text.includes(checkoutTexts(language).order.discount));
    }
    assert.match(orderIn(draw()), /<li class="discount">/);
    assert.match(textOf(orderIn(draw())), /Including 25% VAT/);
  });

  test('names no rate when there are several, and no tax when there is none', () => {
    const order = (...items: readonly OrderItem[]) =>
      textOf(orderIn(draw({ payment: paymentOf({ order: { amount: 1, currency: 'SEK', items } }) })));
    assert.match(order(item('a', 100), item('b', 100, { taxRate: 1_200 })), /Including VAT/);
    assert.match(order(item('a', 100), item('b', 100, { taxRate: 0, taxAmount: 0 })), /Including 25% VAT/);
    assert.doesNotMatch(order(item('a', 100, { taxRate: 0, taxAmount: 0 })), /VAT/);
  });

  test('gives the quantity and the unit, unless it is one piece', () => {
    const order = (more: Partial<OrderItem>) =>
      textOf(
        orderIn(draw({ payment: paymentOf({ order: { amount: 1, currency: 'SEK', items: [item('a', 1, more)] } }) })),
      );
    assert.match(order({ quantity: 2.5, unit: 'kg' }), /2\.5 kg/);
    assert.match(order({ quantity: 1, unit: 'kg' }), /1 kg/);
    assert.match(order({ quantity: 3 }), /3 pcs/);
    assert.doesNotMatch(order({ quantity: 1 }), /1 pcs/);
  });

  test('shows a picture of an item where the page may, and says nothing by it', () => {
    const items = [
      item('a', 100, { imageUrl: 'https://cdn.example/a.png?x="1' }),
      item('b', 100, { imageUrl: 'https://other.example/b.png' }),
      item('c', 100),
    ];
    const payment = paymentOf({ order: { amount: 300, currency: 'SEK', items } });
    const order = orderIn(draw({ payment, pictureOrigins: ['https://cdn.example'] }));
    assert.deepEqual(attributesOf(order, 'src'), ['https://cdn.example/a.png?x=&quot;1']);
    assert.match(tagsOf(order, 'img').join(), / alt="" .* loading="lazy"/);
    assert.doesNotMatch(orderIn(draw({ payment })), /<img/);
  });

  test('says what one costs, tax and all, where that is true to the last unit', () => {
    const order = (quantity: number, gross: number, more: Partial<OrderItem> = {}) =>
      textOf(
        orderIn(
          draw({
            payment: paymentOf({
              order: { amount: 1, currency: 'SEK', items: [item('a', gross, { quantity, ...more })] },
            }),
          }),
        ),
      );
    assert.match(order(2, 10_000), / 2 × SEK 50\.00 /);
    assert.match(order(0.5, 12_000, { unit: 'kg' }), / 0\.5 kg × SEK 240\.00 /);
    assert.match(order(0.3, 3, { unit: 'kg' }), / 0\.3 kg × SEK 0\.10 /);
    assert.match(order(3, 10_000), / 3 pcs /);
    assert.doesNotMatch(order(3, 10_000), /×/);
    assert.doesNotMatch(order(1, 10_000), /×/);
    assert.doesNotMatch(order(2, -10_000), /×/);
  });

  test('of forty items can be scrolled by the keyboard', () => {
    const items = Array.from({ length: 40 }, (_, index) => item(`Item ${index}`, 100));
    const page = draw({ payment: paymentOf({ order: { amount: 4_000, currency: 'SEK', items } }) });
    assert.match(orderIn(page), /<ul class="items long" tabindex="0"/);
    assert.match(textOf(orderIn(page)), /40 items/);
  });

  test('of a long order fifty items are shown at a time, with plain links to the others, and the sums of all', () => {
    const items = Array.from({ length: 120 }, (_, n) => item(`Thing ${n}`, 100));
    const payment = paymentOf({ order: { amount: 12_000, currency: 'SEK', items } });
    const namesIn = (page: string): string[] =>
      Array.from(page.matchAll(/<span class="item-name">Thing (\d+)<\/span>/g), ([, n]) => n as string);
    const pages = [1, 2, 3, 99].map((itemsPart) => draw({ payment, itemsPart }));
    assert.deepEqual(
      pages.map((page) => namesIn(page).length),
      [50, 50, 20, 20],
    );
    assert.deepEqual(
      pages.slice(0, 3).flatMap(namesIn),
      items.map((_, n) => String(n)),
    );
    const linksIn = (page: string): (string | undefined)[] =>
      Array.from(page.matchAll(/href="[^"]*&amp;items=(\d+)#order"/g), ([, part]) => part);
    assert.deepEqual(pages.map(linksIn), [['2'], ['1', '3'], ['2'], ['2']]);
    assert.match(pages[1] ?? '', /51–100 of 120/);
    for (const page of pages) {
      assert.match(page, /120 items/);
      assert.match(page, /<dd>SEK\u00a0120\.00<\/dd>/);
      assert.match(page, /<dd>SEK\u00a024\.00<\/dd>/);
    }
    const short = draw({ payment: paymentOf({ order: { ...payment.order, items: items.slice(0, 50) } }) });
    assert.doesNotMatch(short, /class="parts"/);
  });

  test('and the shop’s name are shown as the shop wants it', () => {
    const shown = (mode: Mode, displayOptions: object) => {
      const page = draw({ mode }, withCheckout({ appearance: { displayOptions } }));
      return [page.includes('id="order"'), page.includes('class="shop"')];
    };
    assert.deepEqual(shown('hosted', {}), [true, true]);
    assert.deepEqual(shown('embedded', {}), [true, false]);
    assert.deepEqual(shown('hosted', { showOrderSummary: false, showMerchantName: false }), [false, false]);
    assert.deepEqual(shown('embedded', { showMerchantName: true }), [true, true]);
    assert.deepEqual(shown('hosted', { showOrderSummary: 'no' }), [true, true]);
  });
});

describe('the consumer', () => {
  const SHIPPING = 'consumer.shippingAddress.country';

  test('is a person, unless the shop says otherwise', () => {
    const kinds = (consumerType?: Checkout['consumerType']) => {
      const page = draw(withCheckout(consumerType === undefined ? {} : { consumerType }));
      const inputs = tagsOf(page, 'input').filter((tag) => tag.includes('name="consumerType"'));
      const parts = attributesOf(page, 'data-part').filter((part) => part === 'person' || part === 'company');
      return [inputs.map((tag) => `${/B2[BC]/.exec(tag)?.[0]}${tag.includes('checked') ? '!' : ''}`), parts];
    };
    assert.deepEqual(kinds(), [['B2C'], ['person']]);
    assert.deepEqual(kinds({ default: 'B2B' }), [['B2B'], ['company']]);
    assert.deepEqual(kinds({ supportedTypes: ['B2B'] }), [['B2B'], ['company']]);
    assert.deepEqual(kinds({ supportedTypes: ['B2B', 'B2C'] }), [
      ['B2C!', 'B2B'],
      ['person', 'company'],
    ]);
    assert.deepEqual(kinds({ default: 'B2B', supportedTypes: ['B2C', 'B2B'] }), [
      ['B2C', 'B2B!'],
      ['person', 'company'],
    ]);
  });

  test('chooses among the countries that the shop ships to', () => {
    const page = draw({ language: 'sv' }, withCheckout({ shippingCountries: ['NOR', 'SWE', 'NOR'] }));
    for (const name of [SHIPPING, 'consumer.billingAddress.country'])
      assert.deepEqual(optionsOf(page, name), ['NOR', 'SWE']);
    assert.match(page, /<option value="NOR" selected>Norge<\/option>/);
  });

  test('reads a single country as text', () => {
    const page = draw({ language: 'fi' }, withCheckout({ shippingCountries: ['SWE'] }));
    assert.deepEqual(optionsOf(page, SHIPPING), []);
    assert.match(page, new RegExp(`<input type="hidden"[^>]*name="${SHIPPING}" value="SWE"`));
    assert.ok(textOf(page).includes(countryName('SWE', 'fi')));
  });

  test('chooses among all countries when the shop names none, beginning with the likely one', () => {
    const chosen = (language: Language, currency: string) => {
      const { order } = paymentOf();
      const page = draw({ language, payment: paymentOf({ order: { ...order, currency } }) });
      assert.deepEqual(optionsOf(page, SHIPPING).filter(Boolean).toSorted(), countries.toSorted());
      return /<option value="(\w*)" selected>/.exec(page.slice(page.indexOf(SHIPPING)))?.[1];
    };
    assert.equal(chosen('fi', 'EUR'), 'FIN');
    assert.equal(chosen('en', 'DKK'), 'DNK');
    assert.equal(chosen('en', 'EUR'), '');
  });

  test('finds filled in what the shop knows', () => {
    const consumer = {
      email: 'kari@example.test',
      phone: { prefix: '+47', number: '90000000' },
      person: { firstName: 'Kari', lastName: 'Nordmann' },
      shippingAddress: { addressLine1: 'Storgata 1', postalCode: '0154', city: 'Oslo', country: 'NOR' },
      billingAddress: { addressLine1: 'Lillegata 2', postalCode: '0155', city: 'Bergen', country: 'NOR' },
    };
    const page = draw({ payment: paymentOf({ consumer }) });
    for (const value of [
      'kari@example.test',
      '+47',
      '90000000',
      'Kari',
      'Nordmann',
      'Storgata 1',
      '0154',
      'Lillegata 2',
    ])
      assert.ok(page.includes(`value="${value}"`), value);
    assert.match(page, /name="separateBilling" checked/);
    const same = { ...consumer, billingAddress: consumer.shippingAddress };
    assert.doesNotMatch(draw({ payment: paymentOf({ consumer: same }) }), /name="separateBilling" checked/);
  });

  test('is not asked when the shop handles the data', () => {
    const consumer = { email: 'kari@example.test', person: { firstName: 'Kari', lastName: 'Nordmann' } };
    const page = draw(withCheckout({ merchantHandlesConsumerData: true }, { consumer }));
    assert.doesNotMatch(page, /name="consumer\.|id="remember"/);
    assert.match(textOf(page), /Your details Kari Nordmann kari@example\.test/);
    const nobody = draw(withCheckout({ merchantHandlesConsumerData: true }));
    assert.doesNotMatch(textOf(nobody), /Your details/);
  });

  test('is remembered only where they may be', () => {
    assert.match(draw(), /id="remember"/);
    assert.doesNotMatch(draw({ mode: 'embedded' }), /id="remember"/);
    assert.doesNotMatch(draw(withCheckout({ publicDevice: true })), /id="remember"/);
  });

  test('can let the browser fill in every field', () => {
    const page = draw(withCheckout(BOTH_KINDS));
    const fields = [...tagsOf(page, 'input'), ...tagsOf(page, 'select')].filter((tag) =>
      tag.includes('name="consumer.'),
    );
    for (const field of fields) assert.match(field, / autocomplete="/);
    const tokens = attributesOf(page, 'autocomplete');
    for (const token of ['email', 'tel-national', 'given-name', 'cc-number', 'cc-exp', 'cc-csc', 'billing postal-code'])
      assert.ok(tokens.includes(token), token);
  });
});

describe('paying', () => {
  const buttonIn = (page: string): string => textOf(/<button id="pay"[\s\S]*?<\/button>/.exec(page)?.[0] ?? '').trim();

  test('says the amount in the words that the shop chose, in every language', () => {
    for (const language of LANGUAGES) {
      const amount = formatAmount(15_000, 'SEK', language).replaceAll(/\s/g, ' ');
      const words = Object.keys(checkoutTexts('en').payment.button).map((completePaymentButtonText) =>
        buttonIn(draw({ language }, withCheckout({ appearance: { textOptions: { completePaymentButtonText } } }))),
      );
      for (const word of words) assert.ok(word.includes(amount), word);
      assert.equal(words[0], buttonIn(draw({ language })));
    }
    assert.equal(buttonIn(draw({ language: 'sv' })), 'Betala 150,00 kr');
    for (const odd of ['Pay', 'toString', 7])
      assert.equal(
        buttonIn(draw(withCheckout({ appearance: { textOptions: { completePaymentButtonText: odd } } }))),
        'Pay SEK 150.00',
      );
  });

  test('asks for a card or for what an invoice needs in the country', () => {
    const page = draw({ language: 'sv' });
    for (const name of ['cardNumber', 'expiry', 'cardVerificationCode'])
      assert.match(page, new RegExp(`name="paymentType.card.${name}"[^>]* inputmode="numeric"`));
    assert.doesNotMatch(page, /name="paymentType\.card\.\w+"[^>]* value=/);
    assert.match(page, /data-part="national-number">/);
    assert.match(textOf(page), /Personnummer/);
    assert.match(draw({ language: 'de' }), /data-part="national-number" hidden>/);
  });

  test('has links to the terms and back, where the shop gave them', () => {
    const page = draw();
    assert.match(page, /<a href="https:\/\/shop\.example\/terms" target="_blank" rel="noopener"/);
    assert.match(page, /<a id="cancel" href="https:\/\/shop\.example\/cart"/);
    assert.doesNotMatch(draw({ mode: 'embedded' }), /id="cancel"/);
    const bare = draw({ payment: paymentOf({ checkout: { integrationType: 'HostedPaymentPage' } }) });
    assert.doesNotMatch(bare, /id="cancel"|class="terms"/);
  });

  test('comes before what the shop knows of the consumer, and after what it asks of them', () => {
    const placesIn = (page: string): number[] =>
      ['id="consumer-heading"', 'id="payment-heading"', 'id="pay"'].map((part) => page.indexOf(part));
    const person = { firstName: 'Kari', lastName: 'Nordmann' };
    const known = placesIn(draw(withCheckout({ merchantHandlesConsumerData: true }, { consumer: { person } })));
    const asked = placesIn(draw(withCheckout({}, { consumer: { person } })));
    const [consumer = 0, payment = 0, button = 0] = known;
    assert.ok(payment > 0 && payment < consumer && consumer < button, String(known));
    assert.deepEqual(
      asked,
      asked.toSorted((a, b) => a - b),
    );
  });

  test('shows the marks of cards beside words that say the same', () => {
    const page = draw();
    for (const brand of ['visa', 'mastercard', 'amex']) assert.match(page, new RegExp(`<symbol id="mark-${brand}"`));
    for (const tag of tagsOf(page, 'svg')) assert.match(tag, /aria-hidden="true"/);
    assert.match(textOf(page), /Card Visa and Mastercard /);
    assert.match(textOf(draw({ language: 'pl' })), /Karta Visa i Mastercard /);
    const [marks = ''] = /<span class="marks">[\s\S]*?<\/span>/.exec(page) ?? [];
    assert.deepEqual(attributesOf(marks, 'href'), ['#mark-visa', '#mark-mastercard']);
  });

  test('offers test cards in the sandbox alone', () => {
    const numbers = attributesOf(draw(), 'data-number');
    assert.deepEqual(
      numbers,
      testCards.map(({ number }) => number),
    );
    assert.match(textOf(draw()), /Test mode – no money moves/);
    const live = draw({ live: true });
    assert.doesNotMatch(live, /test-card|4925|Test mode/);
  });

  test('has a place for every message from the start', () => {
    const page = draw();
    assert.match(page, /<div id="notice" class="notice" role="alert" hidden>/);
    assert.match(page, /<div id="form-error" role="alert">/);
    assert.match(page, /<dialog id="challenge"[\s\S]*<iframe id="challenge-frame" title="[^"]+"><\/iframe>/);
  });

  test('tells how the last try ended, without a reason', () => {
    assert.match(textOf(draw({ lastTry: 'declined' })), /The payment was declined Nothing has been charged/);
    assert.match(textOf(draw({ lastTry: 'challenge_failed' })), /The payment was not confirmed/);
    const waiting = draw({ lastTry: 'declined', challengeUrl: '/pay/challenge/abc' });
    assert.match(waiting, /id="notice"[\s\S]*<a href="\/pay\/challenge\/abc"/);
    assert.doesNotMatch(textOf(waiting), /declined Nothing/);
  });
});

describe('a payment that is over', () => {
  const method = { paymentType: 'CARD', paymentMethod: 'Visa', maskedPan: '492500******0004' } as const;

  test('and paid says what was paid, how, and what happens now', () => {
    const returnUrl = 'https://shop.example/?paymentid=1&a=b';
    const page = draw({ state: 'paid', returnUrl, payment: paymentOf({ method }) });
    assert.match(page, /<a id="return" class="button" href="https:\/\/shop\.example\/\?paymentid=1&amp;a=b"/);
    assert.match(textOf(page), /You have paid SEK 150\.00 to Nordlys\./);
    assert.match(textOf(page), /Visa ending in 0004/);
    assert.match(textOf(page), /reserved on your card/);
    assert.doesNotMatch(page, /492500|id="pay-form"/);
    const charged = paymentOf({ method, totals: { ...NO_TOTALS, reserved: 15_000, charged: 15_000 } });
    assert.match(textOf(draw({ state: 'paid', payment: charged })), /charged to your card/);
    assert.doesNotMatch(draw({ state: 'paid' }), /id="return"/);
  });

  // decision: page-after-refunds-and-cancels
  test('and paid tells the truth of what was charged, given back and cancelled since', () => {
    const paidWith = (totals: Partial<Payment['totals']>): string =>
      textOf(
        draw({
          state: 'paid',
          payment: paymentOf({ method, totals: { ...NO_TOTALS, reserved: 15_000, ...totals } }),
        }),
      );
    const partly = paidWith({ charged: 10_000 });
    assert.match(partly, /You have paid SEK 150\.00 to Nordlys/);
    assert.match(partly, /SEK 100\.00 has been charged to your card\. The rest is reserved/);
    const cancelled = paidWith({ charged: 10_000, cancelled: 5_000 });
    assert.match(cancelled, /You have paid SEK 100\.00 to Nordlys/);
    assert.match(cancelled, /Amount SEK 150\.00 Cancelled -SEK 50\.00 Paid in total SEK 100\.00/);
    assert.match(cancelled, /has been charged to your card\. The shop/);
    const refunded = paidWith({ charged: 15_000, refunded: 4_000 });
    assert.match(refunded, /You have paid SEK 110\.00 to Nordlys/);
    assert.match(refunded, /Refunded -SEK 40\.00 Paid in total SEK 110\.00/);
    assert.match(refunded, /What happens now A refund usually arrives within a few days/);
    const both = paidWith({ charged: 10_000, refunded: 4_000 });
    assert.match(both, /The rest is reserved .* A refund usually arrives within a few days/);
    const all = paidWith({ charged: 10_000, cancelled: 5_000, refunded: 10_000 });
    assert.match(all, /Your payment has been refunded Nordlys has refunded SEK 100\.00 to you\./);
    assert.doesNotMatch(all, /You have paid/);
    const pending = paidWith({ charged: 15_000, refunding: 4_000 });
    assert.match(pending, /You have paid SEK 150\.00/, 'a refund that is not decided has given nothing back');
  });

  test('and paid by invoice does not say that money was taken', () => {
    const payment = paymentOf({ method: { paymentType: 'INVOICE', paymentMethod: 'EasyInvoice' } });
    const text = textOf(draw({ state: 'paid', payment }));
    assert.match(text, /Thank you for your order/);
    assert.doesNotMatch(text, /You have paid/);
  });

  test('otherwise says so on a page of its own, with a way back', () => {
    for (const state of ['expired', 'terminated', 'unavailable'] as const) {
      const page = draw({ state });
      assert.ok(textOf(page).includes(checkoutTexts('en').states[state].title));
      assert.match(page, /<a id="cancel" class="button" href="https:\/\/shop\.example\/cart"/);
      assert.doesNotMatch(page, /id="pay-form"/);
      assert.doesNotMatch(draw({ state, mode: 'embedded' }), /id="cancel"/);
    }
    assert.match(draw({ state: 'pending' }), /id="check-again"/);
  });

  test('or not there at all says what to do', () => {
    for (const fault of FAULTS) {
      const page = renderFault({ ...frame(), fault });
      assert.match(page, new RegExp(`data-state="fault" data-fault="${fault}"`));
      assert.match(textOf(page), /shop|try again/);
    }
  });
});

describe('the simulated bank', () => {
  test('shows what is paid and takes three answers', () => {
    const page = renderChallenge(challenge());
    assert.match(page, /<form method="post" action="\/pay\/challenge\/abc">/);
    assert.deepEqual(attributesOf(page, 'value'), ['approve', 'reject', 'leave']);
    for (const part of ['Nordlys', 'SEK 150.00', '•••• 4847', 'Simulated bank'])
      assert.ok(textOf(page).includes(part), part);
    assert.doesNotMatch(page, /426827|<script/);
  });

  test('leads back to the checkout afterwards', () => {
    const page = renderChallengeFinished(
      { ...frame(), assets: { css: '/a.css', js: '/finished.js' } },
      '/pay/?a=1&b=2',
    );
    assert.match(page, /<script type="module" src="\/finished\.js">/);
    assert.match(page, /<a class="button" href="\/pay\/\?a=1&amp;b=2"/);
    assert.doesNotMatch(page, /id="language"/);
  });
});
