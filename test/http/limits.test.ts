// Goal: every limit is where it is said to be, and what is refused for one is told so in the contract's words: 413, 431,
// 429, and a request that never ends.
// Method: two running services, one as it comes and one with low rates; sizes are met to the byte, rates by bursts.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { buildApp } from '../../src/start/app.ts';
import type { Payments } from '../../src/payments/service.ts';
import { createMetrics } from '../../src/ops/metrics.ts';
import { createKey } from '../../src/store/merchants/keys.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { expectFailure } from '../support/answers.ts';
import { aCreate, anItem } from '../support/client.ts';
import type { Client, Reply } from '../support/client.ts';
import { signIn, Visitor } from '../support/console.ts';
import { until } from '../support/kassa.ts';
import { exchange, requestText } from '../support/raw.ts';
import { startService } from '../support/service.ts';
import type { Service, Shop } from '../support/service.ts';

const MEBIBYTE = 1_048_576;
const HEADERS_BYTES = 16_384;
const TEST_RATE = 5;
const LIVE_RATE = 3;

let service: Service;
let slow: Service;
let shop: Shop;
before(async () => {
  service = await startService();
  slow = await startService({ env: { KASSA_TEST_RATE_LIMIT: String(TEST_RATE), KASSA_RATE_LIMIT: String(LIVE_RATE) } });
  shop = await service.openShop();
});
after(async () => {
  await service.stop();
  await slow.stop();
});

/** A valid create of exactly so many bytes, by a field that is unknown and so ignored. */
function createOf(bytes: number): string {
  const empty = JSON.stringify({ ...aCreate(), padding: '' });
  return empty.replace('"padding":""', `"padding":"${'a'.repeat(bytes - empty.length)}"`);
}

const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

const sendChunked = async (body: string) =>
  exchange(
    service.url,
    requestText(
      'POST /v1/payments',
      { Authorization: shop.secretKey, 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
      chunked(body),
    ),
  );

describe('a body of at most 1 MiB', () => {
  const TOO_LARGE = { status: 413, code: '1000', message: 'The body is larger than 1 MiB.' };

  // decision: sizes-and-times-of-requests
  test('of exactly 1 MiB it is taken', async () => {
    const reply = await shop.client.post('/v1/payments', createOf(MEBIBYTE));
    assert.equal(reply.status, 201, reply.text);
    assert.equal((await sendChunked(createOf(MEBIBYTE)))[0]?.status, 201, 'in chunks');
  });

  // decision: sizes-and-times-of-requests, body-of-a-refusal
  test('one byte more is 413, on every operation that reads one', async () => {
    expectFailure(await shop.client.post('/v1/payments', createOf(MEBIBYTE + 1)), TOO_LARGE);
    const paymentId = await shop.client.createReserved();
    for (const name of ['charges', 'cancels', 'refunds'])
      expectFailure(await shop.client.post(`/v1/payments/${paymentId}/${name}`, createOf(MEBIBYTE + 1)), TOO_LARGE);
    for (const name of ['orderitems', 'referenceinformation', 'myreference', 'terminate'])
      expectFailure(await shop.client.put(`/v1/payments/${paymentId}/${name}`, createOf(MEBIBYTE + 1)), TOO_LARGE);
  });

  test('in chunks, where nobody says the length before', async () => {
    const [reply] = await sendChunked(createOf(MEBIBYTE + 1));
    assert.equal(reply?.status, 413);
    assert.deepEqual(reply.body, { message: TOO_LARGE.message, code: TOO_LARGE.code, source: 'internal' });
  });

  // decision: sizes-and-times-of-requests
  test('a client that goes on sending still gets the answer, and its connection serves on', async () => {
    // More of them take longer and show no more.
    for (let round = 0; round < 2; round += 1)
      expectFailure(await shop.client.post('/v1/payments', createOf(8 * MEBIBYTE)), TOO_LARGE);
    const request = requestText('POST /v1/payments', { Authorization: shop.secretKey }, createOf(MEBIBYTE + 1));
    const next = requestText('GET /v1/paymentmethods', { Authorization: shop.secretKey });
    const replies = await exchange(service.url, Buffer.concat([request, next]), { replies: 2 });
    assert.deepEqual(
      replies.map(({ status }) => status),
      [413, 200],
    );
  });
});

describe('headers of at most 16 KiB', () => {
  const withHeaders = async (bytes: number) => {
    const usual = requestText('GET /v1/paymentmethods', { Authorization: shop.secretKey, 'X-Padding': '' });
    const padding = 'a'.repeat(bytes - usual.length);
    const headers = { Authorization: shop.secretKey, 'X-Padding': padding };
    return (await exchange(service.url, requestText('GET /v1/paymentmethods', headers)))[0];
  };

  test('are taken', async () => {
    assert.equal((await withHeaders(HEADERS_BYTES - 1_000))?.status, 200);
  });

  // decision: sizes-and-times-of-requests
  test('more is 431 with a body, and the connection is closed', async () => {
    const reply = await withHeaders(HEADERS_BYTES + 1_000);
    assert.equal(reply?.status, 431);
    assert.deepEqual(reply.body, { message: 'The headers are larger than 16 KiB.', code: '1000', source: 'internal' });
    assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(reply.headers['connection'], 'close');
  });
});

describe('a request that never ends', () => {
  // decision: sizes-and-times-of-requests
  test('is given 30 seconds, and Node looks often enough to keep to that', async () => {
    const app = await buildApp({
      payments: { store: {} } as Payments,
      publicUrl: () => '',
      privateHooks: true,
      logger: pino({ level: 'silent' }),
      metrics: createMetrics(),
      readiness: { reasonNotReady: async () => undefined },
      rates: { live: undefined, test: undefined },
    });
    const { server } = app;
    assert.equal(server.requestTimeout, 30_000);
    assert.ok(server.headersTimeout > 0 && server.headersTimeout <= 30_000);
    assert.equal((app.initialConfig as { requestTimeout?: number }).requestTimeout, 30_000);
    await app.close();
  });

  test('that is broken off is no failure of the service', async () => {
    const headers = { Authorization: shop.secretKey, 'Content-Length': '100' };
    await exchange(service.url, requestText('POST /v1/payments', headers, '{"order":'), { replies: 0 });
    await shop.client.get('/v1/paymentmethods', { 'x-request-id': 'after-it' });
    while (!service.log().includes('after-it')) await new Promise((resolve) => setTimeout(resolve, 50));
    const metrics = await service.client().get('/metrics');
    assert.doesNotMatch(metrics.text, /kassa_http_request_seconds_count\{[^}]*status="5/);
    assert.doesNotMatch(service.log(), /"level":50/);
  });
});

const ask = (client: Client): Promise<Reply> => client.get('/v1/paymentmethods');

/** So many requests at once; those that were refused for the rate, and how many were served. */
async function burst(clients: readonly Client[]): Promise<{ served: number; refused: Reply[] }> {
  const replies = await Promise.all(clients.map(ask));
  const refused = replies.filter(({ status }) => status !== 200);
  return { served: replies.length - refused.length, refused };
}

const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

const ofTest = `${TEST_RATE} a second for all keys of a test merchant (KASSA_TEST_RATE_LIMIT)`;
const ofLive = (rate: number): string =>
  `${rate} a second for each live key (KASSA_RATE_LIMIT) and ${4 * rate} for all keys of the merchant`;

function expectTooMany(reply: Reply, limit = ofTest): void {
  const message = `Too many requests: the limit is ${limit}, and each 4 KiB counts as one more; the Retry-After header says when to come back.`;
  expectFailure(reply, { status: 429, code: '1000', message });
  assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d?$/);
}

describe('the rate of a key', () => {
  // decision: rate-limits, body-of-a-refusal
  test('is limited for a test merchant where it is set: 429 with Retry-After, then served again', async () => {
    const { client } = await slow.openShop();
    const { served, refused } = await burst(times(40, client));
    assert.ok(served >= TEST_RATE, `${served} were served`);
    assert.ok(refused.length > 0);
    for (const reply of refused) expectTooMany(reply);
    let reply = await ask(client);
    while (reply.status === 429) {
      await new Promise((resolve) => setTimeout(resolve, Number(reply.headers.get('retry-after')) * 1_000));
      reply = await ask(client);
    }
    assert.equal(reply.status, 200);
  });

  // decision: rate-limits
  test('is limited for a live key by its own setting', async () => {
    const { client } = await slow.openShop({ live: true });
    const { served, refused } = await burst(times(40, client));
    assert.ok(served >= LIVE_RATE && refused.length > 0, `${served} were served`);
    for (const reply of refused) expectTooMany(reply, ofLive(LIVE_RATE));
  });

  // decision: rate-limits
  test('is one rate for all spellings of the key', async () => {
    const { secretKey } = await slow.openShop();
    const digits = secretKey.slice(-32);
    const spellings = Array.from(
      { length: 31 },
      (_, at) => `Bearer ${digits.slice(0, at + 1)}-${digits.slice(at + 1)}`,
    );
    const { refused } = await burst([secretKey, digits, ...spellings].map((key) => slow.client(key)));
    assert.ok(refused.length > 0);
    for (const reply of refused) expectTooMany(reply);
  });

  test('leaves other keys alone: those of other merchants, and those of the same live merchant', async () => {
    const [one, other] = [await slow.openShop({ live: true }), await slow.openShop()];
    const { secret } = await createKey(slow.pool, one.merchant);
    const { refused } = await burst(times(40, one.client));
    assert.ok(refused.length > 0);
    assert.equal((await ask(slow.client(secret))).status, 200);
    assert.equal((await ask(other.client)).status, 200);
  });

  test('is one rate for all keys of a test merchant: more keys do not help', async () => {
    const { merchant, secretKey } = await slow.openShop();
    const more = await Promise.all(times(8, merchant).map((each) => createKey(slow.pool, each)));
    const clients = [secretKey, ...more.map(({ secret }) => secret)].map((key) => slow.client(key));
    // Each of nine keys asks as often as one may.
    const { refused } = await burst(times(TEST_RATE, clients).flat());
    assert.ok(refused.length > 0);
    for (const reply of refused) expectTooMany(reply);
  });

  // decision: rate-limits
  test('is four times that for all keys of a live merchant: a hundred keys do not help', async () => {
    const { merchant, secretKey } = await slow.openShop({ live: true });
    const more = await Promise.all(times(39, merchant).map((each) => createKey(slow.pool, each)));
    const clients = [secretKey, ...more.map(({ secret }) => secret)].map((key) => slow.client(key));
    const { served, refused } = await burst(times(LIVE_RATE, clients).flat());
    assert.ok(served >= 4 * LIVE_RATE, `${served} were served`);
    assert.ok(refused.length > 0);
    for (const reply of refused) expectTooMany(reply, ofLive(LIVE_RATE));
    const other = await slow.openShop({ live: true });
    assert.equal((await ask(other.client)).status, 200);
  });

  // decision: rate-limits
  test('counts a large body or answer for more than one', async () => {
    const { client } = await slow.openShop();
    // Requests of one each are let in again within a second: only what is large is to be waited for longer.
    const isLong = (reply: Reply): boolean => Number(reply.headers.get('retry-after') ?? 0) >= 2;
    await until('a large body to be counted', async () => {
      await client.post('/v1/payments', createOf(49_152));
      return isLong(await ask(client));
    });
    const orderItems = times(60, anItem({ grossTotalAmount: 1, name: 'n'.repeat(128) }));
    const insist = (path: string, body: object): Promise<Reply> =>
      until(`an answer to ${path}`, async () => {
        const reply = await client.post(path, body);
        return reply.status !== 429 && reply;
      });
    const { paymentId } = (await insist('/v1/payments', aCreate(1_000))).body as { paymentId: string };
    await insist(`/v1/sandbox/payments/${paymentId}/reserve`, {});
    // The items of a charge are shown with its payment.
    const charged = await insist(`/v1/payments/${paymentId}/charges`, { amount: 60, orderItems });
    assert.equal(charged.status, 201, charged.text);
    await until('large answers to be counted', async () => {
      // Until as many as may be are let in at once.
      while ((await ask(client)).status !== 200) await new Promise((resolve) => setTimeout(resolve, 500));
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await Promise.all(times(TEST_RATE, paymentId).map((id) => client.get(`/v1/payments/${id}`)));
      return isLong(await ask(client));
    });
  });

  test('counts what is read for it, however short the answer is', async () => {
    const { client } = await slow.openShop();
    const insist = (): Promise<Reply> =>
      until('a large payment', async () => {
        const items = times(300, anItem({ grossTotalAmount: 1, name: 'n'.repeat(128) }));
        const order = { amount: 300, currency: 'SEK', items };
        const reply = await client.post('/v1/payments', { ...aCreate(), order });
        return reply.status === 201 && reply;
      });
    const { paymentId } = (await insist()).body as { paymentId: string };
    for (const path of [`/v1/payments/${paymentId}`, '/v1/payments?limit=1']) {
      const read = await until('to be let in again', async () => {
        const reply = await client.get(path);
        return reply.status === 200 && reply;
      });
      assert.ok(read.text.length < 4_096, `${read.text.length} characters`);
      const next = await ask(client);
      assert.equal(next.status, 429);
      assert.ok(Number(next.headers.get('retry-after')) >= 2, 'as long as for a large answer');
    }
  });

  test('counts a redelivery, and hooks beyond a handful, for what they lead to', async () => {
    const { client } = await slow.openShop();
    const url = 'https://shop.example/hook';
    const hook = { eventName: 'payment.created', url, authorization: 'authorization' };
    const hooked = await client.post('/v1/payments', { ...aCreate(), notifications: { webHooks: times(32, hook) } });
    assert.equal(hooked.status, 201, hooked.text);
    assert.ok(Number((await ask(client)).headers.get('retry-after')) >= 2);
    const { webhookId } = await until('a webhook', async () => {
      const reply = await client.post('/v1/webhooks', { url });
      return reply.status === 201 && (reply.body as { webhookId: string });
    });
    await until('a redelivery', async () => {
      const reply = await client.post(`/v1/webhooks/${webhookId}/redeliver`, { since: '2026-01-01' });
      return reply.status === 202;
    });
    assert.ok(Number((await ask(client)).headers.get('retry-after')) >= 2);
  });

  test('does nothing when it refuses', async () => {
    const { client, merchant } = await slow.openShop();
    const replies = await Promise.all(times(30, client).map((each) => each.post('/v1/payments', aCreate())));
    const made = replies.filter(({ status }) => status === 201).length;
    assert.ok(made < replies.length);
    const rows = await slow.pool.query<{ count: number }>('select count(*) from payments where merchant_id = $1', [
      merchant.id,
    ]);
    assert.equal(rows[0]?.count, made);
  });

  test('does not matter where no key is needed, nor to a bad key', async () => {
    const replies = await Promise.all([
      ...times(30, '/healthz').map((path) => slow.client().get(path)),
      ...times(30, 'nonsense').map((key) => ask(slow.client(key))),
    ]);
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200, 401]));
  });

  // decision: rate-limits
  test('is off for test merchants by default on this machine, and on for live keys', async () => {
    const [test_, live] = [await service.openShop(), await service.openShop({ live: true })];
    assert.deepEqual((await burst(times(300, test_.client))).refused, []);
    const { served, refused } = await burst(times(300, live.client));
    assert.ok(served >= 100 && refused.length > 0, `${served} were served`);
    for (const reply of refused) expectTooMany(reply, ofLive(100));
  });
});

describe('pages that need no key', () => {
  test('are limited for each address, and nothing else is', async () => {
    const paths = ['/docs', '/metrics', '/openapi.json'];
    const replies = await Promise.all(times(200, 0).map((_, n) => service.client().get(paths[n % 3] as string)));
    const refused = replies.filter(({ status }) => status === 429);
    assert.ok(refused.length > 0 && refused.length < 200, `${refused.length} refused`);
    for (const { headers } of refused) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.ok(replies.every(({ status }) => status === 200 || status === 429));
    assert.equal((await service.client().get('/healthz')).status, 200);
    assert.equal((await ask(shop.client)).status, 200);
  });
});

test('the services live and the books are right', async () => {
  for (const each of [service, slow]) {
    assert.equal((await each.client().get('/healthz')).status, 200);
    assert.deepEqual((await verifyBooks(each.pool)).differences, []);
  }
});

// Of so many at once the last waits for several seconds of what a merchant may take.
const PAGES_AT_ONCE = 10;

describe('pages for people', () => {
  const PAGES = {
    hosted: (_id: number, key: string, paymentId: string) => `/hostedpaymentpage?checkoutKey=${key}&pid=${paymentId}`,
    embedded: (_id: number, key: string, paymentId: string) => `/checkout?checkoutKey=${key}&paymentId=${paymentId}`,
    'the checkout’s own API': () => '/api/v1/checkout',
    payment: (id: number, _key: string, paymentId: string) => `/console/${id}/payments/${paymentId}`,
    list: (id: number) => `/console/${id}/payments`,
    'the console’s own API': (id: number) => `/console/api/${id}/payments/newest`,
  };
  type Page = (id: number, key: string, paymentId: string) => string;

  /** What asks a new merchant for that page of its own. */
  async function openPage(page: Page): Promise<(signal?: AbortSignal) => Promise<number>> {
    const { merchant, client } = await slow.openShop();
    const { id, checkoutKey } = merchant;
    const paymentId = await client.create();
    const path = page(id, checkoutKey, paymentId);
    const visitor = path.startsWith('/console') ? await signIn(slow, id, 'developer') : new Visitor(slow.url);
    const more = { checkoutkey: checkoutKey, paymentid: paymentId };
    return async (signal) => {
      const answer = await visitor.ask(path, { more, ...(signal && { signal }) });
      await answer.arrayBuffer();
      return answer.status;
    };
  }

  for (const [name, page] of Object.entries(PAGES))
    // decision: rate-of-pages
    test(`are paced by merchant: ${name}`, async () => {
      const [greedy, other] = [await openPage(page), await openPage(page)];
      const leaving = new AbortController();
      let answered = 0;
      const count = (): void => void (answered += 1);
      const asked = Array.from({ length: PAGES_AT_ONCE }, () => greedy(leaving.signal).then(count, () => {}));
      assert.equal(await other(), 200);
      // Where nothing is paced, all of them are answered meanwhile.
      for (let n = 0; n < 20; n += 1) await slow.client().get('/healthz');
      assert.ok(answered < PAGES_AT_ONCE, 'none of them waits');
      leaving.abort();
      await Promise.all(asked);
    });
});
