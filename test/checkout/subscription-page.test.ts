// Goal: a consumer sees what they agreed to and ends it by a link that nobody can guess; ending holds for good, is told
// once, and only a POST does it. Method: pages and calls as a browser and a shop make them; effects are read back over the
// API, events from the list.
import assert from 'node:assert/strict';
import { checkoutTexts } from '../../src/checkout/texts.ts';
import { LANGUAGES } from '../../src/pages/language.ts';
import { after, before, describe, test } from 'node:test';
import { findSubscriptionUrl } from '../../src/checkout/subscription-link.ts';
import type { CheckoutContext } from '../../src/checkout/context.ts';
import { makeId, partOf } from '../../src/domain/id.ts';
import type { Merchant } from '../../src/domain/merchant.ts';
import type { Payment } from '../../src/domain/payment.ts';
import type { Scope } from '../../src/domain/scope.ts';
import { createKey } from '../../src/store/merchants/keys.ts';
import { loadGroup } from '../../src/store/payments/load.ts';
import type { Loaded } from '../../src/store/payments/load.ts';
import { DIALECTS, expectErrors, expectFailure, expectNoBody } from '../support/answers.ts';
import { aPay, Consumer } from '../support/checkout.ts';
import { anItem, anOrder } from '../support/client.ts';
import type { Client, Reply } from '../support/client.ts';
import { readEventNames } from '../support/events.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';
import { createWith, reserveWith, subscribe, SUBSCRIPTION_PATHS } from '../support/subscriptions.ts';

const en = checkoutTexts('en').subscriptionPage;
const SECRET = /\/subscriptions\/[0-9a-f]{32}\/[0-9a-f]{32}$/;

let service: SharedService;
let shop: Shop;
let client: Client;
before(async () => {
  service = shareService();
  shop = await service.openShop({ name: 'Havtorn & Salt' });
  ({ client } = shop);
});
after(() => service.close());

/** The path of its page, as the merchant is told it. */
async function pathOf(id: string, path = '/v1/subscriptions', by = client): Promise<string> {
  const { consumerPageUrl } = (await by.get(`${path}/${id}`)).body;
  assert.match(consumerPageUrl, SECRET);
  return new URL(consumerPageUrl).pathname;
}

const browse = (path: string, language = 'en'): Promise<Reply> => service.client().get(`${path}?language=${language}`);

/** As a form is sent, without following where it leads. */
async function press(path: string): Promise<Response> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return fetch(`${service.url}${path}/end?language=en`, { method: 'POST', headers, redirect: 'manual' });
}

const endsTold = async (id: string, by = client): Promise<Reply['body'][]> => {
  const { body } = await by.get('/v1/events?type=subscription.ended&limit=100');
  return (body.events as Reply['body'][]).filter(({ data }) => data.subscriptionId === id);
};

describe('the page', () => {
  for (const language of LANGUAGES)
    test(`${language}: what was agreed to, and that nothing was charged yet`, async () => {
      const id = await subscribe(client, 'scheduled', undefined, { interval: 30, endDate: '2031-06-01' });
      const { status, text } = await browse(await pathOf(id), language);
      assert.equal(status, 200);
      const texts = checkoutTexts(language).subscriptionPage;
      for (const words of [texts.active, texts.agreedHeading, texts.howOften, texts.until, texts.noCharges, texts.end])
        assert.ok(text.includes(words), words);
      for (const value of ['Havtorn &amp; Salt', '2031', 'Visa', '0004']) assert.ok(text.includes(value), value);
      assert.ok(text.includes(`lang="${language}"`));
      const question = await service.client().get(`${await pathOf(id)}/end?language=${language}`);
      assert.ok(question.text.includes(texts.keep) && question.text.includes('method="post"'));
    });

  test('its headers: nobody frames it, nothing is kept, and where it leads does not learn its address', async () => {
    const { headers } = await browse(
      await pathOf(await subscribe(client, 'unscheduled'), '/v1/unscheduledsubscriptions'),
    );
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/);
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-robots-tag'), 'noindex');
    assert.equal(headers.get('set-cookie'), null);
  });

  // decision: the-consumers-subscription-page
  test('a wrong secret, an unknown id and nonsense are the same 404 page, for every method', async () => {
    const id = await subscribe(client, 'scheduled');
    const path = await pathOf(id);
    const nobody = makeId(Date.now(), partOf(id), '8123456789abcdef');
    const wrong = [
      path.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
      `/subscriptions/${nobody}/${'0'.repeat(32)}`,
    ];
    const pages = await Promise.all(
      [...wrong, '/subscriptions/nonsense/nonsense', `/subscriptions/${id}/short`, `${wrong[0]}/end`].map((each) =>
        browse(each),
      ),
    );
    for (const { status, text } of pages) {
      assert.equal(status, 404);
      assert.ok(text.includes(en.notFound.title));
    }
    const bodies = pages.map(({ text }) => text.replaceAll(/\/subscriptions\/[^"&]*/g, ''));
    assert.equal(new Set(bodies).size, 1);
    for (const each of wrong) assert.equal((await press(each)).status, 404);
    assert.equal((await client.get(`/v1/subscriptions/${id}`)).body.state, 'active');
  });

  test('charges, the newest first: charged, refunded, declined; at most 24 of them', async () => {
    const id = await subscribe(client, 'scheduled');
    const charge = (amount: number) => client.post(`/v1/subscriptions/${id}/charges`, { order: anOrder(amount) });
    const first = await charge(70_100);
    await client.must(201, 'POST', `/v1/charges/${first.body.chargeId}/refunds`, { amount: 1_200 });
    await charge(133);
    await charge(70_300);
    const path = await pathOf(id);
    const { text } = await browse(path);
    assert.ok(text.includes('703.00') && text.indexOf('703.00') < text.indexOf('701.00'));
    for (const words of ['12.00 refunded', en.declined, en.charged]) assert.ok(text.includes(words), words);
    assert.ok(!text.includes(en.noCharges) && !text.includes(en.older));
    for (let n = 0; n < 22; n += 1) assert.equal((await charge(1_000)).status, 200);
    const full = (await browse(path)).text;
    assert.equal(full.match(/class="past /g)?.length, 24);
    assert.ok(full.includes(en.older) && !full.includes('701.00'));
  });

  test('the purchase that began it is told: what it was, in the list, and the way back to its shop', async () => {
    const items = ['Green tea', 'Black tea', 'White tea', 'Cup'].map((name) =>
      anItem({ name, grossTotalAmount: 2_500, netTotalAmount: 2_500, unitPrice: 2_500, taxAmount: 0, quantity: 1 }),
    );
    const order = { ...anOrder(10_000), items, reference: 'tea-4711' };
    const body = { order, checkout: { url: 'https://shop.example/a/checkout' }, subscription: { interval: 30 } };
    const { paymentId } = await client.must(201, 'POST', '/v1/payments', body);
    await reserveWith(client, paymentId);
    const { id } = (await client.payment(paymentId)).subscription;
    const path = await pathOf(id);
    const reserved = (await browse(path)).text;
    for (const words of ['Green tea, Black tea, White tea …', 'tea-4711', en.reserved, en.noCharges, '100.00'])
      assert.ok(reserved.includes(words), words);
    assert.match(reserved, /<a id="shop" href="https:\/\/shop\.example">/);
    await client.must(201, 'POST', `/v1/payments/${paymentId}/charges`, { amount: 10_000 });
    assert.ok((await browse(path)).text.includes(en.paid));
    // Another card for 0 is no purchase, and what it replaced stays in the list.
    const another = await createWith(client, { subscription: { subscriptionId: id } }, 0);
    await reserveWith(client, another);
    const { text } = await browse(path);
    for (const words of [en.paid, 'Green tea', 'tea-4711']) assert.ok(text.includes(words), words);
    assert.equal(text.match(/class="past /g)?.length, 1);
    await client.put(`/v1/subscriptions/${id}/terminate`);
    const ended = (await browse(path)).text;
    assert.ok(ended.includes(`<dt>${en.endedOn}</dt>`) && !ended.includes(`<dt>${en.until}</dt>`));
    assert.ok(ended.includes('class="message calm"'));
  });

  test('a card that was registered for 0 has bought nothing', async () => {
    const paymentId = await createWith(client, { subscription: {} }, 0);
    await reserveWith(client, paymentId);
    const { text } = await browse(await pathOf((await client.payment(paymentId)).subscription.id));
    assert.ok(text.includes(en.noCharges) && !text.includes('class="past '));
    assert.ok(
      text.includes(checkoutTexts('en').subscription.noInterval.slice(0, -1)),
      'there is no interval, and it says so',
    );
  });

  test('a card that is refused for good is told, and a subscription can still be ended', async () => {
    const id = await subscribe(client, 'scheduled', '4000000000004954');
    await client.post(`/v1/subscriptions/${id}/charges`, { order: anOrder(5_000) });
    const path = await pathOf(id);
    assert.ok((await browse(path)).text.includes(en.needsCard));
    assert.equal((await client.get(`/v1/subscriptions/${id}`)).body.state, 'needs_card');
    assert.equal((await press(path)).status, 303);
    assert.equal((await client.get(`/v1/subscriptions/${id}`)).body.state, 'ended');
  });

  // decision: ending-a-subscription
  test('one whose end is over has nothing to end, and nobody is told of an end, unless the shop ends it', async () => {
    const id = await subscribe(client, 'scheduled');
    const path = await pathOf(id);
    await service.pool.query(`update subscriptions set ends_at = now() - interval '1 second' where id = $1`, [id]);
    assert.equal((await client.get(`/v1/subscriptions/${id}`)).body.state, 'expired');
    const { text } = await browse(path);
    assert.ok(text.includes(en.expired.title) && !text.includes('id="end"'));
    assert.ok((await browse(`${path}/end`)).text.includes(en.expired.title));
    assert.equal((await press(path)).status, 303);
    assert.deepEqual(await endsTold(id), []);
    for (const _again of [1, 2]) expectNoBody(await client.put(`/v1/subscriptions/${id}/terminate`), 204);
    assert.equal((await client.get(`/v1/subscriptions/${id}`)).body.state, 'ended');
    assert.equal((await endsTold(id)).length, 1);
    const body = { order: anOrder(), checkout: { url: 'https://shop.example/checkout' } };
    const another = { ...body, subscription: { subscriptionId: id, endDate: '2031-06-01' } };
    assert.equal((await client.post('/v1/payments', another)).status, 400, 'no card brings it back');
  });
});

for (const dialect of DIALECTS)
  for (const kind of ['scheduled', 'unscheduled'] as const)
    describe(`ending a ${kind} one in the dialect ${dialect}`, () => {
      const { path: api, idName, update } = SUBSCRIPTION_PATHS[kind];
      let ending: Client;
      let merchant: Merchant;
      before(async () => {
        ({ client: ending, merchant } = await service.openShop({ dialect }));
      });
      const pageOf = async (id: string): Promise<string> => {
        const [row] = await service.pool.query<{ secret: string }>('select secret from subscriptions where id = $1', [
          id,
        ]);
        return `/subscriptions/${id}/${row?.secret}`;
      };
      const charge = (id: string, key = 'none'): Promise<Reply> =>
        ending.post(`${api}/${id}/charges`, { order: anOrder(5_000) }, { 'idempotency-key': key });

      // decision: ending-a-subscription
      test('by the consumer: looking and being asked change nothing; pressing ends it once and for good', async () => {
        const id = await subscribe(ending, kind);
        const page = await pageOf(id);
        for (const path of [page, `${page}/end`]) await browse(path);
        assert.equal((await charge(id, 'before')).status, 200);
        const pressed = await Promise.all(Array.from({ length: 5 }, () => press(page)));
        for (const { status, headers } of pressed) {
          assert.equal(status, 303);
          assert.equal(headers.get('location'), `${page}?language=en`);
        }
        const after_ = await browse(page);
        assert.ok(after_.text.includes(en.ended.title) && !after_.text.includes('id="end"'));
        const message = 'The consumer has ended the subscription.';
        for (const key of ['after', 'after', 'later'])
          expectFailure(await charge(id, key), { status: 402, code: '1030', message });
        assert.equal((await charge(id, 'before')).status, 200, 'what was charged before is told again');
        const told = await endsTold(id, ending);
        assert.equal(told.length, 1);
        const { paymentId, ...data } = told[0].data;
        assert.deepEqual(data, { subscriptionId: id, kind, endedBy: 'consumer' });
        assert.match(paymentId, /^[0-9a-f]{32}$/);
      });

      // decision: ending-a-subscription
      test('by the merchant: 204, again 204, told once; the page says who did it', async () => {
        const id = await subscribe(ending, kind);
        for (const _again of [1, 2]) expectNoBody(await ending.put(`${api}/${id}/terminate`), 204);
        assert.deepEqual(
          (await endsTold(id, ending)).map(({ data }) => data.endedBy),
          ['merchant'],
        );
        assert.ok((await browse(await pageOf(id))).text.includes('Test shop ended it on '));
        expectFailure(await charge(id), { status: 402, code: '1030', message: 'You have ended the subscription.' });
        const other = await service.openShop({ dialect });
        expectNoBody(await other.client.put(`${api}/${id}/terminate`), 404);
        expectNoBody(await ending.put(`${api}/nonsense/terminate`), 404);
      });

      // decision: ending-a-subscription, events-about-subscriptions
      test('no card brings it back: an update is 400, and one that was under way leaves it ended, and is not told', async () => {
        const id = await subscribe(ending, kind);
        const late = await createWith(ending, update(id), 0);
        const { paymentDetails } = (await ending.get(`${api}/${id}`)).body;
        await ending.put(`${api}/${id}/terminate`);
        const body = { order: anOrder(), checkout: { url: 'https://shop.example/checkout' }, ...update(id) };
        const field = kind === 'scheduled' ? 'subscription' : 'unscheduledSubscription';
        const text = 'is of a subscription that was ended; begin a new one';
        expectErrors(await ending.post('/v1/payments', body), { [`${field}.${idName}`]: [text] });
        await reserveWith(ending, late, '5413000000000000');
        assert.equal((await charge(id)).body.code, '1030');
        assert.deepEqual((await ending.get(`${api}/${id}`)).body.paymentDetails, paymentDetails, 'the card it had');
        const names = await readEventNames(service.pool, late);
        assert.ok(names.includes('payment.reservation.created'), 'what was paid is told');
        assert.ok(!names.includes('subscription.card.replaced'), 'of an end nothing follows');
      });

      // decision: the-consumers-subscription-page
      test('GET: where it stands and what was agreed to in spec; in nexi nothing of ours', async () => {
        const id = await subscribe(ending, kind, undefined, { interval: 28 });
        const { body } = await ending.get(`${api}/${id}`);
        const ours = ['state', 'consent', 'consumerPageUrl'];
        assert.deepEqual(
          ours.filter((name) => name in body),
          dialect === 'spec' ? ours : [],
        );
        await ending.put(`${api}/${id}/terminate`);
        const ended = (await ending.get(`${api}/${id}`)).body;
        assert.equal(ended.state, dialect === 'spec' ? 'ended' : undefined);
        assert.equal(ended.endedBy, dialect === 'spec' ? 'merchant' : undefined);
        if (dialect === 'nexi') return;
        const { agreedAt, ...consent } = body.consent;
        assert.ok(Math.abs(Date.parse(agreedAt) - Date.now()) < 60_000);
        assert.deepEqual(consent.amount, { amount: 10_000, currency: 'SEK' });
        assert.equal(consent.allowVariableAmount, kind === 'unscheduled');
        if (kind === 'scheduled') assert.equal(consent.interval, 28);
      });

      // decision: the-consumers-subscription-page
      test('GET: a key that only reads is not shown the page on which it could end it', async () => {
        const id = await subscribe(ending, kind);
        const asked = async (...scopes: Scope[]): Promise<Reply['body']> => {
          const { secret } = await createKey(service.pool, merchant, undefined, { scopes });
          const { body, status } = await service.client(secret).get(`${api}/${id}`);
          assert.equal(status, 200);
          return body;
        };
        const { consumerPageUrl, ...rest } = (await ending.get(`${api}/${id}`)).body;
        assert.equal(consumerPageUrl === undefined, dialect === 'nexi');
        for (const scopes of [['read'], ['read', 'webhooks']] as const) assert.deepEqual(await asked(...scopes), rest);
        assert.equal((await asked('read', 'money')).consumerPageUrl, consumerPageUrl);
      });
    });

describe('the way there from the checkout', () => {
  const hosted = { integrationType: 'HostedPaymentPage', returnUrl: 'https://shop.example/done' };
  const paidPage = async (paymentId: string): Promise<string> => {
    const reply = await new Consumer(service, shop, paymentId).pay(aPay(undefined));
    assert.equal(reply.status, 201, reply.text);
    const key = shop.merchant.checkoutKey;
    return (await service.client().get(`/hostedpaymentpage/?checkoutKey=${key}&pid=${paymentId}&language=en`)).text;
  };
  const linkIn = (page: string): string | undefined => /id="subscription" href="([^"]*)"/.exec(page)?.[1];

  // decision: the-consumers-subscription-page
  test('a new subscription and another card have it on the page of what was paid; a purchase has not', async () => {
    const first = linkIn(await paidPage(await createWith(client, { subscription: { interval: 30 } }, 100_000, hosted)));
    const path = new URL(first ?? '').pathname;
    assert.ok((await browse(path)).text.includes(en.active));
    const id = path.split('/')[2] as string;
    const another = { subscription: { subscriptionId: id } };
    assert.equal(linkIn(await paidPage(await createWith(client, another, 100_000, hosted))), first);
    assert.equal(linkIn(await paidPage(await createWith(client, {}, 100_000, hosted))), undefined);
  });

  // decision: the-consumers-subscription-page
  test('for a day: who finds the link of an old payment does not find that of its subscription', async () => {
    const paymentId = await createWith(client, { subscription: {} });
    await reserveWith(client, paymentId);
    const [found] = await loadGroup(service.pool, 'any')([{ merchantId: shop.merchant.id, target: paymentId }]);
    const payment = (found as Loaded).payment as Payment;
    const context = { payments: { store: { pool: service.pool } }, publicUrl: () => service.url };
    const urlAt = (age: number): Promise<string | undefined> => {
      const movements = payment.movements.map((one) => ({
        ...one,
        id: makeId(Date.now() - age, partOf(one.id), one.id.slice(16)),
      }));
      return findSubscriptionUrl(context as unknown as CheckoutContext, 'en', shop.merchant, { ...payment, movements });
    };
    assert.match((await urlAt(23 * 3_600_000)) ?? '', /\/subscriptions\/.*\?language=en$/);
    assert.equal(await urlAt(25 * 3_600_000), undefined);
  });
});
