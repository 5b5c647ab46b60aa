// Bad requests around the body: paths, queries, methods, headers, and what is hardly HTTP at all.
import { OPERATIONS } from './bad-input-table.ts';
import type { Row } from './bad-input-table.ts';

const GOOD = JSON.stringify(OPERATIONS.create.body);
const NOBODYS_ID = '0190a1b2c3d47abc8def0123456789ab';
const LONG = 'a'.repeat(129);

const get = (path: string, status: number, errors?: readonly string[]): Row => ({
  name: `GET ${path.length > 80 ? `${path.slice(0, 60)}… (${path.length})` : path}`,
  line: `GET ${path}`,
  status,
  ...(errors && { errors }),
});

const NOWHERE = `
  /// /v1 /v2/payments /v1/nothing //v1/payments /v1//payments /v1/./payments /v1/../v1/payments /../../etc/passwd
  /v1/payments/..%2f..%2fpaymentmethods /v1/payments/%2e%2e /v1/payments/nonsense /v1/payments/${NOBODYS_ID}
  /v1/payments/${NOBODYS_ID}0 /v1/payments/0 /v1/payments/%00 /v1/payments/%20 /v1/payments/{created}%00
  /v1/payments/{created}%2Fcharges /v1/payments/0190a1b2-c3d4-7abc-8def-0123456789ab /v1/payments/'%20or%201=1--
  /v1/payments/__proto__ /v1/payments/constructor /v1/payments/{chargeId} /v1/charges/{created} /v1/charges/{refundId}
  /v1/refunds/{chargeId} /v1/refunds/nonsense /v1/payments/{created}/charges/1 /v1/sandbox /v1/payments/%F0%9F%98%80
  /v1/payments/{created};x=1 /healthz/x /v1/charges/%0d%0aSet-Cookie:%20a`;

const paths: Row[] = NOWHERE.trim()
  .split(/\s+/)
  .map((path) => get(path, 404));

const badPaths: Row[] = [
  ...['%', '%Z', '%ZZ', '%ff', '%C0%80', '%E2%82', '%u0041'].map((id) => get(`/v1/payments/${id}`, 400, ['path'])),
  get('/v1/%ZZ', 400, ['path']),
  get('/v1/charges/%ff', 400, ['path']),
  get(`/v1/payments/${LONG}`, 400, ['paymentId']),
  get(`/v1/payments/${'a'.repeat(15_000)}`, 400, ['paymentId']),
  get(`/v1/payments/${'%61'.repeat(129)}`, 400, ['paymentId']),
  get(`/v1/charges/${LONG}`, 400, ['chargeId']),
  get(`/v1/refunds/${LONG}`, 400, ['refundId']),
  ...Object.entries(OPERATIONS)
    .filter(([, { line }]) => line.includes('{'))
    .map(([operation, { line, body }]): Row => {
      const name = line.includes('{chargeId}') ? 'chargeId' : 'paymentId';
      const long = line.replace(/\{\w+\}/, LONG);
      return { name: `${operation}: a long id`, line: long, body: JSON.stringify(body), status: 400, errors: [name] };
    }),
];

const query = (text: string, ...errors: string[]): Row => get(`/v1/payments?${text}`, 400, errors);

const queries: Row[] = [
  ...['0', '101', '-1', '1.5', '1e2', 'abc', '', '0x10', '%2010', '1000', '99999999999999999999', 'true', '%00'].map(
    (limit) => query(`limit=${limit}`, 'limit'),
  ),
  query('limit=1&limit=2', 'limit'),
  query('refrence=order-1', 'refrence'),
  query('constructor=2', 'constructor'),
  query('__proto__=1', '__proto__'),
  query('x[]=3', 'query'),
  query('4925000000000004=1', 'query'),
  ...[
    'x',
    '',
    '2026-02-30',
    '2026-13-01',
    '2026-01-01T25:00:00Z',
    '1e309',
    '-1',
    '%00',
    '1600000000000',
    '1969-12-31',
  ].map((moment) => query(`from=${moment}`, 'from')),
  query('to=now', 'to'),
  query('to=2026-01-01&to=2026-01-02', 'to'),
  query('from=a&to=b&limit=c', 'from', 'to'),
  ...['zz', '', NOBODYS_ID.slice(1), '0'.repeat(32), '%00', `${NOBODYS_ID}0`].map((cursor) =>
    query(`cursor=${cursor}`, 'cursor'),
  ),
  query(`cursor=${NOBODYS_ID}&cursor=${NOBODYS_ID}`, 'cursor'),
  ...['', 'Created', 'constructor', '__proto__', 'created,reserved', '4925000000000004'].map((state) =>
    query(`state=${state}`, 'state'),
  ),
  query('state=created&state=created', 'state'),
  ...['', '%00', LONG, '%F0%9F%98%80'.repeat(129), 'a'.repeat(10_000)].map((reference) =>
    query(`reference=${reference}`, 'reference'),
  ),
  query('reference=a&reference=b', 'reference'),
  { ...get(`/v1/payments?x=${'a'.repeat(20_000)}`, 431), name: 'a query of 20,000 characters' },
];

const method = (line: string, status: number | undefined, errors?: readonly string[]): Row => ({
  name: line,
  line,
  status,
  ...(errors && { errors }),
});

const methods: Row[] = [
  ...['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY', 'PROPFIND', 'PURGE'].map((name) =>
    method(`${name} /v1/payments`, 405),
  ),
  method('GET /v1/payments/{created}/charges', 405),
  method('POST /v1/payments/{created}', 405),
  method('DELETE /v1/payments/{created}', 405),
  method('POST /v1/payments/{created}/terminate', 405),
  method('PUT /v1/payments/{created}/cancels', 405),
  method('GET /v1/charges/{chargeId}/refunds', 405),
  method('DELETE /v1/refunds/{refundId}', 405),
  method('POST /v1/paymentmethods', 405),
  method('GET /v1/sandbox/payments/{created}/reserve', 405),
  method('POST /healthz', 405),
  method('DELETE http://shop.example/v1/payments', 405),
  method('OPTIONS *', 404),
  method('BREW /v1/payments', 400, ['request']),
  method('get /v1/payments', 400, ['request']),
  method('G\0T /v1/payments', 400, ['request']),
  method('CONNECT shop.example:443', undefined),
  { ...method('PATCH /v1/payments', 405), name: 'a wrong method with a broken body', body: '{' },
  { ...method('QUERY /v1/payments', 405), name: 'a wrong method with a body', body: '{}' },
  { name: 'an unknown path with a broken body', line: 'POST /v1/nothing', body: '{', status: 404 },
  {
    name: 'an unknown path with a body that is no JSON',
    line: 'POST /v1/nothing',
    body: 'x',
    headers: { 'Content-Type': 'text/plain' },
    status: 404,
  },
];

const created = (name: string, headers: Row['headers'] & {}, status: number, errors?: readonly string[]): Row => ({
  name,
  line: OPERATIONS.create.line,
  headers,
  body: GOOD,
  status,
  ...(errors && { errors }),
});

const many = Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`X-Header-${index}`, 'x']));

const headers: Row[] = [
  ...['', 'a'.repeat(65), 'a b', 'blåbær', '\t'].map((key) =>
    created(`idempotency key ${JSON.stringify(key)}`, { 'Idempotency-Key': key }, 400, ['Idempotency-Key']),
  ),
  created('two idempotency keys', { 'Idempotency-Key': ['a', 'b'] }, 400, ['Idempotency-Key']),
  created('a header of 20 KiB', { 'X-Large': 'a'.repeat(20_480) }, 431),
  created('1,500 headers, 16 KiB and more together', many, 431),
  created('an empty key', { Authorization: '' }, 401),
  created('a key of 10,000 characters', { Authorization: 'a'.repeat(10_000) }, 401),
  created('a key of another scheme', { Authorization: 'Basic dGVzdDp0ZXN0' }, 401),
  created('an expectation that nobody can meet', { Expect: 'miracles' }, 417),
];

const AUTHORIZED = 'Host: kassa.example\r\nAuthorization: {key}\r\nContent-Type: application/json\r\n';
const raw = (name: string, bytes: string | Buffer, end = false): Row => ({
  name,
  bytes,
  status: 400,
  errors: ['request'],
  ...(end && { end }),
});
const framed = (name: string, framing: string, body = GOOD, end = false): Row =>
  raw(name, `POST /v1/payments HTTP/1.1\r\n${AUTHORIZED}${framing}\r\n\r\n${body}`, end);

const framings: Row[] = [
  framed('a length that is no number', 'Content-Length: abc'),
  framed('a negative length', 'Content-Length: -1'),
  framed('a length with an exponent', 'Content-Length: 1e3'),
  framed('two lengths', 'Content-Length: 10\r\nContent-Length: 11'),
  framed('a length beyond all numbers', 'Content-Length: 99999999999999999999999'),
  { ...framed('a length of a hundred gigabytes', 'Content-Length: 100000000000'), status: 413 },
  framed('a length that is too short', 'Content-Length: 10'),
  framed('a length that is too long, and an end', `Content-Length: ${GOOD.length + 10}`, GOOD, true),
  framed('chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 5', '0\r\n\r\n'),
  framed('a chunk of no size', 'Transfer-Encoding: chunked', 'zz\r\n{}\r\n0\r\n\r\n'),
  framed('a chunk that is too long', 'Transfer-Encoding: chunked', '1\r\n{}\r\n0\r\n\r\n'),
  framed('a chunk of a negative size', 'Transfer-Encoding: chunked', '-2\r\n{}\r\n0\r\n\r\n'),
  framed('chunks without their end', 'Transfer-Encoding: chunked', '2\r\n{}\r\n', true),
  {
    ...framed('a chunk with a huge extension', 'Transfer-Encoding: chunked', `2;${'a'.repeat(20_000)}\r\n{}`),
    status: 413,
  },
  framed('an unknown transfer encoding', 'Transfer-Encoding: gzip'),
  framed('a header folded over two lines', 'X-Folded: a\r\n b', ''),
  framed('a NUL in a header', 'X-Nul: a\0b', ''),
  framed('a space in the name of a header', 'X Space: a', ''),
  framed('a header without a colon', 'nonsense', ''),
  framed('a header without a name', ': a', ''),
  raw('a space in the path', `GET /v1/pay ments HTTP/1.1\r\n${AUTHORIZED}\r\n`),
  raw('an unknown version', `GET /v1/payments HTTP/3.0\r\n${AUTHORIZED}\r\n`),
  raw('another protocol', `GET /v1/payments SMTP/1.0\r\n${AUTHORIZED}\r\n`),
  raw('no path', `GET HTTP/1.1\r\n${AUTHORIZED}\r\n`),
  { name: 'no version and so no headers, as in HTTP/0.9', bytes: 'GET /v1/payments\r\n\r\n', end: true, status: 401 },
  raw('half a request line', 'GET /v1/pay', true),
  raw('the greeting of TLS', Buffer.from('16030102000100', 'hex')),
  raw('nothing but NULs', Buffer.alloc(64)),
  raw('an answer instead of a request', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
  {
    ...raw('no host', 'GET /v1/payments HTTP/1.1\r\nAuthorization: {key}\r\n\r\n'),
    errors: ['Host'],
  },
  ...['/v1/payments HTTP/1.1', '/v1/payments HTTP/1.0', '/docs HTTP/1.1', '/api/v1/checkout HTTP/1.0'].map((line) => ({
    ...raw(`two hosts: ${line}`, `GET ${line}\r\n${AUTHORIZED}hOst: elsewhere.example\r\n\r\n`),
    errors: ['Host'],
  })),
];

export const REQUEST_ROWS: readonly Row[] = [...paths, ...badPaths, ...queries, ...methods, ...headers, ...framings];
