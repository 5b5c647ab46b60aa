// Goal: people find a payment by whatever they know of it, in a list that neither skips nor repeats one, and see nothing of
// another merchant's. Method: payments made through the API, and lists asked for as a browser does, at a Kassa that runs.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { timeOf } from '../../src/domain/id.ts';
import { aCreate, anItem } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import { signIn } from '../support/console.ts';
import type { Visitor } from '../support/console.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

const SIGNS: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&#39;': "'",
  '&quot;': '"',
};

type Made = { readonly amount?: number; readonly order?: object; readonly consumer?: object; readonly more?: object };

async function make(client: Client, { amount = 100_000, order = {}, consumer, more = {} }: Made): Promise<string> {
  const body = aCreate(amount, consumer && { merchantHandlesConsumerData: true, consumer });
  const { paymentId } = await client.must(201, 'POST', '/v1/payments', {
    ...body,
    ...more,
    order: { ...body.order, ...order },
  });
  return paymentId as string;
}

const reserve = (client: Client, id: string): Promise<unknown> =>
  client.must(201, 'POST', `/v1/sandbox/payments/${id}/reserve`, {});

const person = (firstName: string, lastName: string, email: string, number: string): object => ({
  email,
  phoneNumber: { prefix: '+46', number },
  privatePerson: { firstName, lastName },
  shippingAddress: { addressLine1: 'Gatan 1', postalCode: '11122', city: 'Stockholm', country: 'SWE' },
});

async function pageOf(visitor: Visitor, path: string): Promise<string> {
  const answer = await visitor.ask(path);
  assert.equal(answer.status, 200, path);
  return answer.text();
}

const idsOn = (page: string): string[] =>
  Array.from(page.matchAll(/data-id="([0-9a-f]{32})"/g), ([, id]) => id as string);

const nextOf = (page: string): string | undefined =>
  /href="([^"]+)" rel="next"/.exec(page)?.[1]?.replaceAll(/&[^;]+;/g, (sign) => SIGNS[sign] ?? sign);

describe('the list of payments', () => {
  let service: SharedService;
  before(() => {
    service = shareService();
  });
  after(() => service.close());

  /** A shop, somebody who looks, and the ids that an address of its list shows. */
  async function openList(): Promise<{
    readonly client: Client;
    readonly visitor: Visitor;
    readonly list: string;
    readonly find: (query: Readonly<Record<string, string>>) => Promise<string[]>;
  }> {
    const { merchant, client } = await service.openShop();
    const visitor = await signIn(service, merchant.id, 'viewer');
    const list = `/console/${merchant.id}/payments`;
    const find = async (query: Readonly<Record<string, string>>): Promise<string[]> =>
      idsOn(await pageOf(visitor, `${list}?${new URLSearchParams(query).toString()}`));
    return { client, visitor, list, find };
  }

  test('one field finds it by all that is known of it, and nothing of another merchant', async () => {
    const { client, find } = await openList();
    const stranger = await openList();
    const ada = person('Ada', 'von Lovelace', 'Ada.L@Example.com', '70-123 45 67');
    const own = { myReference: 'crm-77' };
    const id = await make(client, { amount: 12_345, order: { reference: 'ORD/7 a' }, consumer: ada, more: own });
    await make(client, { amount: 12_346, consumer: person('Grace', 'Hopper', 'grace@example.com', '709999999') });
    await make(stranger.client, { amount: 12_345, order: { reference: 'ORD/7 a' }, consumer: ada, more: own });
    await reserve(client, id);
    const chargeId = await client.charge(id, 12_345);
    const { refundId } = await client.must(201, 'POST', `/v1/charges/${chargeId}/refunds`, { amount: 12_345 });
    const company = {
      ...person('', '', 'buyer@acme.example', '701111111'),
      privatePerson: undefined,
      company: { name: 'Acme Rockets AB' },
    };
    const acme = await make(client, { amount: 500, order: { currency: 'JPY' }, consumer: company });
    const dashed = id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    for (const text of [id, id.toUpperCase(), dashed, chargeId, refundId as string, 'ORD/7 a', 'crm-77'])
      assert.deepEqual(await find({ q: text }), [id], text);
    for (const text of ['ada.l@example.COM', '+46 70 123 45 67', '0701234567', '701234567', '123.45', '123,45 SEK'])
      assert.deepEqual(await find({ q: text }), [id], text);
    for (const text of ['VON LOVELACE', 'von lov', 'Ada von Lovelace', 'von Lovelace, Ada', '0004'])
      assert.deepEqual(await find({ q: text }), [id], text);
    for (const text of ['acme', '500 JPY', '500']) assert.deepEqual(await find({ q: text }), [acme], text);
    for (const text of [
      'Bob von Lovelace',
      '123.45 EUR',
      '1234',
      'RD/7',
      '%',
      '_',
      "'",
      'x\u0001y',
      'x'.repeat(1_000),
      '= 1 or true',
    ])
      assert.deepEqual(await find({ q: text }), [], text);
    for (const text of [id, chargeId, refundId as string])
      assert.deepEqual(await stranger.find({ q: text }), [], 'another merchant’s');
  });

  test('what a list shows of a payment finds it: amounts, first names, methods, beginnings, and names without their marks', async () => {
    const { client, visitor, list, find } = await openList();
    const bjork = person('Åsa', 'Björk', 'asa.bjork@example.com', '70-123 45 67');
    const id = await make(client, { amount: 143_500, order: { reference: 'ORD-2026-17' }, consumer: bjork });
    await reserve(client, id);
    const soren = person('Søren', 'Müller Łoś', 'soren@example.com', '709999999');
    const other = await make(client, { amount: 99_900, order: { reference: 'X-1' }, consumer: soren });
    const anonymous = await make(client, { amount: 70_000, order: { reference: undefined } });
    for (const text of [
      '1,435.00 SEK',
      '1,435.00',
      '1 435,00',
      '1\u00A0435,00 SEK',
      '1.435,00',
      '1435,00 kr',
      '1,435 SEK',
    ])
      assert.deepEqual(await find({ q: text }), [id], text);
    for (const text of ['Åsa', 'asa', 'åsa', 'Åsa Björk', 'asa bjork', 'Bjork', 'bjoerk', 'bjö', 'BJÖRK, ÅSA'])
      assert.deepEqual(await find({ q: text }), [id], text);
    for (const text of ['soren', 'Soeren', 'Mueller', 'muller los', 'soren müll'])
      assert.deepEqual(await find({ q: text }), [other], text);
    for (const text of [
      'Visa 0004',
      'visa •• 0004',
      '•• 0004',
      'Visa',
      'card',
      'ord-2026',
      'ORD-2026-1',
      'Asa.b',
      'asa.bjork@',
    ])
      assert.deepEqual(await find({ q: text }), [id], text);
    for (const text of ['Mastercard 0004', 'Mastercard', 'bjørk', '1,435.00 EUR', '1.436', 'sa', 'example.com'])
      assert.deepEqual(await find({ q: text }), [], text);
    assert.deepEqual(await find({ q: 'Visa', state: 'reserved', method: 'CARD' }), [id]);
    assert.deepEqual(await find({ q: 'Visa', method: 'MasterCard' }), []);
    const [shown = ''] = /[0-9a-f]{8}…[0-9a-f]{6}/.exec(await pageOf(visitor, list)) ?? [];
    assert.deepEqual(await find({ q: shown }), [anonymous]);
    assert.deepEqual(await find({ q: shown.slice(0, 8).padEnd(15, 'f') }), []);
    const stranger = await openList();
    for (const text of ['1,435.00', 'Åsa', 'asa', 'Visa', 'ORD-2026', 'asa.', shown])
      assert.deepEqual(await stranger.find({ q: text }), [], 'another merchant’s');
  });

  test('each filter, alone and with others, and what a payment has come to', async () => {
    const { client, visitor, list, find } = await openList();
    const created = await make(client, { amount: 10_000, more: { myReference: 'mine' } });
    const terminated = await make(client, { amount: 20_000 });
    await client.must(204, 'PUT', `/v1/payments/${terminated}/terminate`);
    const paid = async (amount: number): Promise<string> => {
      const id = await make(client, { amount, order: { currency: amount === 60_000 ? 'EUR' : 'SEK' } });
      await reserve(client, id);
      return id;
    };
    const reserved = await paid(30_000);
    const cancelled = await paid(40_000);
    await client.must(204, 'POST', `/v1/payments/${cancelled}/cancels`, { amount: 40_000 });
    const part = { amount: 25_000, orderItems: [anItem({ grossTotalAmount: 25_000 })] };
    const partly = await paid(50_000);
    await client.must(201, 'POST', `/v1/payments/${partly}/charges`, part);
    const charged = await paid(60_000);
    await client.charge(charged, 60_000);
    const refunds = async (amount: number, body: object): Promise<string> => {
      const id = await paid(amount);
      await client.must(201, 'POST', `/v1/charges/${await client.charge(id, amount)}/refunds`, body);
      return id;
    };
    const partlyRefunded = await refunds(70_000, part);
    const refunded = await refunds(80_000, { amount: 80_000 });
    const states = { created, terminated, reserved, cancelled, 'partly charged': partly, charged, refunded };
    for (const [state, id] of Object.entries({ ...states, 'partly refunded': partlyRefunded }))
      assert.deepEqual(await find({ state }), [id], state);
    for (const state of ['pending', 'expired']) assert.deepEqual(await find({ state }), [], state);
    assert.deepEqual(await find({ currency: 'EUR' }), [charged]);
    assert.deepEqual(await find({ currency: 'EUR', state: 'reserved' }), []);
    assert.deepEqual(await find({ myReference: 'mine' }), [created]);
    assert.deepEqual(await find({ method: 'EasyInvoice' }), []);
    assert.equal((await find({ method: 'CARD' })).length, 6);
    assert.deepEqual(await find({ least: '699.99', most: '700,00' }), [partlyRefunded]);
    assert.deepEqual(await find({ q: '700', state: 'partly refunded' }), [partlyRefunded]);
    assert.deepEqual(await find({ q: '700', state: 'charged' }), []);
    const bySize = [refunded, partlyRefunded, charged, partly, cancelled, reserved, terminated, created];
    assert.deepEqual(await find({ sort: 'largest' }), bySize);
    assert.deepEqual(await find({ sort: 'smallest' }), bySize.toReversed());
    assert.deepEqual(await find({ sort: 'smallest', least: '300', most: '500' }), [reserved, cancelled, partly]);
    assert.deepEqual(await find({}), bySize, 'the newest first');
    assert.deepEqual(await find({ sort: 'oldest' }), bySize.toReversed());

    const [, choices = ''] =
      /<select id="filter-currency"[^>]*>(.*?)<\/select>/s.exec(await pageOf(visitor, list)) ?? [];
    assert.deepEqual(
      Array.from(choices.matchAll(/value="([A-Z]+)"/g), ([, code]) => code).slice(0, 3),
      ['EUR', 'SEK', 'AED'],
      'those of the payments that are shown come first',
    );
  });

  test('a period has hours and minutes', async () => {
    const { client, find } = await openList();
    const early = await make(client, {});
    let late = early;
    // Until the clock has moved on.
    while (timeOf(late) === timeOf(early)) late = await make(client, {});
    const all = await find({});
    const between = new Date(timeOf(late)).toISOString();
    assert.deepEqual(await find({ from: between }), [late]);
    assert.deepEqual(await find({ to: between }), all.slice(1));
    assert.deepEqual(await find({ from: between, to: between }), []);
  });

  test('pages neither skip nor repeat one while new ones come, in every order', async () => {
    const { client, visitor, list } = await openList();
    const made: string[] = [];
    for (let n = 0; n < 60; n += 20)
      made.push(
        ...(await Promise.all(
          Array.from({ length: 20 }, (_none, k) => make(client, { amount: 1_000 + ((n + k) % 7) })),
        )),
      );
    for (const sort of ['newest', 'oldest', 'largest', 'smallest']) {
      const seen: string[] = [];
      let path: string | undefined = `${list}?sort=${sort}`;
      for (let pages = 0; path !== undefined; pages += 1) {
        assert.ok(pages < 10, 'it ends');
        const page: string = await pageOf(visitor, path);
        seen.push(...idsOn(page));
        path = nextOf(page);
        if (pages === 0 && sort === 'newest') await make(client, {});
      }
      assert.equal(new Set(seen).size, seen.length, sort);
      for (const id of made) assert.ok(seen.includes(id), sort);
    }
  });

  test('what is stored is shown as text, and what cannot be understood is left out and named', async () => {
    const { client, visitor, list } = await openList();
    const mallory = person('<b>M</b>', '"><script>alert(1)</script>', 'm@example.com', '701234567');
    await make(client, { order: { reference: '<img src=x onerror=alert(1)>' }, consumer: mallory });
    const page = await pageOf(visitor, `${list}?q=${encodeURIComponent('"><script>alert(2)</script>')}`);
    const all = await pageOf(visitor, list);
    for (const text of [page, all]) assert.doesNotMatch(text, /<script>|<b>|<img src=x/);
    assert.ok(all.includes('&lt;b&gt;M&lt;/b&gt;'));
    const wrong = await pageOf(
      visitor,
      `${list}?state=lost&from=yesterday&least=-1&currency=XXX&after=1&sort=up&method=%01`,
    );
    assert.match(wrong, /could not be understood/);
    assert.equal(idsOn(wrong).length, 1);
  });
});
