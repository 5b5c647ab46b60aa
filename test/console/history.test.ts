// Goal: the page of a payment says who did what: which key by its name, which person, or the consumer; how cart and
// references were changed; and, to those who develop, which requests touched it. Method: the whole way, by keys, people and
// a consumer, and the page as each role sees it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createKey, revokeKey } from '../../src/store/merchants/keys.ts';
import { listPaymentChanges } from '../../src/store/payments/payment-changes.ts';
import { aCreate, anItem, anOrder } from '../support/client.ts';
import { aPay, Consumer } from '../support/checkout.ts';
import { signIn } from '../support/console.ts';
import { until } from '../support/kassa.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';
import { subscribe, SUBSCRIPTION_PATHS } from '../support/subscriptions.ts';

describe('the history of a payment', () => {
  let service: SharedService;
  before(() => {
    service = shareService();
  });
  after(() => service.close());

  const readAs = async ({ merchant }: Shop, role: 'viewer' | 'developer' | 'admin', paymentId: string) => {
    const visitor = await signIn(service, merchant.id, role);
    const text = await (await visitor.ask(`/console/${merchant.id}/payments/${paymentId}`)).text();
    return text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  };
  const openKey = async ({ merchant }: Shop, name: string) => {
    const made = await createKey(service.pool, merchant, undefined, { name });
    return { ...made, client: service.client(made.secret) };
  };

  test('changes of cart and references, with what it was before and after, and by which key', async () => {
    const shop = await service.openShop();
    const [web, desk] = [await openKey(shop, 'Web shop'), await openKey(shop, 'Support desk')];
    const paymentId = await web.client.create(100_000);
    const items = [anItem({ grossTotalAmount: 30_000 }), anItem({ reference: 'b', grossTotalAmount: 20_000 })];
    const path = `/v1/payments/${paymentId}`;
    await desk.client.must(204, 'PUT', `${path}/orderitems`, { amount: 50_000, items });
    const named = { reference: 'order-<2>', checkoutUrl: 'https://shop.example/again' };
    await web.client.must(204, 'PUT', `${path}/referenceinformation`, named);
    await web.client.must(204, 'PUT', `${path}/myreference`, { myReference: 'mine' });
    await desk.client.must(204, 'PUT', `${path}/terminate`);
    // What is refused changes nothing, and leaves nothing.
    assert.notEqual((await desk.client.put(`${path}/orderitems`, { amount: 50_000, items })).status, 204);
    const changes = await listPaymentChanges(service.pool, paymentId, 10);
    assert.deepEqual(
      changes.map(({ kind, before: was, after: is }) => [kind, was, is]),
      [
        ['termination', {}, {}],
        ['reference', { myReference: null }, { myReference: 'mine' }],
        [
          'reference',
          { reference: 'order-1', checkoutUrl: 'https://shop.example/checkout' },
          { reference: 'order-<2>', checkoutUrl: 'https://shop.example/again' },
        ],
        ['cart', { amount: 100_000, items: 1 }, { amount: 50_000, items: 2 }],
      ],
    );
    const page = await readAs(shop, 'viewer', paymentId);
    const [, story = ''] = page.split('Timeline');
    const steps = [
      new RegExp(`Terminated .*by key Support desk \\(…${desk.key.hint}\\)`),
      new RegExp(`References changed .*Your reference: none → mine .*by key Web shop \\(…${web.key.hint}\\)`),
      /References changed .*Reference: order-1 → order-&lt;2&gt; .*checkout → https:\/\/shop.example\/again /,
      /Cart changed .*1,000.00 SEK, 1 item → .*500.00 SEK, 2 items .*by key Support desk/,
      /Created .*by key Web shop/,
    ];
    for (const step of steps) assert.match(story, step);
    await revokeKey(service.pool, desk.key.id);
    assert.match(await readAs(shop, 'viewer', paymentId), /by key Support desk/);
  });

  test('movements: by the consumer, by a key, by a person, and by themselves', async () => {
    const shop = await service.openShop();
    const { client, key } = await openKey(shop, 'Warehouse');
    const paymentId = await client.create(100_000);
    const paid = await new Consumer(service, shop, paymentId).pay(aPay());
    assert.equal(paid.status, 201, paid.text);
    const chargeId = await client.charge(paymentId, 40_000);
    await client.refund(chargeId, 10_000);
    await client.cancel(paymentId, 60_000);
    const page = await readAs(shop, 'viewer', paymentId);
    const by = `by key Warehouse \\(…${key.hint}\\) · at simulator`;
    assert.match(
      page,
      new RegExp(`Cancelled 600.00 SEK .*${by}.*Refunded 100.00 SEK .*${by}.*Charged 400.00 SEK .*${by}`),
    );
    assert.match(page, /Reserved 1,?000.00 SEK .*by the consumer · at simulator/);

    const atOnce = await client.create(100_000, { charge: true });
    await new Consumer(service, shop, atOnce).pay(aPay());
    assert.match(await readAs(shop, 'viewer', atOnce), /Charged .*by itself, with the reservation · at simulator/);

    // What a key reserves in the sandbox is the key's, and the API shows nothing of who it was.
    const reserved = await client.createReserved();
    assert.match(await readAs(shop, 'viewer', reserved), /Reserved .*by key Warehouse/);
    assert.doesNotMatch((await client.get(`/v1/payments/${reserved}`)).text, new RegExp(`askedBy|${key.id}`));
  });

  test('charges of a subscription, one by one and in a bulk, by the key that asked for them', async () => {
    const shop = await service.openShop();
    const subscriptionId = await subscribe(shop.client, 'unscheduled');
    const { path, idName, listName } = SUBSCRIPTION_PATHS.unscheduled;
    const [one, many] = [await openKey(shop, 'Renewals'), await openKey(shop, 'Nightly run')];
    const charged = await one.client.must(200, 'POST', `${path}/${subscriptionId}/charges`, { order: anOrder(5_000) });
    const bulk = { externalBulkChargeId: 'night', [listName]: [{ [idName]: subscriptionId, order: anOrder(6_000) }] };
    const { bulkId } = await many.client.must(202, 'POST', `${path}/charges`, bulk);
    const done = await until('the bulk is done', async () => {
      const read = await many.client.must(200, 'GET', `${path}/charges/${bulkId}`);
      return read.status === 'Done' && read;
    });
    for (const [paymentId, { key }, name] of [
      [charged.paymentId as string, one, 'Renewals'],
      [done.page[0].paymentId as string, many, 'Nightly run'],
    ] as const) {
      const by = `by key ${name} \\(…${key.hint}\\)`;
      const story = new RegExp(`Charged .*${by} · at simulator.*Reserved .*${by} · at simulator.*Created .*${by}`);
      assert.match(await readAs(shop, 'viewer', paymentId), story);
      assert.doesNotMatch((await one.client.get(`/v1/payments/${paymentId}`)).text, new RegExp(`askedBy|${key.id}`));
    }
  });

  test('the requests that touched it are shown to those who develop, newest first, and to nobody else', async () => {
    const shop = await service.openShop();
    const paymentId = (await shop.client.must(201, 'POST', '/v1/payments', aCreate())).paymentId as string;
    assert.match(await readAs(shop, 'developer', paymentId), /Requests (?:No request of the last days|201)/);
    for (let sent = 0; sent < 12; sent += 1) await shop.client.get(`/v1/payments/${paymentId}`);
    const page = await until('all of them', async () => {
      const text = await readAs(shop, 'developer', paymentId);
      return (text.match(/200 GET/g) ?? []).length === 10 && text;
    });
    assert.match(page, /All requests that touched it/);
    assert.match(await readAs(shop, 'admin', paymentId), /All requests that touched it/);
    assert.doesNotMatch(await readAs(shop, 'viewer', paymentId), /requests that touched it|200 GET/);
  });

  test('a person who terminates a payment is named', async () => {
    const shop = await service.openShop();
    const paymentId = await shop.client.create();
    const visitor = await signIn(service, shop.merchant.id, 'operator');
    const done = await visitor.submit(`/console/${shop.merchant.id}/payments/${paymentId}/terminate`);
    assert.equal(done.status, 303);
    assert.match(await readAs(shop, 'viewer', paymentId), new RegExp(`Terminated .*by ${visitor.email}`));
  });
});
