// Goal: developers and admins find the requests of their merchant by all that is known of them, see them masked, and
// nobody else sees any: not by role, and not of another merchant. Method: pages and the console's API by every role, on
// requests that were really sent.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ROLES } from '../../src/domain/role.ts';
import { createKey, listKeys } from '../../src/store/merchants/keys.ts';
import { aCreate } from '../support/client.ts';
import { signIn } from '../support/console.ts';
import { until } from '../support/kassa.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

type Listed = { readonly id: string; readonly requestId: string; readonly path: string; readonly status: number };
type Answer = { readonly requests: readonly Listed[]; readonly omitted: number; readonly next?: string };

describe('requests at the console', () => {
  let service: SharedService;
  before(() => {
    service = shareService();
  });
  after(() => service.close());

  const as = async ({ merchant }: Shop, role: (typeof ROLES)[number] = 'developer') => {
    const visitor = await signIn(service, merchant.id, role);
    const read = async (path: string): Promise<{ readonly status: number; readonly text: string }> => {
      const answer = await visitor.ask(path);
      return { status: answer.status, text: await answer.text() };
    };
    return {
      read,
      page: (query = '') => read(`/console/${merchant.id}/requests${query}`),
      list: async (query = ''): Promise<Answer> =>
        JSON.parse((await read(`/console/api/${merchant.id}/requests${query}`)).text) as Answer,
    };
  };

  /** Once all that were sent are written. */
  const whenThere = (list: () => Promise<Answer>, count: number): Promise<Answer> =>
    until(`${count} requests`, async () => {
      const answer = await list();
      return answer.requests.length === count && answer;
    });

  test('every role: pages and API are for those who develop, and of another merchant nothing is there', async () => {
    const shop = await service.openShop();
    const other = await service.openShop({ beside: shop });
    await shop.client.get('/v1/paymentmethods', { 'x-request-id': 'mine' });
    const { list } = await as(shop);
    const { requests } = await whenThere(list, 1);
    const [{ id }] = requests as [Listed];
    for (const role of ROLES) {
      const { read } = await as(shop, role);
      const isAllowed = role === 'developer' || role === 'admin';
      for (const path of ['/requests', `/requests/${id}`]) {
        const page = await read(`/console/${shop.merchant.id}${path}`);
        const api = await read(`/console/api/${shop.merchant.id}${path}`);
        assert.deepEqual([page.status, api.status], isAllowed ? [200, 200] : [404, 403], `${role} ${path}`);
        assert.equal(/mine|paymentmethods/.test(page.text + api.text), isAllowed, `${role} ${path}`);
      }
      const home = (await read(`/console/${shop.merchant.id}/payments`)).text;
      assert.equal(home.includes(`/console/${shop.merchant.id}/requests"`), isAllowed, role);
      const stranger = await as(other, role);
      for (const path of [`${shop.merchant.id}/requests`, `${shop.merchant.id}/requests/${id}`]) {
        assert.equal((await stranger.read(`/console/${path}`)).status, 404, role);
        assert.equal((await stranger.read(`/console/api/${path}`)).status, 404, role);
      }
      const guessed = await stranger.read(`/console/api/${other.merchant.id}/requests/${id}`);
      assert.equal(guessed.status, isAllowed ? 404 : 403, role);
    }
    const nobody = await fetch(`${service.url}/console/api/${shop.merchant.id}/requests`);
    assert.equal(nobody.status, 401);
    const there = await as(other);
    assert.deepEqual((await there.list('?q=mine')).requests, []);
  });

  test('finds by request id, by payment, charge and refund, and by every filter, all in the address', async () => {
    const shop = await service.openShop();
    const named = await createKey(service.pool, shop.merchant, undefined, { name: 'Warehouse' });
    const paymentId = await shop.client.createReserved();
    const chargeId = await shop.client.charge(paymentId, 1_000);
    const refundId = await shop.client.refund(chargeId, 400);
    const own = { 'x-request-id': '0192f3a4-b5c6-7a1c-8d2e-4f5061728394' };
    await shop.client.get('/v1/payments/none', own);
    await service.client(named.secret).get('/v1/paymentmethods');
    const { list, page } = await as(shop);
    const all = await whenThere(list, 6);
    assert.equal(all.omitted, 0);
    const count = async (query: string): Promise<number> => (await list(query)).requests.length;
    for (const id of [paymentId, chargeId, refundId, `${paymentId.slice(0, 8)}-${paymentId.slice(8)}`])
      assert.equal(await count(`?q=${id}`), 4, id);
    assert.equal(await count(`?q=${own['x-request-id']}`), 1);
    assert.equal(await count('?q=none'), 0);
    assert.equal(await count(`?q=${'0'.repeat(12)}7${'0'.repeat(3)}8${'0'.repeat(15)}`), 0);
    assert.equal(await count('?status=failed'), 1);
    assert.equal(await count('?status=4xx'), 1);
    assert.equal(await count('?status=5xx'), 0);
    assert.equal(await count('?status=ok'), 5);
    assert.equal(await count('?route=POST%20/v1/payments'), 1);
    const key = (await listKeys(service.pool, shop.merchant.id)).find(({ name }) => name === 'Warehouse');
    assert.equal(await count(`?key=${key?.id}`), 1);
    assert.equal(await count('?from=2026-01-01T00:00Z'), 6);
    assert.equal(await count('?to=2026-01-01T00:00Z'), 0);
    const { text } = await page(`?q=${paymentId}&status=ok&route=POST%20/v1/payments`);
    assert.equal((text.match(/class="chip"/g) ?? []).length, 3);
    const odd = await page('?status=odd&route=GET%20/v9&from=soon&before=x&key=%2C');
    assert.equal(odd.status, 200);
    assert.match(odd.text, /Left out, since it could not be understood: Status, Operation, Key, From\./);
    assert.match((await page()).text, /Warehouse \(…/);
    assert.match((await page('?q=nothing-like-that')).text, /Nothing found/);
  });

  test('pages follow each other, and the last one has no next', async () => {
    const shop = await service.openShop();
    for (let sent = 0; sent < 60; sent += 1) {
      await shop.client.get('/v1/paymentmethods');
      // So many a second are kept.
      if (sent === 30) await new Promise((resolve) => setTimeout(resolve, 1_100));
    }
    const { list, page } = await as(shop);
    const first = await until('a full page', async () => {
      const answer = await list();
      return answer.next !== undefined && answer;
    });
    const second = await until('the rest', async () => {
      const answer = await list(`?before=${first.next}`);
      return answer.requests.length + answer.omitted === 10 && answer;
    });
    assert.equal(second.next, undefined);
    const ids = [...first.requests, ...second.requests].map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(ids, ids.toSorted().toReversed());
    assert.match((await page()).text, /rel="next"/);
    assert.match((await page(`?before=${first.next}`)).text, /Newest/);
  });

  test('how many were not kept is said where they would stand', async () => {
    const shop = await service.openShop();
    const { page } = await as(shop);
    assert.match((await page()).text, /No requests yet/);
    await service.pool.query(
      `insert into request_log_omissions (part, merchant_id, minute, count)
       values ($1, $2, date_trunc('minute', now()), 1234)`,
      [shop.merchant.parts[0], shop.merchant.id],
    );
    assert.match((await page()).text, /1,234 requests of this time were not kept/);
    assert.doesNotMatch((await page('?to=2026-01-01T00:00Z')).text, /were not kept/);
  });

  test('one request: bodies as text, masked and laid out, with the way to its payment and to others like it', async () => {
    const shop = await service.openShop();
    const create = aCreate(100_000, { consumer: { email: 'anna@example.se' }, merchantHandlesConsumerData: true });
    create.order.reference = '<script>alert(1)</script>';
    create.order.items[0].name = '"><img src=x onerror=alert(1)>';
    const { paymentId } = await shop.client.must(201, 'POST', '/v1/payments', create);
    await shop.client.post(`/v1/payments/${paymentId}/charges`, '{"amount":', { 'x-request-id': '<b>' });
    await shop.client.post(`/v1/payments/${paymentId}/charges`, 'x', { 'content-type': 'text/<b>' });
    const { list, read } = await as(shop);
    const { requests } = await whenThere(list, 3);
    const [odd, broken, made] = await Promise.all(
      requests.map(async ({ id }) => (await read(`/console/${shop.merchant.id}/requests/${id}`)).text),
    );
    assert.match(made ?? '', new RegExp(`/payments/${paymentId}"`));
    assert.match(made ?? '', /requests\?route=POST\+%2Fv1%2Fpayments"/);
    assert.match(made ?? '', /&quot;email&quot;: &quot;•••&quot;/);
    assert.match(made ?? '', /&lt;script&gt;alert\(1\)/);
    assert.doesNotMatch(made ?? '', /<script>alert|<img src=x|anna/);
    assert.match(broken ?? '', /not JSON from here on/);
    assert.match(odd ?? '', /A body of 1 byte that was not JSON/);
    assert.doesNotMatch(`${odd}${broken}`, /<b>/);
    const whole = JSON.parse(
      (await read(`/console/api/${shop.merchant.id}/requests/${requests.at(-1)?.id}`)).text,
    ) as Readonly<Record<string, unknown>> & { request: { text: string; bytes: number; cut: boolean } };
    assert.equal(whole['paymentId'], paymentId);
    assert.equal(whole.request.bytes, Buffer.byteLength(JSON.stringify(create)));
    for (const id of ['none', '0'.repeat(32), requests[0]?.id.replace(/.$/, 'z')])
      assert.equal((await read(`/console/api/${shop.merchant.id}/requests/${id}`)).status, 404, id);
  });
});
