// Goal: the page of a payment shows all that is known of it to those whose payment it is, and to nobody else. Method:
// payments made through the API, and looked at as a browser does, at a Kassa that runs.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sayUnits } from '../../src/console/payment/items.ts';
import { ROLES } from '../../src/domain/role.ts';
import { signIn, Visitor } from '../support/console.ts';
import { aCreate, anItem, anOrder } from '../support/client.ts';
import { elementsOf } from '../support/markup.ts';
import { eraseConsumer } from '../../src/store/payments/erase.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';
import { createWith, reserveWith, SUBSCRIPTION_PATHS } from '../support/subscriptions.ts';

describe('the page of a payment', () => {
  let service: SharedService;
  before(() => {
    service = shareService();
  });
  after(() => service.close());

  test('the raw payment is what the API gives, in the dialect of the merchant', async () => {
    for (const dialect of ['spec', 'nexi'] as const) {
      const { merchant, client } = await service.openShop({ dialect });
      const paymentId = await client.createReserved();
      const visitor = await signIn(service, merchant.id, 'viewer');
      const path = `/console/api/${merchant.id}/payments/${paymentId}`;
      const answer = await visitor.ask(path);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.equal(await answer.text(), (await client.get(`/v1/payments/${paymentId}`)).text);
      assert.deepEqual(await (await visitor.ask(`${path}/state`)).json(), { version: 2, pending: 0 });
    }
  });

  const textOf = (page: string): string => page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

  /** The page as a browser gets it, and as it is read. */
  async function look(visitor: Visitor, path: string): Promise<{ page: string; text: string }> {
    const answer = await visitor.ask(path);
    const page = await answer.text();
    assert.equal(answer.status, 200, page);
    elementsOf(page);
    return { page, text: textOf(page) };
  }

  test('reference, amounts, items, movements and their events, consumer and method', async () => {
    const { merchant, client } = await service.openShop();
    const mugs = anItem({ reference: 'mug', name: 'Mug', quantity: 3, grossTotalAmount: 30_000 });
    const oneMug = { ...mugs, quantity: 1, grossTotalAmount: 10_000 };
    const created = aCreate();
    const order = { ...created.order, reference: 'order-77', items: [mugs], amount: 30_000 };
    const { paymentId } = await client.must(201, 'POST', '/v1/payments', { ...created, order });
    await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
    const charges = `/v1/payments/${paymentId}/charges`;
    const { chargeId } = await client.must(201, 'POST', charges, { amount: 10_000, orderItems: [oneMug] });
    await client.refund(chargeId, 2_500);
    await client.must(204, 'POST', `/v1/payments/${paymentId}/cancels`, { amount: 10_000, orderItems: [oneMug] });
    const visitor = await signIn(service, merchant.id, 'viewer');
    const { page, text } = await look(visitor, `/console/${merchant.id}/payments/${paymentId}`);
    const [reservation] = await service.pool.query<{ id: string }>(
      `select id from movements where payment_id = $1 and kind = 'reservation'`,
      [paymentId],
    );
    const expected = [
      'order-77 300.00 SEK Partly refunded Partly charged Partly cancelled',
      'Reserved 300.00 SEK Charged 100.00 SEK Charged and kept 75.00 SEK Refunded 25.00 SEK Cancelled 100.00 SEK Left to charge 100.00 SEK',
      'Mug mug 3 pair 1 – 1 1 300.00 SEK',
      'Some amounts were moved without naming these items',
      `Charged 100.00 SEK`,
      `Refunded 25.00 SEK`,
      '1 × Mug',
      `of charge ${chargeId}`,
      'at simulator · invoice number',
      'payment.charge.created.v2',
      'sent to nobody',
      'Kari Nordmann',
      'consumer@example.test',
      '+47 40000000',
      'Testveien 1',
      'Norway',
      'Visa card',
      '•••• 0004',
      '12/30',
      reservation?.id.replaceAll('-', '') ?? 'no reservation',
    ];
    for (const words of expected) assert.ok(text.includes(words), `${words} is not in: ${text}`);
    assert.ok(!page.split('class="panel raw"')[0]?.includes('NOR<'), 'a country has a name');
    assert.ok(!page.split('class="panel raw"')[0]?.includes('492500'), 'no more of the card than its last four');
    assert.doesNotMatch(text, /Pending 0\.00/, 'what is nothing is not said');
    assert.match(page, /<time datetime="[^"]+" title="[^"]+" data-seconds>[^<]+:\d\d:\d\d UTC</, 'to the second');
    assert.match(page, /<svg[^>]*role="img"[^>]*aria-label="Charged and kept 75\.00 SEK, Refunded 25\.00 SEK/);
    for (const time of page.matchAll(/<time([^>]*)>/g)) assert.match(time[1] ?? '', /datetime="[^"]*Z" title="[^"]*Z"/);
  });

  test('units in words of the reader’s language, or as the shop calls them', () => {
    const rows: readonly (readonly [quantity: number, unit: string, en: string, sv: string, pl: string])[] = [
      [1, 'pcs', '1 piece', '1 styck', '1 sztuka'],
      [2, 'PCE', '2 pieces', '2 stycken', '2 sztuki'],
      [5, '', '5 pieces', '5 stycken', '5 sztuk'],
      [1.5, 'KGM', '1.5 kilograms', '1,5 kilogram', '1,5 kilograma'],
      [3, 'h', '3 hours', '3 timmar', '3 godziny'],
      [1, 'month', '1 month', '1 månad', '1 miesiąc'],
      [2, 'pair', '2 pair', '2 pair', '2 pair'],
      [2, '<b>', '2 <b>', '2 <b>', '2 <b>'],
    ];
    const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');
    for (const [quantity, unit, ...said] of rows)
      for (const [at, language] of (['en', 'sv', 'pl'] as const).entries())
        assert.equal(plain(sayUnits({ quantity, unit }, language)), said[at], `${unit} in ${language}`);
  });

  test('with dashes in the id; 404 for what is not theirs, is not there or is no id', async () => {
    const [{ merchant, client }, other] = [await service.openShop(), await service.openShop()];
    const paymentId = await client.create();
    const visitor = await signIn(service, merchant.id, 'viewer');
    const stranger = await signIn(service, other.merchant.id, 'admin');
    const base = `/console/${merchant.id}/payments`;
    const dashed = paymentId.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    await look(visitor, `${base}/${dashed}`);
    await look(visitor, `${base}/${paymentId.toUpperCase()}`);
    for (const wrong of ['nothing', paymentId.slice(1), await other.client.create(), '%3Cscript%3E'])
      assert.equal((await visitor.ask(`${base}/${wrong}`)).status, 404, wrong);
    assert.equal((await stranger.ask(`${base}/${paymentId}`)).status, 404);
    assert.equal((await stranger.ask(`/console/${other.merchant.id}/payments/${paymentId}`)).status, 404);
  });

  test('markup in names, references and addresses is text', async () => {
    const { merchant, client } = await service.openShop();
    const markup = `<script>alert(1)</script><b title='"'>&amp;`;
    const created = aCreate(100_000, {
      consumer: { email: 'a@example.test', privatePerson: { firstName: markup, lastName: 'B' } },
      merchantHandlesConsumerData: true,
    });
    const order = {
      ...created.order,
      reference: markup,
      items: [anItem({ name: markup, reference: markup, unit: '<i>' })],
    };
    const { paymentId } = await client.must(201, 'POST', '/v1/payments', { ...created, order, myReference: '<u>' });
    await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
    await client.must(201, 'POST', `/v1/payments/${paymentId}/charges`, { amount: 1, myReference: '<s>mine</s>' });
    const visitor = await signIn(service, merchant.id, 'viewer');
    const { page } = await look(visitor, `/console/${merchant.id}/payments/${paymentId}`);
    assert.doesNotMatch(page, /<(?:script>|b |i>|u>|s>)/);
    assert.ok(page.includes('&lt;script&gt;alert(1)&lt;/script&gt;'));
  });

  test('amounts have the decimals of their currency', async () => {
    const { merchant, client } = await service.openShop();
    const visitor = await signIn(service, merchant.id, 'viewer');
    for (const [currency, whole, part] of [
      ['JPY', '12,345 JPY', '1,000 JPY'],
      ['BHD', '12.345 BHD', '1.000 BHD'],
    ] as const) {
      const created = aCreate(12_345);
      const order = { ...created.order, currency };
      const { paymentId } = await client.must(201, 'POST', '/v1/payments', { ...created, order });
      await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
      await client.charge(paymentId, 1_000);
      const { text } = await look(visitor, `/console/${merchant.id}/payments/${paymentId}`);
      assert.ok(text.includes(`order-1 ${whole} Partly charged`), text);
      assert.ok(text.includes(`Charged ${part}`), text);
    }
  });

  test('an invoice payment has its PDF, with the number of the series; a credit note, too', async () => {
    const { merchant, client } = await service.openShop();
    const paymentId = await client.create();
    await client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, { paymentType: 'INVOICE' });
    const chargeId = await client.charge(paymentId, 100_000);
    const refundId = await client.refund(chargeId, 1_000);
    const visitor = await signIn(service, merchant.id, 'viewer');
    const { page, text } = await look(visitor, `/console/${merchant.id}/payments/${paymentId}`);
    const links = Array.from(page.matchAll(/<a href="([^"]*\/invoices\/(\w+)\/[^"]*)">([^<]*)</g), (match) =>
      match.slice(2),
    );
    assert.deepEqual(links, [
      [refundId, 'Credit note 2 (PDF)'],
      [chargeId, 'Invoice 1 (PDF)'],
    ]);
    assert.match(text, /Paid by Invoice/);
  });

  test('a charge of a subscription leads to the payment that brought its card', async () => {
    const { merchant, client } = await service.openShop();
    const first = await createWith(client, SUBSCRIPTION_PATHS.scheduled.asked());
    await reserveWith(client, first);
    const id = SUBSCRIPTION_PATHS.scheduled.idIn(await client.payment(first));
    const { paymentId } = await client.must(200, 'POST', `/v1/subscriptions/${id}/charges`, { order: anOrder(10_000) });
    const visitor = await signIn(service, merchant.id, 'viewer');
    const base = `/console/${merchant.id}/payments`;
    const { page, text } = await look(visitor, `${base}/${paymentId}`);
    assert.match(text, new RegExp(`Is a charge of a scheduled subscription Active ${id}`));
    assert.ok(page.includes(`href="${base}/${first}"`));
    assert.match((await look(visitor, `${base}/${first}`)).text, /Begins a scheduled subscription Active/);
  });

  test('a decline is shown with its reason, an erased consumer as that', async () => {
    const { merchant, client } = await service.openShop();
    const visitor = await signIn(service, merchant.id, 'viewer');
    const declined = await client.create();
    const reserve = `/v1/sandbox/payments/${declined}/reserve`;
    await client.must(402, 'POST', reserve, { card: '4000000000009995' }).catch(() => {});
    const { text } = await look(visitor, `/console/${merchant.id}/payments/${declined}`);
    assert.match(text, /Not paid Declined .*Reservation declined 1,000\.00 SEK .*insufficient funds/i);
    const erased = await client.createReserved();
    await eraseConsumer(service.pool, erased);
    const shown = await look(visitor, `/console/${merchant.id}/payments/${erased}`);
    assert.match(shown.text, /Consumer Erased\./);
    assert.doesNotMatch(shown.text, /Nordmann/);
  });

  test('for each role; 401 without a session, 404 for another merchant’s people and for what is not there', async () => {
    const [{ merchant, client }, other] = [await service.openShop(), await service.openShop()];
    const paymentId = await client.create();
    const base = `/console/api/${merchant.id}/payments`;
    const stranger = await signIn(service, other.merchant.id, 'admin');
    const statusFor = async (who: Visitor, path: string): Promise<number> => (await who.ask(path)).status;
    for (const path of [`${base}/${paymentId}`, `${base}/${paymentId}/state`]) {
      assert.equal(await statusFor(new Visitor(service.url), path), 401);
      assert.equal(await statusFor(stranger, path), 404);
      assert.equal(await statusFor(stranger, path.replace(`${merchant.id}`, `${other.merchant.id}`)), 404);
      for (const role of ROLES) assert.equal(await statusFor(await signIn(service, merchant.id, role), path), 200);
    }
    const own = await signIn(service, merchant.id, 'viewer');
    assert.equal(await statusFor(own, `${base}/${paymentId.replace(/^.{8}/, '$&-')}/state`), 200, 'with a dash');
    for (const wrong of ['nothing', paymentId.slice(1), 'f'.repeat(32)])
      assert.equal(await statusFor(own, `${base}/${wrong}`), 404, wrong);
  });
});
