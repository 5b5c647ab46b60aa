// Goal: nothing secret or personal is left in the request log, wherever in a body it is and however it is spelled, and
// what developers need is. Method: a table of nasty bodies, each with what must be gone and what stays.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MASK } from './mask-text.ts';
import { maskAddress } from './mask-address.ts';
import { BROKEN, LARGEST_KEPT_BYTES, maskBody } from './mask-body.ts';
import { LARGEST_READ } from '../../server/body.ts';

const CARD = '4111111111111111';
const KEY = '9f86d081884c4d659a2feaa0c55ad015';
const AS_GUID = '9f86d081-884c-4d65-9a2f-eaa0c55ad015';
// Separators that people and programs put between the digits of a card.
const SEPARATORS = [
  '.',
  '/',
  '\\',
  '_',
  '·',
  '•',
  '–',
  '—',
  '\u00a0',
  '\u202f',
  '\u2009',
  '    ',
  '\t',
  '\n',
  ' - ',
  ' / ',
  '...',
];
const MORE = [' x ', 'x', '&nbsp;', '&#160;', '&#x2013;', '%20', '%C2%A0', '+', '__', ', ', ' | ', '**', '🙂'];
const inGroups = (...signs: readonly string[]): string =>
  Array.from({ length: 4 }, (_, at) => (at === 0 ? '4111' : `${signs[at % signs.length]}1111`)).join('');
const SPELLINGS = [
  ...[...SEPARATORS, ...MORE].map((sign) => inGroups(sign)),
  inGroups('.', '/', '–'),
  inGroups('\u00a0', '__', ' '),
  Array.from(CARD).join('.'),
  Array.from(CARD).join(' - '),
  inGroups('–').replaceAll('1', '１'),
  '４１１１／１１１１／１１１１／１１１１',
  '④①①① 1111 1111 1111',
  Array.from(CARD, (digit) => `${digit}\ufe0f\u20e3`).join(''),
];
const item = (changes: object): object => ({ order: { items: [changes] } });

type Nasty = readonly [name: string, body: unknown, gone: readonly string[], stays: readonly string[]];

const NASTY: readonly Nasty[] = [
  ['a card', { card: { number: CARD, cvc: '737', expiryMonth: 12 } }, [CARD, '737', '12'], ['"card"', '"cvc"']],
  ['a card number in a reference', { order: { reference: CARD } }, [CARD], ['"order"', '"reference"']],
  ['with spaces', item({ name: '4111 1111 1111 1111' }), ['4111'], []],
  ['with dashes, in a sentence', item({ name: `Paid by 4111-1111-1111-1111, thanks` }), ['4111', 'thanks'], []],
  ['as a number', { amount: 4_111_111_111_111_111 }, [CARD], []],
  ['within a longer row of digits', { reference: `99${CARD}77` }, [CARD], []],
  ['in digits of full width', { reference: '４１１１１１１１１１１１１１１１' }, ['４１'], []],
  ['in Arabic digits', { reference: '٤١١١١١١١١١١١١١١١' }, ['٤١'], []],
  ['with signs that are not seen', { reference: CARD.replace('11', '1​1') }, ['4111'], []],
  ...SPELLINGS.map((spelled): Nasty => [`spelled ${spelled}`, { reference: `no ${spelled}.` }, [spelled], []]),
  ['with escapes of JSON in JSON', { reference: '4111\\u20131111\\u20131111\\u20131111' }, ['4111'], []],
  ['that begins before the cut', { reference: `${'a'.repeat(245)} ${CARD}` }, ['4111'], []],
  ['in the path of an address', { url: 'https://a.example/4111/1111/%EF%BC%91111/1111' }, ['4111'], []],
  ['of 15 digits, in its groups', { reference: '3782 x 822463 x 10005' }, ['3782'], []],
  ['of 19 digits', { reference: '6304000000000000000' }, ['6304'], []],
  ['as a name of a field', { [CARD]: 1, order: { amount: 5 } }, [CARD], ['"amount":5']],
  ['in a text that is JSON itself', { reference: JSON.stringify({ cvc: 737 }) }, ['737'], []],
  ['in a list in a list', { items: [[[{ name: CARD }]]] }, [CARD], []],
  ['in a list of texts', { supportedTypes: ['B2C', CARD] }, [CARD], ['B2C']],
  [
    'a consumer',
    { checkout: { consumer: { reference: 'anna-1', email: 'a@b.se', privatePerson: { firstName: 'Anna' } } } },
    ['anna', 'a@b.se', 'Anna'],
    ['"firstName"'],
  ],
  [
    'addresses and phones',
    { checkout: { shippingAddress: { country: 'SWE', city: 'Lund' }, phoneNumber: { prefix: '+46', number: '701' } } },
    ['SWE', 'Lund', '701', '+46'],
    [],
  ],
  ['a phone as a number', { phoneNumber: 46_701_234_567 }, ['467'], []],
  ['a phone in a reference', { reference: '+46 70 123 45 67' }, ['123 45'], []],
  ['an e-mail address in a reference', { order: { reference: 'for anna@example.se' } }, ['anna'], []],
  ['an object that is not known', { buyer: { reference: 'Anna Berg', id: 19_900_101 } }, ['Anna', '1990'], ['"buyer"']],
  ['a field that is not known', { order: { refrence: 'Anna Berg' } }, ['Anna'], ['"refrence"']],
  ['a name that is of nobody’s goods', { name: 'Anna', order: { name: 'Berg' } }, ['Anna', 'Berg'], []],
  ['a person as the name of a field', { 'Anna Berg': true }, ['Anna'], ['true']],
  [
    'a hook',
    {
      notifications: {
        webHooks: [{ url: 'https://u:p@s.example/h?k=v#f', authorization: 'sesame', headers: [{ h: 'x1' }] }],
      },
    },
    ['u:p', 'k=v', 'sesame', 'x1', '#f'],
    ['https://', 's.example/h', '"authorization"'],
  ],
  ['a secret of a webhook', { webhookId: 'a', secret: 'whsec_abc' }, ['whsec'], ['"secret"']],
  ['a key in a reference', { reference: 'test-secret-key-00' }, ['secret-key-00'], []],
  ['a key as a name of a field', { 'live-secret-key-00c0ffee': 1 }, ['c0ffee'], []],
  ['a GUID as a name of a field', { '0192f3a4-b5c6-7a1c-8d2e-4f5061728394': 1 }, ['0192'], []],
  ['a bare key in a reference', { reference: KEY }, [KEY.slice(8)], []],
  ['a bare key as a GUID', { order: { reference: AS_GUID } }, [AS_GUID.slice(9)], []],
  ['a bare key in capitals, in a sentence', item({ name: `The key ${KEY.toUpperCase()}` }), [KEY.toUpperCase()], []],
  ['a bare key in groups', item({ name: KEY.replaceAll(/(.{4})/g, '$1 ') }), [KEY.slice(28)], []],
  ['a bare key of digits alone', { paymentId: '7'.repeat(32) }, ['7'.repeat(24)], []],
  ['a bare key as the field of an id', { chargeId: KEY }, [KEY.slice(8)], []],
  ['a bare key in an address', { url: `https://shop.example/${KEY}` }, [KEY], []],
  ['an Authorization in a reference', { reference: 'Basic dXNlcjpw' }, ['dXNl'], []],
  ['errors that a client sends', { errors: { a: ['Anna'] } }, ['Anna'], []],
];

const GOOD = {
  order: {
    items: [{ reference: 'sneaky-1', name: 'Sneakers', quantity: 2, unit: 'pair', unitPrice: 40_000 }],
    amount: 100_000,
    currency: 'SEK',
    reference: 'order-2026-000123',
  },
  checkout: { integrationType: 'HostedPaymentPage', returnUrl: 'https://shop.example/thanks', charge: true },
  paymentId: '0192f3a4b5c67a1c8d2e4f5061728394',
};

describe('masked bodies', () => {
  for (const [name, body, gone, stays] of NASTY)
    test(name, () => {
      const { text, isCut } = maskBody(JSON.stringify(body));
      for (const each of gone) assert.ok(!text.includes(each), `${each} is in ${text}`);
      for (const each of stays) assert.ok(text.includes(each), `${each} is not in ${text}`);
      assert.doesNotThrow(() => JSON.parse(text), 'it is still JSON');
      assert.equal(isCut, false);
    });

  test('what names nobody is kept as it came', () => {
    assert.deepEqual(JSON.parse(maskBody(JSON.stringify(GOOD, null, 2)).text), GOOD);
  });

  test('the errors of an answer of ours are kept, but for a card that slipped in', () => {
    const answer = { errors: { 'checkout.consumer.email': ['must be an e-mail address'], x: [`found ${CARD}`] } };
    const expected = { errors: { ...answer.errors, x: [MASK] } };
    assert.deepEqual(JSON.parse(maskBody(JSON.stringify(answer), { isAnswer: true }).text), expected);
    const failure = { message: 'The body is larger than 1 MiB.', code: '1000', source: 'internal' };
    assert.deepEqual(JSON.parse(maskBody(JSON.stringify(failure), { isAnswer: true }).text), failure);
  });

  for (const [text, kept] of [
    ['{"reference":"a","cvc":"737', '{"reference":"a","cvc":'],
    ['{"reference":"a","cvc:"737"}', '{"reference":"a",'],
    ["{'cvc':'737'}", '{'],
    ['{cvc:737}', '{'],
    ['{"amount":1,}', '{"amount":1,'],
    ['{"amount":1 "cvc":737}', '{"amount":1'],
    ['{"amount":1}{"cvc":737}', '{"amount":1}'],
    ['{"amount":12ab737}', '{"amount":'],
    ['{"reference":"a\\x37"}', '{"reference":'],
    ['{"reference":"a\n737"}', '{"reference":'],
    ['cvc=737&email=a%40b.se', ''],
    ['<card cvc="737"/>', ''],
    ['['.repeat(100), '['.repeat(32)],
  ] as const)
    test(`of what is no JSON only the beginning is kept: ${text.slice(0, 30)}`, () => {
      assert.deepEqual(maskBody(text), { text: kept + BROKEN, isCut: false });
    });

  test('a value that stands alone is masked', () => {
    for (const text of ['"Anna"', '737', '["Anna"]', '[[737]]']) assert.ok(!/Anna|737/.test(maskBody(text).text), text);
  });

  test('what is large is cut at a bound in bytes, between two signs, and costs no more than that', () => {
    const many = JSON.stringify({ order: { items: Array.from({ length: 5_000 }, () => ({ name: 'Å😀' })) } });
    const { text, isCut } = maskBody(many);
    assert.ok(isCut);
    const bytes = Buffer.byteLength(text);
    assert.ok(bytes <= LARGEST_KEPT_BYTES && bytes > LARGEST_KEPT_BYTES - 8, String(bytes));
    assert.ok(!text.includes('�'));
    // Within one value, and where everything is masked.
    const long = maskBody(JSON.stringify({ reference: 'a'.repeat(LARGEST_READ * 2) }));
    assert.deepEqual(long, { text: '{"reference":', isCut: true });
    assert.ok(maskBody('{"reference":"a', { isWhole: false }).isCut);
    const { text: short } = maskBody(JSON.stringify({ reference: 'a'.repeat(1_000) }));
    assert.ok(short.length < 300 && short.endsWith('…"}'));
  });

  test('signs that Postgres does not take are gone', () => {
    const { text } = maskBody(JSON.stringify({ reference: 'a\u0000b\ud800c' }));
    assert.ok(text.isWellFormed());
    assert.ok(!text.includes('\u0000'));
  });
});

describe('masked addresses', () => {
  const id = '0192f3a4b5c67a1c8d2e4f5061728394';
  for (const [address, expected] of [
    [`/v1/payments/${id}/charges`, `/v1/payments/${id}/charges`],
    [`/v1/payments/${CARD}`, `/v1/payments/${MASK}`],
    ['/v1/payments/anna%40example.se', `/v1/payments/${MASK}`],
    ['/v1/payments/%zz%zz%zz%zz', `/v1/payments/${MASK}`],
    ['/v1/payments?state=charged&limit=5', '/v1/payments?state=charged&limit=5'],
    [`/v1/payments?reference=${CARD}`, `/v1/payments?reference=${MASK}`],
    ['/v1/payments?email=anna%40example.se&q', `/v1/payments?email=${MASK}&q=${MASK}`],
    ['/v1/payments?anna%40example.se=1', `/v1/payments?${MASK}=${MASK}`],
    ['/v1/payments/4111/1111/1111/1111', `/v1/payments/${MASK}/${MASK}/${MASK}/${MASK}`],
    ['/v1/payments/4111%2D1111/1111-1111', `/v1/payments/${MASK}/${MASK}`],
    [`/v1/payments/${KEY}`, `/v1/payments/${MASK}`],
    [`/v1/payments?${CARD}=1&test-secret-key-00c0ffee=2`, `/v1/payments?${MASK}=${MASK}&${MASK}=${MASK}`],
  ] as const)
    test(address, () => assert.equal(maskAddress(address), expected));

  test('of very many parameters the first are kept', () => {
    const masked = maskAddress(`/v1/payments?${'limit=1&'.repeat(1_000)}`);
    assert.ok(masked.length < 500 && masked.endsWith(MASK));
  });
});
