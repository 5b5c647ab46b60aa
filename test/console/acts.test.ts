// Goal: money is moved from the console by those who may, once for each form that is opened, however often it is sent, and
// what came of it is told in plain words. Method: requests as a browser sends them, with a script and without, to a Kassa
// that runs; the payment as the API gives it is the judge.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newActKey } from '../../src/console/payment/act.ts';
import { partOf } from '../../src/domain/id.ts';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { aCreate, anItem } from '../support/client.ts';
import { signIn } from '../support/console.ts';
import type { Visitor } from '../support/console.ts';
import { elementsOf } from '../support/markup.ts';
import { shareService } from '../support/service.ts';
import type { SharedService, Shop } from '../support/service.ts';

const mugs = anItem({ reference: 'mug', name: 'Mug', quantity: 3, taxAmount: 6_000, grossTotalAmount: 30_000 });
const some = (quantity: number) => ({ ...mugs, quantity, grossTotalAmount: 10_000 * quantity });

describe('acts at the console', () => {
  let service: SharedService;
  let shop: Shop;
  let operator: Visitor & { readonly email: string };
  before(async () => {
    service = shareService();
    shop = await service.openShop({ strictItems: true });
    operator = await signIn(service, shop.merchant.id, 'operator');
  });
  after(() => service.close());

  const pageOf = (paymentId: string): string => `/console/${shop.merchant.id}/payments/${paymentId}`;
  const apiOf = (paymentId: string): string => `/console/api/${shop.merchant.id}/payments/${paymentId}`;

  async function reserved(card?: string): Promise<string> {
    const created = aCreate();
    const order = { ...created.order, items: [mugs], amount: 30_000 };
    const { paymentId } = await shop.client.must(201, 'POST', '/v1/payments', { ...created, order });
    await shop.client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`, card ? { card } : {});
    return paymentId;
  }

  const send = (who: Visitor, path: string, body: object, key = newActKey()): Promise<Response> =>
    who.ask(path, {
      method: 'POST',
      body: JSON.stringify(body),
      more: { 'content-type': 'application/json', 'idempotency-key': key },
    });

  const fill = (who: Visitor, path: string, fields: Record<string, string>): Promise<Response> =>
    who.ask(path, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      more: { 'content-type': 'application/x-www-form-urlencoded' },
    });

  const summaryOf = async (paymentId: string): Promise<object> => (await shop.client.payment(paymentId)).summary;

  async function must(status: number, answer: Response): Promise<{ movementId: string }> {
    const text = await answer.text();
    assert.equal(answer.status, status, text);
    return JSON.parse(text) as { movementId: string };
  }

  test('by the API: whole, by amount, by items; charges, refunds and cancels', async () => {
    const paymentId = await reserved();
    const api = apiOf(paymentId);
    const one = { amount: 10_000, orderItems: [some(1)] };
    const { movementId: chargeId } = await must(201, await send(operator, `${api}/charges`, one));
    await must(201, await send(operator, `${api}/charges/${chargeId}/refunds`, { amount: 2_500 }));
    await must(201, await send(operator, `${api}/cancels`, one));
    await must(201, await send(operator, `${api}/charges`, { amount: 10_000 }));
    await must(201, await send(operator, `${api}/charges/${chargeId}/refunds`, { amount: 7_500 }));
    const payment = await shop.client.payment(paymentId);
    const { summary, charges } = payment;
    assert.deepEqual(Object.values(summary), [30_000, 20_000, 10_000, 10_000]);
    assert.deepEqual(charges[0].orderItems, one.orderItems);
    assert.equal(charges[0].chargeId, chargeId);
    const page = await (await operator.ask(pageOf(paymentId))).text();
    assert.equal(page.match(new RegExp(`by ${operator.email} · at simulator`, 'g'))?.length, 5, 'who did it is shown');
    const records = await service.pool.query<{ action: string; actor_name: string; after: object }>(
      `select action, actor_name, after from audit_records where subject = $1 order by number`,
      [paymentId],
    );
    const kinds = ['charge', 'refund', 'cancel', 'charge', 'refund'];
    assert.deepEqual(
      records.map(({ action, actor_name: name }) => [action, name]),
      kinds.map((kind) => [`payment.${kind}`, operator.email]),
    );
    assert.deepEqual(records[0]?.after, { amount: 10_000, currency: 'SEK', movementId: chargeId });
    const { differences } = await verifyBooks(service.pool);
    assert.deepEqual(
      differences.filter((difference) => difference.paymentId === paymentId),
      [],
      'its books balance',
    );
  });

  test('one key at once eight times is one movement, and the same is told to all', async () => {
    const paymentId = await reserved();
    const key = newActKey();
    const path = `${apiOf(paymentId)}/charges`;
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(operator, path, { amount: 4_000 }, key)));
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
    assert.equal(new Set(texts).size, 1);
    assert.equal((await shop.client.payment(paymentId)).charges.length, 1);
    const records = await service.pool.query('select 1 from audit_records where subject = $1', [paymentId]);
    assert.equal(records.length, 1, 'and one record');
    const other = await send(operator, path, { amount: 4_001 }, key);
    assert.equal(other.status, 409);
    assert.match(await other.text(), /used for something else/);
  });

  test('a key of somebody’s own is not taken, nor is none, nor a body that is wrong', async () => {
    const paymentId = await reserved();
    const path = `${apiOf(paymentId)}/charges`;
    for (const key of ['my-key', `console-${'A'.repeat(32)}`, ''])
      assert.equal((await send(operator, path, { amount: 1 }, key)).status, 400, key);
    for (const body of [{}, { amount: 0 }, { amount: 1.5 }, { amount: '1' }, { amount: 1, more: 2 }])
      assert.equal((await send(operator, path, body)).status, 400, JSON.stringify(body));
    const differs = await send(operator, path, { amount: 9_999, orderItems: [some(1)] });
    assert.equal(differs.status, 400);
    assert.equal((await shop.client.payment(paymentId)).charges.length, 0);
  });

  test('refusals are told in plain words, with the field; and by the same key again, as a replay', async () => {
    const paymentId = await reserved();
    const api = apiOf(paymentId);
    const key = newActKey();
    const tooMuch = { message: '300.01 SEK is more than the 300.00 SEK left to charge.', field: 'amount' };
    const asked = () => send(operator, `${api}/charges`, { amount: 30_001 }, key);
    const first = await asked();
    assert.equal(first.status, 422);
    assert.deepEqual(await first.json(), tooMuch);
    const again = await asked();
    assert.equal(again.status, 422);
    const replayed =
      'This form was refused before for this reason, and nothing was tried again. To try again, open it anew.';
    assert.deepEqual(await again.json(), { ...tooMuch, message: `${tooMuch.message} ${replayed}` });
    const items = await send(operator, `${api}/cancels`, { amount: 30_000, orderItems: [{ ...some(3), quantity: 4 }] });
    assert.deepEqual(await items.json(), { message: 'Of mug only 3 is left in the order.', field: 'items' });
    const declining = await reserved('4925000000000079');
    const declined = await send(operator, `${apiOf(declining)}/charges`, { amount: 1 });
    assert.equal(declined.status, 422);
    assert.match(await declined.text(), /The charge was declined: /);
  });

  test('who may not is told 403, another merchant’s people 404, on every address', async () => {
    const paymentId = await reserved();
    const chargeId = await shop.client.charge(paymentId, 100);
    const refundId = await shop.client.refund(chargeId, 50);
    const unpaid = await shop.client.create();
    const other = await service.openShop();
    const stranger = await signIn(service, other.merchant.id, 'admin');
    const [api, page] = [apiOf(paymentId), pageOf(paymentId)];
    const addresses: readonly { ask: (who: Visitor) => Promise<Response>; isAdmins?: true }[] = [
      ...['charges', 'cancels', `charges/${chargeId}/refunds`].map((path) => ({
        ask: (who: Visitor) => send(who, `${api}/${path}`, { amount: 1 }),
      })),
      ...['charge', 'cancel', 'refund', 'terminate', `refunds/${refundId}/cancel`].flatMap((path) => [
        { ask: (who: Visitor) => who.ask(`${page}/${path}`) },
        { ask: (who: Visitor) => fill(who, `${page}/${path}`, { key: newActKey(), sure: '1' }) },
      ]),
      { ask: (who: Visitor) => fill(who, `${pageOf(unpaid)}/pay`, { card: '4925000000000004' }) },
      { ask: (who: Visitor) => who.ask(`${page}/erase`), isAdmins: true },
      { ask: (who: Visitor) => fill(who, `${page}/erase`, {}), isAdmins: true },
    ];
    const asItWas = [await shop.client.payment(paymentId), await shop.client.payment(unpaid)];
    for (const role of ['viewer', 'developer'] as const) {
      const visitor = await signIn(service, shop.merchant.id, role);
      for (const [index, { ask }] of addresses.entries())
        assert.equal((await ask(visitor)).status, 403, `${role}, address ${index}`);
      const shown = await (await visitor.ask(page)).text();
      assert.doesNotMatch(shown, /\/charge"|\/cancel"|\/refund[?"]|\/erase"/, 'and offered nothing');
    }
    for (const [index, { ask, isAdmins }] of addresses.entries()) {
      assert.equal((await ask(stranger)).status, 404, `another merchant’s, address ${index}`);
      if (isAdmins) assert.equal((await ask(operator)).status, 403, `operator, address ${index}`);
    }
    assert.deepEqual([await shop.client.payment(paymentId), await shop.client.payment(unpaid)], asItWas);
    const [mine, theirs] = [apiOf(paymentId), `/console/api/${other.merchant.id}/payments/${paymentId}`];
    assert.equal((await send(stranger, `${theirs}/charges`, { amount: 1 })).status, 404);
    const another = await shop.client.charge(await reserved(), 100);
    assert.equal((await send(operator, `${mine}/charges/${another}/refunds`, { amount: 1 })).status, 404);
  });

  test('what another site makes a browser send moves nothing', async () => {
    const paymentId = await reserved();
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const form = { ...foreign, 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams({ key: newActKey(), sure: '100' }).toString();
    const answer = await operator.ask(`${pageOf(paymentId)}/charge`, { method: 'POST', body, more: form });
    const json = { ...foreign, 'content-type': 'application/json', 'idempotency-key': newActKey() };
    const sent = await operator.ask(`${apiOf(paymentId)}/charges`, {
      method: 'POST',
      body: '{"amount":1}',
      more: json,
    });
    assert.deepEqual([answer.status, sent.status], [403, 403]);
    assert.deepEqual(Object.values(await summaryOf(paymentId)), [30_000, 0, 0, 0]);
  });

  /** The fields that a form has hidden. */
  const hiddenIn = (page: string): Record<string, string> =>
    Object.fromEntries(
      elementsOf(page)
        .filter(({ name, attributes }) => name === 'input' && attributes['type'] === 'hidden')
        .map(({ attributes }) => [attributes['name'] ?? '', attributes['value'] ?? '']),
    );

  async function open(path: string): Promise<Record<string, string>> {
    const answer = await operator.ask(path);
    const page = await answer.text();
    assert.equal(answer.status, 200, page);
    return hiddenIn(page);
  }

  test('without a script: what will happen is said first, and a form that is sent twice acts once', async () => {
    const paymentId = await reserved();
    const path = `${pageOf(paymentId)}/charge`;
    const first = await fill(operator, path, { ...(await open(path)), mode: 'amount', amount: '120,50' });
    const page = await first.text();
    assert.equal(first.status, 200);
    assert.match(page, /Charge 120\.50\u00a0SEK of order\u20111\. 179\.50\u00a0SEK stay reserved\./);
    assert.deepEqual(Object.values(await summaryOf(paymentId)), [30_000, 0, 0, 0], 'nothing is done yet');
    const sure = hiddenIn(page);
    const [one, two] = await Promise.all([fill(operator, path, sure), fill(operator, path, sure)]);
    const where = one.headers.get('location') ?? '';
    assert.deepEqual([one.status, two.status, two.headers.get('location')], [303, 303, where]);
    const [charge] = (await shop.client.payment(paymentId)).charges;
    assert.equal(where, `${pageOf(paymentId)}?did=${charge.chargeId}`);
    assert.match(
      await (await operator.ask(where)).text(),
      /<p class="notice good" role="status">Charged 120\.50 SEK\.<\/p>/,
    );
    const again = await fill(operator, path, sure);
    assert.equal(again.headers.get('location'), where, 'also later');
    assert.deepEqual(Object.values(await summaryOf(paymentId)), [30_000, 12_050, 0, 0]);

    const refund = `${pageOf(paymentId)}/refund`;
    const whole = await fill(operator, refund, { ...(await open(refund)), mode: 'whole' });
    const asked = await whole.text();
    assert.match(
      asked,
      /Refund 120\.50\u00a0SEK of order\u20111\. Afterwards nothing of the charge is left to refund\./,
    );
    assert.equal((await fill(operator, `${refund}?charge=${charge.chargeId}`, hiddenIn(asked))).status, 303);
    const cancel = `${pageOf(paymentId)}/cancel`;
    const rest = await fill(operator, cancel, { ...(await open(cancel)), mode: 'whole' });
    assert.equal((await fill(operator, cancel, hiddenIn(await rest.text()))).status, 303);
    assert.deepEqual(Object.values(await summaryOf(paymentId)), [30_000, 12_050, 12_050, 17_950]);
  });

  test('without a script: what is no amount, and what is refused, is told on the form', async () => {
    const paymentId = await reserved();
    const path = `${pageOf(paymentId)}/charge`;
    const fields = await open(path);
    for (const amount of ['', 'much', '1,234', '-5', '0', '1e3', '12.5.0', '9'.repeat(20)]) {
      const answer = await fill(operator, path, { ...fields, mode: 'amount', amount });
      assert.equal(answer.status, 422, amount);
      assert.match(await answer.text(), /role="alert">Type an amount in SEK, for example 12\.50\./);
    }
    const refused = await fill(operator, path, { key: fields['key'] ?? '', sure: '30001' });
    assert.equal(refused.status, 422);
    const page = await refused.text();
    assert.match(page, /role="alert">300\.01 SEK is more than the 300\.00 SEK left to charge\./);
    assert.notEqual(hiddenIn(page)['key'], fields['key'], 'what comes next is another request');
    assert.equal((await shop.client.payment(paymentId)).charges.length, 0);
  });

  test('amounts are typed with the decimals of the currency', async () => {
    for (const [currency, typed, minor] of [
      ['JPY', '1234', 1_234],
      ['BHD', '1,234', 1_234],
      ['BHD', '1.2', 1_200],
    ] as const) {
      const created = aCreate(12_345);
      const order = { ...created.order, currency };
      const { paymentId } = await shop.client.must(201, 'POST', '/v1/payments', { ...created, order });
      await shop.client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
      const path = `${pageOf(paymentId)}/charge`;
      const first = await fill(operator, path, { ...(await open(path)), mode: 'amount', amount: typed });
      assert.equal((await fill(operator, path, hiddenIn(await first.text()))).status, 303);
      assert.equal((await shop.client.payment(paymentId)).summary.chargedAmount, minor, `${typed} ${currency}`);
    }
    const yen = aCreate(500);
    const { paymentId } = await shop.client.must(201, 'POST', '/v1/payments', {
      ...yen,
      order: { ...yen.order, currency: 'JPY' },
    });
    await shop.client.must(201, 'POST', `/v1/sandbox/payments/${paymentId}/reserve`);
    const path = `${pageOf(paymentId)}/charge`;
    assert.equal((await fill(operator, path, { ...(await open(path)), mode: 'amount', amount: '1.5' })).status, 422);
  });

  test('of several charges one is chosen; what is pending is shown as that, and no more is offered of it', async () => {
    const paymentId = await reserved();
    const charges = [await shop.client.charge(paymentId, 10_000), await shop.client.charge(paymentId, 5_000)];
    const choice = await (await operator.ask(`${pageOf(paymentId)}/refund`)).text();
    for (const id of charges) assert.ok(choice.includes(`/refund?charge=${id}"`));
    const values = [partOf(paymentId), paymentId];
    await service.pool.query(
      `update movements set state = 'pending' where part = $1 and payment_id = $2 and sequence = 3`,
      values,
    );
    await service.pool.query(
      `update payments set charged = 10000, charging = 5000 where part = $1 and id = $2`,
      values,
    );
    const page = await (await operator.ask(`${pageOf(paymentId)}?did=${charges[1]}`)).text();
    assert.match(page, /data-watch="[^"]*\/state" data-version="\d+"/);
    assert.match(page, /Charge pending 50\.00 SEK/);
    assert.doesNotMatch(page, /notice good/);
    assert.deepEqual(await (await operator.ask(`${apiOf(paymentId)}/state`)).json(), { version: 4, pending: 1 });
    const refund = await (await operator.ask(`${pageOf(paymentId)}/refund`)).text();
    assert.match(refund, /100\.00 SEK, all that is left of the charge/);
  });

  describe('a refund above the amount that the merchant has set', () => {
    let guarded: Shop;
    let clerk: Visitor & { readonly email: string };
    before(async () => {
      guarded = await service.openShop({ refundProof: { SEK: 500 } });
      clerk = await signIn(service, guarded.merchant.id, 'operator');
    });
    const setProof = (ago: string) =>
      service.pool.query(
        `update sessions set proved_at = now() - interval '${ago}'
         where person_id = (select id from people where email = $1)`,
        [clerk.email],
      );
    const charged = async (): Promise<{ paymentId: string; chargeId: string }> => {
      const paymentId = await guarded.client.createReserved(2_000);
      return { paymentId, chargeId: await guarded.client.charge(paymentId, 2_000) };
    };
    const refundedOf = async (paymentId: string): Promise<number> =>
      (await guarded.client.payment(paymentId)).summary.refundedAmount;

    test('asks at the API for a proof of the last minutes, also in parts, and does nothing without; its key stays good', async () => {
      const { paymentId, chargeId } = await charged();
      const api = `/console/api/${guarded.merchant.id}/payments/${paymentId}/charges/${chargeId}/refunds`;
      await setProof('11 minutes');
      const small = newActKey();
      await must(201, await send(clerk, api, { amount: 400 }, small));
      for (const amount of [101, 1_000]) {
        const answer = await send(clerk, api, { amount });
        const text = await answer.text();
        assert.deepEqual([answer.status, JSON.parse(text).reason], [403, 'proof_needed'], text);
      }
      assert.equal(await refundedOf(paymentId), 400);
      await must(201, await send(clerk, api, { amount: 400 }, small));
      const key = newActKey();
      assert.equal((await send(clerk, api, { amount: 1_000 }, key)).status, 403);
      await setProof('0 minutes');
      const { movementId } = await must(201, await send(clerk, api, { amount: 1_000 }, key));
      await setProof('11 minutes');
      const again = await must(201, await send(clerk, api, { amount: 1_000 }, key));
      assert.equal(again.movementId, movementId, 'whoever asks again is told, and needs no proof for that');
      assert.equal(await refundedOf(paymentId), 1_400);
      await must(
        201,
        await send(
          clerk,
          `/console/api/${guarded.merchant.id}/payments/${await guarded.client.createReserved(9_000)}/charges`,
          {
            amount: 9_000,
          },
        ),
      );
    });

    test('leads a form through the proof and back to what was typed, and is done once', async () => {
      const { paymentId, chargeId } = await charged();
      const path = `/console/${guarded.merchant.id}/payments/${paymentId}/refund`;
      await setProof('11 minutes');
      const key = newActKey();
      const led = await fill(clerk, `${path}?charge=${chargeId}`, { key, sure: '700' });
      assert.equal(led.status, 303);
      const location = led.headers.get('location') ?? '';
      const next = new URL(location, service.url).searchParams.get('next') ?? '';
      assert.match(location, /^\/console\/prove\?/);
      assert.equal((await clerk.ask(location)).status, 200, 'asked who it is');
      await setProof('0 minutes');
      assert.equal((await clerk.ask(location)).headers.get('location'), next);
      const page = await (await clerk.ask(next)).text();
      assert.ok(page.includes(key) && page.includes('Refund 7.00 SEK'), page);
      assert.equal(await refundedOf(paymentId), 0, 'opening it does nothing');
      for (let times = 0; times < 2; times += 1)
        assert.equal((await fill(clerk, `${path}?charge=${chargeId}`, { key, sure: '700' })).status, 303);
      assert.equal(await refundedOf(paymentId), 700);
    });
  });

  test('terminate, pay as the consumer, erase: each asked for first, and done once', async () => {
    const paymentId = await shop.client.create();
    const page = pageOf(paymentId);
    assert.match(await (await operator.ask(page)).text(), /Pay as the consumer/);
    assert.equal((await fill(operator, `${page}/pay`, { card: '4000000000000002' })).status, 303);
    assert.match(await (await operator.ask(page)).text(), /Reservation declined/);
    assert.equal((await fill(operator, `${page}/pay`, { card: '4925000000000004' })).status, 303);
    assert.equal(((await summaryOf(paymentId)) as { reservedAmount: number }).reservedAmount, 100_000);
    const twice = await fill(operator, `${page}/pay`, { card: '4925000000000004' });
    assert.equal(twice.status, 422);
    assert.match(await twice.text(), /The payment is paid already\./);
    assert.equal((await fill(operator, `${page}/pay`, { card: '4111111111111111' })).status, 404);
    assert.match(await (await fill(operator, `${page}/terminate`, {})).text(), /The payment is paid already\./);

    const open2 = await shop.client.create();
    assert.match(await (await operator.ask(`${pageOf(open2)}/terminate`)).text(), /can no longer pay/);
    assert.equal((await fill(operator, `${pageOf(open2)}/terminate`, {})).status, 303);
    assert.ok((await shop.client.payment(open2)).terminated);

    const admin = await signIn(service, shop.merchant.id, 'admin');
    assert.match(await (await admin.ask(`${page}/erase`)).text(), /erased for good/);
    for (let times = 0; times < 2; times += 1) assert.equal((await fill(admin, `${page}/erase`, {})).status, 303);
    assert.match(await (await admin.ask(page)).text(), /Erased\./);
    const records = await service.pool.query<{ action: string }>(
      'select action from audit_records where subject = any ($1) order by number',
      [[paymentId, open2]],
    );
    assert.deepEqual(
      records.map(({ action }) => action),
      ['payment.pay', 'payment.pay', 'payment.terminate', 'payment.erase'],
    );
    assert.doesNotMatch(await (await admin.ask(page)).text(), /Nordmann/);
  });

  test('a live merchant’s payments are not paid from here', async () => {
    const live = await service.openShop({ live: true });
    const paymentId = await live.client.create();
    const admin = await signIn(service, live.merchant.id, 'admin');
    const page = `/console/${live.merchant.id}/payments/${paymentId}`;
    assert.doesNotMatch(await (await admin.ask(page)).text(), /Pay as the consumer/);
    assert.equal((await fill(admin, `${page}/pay`, { card: '4925000000000004' })).status, 404);
  });
});
