// Bodies that are no JSON object: broken and doubled JSON, wrong encodings, wrong content types, wrong sizes. The
// common ones are sent to every operation that reads a body, the rest to the creation of a payment.
import { gzipSync } from 'node:zlib';
import { depth } from '../support/depth.ts';
import { OPERATION_KEYS, OPERATIONS } from './bad-input-table.ts';
import type { OperationKey, Row } from './bad-input-table.ts';

const GOOD = JSON.stringify(OPERATIONS.create.body);
const MEBIBYTE = 1_048_576;

const sent = (operation: OperationKey, name: string, body: Row['body'] & {}, errors: readonly string[]): Row => ({
  name: `${operation}: ${name}`,
  line: OPERATIONS[operation].line,
  body,
  headers: { 'Content-Type': 'application/json' },
  status: 400,
  errors,
});

/** Work without a body: an empty one, null and [] are taken. */
const OPTIONAL = new Set<OperationKey>(['reserve', 'terminate']);
/** Reads no field of its body, so only what is no JSON at all is refused. */
const CARELESS: OperationKey = 'terminate';

/** By day one that must have a body, one that need not and the careless one: every-operation.test.ts asks all of them. */
const BODIES_OF = depth<readonly OperationKey[]>({ daily: ['create', 'reserve', CARELESS], release: OPERATION_KEYS });

const everywhere: Row[] = BODIES_OF.flatMap((operation) => [
  ...(OPTIONAL.has(operation)
    ? []
    : [
        sent(operation, 'no body', '', ['instance']),
        sent(operation, 'only white space', ' \n\t ', ['instance']),
        sent(operation, 'null', 'null', ['instance']),
        sent(operation, '[]', '[]', ['body']),
      ]),
  ...(operation === CARELESS
    ? []
    : ['"x"', '1', 'true', '[{}]', '[[]]'].map((json) => sent(operation, json, json, ['body']))),
  sent(operation, 'JSON that ends too early', '{"amount":1', ['body']),
  sent(operation, 'two JSON values', '{} {}', ['body']),
  sent(operation, 'arrays nested 100,000 deep', '['.repeat(100_000), ['body']),
  sent(operation, '__proto__ as a field', '{"__proto__":{"amount":1}}', ['body']),
  sent(operation, 'bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), ['body']),
  { ...sent(operation, 'plain text', '{}', []), headers: { 'Content-Type': 'text/plain' }, status: 415 },
  {
    ...sent(operation, 'one byte more than a mebibyte', `{"padding":"${'a'.repeat(MEBIBYTE - 13)}"}`, []),
    status: 413,
  },
]);

const BROKEN: Readonly<Record<string, string>> = {
  'an open brace': '{',
  'a closing brace': '}',
  'a name without a value': '{"order"',
  'a colon without a value': '{"order":}',
  'single quotes': "{'order':1}",
  'a name without quotes': '{order:1}',
  'a comma at the end': '{"order":{},}',
  'a comma at the end of an array': '{"order":[1,]}',
  'a comment': '{/* order */}',
  NaN: '{"order":NaN}',
  Infinity: '{"order":Infinity}',
  undefined: '{"order":undefined}',
  'a hexadecimal number': '{"order":0x10}',
  'a leading zero': '{"order":01}',
  'a plus sign': '{"order":+1}',
  'a number without its integer': '{"order":.5}',
  'a number without its fraction': '{"order":1.}',
  'a number without its exponent': '{"order":1e}',
  'a thousands separator': '{"order":1_000}',
  'rubbish after the value': `${GOOD}x`,
  'an object and an array': '{}[]',
  'a raw line break in a text': '{"order":"a\nb"}',
  'a raw NUL in a text': '{"order":"a\0b"}',
  'a NUL after the value': '{}\0',
  'an unknown escape': String.raw`{"order":"\x41"}`,
  'an escape cut short': String.raw`{"order":"\u12"}`,
  'a text without its end': '{"order":"abc',
  'a text that ends in an escape': '{"order":"abc\\',
  'True in capitals': '{"order":True}',
  'an XML document': '<order/>',
  'a form': 'order=1&checkout=2',
  'a card number': '4925 0000 0000 0004',
  'a JavaScript expression': 'alert(1)',
  'an escaped __proto__': String.raw`{"order":{"\u005f_pro\u0074o__":1}}`,
  '__proto__ far inside': `{"order":{"items":[{"a":{"__proto__":null}}]}}`,
  'objects nested 100,000 deep': '{"a":'.repeat(100_000),
  'arrays nested 33 deep': `{"a":${'['.repeat(32)}${']'.repeat(32)}}`,
  'brackets closed before they open': `${']'.repeat(50)}${'['.repeat(50)}`,
};

const UTF16 = Buffer.from(GOOD, 'utf16le');

const ENCODINGS: Readonly<Record<string, Buffer>> = {
  'UTF-16 without a mark': UTF16,
  'UTF-16 with a mark': Buffer.concat([Buffer.from([0xff, 0xfe]), UTF16]),
  'UTF-16, big end first': Buffer.from(UTF16).swap16(),
  Latin1: Buffer.from('{"order":"blåbær"}', 'latin1'),
  'an overlong NUL': Buffer.from([0x22, 0xc0, 0x80, 0x22]),
  'a surrogate in UTF-8': Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  'a character cut short': Buffer.from([0x22, 0xe2, 0x82, 0x22]),
  'a character beyond Unicode': Buffer.from([0x22, 0xf5, 0x80, 0x80, 0x80, 0x22]),
  'two byte order marks': Buffer.concat([Buffer.from('\uFEFF\uFEFF'), Buffer.from(GOOD)]),
  'a gzipped body': gzipSync(GOOD),
  'nothing but NULs': Buffer.alloc(100),
};

const CONTENT_TYPES = [
  'text/html',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonp',
  'application/json2',
  'json',
  ';',
  'application/',
  'application/json, text/plain',
  'application/json; charset=utf-16',
  'application/json; charset=iso-8859-1',
  'application/json; charset="utf-7"',
  '4925000000000004/json',
  '__proto__/constructor',
];

export const BODY_ROWS: readonly Row[] = [
  ...everywhere,
  ...Object.entries(BROKEN).map(([name, body]) => sent('create', name, body, ['body'])),
  ...Object.entries(ENCODINGS).map(([name, body]) => sent('create', name, body, ['body'])),
  sent('create', 'only a byte order mark', '\uFEFF', ['instance']),
  ...CONTENT_TYPES.map((type): Row => ({
    name: `content type ${type}`,
    line: OPERATIONS.create.line,
    headers: { 'Content-Type': type },
    body: GOOD,
    status: 415,
  })),
];
