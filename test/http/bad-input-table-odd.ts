// Requests that look wrong and are right: what a tolerant service takes. They stand beside the bad ones, so that a
// service that refuses everything does not pass.
import { OPERATIONS } from './bad-input-table.ts';
import type { Row } from './bad-input-table.ts';
import { bodyWith } from './bad-input-table-values.ts';

const GOOD = JSON.stringify(OPERATIONS.create.body);
const AUTHORIZED = 'Host: kassa.example\r\nAuthorization: {key}\r\nContent-Type: application/json\r\n';
const PROTOTYPE_NAMES = ['constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];

const taken = (name: string, body: Row['body'] & {}, headers: Row['headers'] = {}): Row => ({
  name,
  line: OPERATIONS.create.line,
  body,
  headers,
  status: 201,
});
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

export const ODD_ROWS: readonly Row[] = [
  taken('a byte order mark', `\uFEFF${GOOD}`),
  taken('white space around the value', ` \r\n\t${GOOD}\n`),
  taken('a field twice: the last wins', GOOD.replace('"amount"', '"amount":"x","amount"')),
  taken('unknown fields that hold anything', GOOD.replace('{', '{"a":"\\u0000\\ud800","b":[[[1e309]]],"c":null,')),
  ...PROTOTYPE_NAMES.map((name) => taken(`a field named ${name}`, GOOD.replace('{', `{"${name}":{"prototype":1},`))),
  ...[...PROTOTYPE_NAMES, '__proto__'].map((name) =>
    taken(`an item named ${name}`, bodyWith('create', 'order.items[0].name', `"${name}"`)),
  ),
  taken('a name of 128 emoji', bodyWith('create', 'order.items[0].name', `"${'😀'.repeat(128)}"`)),
  taken('a name of control characters', bodyWith('create', 'order.items[0].name', '"\\u0001\\u001f\\u007f\\u2028"')),
  taken('a price of -0', bodyWith('create', 'order.items[0].unitPrice', '-0')),
  taken('an amount with an exponent', bodyWith('create', 'order.amount', '1e5')),
  taken('an amount with a fraction of 0', bodyWith('create', 'order.amount', '100000.000')),
  taken('a quantity of a millionth', bodyWith('create', 'order.items[0].quantity', '0.000001')),
  taken('a reference that is a whole number', bodyWith('create', 'order.items[0].reference', '9007199254740991')),
  taken('arrays nested 32 deep', GOOD.replace('{', `{"a":${'['.repeat(31)}${']'.repeat(31)},`)),
  taken('a content coding that nobody applied', GOOD, { 'Content-Encoding': 'utf-8' }),
  taken('a charset in quotes', GOOD, { 'Content-Type': 'application/json;charset="UTF-8"' }),
  taken('an empty content type', GOOD, { 'Content-Type': '' }),
  taken('a client that waits to be told to go on', GOOD, { Expect: '100-continue' }),
  taken('headers that try to become headers of the answer', GOOD, { 'X-Request-Id': 'a%0d%0aSet-Cookie:b' }),
  taken('chunks', Array.from(GOOD, chunk).join('') + chunk(''), { 'Transfer-Encoding': 'chunked' }),
  { name: 'an absolute address', line: 'GET http://shop.example/v1/payments/{created}', status: 200 },
  { name: 'a path in capitals with a slash', line: 'GET /V1/PAYMENTS/{created}/', status: 200 },
  { name: 'an encoded letter in the path', line: 'GET /v1/p%61yments/{created}', status: 200 },
  { name: 'a query of nothing', line: 'GET /v1/payments?&&', status: 200 },
  { name: 'a query that is badly encoded', line: 'GET /v1/payments?reference=%ZZ', status: 200 },
  { name: 'a reference like SQL', line: "GET /v1/payments?reference=';drop%20table%20payments;--", status: 200 },
  { name: 'a GET with a body', line: 'GET /v1/payments/{created}', body: '{', status: 200 },
  { name: 'HTTP/1.0 without a host', bytes: 'GET /v1/payments HTTP/1.0\r\nAuthorization: {key}\r\n\r\n', status: 200 },
  {
    name: 'empty lines before the request',
    bytes: `\r\n\r\nGET /v1/payments HTTP/1.1\r\n${AUTHORIZED}\r\n`,
    status: 200,
  },
];
