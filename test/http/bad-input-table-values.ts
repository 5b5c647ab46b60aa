// Bad values: an otherwise good request in which one field is wrong. Values are JSON texts, since some of them (1e309,
// -0, half of a surrogate pair) have no other spelling.
import { anItem } from '../support/client.ts';
import { depth } from '../support/depth.ts';
import { withField } from '../support/field.ts';
import { CARD_NUMBER, OPERATIONS } from './bad-input-table.ts';
import type { OperationKey, Row } from './bad-input-table.ts';

const MARK = 'the-value-goes-here';

/** The operation's good body with one field replaced by a JSON text. */
export function bodyWith(operation: OperationKey, field: string, json: string): string {
  return JSON.stringify(withField(OPERATIONS[operation].body, field, MARK)).replace(`"${MARK}"`, () => json);
}

const shorten = (json: string): string => (json.length > 40 ? `${json.slice(0, 30)}… (${json.length})` : json);

/** One row for each value; the error is the field's unless other fields are named. */
function wrong(operation: OperationKey, field: string, values: readonly string[], errors = [field]): Row[] {
  return values.map((json) => ({
    name: `${operation}: ${field} is ${shorten(json)}`,
    line: OPERATIONS[operation].line,
    body: bodyWith(operation, field, json),
    status: 400,
    errors,
  }));
}

const text = (length: number): string => JSON.stringify('a'.repeat(length));
const list = (length: number, json: string): string => `[${Array.from({ length }, () => json).join()}]`;
const item = (changes: object): string => JSON.stringify(anItem(changes));

const NO_AMOUNTS = ['0', '-1', '-0', '1.5', '1e309', '-1e309', '1000000000001', '9007199254740993', '1e300', 'null'];
const NO_NUMBERS = ['"100000"', 'true', '[100000]', '[[[1]]]', '{}', '{"valueOf":1}', '""', '"NaN"'];
const NO_ITEM_AMOUNTS = ['0.5', '1e309', '1000000000001', '-1000000000001', '"1"', 'false', 'null'];
const NO_TEXTS = [
  text(129),
  text(depth({ daily: 20_000, release: 500_000 })),
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00x"',
  'true',
  '{}',
  '["a"]',
  'null',
];
const NO_URLS = ['"ftp://shop.example"', '"//shop.example"', '"/checkout"', '"javascript:alert(1)"', '"https://"'];
const NO_URLS_EITHER = [
  '"https://a b.example"',
  '"https://\\u0000"',
  '"http://[::1"',
  '5',
  `"https://${'a'.repeat(2_050)}"`,
];
const ITEM_FIELDS = ['reference', 'name', 'quantity', 'unit', 'unitPrice', 'grossTotalAmount', 'netTotalAmount'];
const HOOK = '"eventName":"payment.created","url":"https://shop.example/hook"';

const create: Row[] = [
  ...wrong('create', 'order.amount', [...NO_AMOUNTS, ...NO_NUMBERS, '99999', '100001']),
  ...wrong('create', 'order.currency', ['"XXX"', '"SE"', '""', '752', '"constructor"', '"__proto__"', '"S\\u0000K"']),
  ...wrong('create', 'order.currency', ['"4925000000000004"', '"4925 0000 0000 0004"', '["SEK"]', 'null']),
  ...wrong('create', 'order.items', ['[]', '{}', '"x"', 'null', list(1_001, item({})), list(340_000, '{}')]),
  ...wrong('create', 'order.items', ['[null]', '[[]]', '[1]', '["__proto__"]'], ['order.items[0]']),
  ...wrong('create', 'order.items', [`[${item({})},7]`], ['order.items[1]']),
  ...wrong(
    'create',
    'order.items',
    ['[{}]'],
    ITEM_FIELDS.map((field) => `order.items[0].${field}`),
  ),
  ...wrong('create', 'order.items[0].reference', [...NO_TEXTS, '1.5', '9007199254740993', '1e309']),
  ...wrong('create', 'order.items[0].name', [...NO_TEXTS, '5']),
  ...wrong('create', 'order.items[0].unit', [text(129), '"\\ud83d"']),
  ...wrong('create', 'order.items[0].quantity', [
    '-1',
    '1000000001',
    '0.0000001',
    '1e309',
    '"2"',
    'true',
    '[2]',
    'null',
  ]),
  ...wrong('create', 'order.items[0].unitPrice', NO_ITEM_AMOUNTS),
  ...wrong('create', 'order.items[0].taxRate', ['-1', '100000', '1e309', '"2500"', '{}']),
  ...wrong('create', 'order.items[0].taxAmount', ['0.5', '1e309', '"1"']),
  ...wrong('create', 'order.items[0].grossTotalAmount', ['1.5', '"100000"', 'null']),
  ...wrong('create', 'order.items[0].grossTotalAmount', ['-100000'], ['order.amount']),
  ...wrong('create', 'order.items[0].netTotalAmount', ['[]', '1e309']),
  ...wrong('create', 'order.reference', [text(129), '5', '"\\u0000"', '"\\ud800"', '{}']),
  ...wrong('create', 'order', ['null', '[]', '"x"', '1', '[1]']),
  ...wrong('create', 'checkout', ['null', '[]', '"x"', 'true']),
  ...wrong('create', 'checkout.url', [...NO_URLS, ...NO_URLS_EITHER, '""', 'null']),
  ...wrong('create', 'checkout.returnUrl', ['"x"', '5']),
  ...wrong('create', 'checkout.cancelUrl', ['"data:text/html,x"']),
  ...wrong('create', 'checkout.termsUrl', ['"file:///etc/passwd"']),
  ...wrong('create', 'checkout.integrationType', ['"Foo"', '"toString"', '5']),
  ...wrong('create', 'checkout.integrationType', ['"HostedPaymentPage"'], ['checkout.returnUrl']),
  ...wrong('create', 'checkout.ShippingCountries', ['{}', '"SE"', list(301, '{"countryCode":"SE"}')]),
  ...wrong('create', 'checkout.ShippingCountries', ['[5]', '[["SE"]]', '[true]'], ['checkout.ShippingCountries[0]']),
  ...wrong(
    'create',
    'checkout.ShippingCountries',
    [
      '[{}]',
      '["XX"]',
      '["__proto__"]',
      '[{"countryCode":"XX"}]',
      '[{"countryCode":5}]',
      '[{"countryCode":"__proto__"}]',
    ],
    ['checkout.ShippingCountries[0].countryCode'],
  ),
  ...wrong('create', 'checkout.charge', ['"true"', '1', '[]']),
  ...wrong('create', 'checkout.consumer.email', [text(255), '5', '"\\u0000"']),
  ...wrong('create', 'checkout.consumer.privatePerson.dateOfBirth', ['"1990-02-30"', '"x"', '19900101', '""']),
  ...wrong('create', 'checkout.consumer.billingAddress.country', ['"XX"', '"SWEDEN"']),
  ...wrong('create', 'checkout.consumer.privatePerson', ['"x"', '[1]']),
  ...wrong('create', 'checkout.consumerType.default', ['"C2C"', '5']),
  ...wrong('create', 'checkout.consumerType.supportedTypes', ['["B2C","B2B","B2C"]', '"B2C"']),
  ...wrong('create', 'checkout.appearance', ['"x"', '[1]', '{"a":"\\u0000"}', '{"\\ud800":1}']),
  ...wrong('create', 'myReference', [text(37), '5', '"\\ud800"']),
  ...wrong('create', 'notifications.webHooks', ['{}', list(33, `{${HOOK},"authorization":"12345678"}`)]),
  ...[
    '""',
    '{"a":1}',
    '12345678',
    '"1234567"',
    text(65),
    '"12345678\\r\\nX-Evil: 1"',
    '"\\ud83d\\ude00-authorization"',
  ].flatMap((value) =>
    wrong(
      'create',
      'notifications.webHooks',
      [`[{${HOOK},"authorization":${value}}]`],
      ['notifications.webHooks[0].authorization'],
    ),
  ),
  ...wrong(
    'create',
    'notifications.webHooks',
    [`[{${HOOK},"authorization":"12345678","headers":[{"${CARD_NUMBER}":1}]}]`],
    ['notifications.webHooks[0].headers[0].*'],
  ),
];

const MOVES = ['charge', 'cancel', 'refund', 'refundPayment'] as const;
/** By day all of them at the charge, and a few where the same schema reads the same field. */
const amountsFor = (operation: (typeof MOVES)[number]): readonly string[] => {
  const all = [...NO_AMOUNTS, '"1000"', 'true', '[1000]', '{}'];
  return operation === 'charge' ? all : depth({ daily: ['0', '-1', '1.5', '1e309', 'null', '"1000"'], release: all });
};

const moves: Row[] = MOVES.flatMap((operation) => [
  ...wrong(operation, 'amount', [...amountsFor(operation), '999', '1001']),
  ...wrong(operation, 'orderItems', ['{}', '"x"', '7', list(1_001, item({}))]),
  ...wrong(operation, 'orderItems', ['[null]'], ['orderItems[0]']),
  ...wrong(operation, 'orderItems[0].name', ['"\\ud800"', 'null']),
  ...wrong(operation, 'orderItems[0].quantity', ['-0.5', '1e309']),
]);

const updates: Row[] = [
  ...wrong('cart', 'amount', [...NO_AMOUNTS.filter((json) => json !== 'null'), '"1"', '99999']),
  ...wrong('cart', 'items', ['null', '[]', '{}', list(1_001, item({}))]),
  ...wrong('cart', 'items[0].unit', ['""', '5']),
  ...wrong('cart', 'shipping.costSpecified', ['"yes"', '1']),
  ...wrong('reference', 'reference', [text(129), '""', '5', '"\\u0000"', '"\\udfff"', '[]', '{}']),
  ...wrong('reference', 'checkoutUrl', ['"x"', '"http://"', '5', ...NO_URLS]),
  ...wrong('myReference', 'myReference', [text(37), '""', 'null', '5', '"\\u0000"', '[]']),
  ...wrong('reserve', 'card', ['"1234"', '"4925000000000005"', CARD_NUMBER, text(33), '""', 'true', '[]']),
  ...wrong('reserve', 'card', ['"__proto__"', '"constructor"', '"\\u0000"']),
  ...wrong('reserve', 'paymentType', ['"CASH"', '5', '"constructor"']),
  ...wrong('reserve', 'paymentType', ['"INVOICE"'], ['card']),
  ...wrong('reserve', 'consumer', ['"x"', '[1]', '7']),
  ...wrong('reserve', 'consumer.email', ['5', '"\\ud800"', text(255)]),
];

const whole = (name: string, operation: OperationKey, body: string, errors: readonly string[]): Row => ({
  name,
  line: OPERATIONS[operation].line,
  body,
  status: 400,
  errors,
});

const wholes: Row[] = [
  whole('create: {}', 'create', '{}', ['order', 'checkout']),
  whole('create: only names of the prototype', 'create', '{"constructor":1,"toString":2,"hasOwnProperty":3}', [
    'order',
    'checkout',
  ]),
  whole('create: another case', 'create', '{"Order":{},"CHECKOUT":{}}', ['order', 'checkout']),
  whole(
    'create: both spellings of the shipping countries',
    'create',
    bodyWith('create', 'checkout.ShippingCountries', '[],"shippingCountries":[]'),
    ['checkout.ShippingCountries'],
  ),
  ...MOVES.map((operation) => whole(`${operation}: {}`, operation, '{}', ['amount'])),
  whole('cart: {}', 'cart', '{}', ['items']),
  whole('cart: a sum below 1', 'cart', `{"items":[${item({ grossTotalAmount: 0 })}]}`, ['amount']),
  whole('cart: a sum above 10^12', 'cart', `{"items":${list(2, item({ grossTotalAmount: 1e12 }))}}`, ['amount']),
  whole('reference: {}', 'reference', '{}', ['reference']),
  whole('myReference: {}', 'myReference', '{}', ['myReference']),
];

export const VALUE_ROWS: readonly Row[] = [...create, ...moves, ...updates, ...wholes];
