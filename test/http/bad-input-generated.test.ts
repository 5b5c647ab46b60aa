// Goal: whatever a client sends, the service answers as the contract says or not at all, and lives on.
// Method: fast-check makes requests that nobody thought of: good bodies spoilt at a random place, random JSON, random
// bytes in place of a body and of a whole request, random paths and queries. Each answer is held to what is true of
// every answer. A failure prints its seed and the smallest request that fails.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { aCreate } from '../support/client.ts';
import { depth } from '../support/depth.ts';
import { exchange } from '../support/raw.ts';
import type { Bytes } from '../support/raw.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import { bytesOf, CARD_NUMBER, expectContract, layGround, OPERATIONS, secretsOf } from './bad-input-table.ts';
import type { Ground, Row } from './bad-input-table.ts';

let service: Service;
const grounds: Ground[] = [];
before(async () => {
  service = await startService();
  for (const dialect of ['spec', 'nexi', 'spec'] as const) {
    const { client } = await service.openShop({ dialect });
    grounds.push(await layGround(client));
  }
});
after(() => service.stop());

/** Sends the bytes to the service and holds what comes back to the contract. Rubbish may be hung up on. */
async function sendBytes(bytes: Bytes, ground: Ground, end = false): Promise<void> {
  const replies = await exchange(service.url, bytes, { end });
  for (const reply of replies.filter(({ status }) => status >= 200)) expectContract(reply, secretsOf(ground));
}

const sendRow = (row: Omit<Row, 'name' | 'status'>, dialect: number): Promise<void> => {
  const ground = grounds[dialect] as Ground;
  return sendBytes(bytesOf({ name: '', status: 0, ...row }, ground), ground);
};

const dialect = fc.nat(1);
/** The ground of nobody but the reader: what the others write into their payments, they may read again. */
const READER = 2;

/** A create with everything that it can hold. */
const FULL_CREATE = aCreate(100_000, {
  integrationType: 'EmbeddedCheckout',
  returnUrl: 'https://shop.example/thanks',
  cancelUrl: 'https://shop.example/cart',
  termsUrl: 'https://shop.example/terms',
  ShippingCountries: [{ countryCode: 'SWE' }, { countryCode: 'NO' }],
  shipping: { countries: [{ countryCode: 'DNK' }], merchantHandlesShippingCost: true },
  charge: true,
  consumer: {
    email: 'kari@example.test',
    phoneNumber: { prefix: '+47', number: '40000000' },
    shippingAddress: { addressLine1: 'Testveien 1', postalCode: '0150', city: 'Oslo', country: 'NOR' },
    privatePerson: { firstName: 'Kari', lastName: 'Nordmann', dateOfBirth: '1990-12-31' },
    company: { name: 'Kari AS', organisationNumber: '1', contact: { firstName: 'Kari' } },
  },
  consumerType: { default: 'B2C', supportedTypes: ['B2C', 'B2B'] },
  appearance: { displayOptions: { showMerchantName: true }, textOptions: { completePaymentButtonText: 'pay' } },
});
FULL_CREATE.notifications = {
  webHooks: [
    {
      eventName: 'payment.created',
      url: 'https://shop.example/hook',
      authorization: '12345678',
      headers: [{ a: 'b' }],
    },
  ],
};

const operation = fc.constantFrom<{ line: string; body: object }>(...Object.values(OPERATIONS), {
  line: OPERATIONS.create.line,
  body: FULL_CREATE,
});

/** Values that have broken programs before, as JSON texts, two spaces apart. */
const NASTY = String.raw`
  null  true  -0  1e309  -1e309  1e-320  9007199254740993  0.1  -1  ""  []  {}  [[]]  "<script>"  "%s%n"
  "\u0000"  "\ud800"  "\udfff\ud800"  "__proto__"  "constructor"  {"constructor":{"prototype":1}}  {"__proto__":1}
  "${CARD_NUMBER}"  ${CARD_NUMBER}  "4925 0000 0000 0004"  {"${CARD_NUMBER}":1}  ["${CARD_NUMBER}"]
  {"length":1e9}  {"toJSON":1}  "\r\nX-Evil: 1"  "${'a'.repeat(5_000)}"  [${'{},'.repeat(1_200)}{}]`;
const nasty = fc.constantFrom(...NASTY.trim().split(/\s{2,}/));
const json = fc.oneof(nasty, fc.json({ maxDepth: 4 }));

type Step = string | number;

/** The paths to every value inside of a JSON value. */
function pathsOf(value: unknown, path: readonly Step[] = []): (readonly Step[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const steps = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  const inside = steps.flatMap((step) => pathsOf((value as Record<Step, unknown>)[step], [...path, step]));
  return [path, ...inside];
}

const MARK = 'the-value-goes-here';

/** The body with the value at that path replaced by a JSON text, or left out. */
function spoil(body: object, path: readonly Step[], text: string | undefined): string {
  if (path.length === 0) return text ?? '';
  const copy = structuredClone(body) as Record<Step, unknown>;
  const parent = path.slice(0, -1).reduce((node, step) => node[step] as Record<Step, unknown>, copy);
  const last = path.at(-1) as Step;
  if (text === undefined) delete parent[last];
  else parent[last] = MARK;
  return JSON.stringify(copy).replace(`"${MARK}"`, () => text ?? '');
}

/** A good body of an operation, spoilt in one to three places. */
const spoilt = operation.chain(({ line, body }) => {
  const change = fc.tuple(fc.constantFrom(...pathsOf(body)), fc.option(json, { nil: undefined }));
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    let text = JSON.stringify(body);
    for (const [path, value] of changes) {
      const now: unknown = isJson(text) ? JSON.parse(text) : undefined;
      if (!hasPath(now, path)) break;
      text = spoil(now as object, path, value);
    }
    return { line, body: text };
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const hasPath = (value: unknown, path: readonly Step[]): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (path.length <= 1 || hasPath((value as Record<Step, unknown>)[path[0] as Step], path.slice(1)));

describe('whatever is sent, the answer keeps to the contract', () => {
  // decision: card-numbers
  test('a good body that is spoilt in a few places', async () => {
    await fc.assert(
      fc.asyncProperty(spoilt, dialect, (row, index) => sendRow(row, index)),
      { numRuns: depth({ daily: 120, release: 600 }) },
    );
  });

  test('any JSON as a body', async () => {
    await fc.assert(
      fc.asyncProperty(operation, json, dialect, ({ line }, body, index) => sendRow({ line, body }, index)),
      { numRuns: depth({ daily: 40, release: 200 }) },
    );
  });

  test('any bytes as a body', async () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
    await fc.assert(
      fc.asyncProperty(operation, bytes, dialect, ({ line }, body, index) => sendRow({ line, body }, index)),
      { numRuns: depth({ daily: 40, release: 200 }) },
    );
  });

  test('any content type and any idempotency key', async () => {
    const value = fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) });
    await fc.assert(
      fc.asyncProperty(operation, value, value, dialect, ({ line, body }, type, idempotencyKey, index) => {
        const headers = { 'Content-Type': type, 'Idempotency-Key': idempotencyKey, CommercePlatformTag: type };
        return sendRow({ line, body: JSON.stringify(body), headers }, index);
      }),
      { numRuns: depth({ daily: 40, release: 200 }) },
    );
  });

  test('any path and any query', async () => {
    const piece = fc.oneof(
      fc.constantFrom('v1', 'payments', 'charges', 'refunds', '', '..', '.', '%00', '%ff', '%2F', ':paymentId', '*'),
      fc.webSegment(),
      fc.string().map(encodeURI),
    );
    const path = fc.array(piece, { maxLength: 5 }).map((pieces) => `/${pieces.join('/')}`);
    const name = fc.constantFrom('limit', 'from', 'to', 'cursor', 'state', 'reference', '__proto__', 'x[]');
    const value = fc.oneof(
      fc.string({ unit: 'binary' }).map((text) => encodeURIComponent(text)),
      fc.webQueryParameters(),
    );
    const query = fc.array(fc.tuple(name, value), { maxLength: 6 });
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE');
    const target = fc.oneof(fc.constant('/v1/payments'), path);
    await fc.assert(
      fc.asyncProperty(method, target, query, (verb, where, pairs) =>
        sendRow({ line: `${verb} ${where}?${pairs.map((pair) => pair.join('=')).join('&')}` }, READER),
      ),
      { numRuns: depth({ daily: 60, release: 400 }) },
    );
  });

  test('any bytes as a request', async () => {
    const rubbish = fc.uint8Array({ minLength: 1, maxLength: 200 }).map((array) => Buffer.from(array));
    const start = fc.constantFrom('', 'GET ', 'POST /v1/payments HTTP/1.1\r\n', 'GET / HTTP/1.1\r\nHost: a\r\n');
    await fc.assert(
      fc.asyncProperty(start, rubbish, dialect, (line, bytes, index) =>
        sendBytes(Buffer.concat([Buffer.from(line), bytes, Buffer.from('\r\n\r\n')]), grounds[index] as Ground, true),
      ),
      { numRuns: depth({ daily: 40, release: 200 }) },
    );
  });
});

test('the service lives, its log tells of no failure, and the books are right', async () => {
  assert.equal((await service.client().get('/healthz')).status, 200);
  for (const { key, reserved } of grounds)
    assert.equal((await service.client(key).get(`/v1/payments/${reserved}`)).status, 200);
  assert.doesNotMatch(service.log(), /"level":(?:50|60)/);
  assert.deepEqual((await verifyBooks(service.pool)).differences, []);
});
