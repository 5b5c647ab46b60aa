// Goal: the demo shop sells through the real API, shows what it did, and gives nobody more than its own orders: no key, no
// other payment, no button for other sites. Method: a real service with its sandbox; requests as the shop's pages make
// them, and as others would.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import Fastify from 'fastify';
import { routeNoDemo } from '../../src/demo/routes.ts';
import { PagePace } from '../../src/server/page-pace.ts';
import { aCreate } from '../support/client.ts';
import type { Client, Reply } from '../support/client.ts';
import { unescape } from '../support/markup.ts';
import { startService } from '../support/service.ts';
import type { Service } from '../support/service.ts';

const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

type Demo = {
  readonly service: Service;
  readonly folder: string;
  /** The merchant's own client of the API. */
  readonly api: Client;
  readonly secretKey: string;
  readonly home: string;
  /** As a page of the shop sends it. */
  post(path: string, body: object, headers?: Record<string, string>): Promise<Reply>;
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  create(scenario?: object): Promise<string>;
  stop(): Promise<unknown>;
};

async function openDemo(env: Record<string, string> = {}, dataDir?: string, databaseUrl?: string): Promise<Demo> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'kassa-demo-')));
  const service = await startService({
    env: { KASSA_DATA_DIR: folder, KASSA_SANDBOX: 'on', ...env },
    ...(databaseUrl !== undefined && { databaseUrl }),
  });
  const { secretKey } = JSON.parse(await readFile(join(folder, 'sandbox.json'), 'utf8')) as { secretKey: string };
  const visitor = service.client();
  const home = env['KASSA_PUBLIC_URL'] ?? service.url.replace('127.0.0.1', 'localhost');
  const post: Demo['post'] = (
    path,
    body,
    headers = { origin: new URL(home).origin, 'sec-fetch-site': 'same-origin' },
  ) => visitor.post(path, body, headers);
  return {
    service,
    folder,
    api: service.client(secretKey),
    secretKey,
    home,
    post,
    get: (path, headers) => visitor.get(path, headers),
    create: async (scenario = {}) => {
      const reply = await post('/demo/payments', { items: { mug: 2 }, mode: 'embedded', ...scenario });
      assert.equal(reply.status, 201, reply.text);
      return reply.body.paymentId;
    },
    stop: async () => {
      await service.stop();
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

let once = 0;
const act = (demo: Demo, paymentId: string, action: string, body: object = {}): Promise<Reply> => {
  once += 1;
  return demo.post(`/demo/orders/${paymentId}/${action}`, { once: `try-number-${once}`, ...body });
};

const textOf = (page: string): string => unescape(page.replaceAll(/<[^>]+>/g, ' ')).replaceAll(/\s+/g, ' ');

describe('the demo shop', () => {
  let demo: Demo;
  before(async () => {
    demo = await openDemo();
  });
  after(() => demo.stop());

  const countPayments = async (): Promise<number> =>
    (await demo.service.pool.query<{ count: number }>('select count(*)::int as count from payments'))[0]?.count ?? -1;

  test('its pages load what is their own alone, and run nothing that stands in them', async () => {
    const paymentId = await demo.create();
    for (const path of ['/demo', '/demo/terms', `/demo/checkout/${paymentId}`, `/demo/orders/${paymentId}`]) {
      const { status, headers, text } = await demo.get(path);
      assert.equal(status, 200, path);
      assert.deepEqual(headers.get('content-security-policy')?.split('; '), PAGE_POLICY);
      assert.equal(headers.get('referrer-policy'), 'same-origin');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.doesNotMatch(text, /<style|\sstyle=|\son[a-z]+=/);
      const scripts = Array.from(text.matchAll(/<script([^>]*)>/g), ([, attributes = '']) => attributes);
      for (const attributes of scripts) assert.match(attributes, / src="|type="application\/json"/);
    }
  });

  test('the secret key is in none of its pages and scripts; the story shows the end of it', async () => {
    const paymentId = await demo.create();
    await act(demo, paymentId, 'charge', { amount: 100 });
    const digits = demo.secretKey.slice(-32);
    const pages = ['/demo', '/demo/terms', `/demo/checkout/${paymentId}`, `/demo/orders/${paymentId}`];
    const loaded = new Set<string>();
    const look = async (path: string): Promise<string> => {
      const { status, text, headers } = await demo.get(path);
      assert.equal(status, 200, path);
      assert.ok(!text.includes(digits) && !JSON.stringify([...headers]).includes(digits), path);
      return text;
    };
    for (const page of pages)
      for (const [, path = ''] of (await look(page)).matchAll(/(?:src|href)="(\/demo\/assets\/[^"]+)"/g))
        loaded.add(path);
    assert.equal(loaded.size, 4, [...loaded].join());
    for (const path of loaded) await look(path);
    const story = (await demo.get(`/demo/orders/${paymentId}`)).text;
    assert.match(story, /<p [^>]*id="action-result"[^>]*><\/p>/, 'as long as nothing was done, nothing stands there');
    assert.ok(story.includes(`Authorization: test-secret-key-…${digits.slice(-4)}`));
    assert.ok(!demo.service.log().includes(digits));
  });

  test('what is loaded is kept for good under its own version, and not at all under that of another process', async () => {
    const [path = ''] = /\/demo\/assets\/[0-9a-f]{12}\/shop\.js/.exec((await demo.get('/demo')).text) ?? [];
    const script = await demo.get(path);
    assert.equal(script.status, 200);
    assert.equal(script.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.match(script.headers.get('cache-control') ?? '', /immutable/);
    const again = await demo.get(path, { 'if-none-match': script.headers.get('etag') ?? '' });
    assert.deepEqual([again.status, again.text], [304, '']);
    const other = await demo.get(path.replace(/[0-9a-f]{12}/, '0'.repeat(12)));
    assert.deepEqual([other.status, other.headers.get('cache-control')], [200, 'no-store']);
    assert.equal((await demo.get(path.replace('shop.js', 'toString'))).status, 404);
  });

  test('a payment is made through the API, at the prices of the server', async () => {
    const items = { mug: 2, lamp: 1, prices: { mug: 1 } };
    const paymentId = await demo.create({ items, amount: 1, currency: 'EUR', charge: true, company: true });
    const payment = await demo.api.payment(paymentId);
    assert.deepEqual([payment.orderDetails.amount, payment.orderDetails.currency], [2 * 2_250 + 11_500, 'EUR']);
    assert.equal(payment.checkout.url, `${demo.home}/demo/checkout`);
    const story = textOf((await demo.get(`/demo/orders/${paymentId}`)).text);
    for (const part of ['"charge" : true', '"supportedTypes" : [ "B2C" , "B2B" ]', '"unitPrice" : 1800'])
      assert.ok(story.includes(part), part);
  });

  test('a hosted one has its page in the language that was chosen, and a way back', async () => {
    const scenario = { items: { notebook: 1 }, mode: 'hosted', language: 'sv-SE', shipping: true };
    const { body } = await demo.post('/demo/payments', scenario);
    const url = new URL(body.hostedPaymentPageUrl);
    assert.equal(url.origin, demo.home);
    assert.equal(url.searchParams.get('language'), 'sv-SE');
    assert.equal((await demo.get(url.pathname + url.search)).status, 200);
    for (const path of ['orders', 'checkout']) {
      const address = `${demo.service.url}/demo/${path}?paymentid=${body.paymentId}`;
      const back = await fetch(address, { redirect: 'manual' });
      assert.deepEqual([back.status, back.headers.get('location')], [303, `/demo/orders/${body.paymentId}`]);
    }
    // There would be nobody to add the cost.
    const story = textOf((await demo.get(`/demo/orders/${body.paymentId}`)).text);
    assert.ok(!story.includes('merchantHandlesShippingCost'));
    const nowhere = await fetch(`${demo.service.url}/demo/orders?paymentid=//evil.example`, { redirect: 'manual' });
    assert.equal(nowhere.headers.get('location'), '/demo');
  });

  test('other sites cannot press its buttons', async () => {
    const paymentId = await demo.create();
    const count = await countPayments();
    const foreign: Record<string, string>[] = [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin', host: 'evil.example' },
      { origin: demo.home, 'sec-fetch-site': 'cross-site' },
      { origin: demo.home, 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'same-origin' },
    ];
    for (const headers of foreign)
      for (const path of [
        '/demo/payments',
        `/demo/orders/${paymentId}/terminate`,
        `/demo/checkout/${paymentId}/shipping`,
      ]) {
        const body = { items: { mug: 1 }, mode: 'embedded', once: 'try-number', countryCode: 'SWE' };
        const { status, body: answer } = await demo.post(path, body, headers);
        assert.equal(status, 403, JSON.stringify(headers));
        assert.ok(answer.message.includes(demo.home));
      }
    assert.equal(await countPayments(), count);
    assert.equal((await demo.api.payment(paymentId)).terminated, undefined);
  });

  test('what no visitor of the shop can scenario for is refused', async () => {
    const count = await countPayments();
    const scenarios: object[] = [
      { items: {} },
      { items: { mug: 0 } },
      { items: { mug: -1 } },
      { items: { mug: 1.5 } },
      { items: { mug: 21 } },
      { items: { mug: 1 }, currency: 'USD' },
      { items: { mug: 1 }, language: 'xx' },
      { items: { mug: 1 }, mode: 'other' },
      { items: { mug: 1 }, charge: 'yes' },
      { items: 'mug' },
    ];
    for (const scenario of scenarios) {
      const { status, text } = await demo.post('/demo/payments', { mode: 'embedded', ...scenario });
      assert.equal(status, 400, JSON.stringify(scenario) + text);
    }
    assert.equal(await countPayments(), count);
  });

  test("the merchant's view tells of an order from the create to the refund, refusals included", async () => {
    const paymentId = await demo.create();
    const early = await act(demo, paymentId, 'charge', { amount: 49_800 });
    assert.match(textOf(early.text), /Charge: refused with 402\. The payment is not reserved/);
    await demo.api.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
    const shown = await demo.get(`/demo/orders/${paymentId}`);
    assert.match(shown.text, /class="chip reserved"/);
    assert.match(textOf(shown.text), /Charge all, SEK 498\.00/);

    assert.match(textOf((await act(demo, paymentId, 'charge', { amount: 20_000 })).text), /Charge: done/);
    assert.match((await act(demo, paymentId, 'charge', { amount: 29_800 })).text, /class="chip charged"/);
    const again = await act(demo, paymentId, 'charge', { amount: 49_800 });
    assert.equal(again.status, 200);
    assert.match(textOf(again.text), /Charge: refused with 402\./);
    assert.match(again.text, /<span class="status s4">402<\/span>/);

    const { charges } = await demo.api.payment(paymentId);
    const { chargeId } = charges[0];
    assert.match((await act(demo, paymentId, 'refund', { amount: 20_000, chargeId })).text, /chip partly-refunded/);
    assert.match(textOf((await act(demo, paymentId, 'terminate')).text), /Terminate: refused with 405/);

    const { text } = await demo.get(`/demo/orders/${paymentId}`);
    for (const event of ['payment.reservation.created', 'payment.charge.created', 'payment.refund.completed'])
      assert.ok(text.includes(event), event);
    for (const id of ['createPayment', 'chargePayment', 'refundCharge', 'terminatePayment', 'getPayment'])
      assert.ok(text.includes(`/docs/api#${id}"`), id);
    const calls = Array.from(text.matchAll(/<span class="method (?:post|put)">/g));
    assert.equal(calls.length, 7);
    assert.deepEqual((await demo.api.payment(paymentId)).summary, {
      reservedAmount: 49_800,
      chargedAmount: 49_800,
      refundedAmount: 20_000,
      cancelledAmount: 0,
    });
  });

  test('coffee by subscription: renewed by the API, ended on the consumer’s page, and refused after that', async () => {
    const paymentId = await demo.create({ items: {}, interval: 0, shipping: true });
    const created = textOf((await demo.get(`/demo/orders/${paymentId}`)).text);
    assert.ok(
      created.includes('"subscription" : { "interval" : 0 }') && !created.includes('merchantHandlesShippingCost'),
    );
    assert.ok(!created.includes('The subscription'), 'nobody has agreed yet');
    assert.equal((await act(demo, paymentId, 'renew')).status, 409);
    await demo.api.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
    const shown = await demo.get(`/demo/orders/${paymentId}`);
    assert.match(textOf(shown.text), /The subscription Active .* Renew now, SEK 149\.00/);
    assert.ok(shown.text.includes('subscription.created'));

    const renewed = await act(demo, paymentId, 'renew');
    assert.match(textOf(renewed.text), /Renew: done, answered with 200\./);
    const renewal = /orders\/([0-9a-f]{32})">Renewal 1</.exec(renewed.text)?.[1] as string;
    const { summary, myReference } = await demo.api.payment(renewal);
    assert.deepEqual([summary.chargedAmount, myReference], [14_900, 'kassa-demo-shop']);
    const own = textOf((await demo.get(`/demo/orders/${renewal}`)).text);
    assert.match(own, /The subscription Active/);
    assert.ok(!own.includes('has been restarted'), 'the call that made it is its story');

    const page = /id="consumer-page" href="([^"]+)"/.exec(shown.text)?.[1] as string;
    assert.equal(new URL(page).origin, demo.home);
    await fetch(`${demo.service.url}${new URL(page).pathname}/end`, { method: 'POST' });
    const ended = await demo.get(`/demo/orders/${paymentId}`);
    assert.match(textOf(ended.text), /The subscription Ended .* Ended by consumer/);
    assert.ok(ended.text.includes('subscription.ended'));
    assert.match(
      textOf((await act(demo, paymentId, 'renew')).text),
      /Renew: refused with 402\. The consumer has ended/,
    );
  });

  test('coffee every 30 days: earlier is refused with the first day', async () => {
    const paymentId = await demo.create({ items: {}, interval: 30, currency: 'EUR' });
    await demo.api.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
    assert.match(textOf((await demo.get(`/demo/orders/${paymentId}`)).text), /At most every 30 days/);
    const early = textOf((await act(demo, paymentId, 'renew')).text);
    assert.match(early, /Renew: refused with 402\. The subscription can be charged again from \d{4}-/);
  });

  test('the rest can be cancelled, and what nobody paid terminated', async () => {
    const reserved = await demo.create();
    await demo.api.must(201, 'POST', `/v1/sandbox/payments/${reserved}/reserve`, {});
    assert.match((await act(demo, reserved, 'cancel', { amount: 49_800 })).text, /chip cancelled/);
    const unpaid = await demo.create();
    assert.match((await act(demo, unpaid, 'terminate')).text, /chip terminated/);
    assert.notEqual((await demo.api.payment(unpaid)).terminated, undefined);
  });

  test('an order on invoice is not called paid, and the invoice is there to be opened once it is charged', async () => {
    const paymentId = await demo.create();
    await demo.api.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, { paymentType: 'INVOICE' });
    const ordered = textOf((await demo.get(`/demo/orders/${paymentId}`)).text);
    assert.match(ordered, /Ordered on invoice: the amount is set aside/);
    assert.match(ordered, /Payment method Invoice /);
    const order = (await demo.get(`/demo/orders/${paymentId}`)).text;
    assert.match(
      order,
      new RegExp(`<a href="http[^"]*/console/\\d{9}/payments/${paymentId}">Look at it as your people do`),
    );
    const { text } = await act(demo, paymentId, 'charge', { amount: 49_800 });
    assert.match(textOf(text), /It is invoiced\. .* SEK 498\.00 invoiced/);
    assert.doesNotMatch(textOf(text), /has paid|is yours|00 yours/);
    const { invoiceDetails } = (await demo.api.payment(paymentId)).paymentDetails;
    assert.ok(text.includes(`<a href="${invoiceDetails.pdfLink}">Open the invoice</a>`));
  });

  test('pressing a button twice does it once', async () => {
    const paymentId = await demo.create();
    await demo.api.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
    const body = { once: 'one-and-the-same', amount: 10_000 };
    const path = `/demo/orders/${paymentId}/charge`;
    const replies = await Promise.all([demo.post(path, body), demo.post(path, body)]);
    for (const { text } of replies) assert.match(textOf(text), /Charge: done/);
    assert.equal((await demo.api.payment(paymentId)).summary.chargedAmount, 10_000);
  });

  test('other payments are out of its reach: of the same merchant, of others, of nobody', async () => {
    const { paymentId: own } = await demo.api.must(201, 'POST', '/v1/payments', aCreate());
    await demo.api.must(201, 'POST', `/v1/sandbox/payments/${own}/reserve`, {});
    const shop = await demo.service.openShop();
    const foreign = await shop.client.createReserved();
    for (const id of [own, foreign, '0'.repeat(32), 'x', '%2e%2e%2fpayments', '019f'.repeat(30)]) {
      assert.equal((await demo.get(`/demo/orders/${id}`)).status, 404, id);
      assert.equal((await act(demo, id, 'charge', { amount: 100 })).status, 404, id);
    }
    // Not even by naming its charge from an order of the shop.
    const chargeId = await demo.api.charge(own, 5_000);
    const paymentId = await demo.create();
    await demo.api.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
    await act(demo, paymentId, 'charge', { amount: 100 });
    await act(demo, paymentId, 'refund', { amount: 100, chargeId });
    assert.equal((await demo.api.payment(own)).summary.refundedAmount, 0);
    assert.equal((await demo.api.payment(own)).summary.chargedAmount, 5_000);
  });

  test('the cost of shipping is added once the country is known, where the shop does that', async () => {
    const paymentId = await demo.create({ shipping: true });
    const path = `/demo/checkout/${paymentId}/shipping`;
    assert.equal((await demo.post(path, { countryCode: 'SWE' })).status, 204);
    assert.equal((await demo.api.payment(paymentId)).orderDetails.amount, 49_800 + 4_900);
    assert.equal((await demo.post(path, { countryCode: 'NOR' })).status, 204);
    assert.equal((await demo.api.payment(paymentId)).orderDetails.amount, 49_800 + 9_900);
    assert.equal((await demo.post(path, { countryCode: 'USA' })).status, 400);
    const plain = await demo.create();
    assert.equal((await demo.post(`/demo/checkout/${plain}/shipping`, { countryCode: 'SWE' })).status, 409);
    await demo.api.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
    const late = await demo.post(path, { countryCode: 'SWE' });
    assert.equal(late.status, 502);
    assert.match(late.body.message, /^Kassa refused the shop's call \(405\)\. /);
  });

  test('the script that the page of the checkout shows is its own, with its addresses', async () => {
    for (const shipping of [false, true]) {
      const paymentId = await demo.create({ shipping });
      const { text } = await demo.get(`/demo/checkout/${paymentId}`);
      const blocks = text.matchAll(/<code>([^<]*)<\/code><\/pre>/g);
      const [head, script = ''] = Array.from(blocks, ([, code = '']) => unescape(code));
      assert.equal(head, `<script src="${demo.home}/v1/checkout.js" defer></script>`);
      assert.ok(script.includes(`location.assign('/demo/orders/${paymentId}');`));
      for (const part of [
        `fetch('/demo/checkout/${paymentId}/shipping'`,
        'freezeCheckout()',
        'finally',
        'thawCheckout()',
      ])
        assert.equal(script.includes(part), shipping, part);
    }
  });

  test('whatever a consumer calls themselves is shown and never run', async () => {
    const paymentId = await demo.create();
    const evil = `"'><script>alert(1)</script>&`;
    await demo.api.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {
      consumer: { email: evil, privatePerson: { firstName: evil, lastName: evil } },
    });
    const { text } = await demo.get(`/demo/orders/${paymentId}`);
    assert.ok(text.includes('&lt;script&gt;alert(1)'));
    assert.doesNotMatch(text, /<script>/);
  });

  test('after a restart the payment is all there, and the shop says that its own story is not', async () => {
    const paymentId = await demo.create();
    await demo.api.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, {});
    // All that a shop remembers of its story is of its own start.
    const second = await openDemo({}, demo.folder, demo.service.databaseUrl);
    const { status, text } = await second.get(`/demo/orders/${paymentId}`);
    assert.equal(status, 200);
    assert.match(text, /class="chip reserved"/);
    assert.match(textOf(text), /has been restarted since/);
    assert.ok(text.includes('payment.reservation.created'));
    assert.match((await act(second, paymentId, 'charge', { amount: 49_800 })).text, /chip charged/);
    await second.stop();
  });

  test('a crowd is asked to wait', async () => {
    const statuses: number[] = [];
    let last: Reply | undefined;
    for (let count = 0; count < 61 && last?.status !== 429; count += 1) {
      last = await demo.post('/demo/payments', { items: { mug: 1 }, mode: 'embedded' });
      statuses.push(last.status);
    }
    assert.equal(last?.status, 429, statuses.join());
    const waitS = Number(last?.headers.get('retry-after'));
    assert.ok(waitS > 0 && waitS <= 60);
    assert.match(last?.body.message, /^The shop is crowded\./);
  });
});

test('below a path of its host, every address carries that path', async () => {
  const demo = await openDemo({ KASSA_PUBLIC_URL: 'https://pay.example.test/kassa' });
  const paymentId = await demo.create();
  for (const path of ['/demo', `/demo/checkout/${paymentId}`, `/demo/orders/${paymentId}`]) {
    const { text } = await demo.get(path);
    const addresses = Array.from(text.matchAll(/(?:src|href|data-demo)="([^"]+)"/g), ([, address = '']) => address);
    const local = addresses.filter((address) => !/^(?:#|data:)/.test(address));
    assert.ok(local.length > 5);
    for (const address of local) assert.match(address, /^(?:https:\/\/pay\.example\.test)?\/kassa\//);
  }
  const payment = await demo.api.payment(paymentId);
  assert.equal(payment.checkout.url, 'https://pay.example.test/kassa/demo/checkout');
  await demo.stop();
});

test('switched off, a page says so', async () => {
  const service = await startService({ env: { KASSA_SANDBOX: 'on', KASSA_DEMO: 'off' } });
  const reply = await service.client().get('/demo');
  assert.equal(reply.status, 404);
  assert.match(textOf(reply.text), /KASSA_DEMO is off/);
  assert.equal((await service.client().get('/demo/orders')).status, 404);
  await service.stop();
});

for (const [why, what] of [
  ['switched_off', 'KASSA_DEMO'],
  ['not_asked', 'KASSA_SANDBOX=on'],
  ['no_sandbox', 'this database has none'],
  ['key_gone', 'sandbox.json'],
] as const)
  test(`without a shop, because of ${why}, the page says what to do, wherever it stands`, async () => {
    const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
    routeNoDemo(app, why, new PagePace({ live: undefined, test: undefined }));
    for (const path of ['/demo', '/demo?a=/', '/demo/']) {
      const { statusCode, payload } = await app.inject(path);
      assert.equal(statusCode, 404);
      assert.ok(textOf(payload).includes(what), payload);
      const [, css = ''] = /href="([^"]+\.css)"/.exec(payload) ?? [];
      const { pathname } = new URL(css, `http://kassa.test${path}`);
      assert.equal((await app.inject(pathname)).statusCode, 200, pathname);
    }
    await app.close();
  });
