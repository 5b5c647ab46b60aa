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
import { hiddenIn } from '../support/markup.ts';
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

  const fill = (who: Visitor, path: string, fields: Record<string, string>): Promise<Response> =>
    who.ask(path, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      more: { 'content-type': 'application/x-www-form-urlencoded' },
    });

  const summaryOf = async (paymentId: string): Promise<object> => (await shop.client.payment(paymentId)).summary;

  /** As the form of an act sends an amount that was confirmed. */
  const move = (who: Visitor, path: string, amount: number, key = newActKey()): Promise<Response> =>
    fill(who, path, { key, mode: 'amount', amount: (amount / 100).toFixed(2), whole: '1000000', sure: String(amount) });

  /** The movement that was made. */
  async function must(sent: Promise<Response>): Promise<string> {
    const answer = await sent;
    assert.equal(answer.status, 303, await answer.text());
    return answer.headers.get('location')?.split('?did=')[1] ?? '';
  }

  test('whole, by amount, by items; charges, refunds and cancels', async () => {
    const paymentId = await reserved();
    const page = pageOf(paymentId);
    const one = { mode: 'items', q0: '1', sure: '10000' };
    const chargeId = await must(fill(operator, `${page}/charge`, { key: newActKey(), ...one }));
    await must(move(operator, `${page}/refund?charge=${chargeId}`, 2_500));
    await must(fill(operator, `${page}/cancel`, { key: newActKey(), ...one }));
    await must(fill(operator, `${page}/charge`, { key: newActKey(), mode: 'whole', sure: '10000' }));
    await must(move(operator, `${page}/refund?charge=${chargeId}`, 7_500));
    const payment = await shop.client.payment(paymentId);
    const { summary, charges } = payment;
    assert.deepEqual(Object.values(summary), [30_000, 20_000, 10_000, 10_000]);
    assert.deepEqual(charges[0].orderItems, [{ ...some(1), taxAmount: 2_000, netTotalAmount: 26_667 }]);
    assert.equal(charges[0].chargeId, chargeId);
    const shown = await (await operator.ask(page)).text();
    assert.equal(shown.match(new RegExp(`by ${operator.email} · at simulator`, 'g'))?.length, 5, 'who did it is shown');
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

  test('one key at once eight times is one movement, and all are led to it', async () => {
    const paymentId = await reserved();
    const key = newActKey();
    const path = `${pageOf(paymentId)}/charge`;
    const sent = Array.from({ length: 8 }, () => must(move(operator, path, 4_000, key)));
    assert.equal(new Set(await Promise.all(sent)).size, 1);
    assert.equal((await shop.client.payment(paymentId)).charges.length, 1);
    const records = await service.pool.query('select 1 from audit_records where subject = $1', [paymentId]);
    assert.equal(records.length, 1, 'and one record');
    const other = await move(operator, path, 4_001, key);
    assert.equal(other.status, 422);
    assert.match(await other.text(), /used for another amount/);
  });

  test('items that were sent are done once, also where what is left of them is another part of their line by then', async () => {
    const paymentId = await reserved();
    const path = `${pageOf(paymentId)}/charge`;
    const fields = { ...(await open(path)), mode: 'items', q0: '2', sure: '20000' };
    const movementId = await must(fill(operator, path, fields));
    assert.equal(await must(fill(operator, path, fields)), movementId);
    assert.deepEqual(Object.values(await summaryOf(paymentId)), [30_000, 20_000, 0, 0]);
  });

  test('a form is sent again and answered the same when a refund that was pending as it was opened has failed since', async () => {
    for (const item of [
      { ...some(1), grossTotalAmount: 1_000 },
      { ...some(1), taxAmount: 0 },
    ]) {
      const paymentId = await reserved('4000000000007726');
      const chargeId = await shop.client.charge(paymentId, 30_000);
      const left = 30_000 - item.grossTotalAmount;
      const pending = { amount: item.grossTotalAmount, orderItems: [item] };
      const { refundId } = await shop.client.must(201, 'POST', `/v1/charges/${chargeId}/refunds`, pending);
      const path = `${pageOf(paymentId)}/refund?charge=${chargeId}`;
      const fields = { ...(await open(path)), mode: 'items', q0: '2', sure: String(left) };
      const movementId = await must(fill(operator, path, fields));
      await shop.client.must(204, 'POST', `/v1/sandbox/refunds/${refundId}/settle`, { state: 'Failed' });
      assert.equal(await must(fill(operator, path, fields)), movementId);
      assert.equal((await shop.client.payment(paymentId)).refunds.length, 2);
    }
  });

  test('a key of somebody’s own is not taken, and what was not confirmed is not done', async () => {
    const paymentId = await reserved();
    const path = `${pageOf(paymentId)}/charge`;
    for (const key of ['my-key', `console-${'A'.repeat(32)}`, '']) {
      const answer = await move(operator, path, 100, key);
      assert.match(await answer.text(), /Charge 1\.00\u00a0SEK of order/, key);
    }
    for (const sure of ['', '0', '1.5', '101'])
      assert.match(
        await (await fill(operator, path, { key: newActKey(), mode: 'amount', amount: '1', sure })).text(),
        /Charge 1\.00\u00a0SEK of order/,
        sure,
      );
    assert.equal((await shop.client.payment(paymentId)).charges.length, 0);
  });

  /** What was refused, where it is said. */
  const alertIn = (page: string): string =>
    Array.from(page.matchAll(/role="alert">([^<]+)/g), ([, text = '']) => text).join(' ');

  test('refusals are told in plain words, with the field; and by the same key again, as a replay', async () => {
    const paymentId = await reserved();
    const path = `${pageOf(paymentId)}/charge`;
    const key = newActKey();
    const tooMuch = '300.01 SEK is more than the 300.00 SEK left to charge.';
    const first = await move(operator, path, 30_001, key);
    assert.equal(first.status, 422);
    const page = await first.text();
    assert.match(page, /id="amount-wrong" role="alert">300\.01/);
    assert.equal(alertIn(page), tooMuch);
    const again = await move(operator, path, 30_001, key);
    assert.equal(again.status, 422);
    const replayed =
      'This form was refused before for this reason, and nothing was tried again. To try again, open it anew.';
    assert.equal(alertIn(await again.text()), `${tooMuch} ${replayed}`);
    const cancel = `${pageOf(paymentId)}/cancel`;
    const opened = await open(cancel);
    const taken = { amount: 10_000, orderItems: [some(1)] };
    await shop.client.must(201, 'POST', `/v1/payments/${paymentId}/charges`, taken);
    const items = await fill(operator, cancel, { ...opened, mode: 'items', q0: '3', sure: '30000' });
    assert.equal(items.status, 422);
    const declining = await reserved('4925000000000079');
    const declined = await move(operator, `${pageOf(declining)}/charge`, 1);
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
    const page = pageOf(paymentId);
    const addresses: readonly { ask: (who: Visitor) => Promise<Response>; isAdmins?: true }[] = [
      ...['charge', 'cancel', 'refund', 'terminate', `refunds/${refundId}/cancel`].flatMap((path) => [
        { ask: (who: Visitor) => who.ask(`${page}/${path}`) },
        { ask: (who: Visitor) => move(who, `${page}/${path}`, 1) },
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
    const theirs = `/console/${other.merchant.id}/payments/${paymentId}`;
    assert.equal((await move(stranger, `${theirs}/charge`, 1)).status, 404);
    const another = await shop.client.charge(await reserved(), 100);
    assert.equal((await move(operator, `${page}/refund?charge=${another}`, 1)).status, 404);
  });

  test('what another site makes a browser send moves nothing', async () => {
    const paymentId = await reserved();
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const form = { ...foreign, 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams({ key: newActKey(), mode: 'whole', sure: '30000' }).toString();
    const answer = await operator.ask(`${pageOf(paymentId)}/charge`, { method: 'POST', body, more: form });
    assert.equal(answer.status, 403);
    assert.deepEqual(Object.values(await summaryOf(paymentId)), [30_000, 0, 0, 0]);
  });

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
      assert.match(await answer.text(), /role="alert">Type an amount in SEK\./);
    }
    const refused = await fill(operator, path, {
      ...fields,
      mode: 'amount',
      amount: '300.01',
      whole: '40000',
      sure: '30001',
    });
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

    const isLed = async (sent: Promise<Response>): Promise<string> => {
      const location = (await sent).headers.get('location') ?? '';
      assert.match(location, /^\/console\/prove\?next=.*&form=/);
      return location;
    };

    test('asks for a proof of the last minutes, also in parts, and does nothing without; its key stays good', async () => {
      const { paymentId } = await charged();
      const page = (id: string): string => `/console/${guarded.merchant.id}/payments/${id}`;
      const refund = `${page(paymentId)}/refund`;
      await setProof('11 minutes');
      const small = newActKey();
      const first = await must(move(clerk, refund, 400, small));
      for (const amount of [101, 1_000]) await isLed(move(clerk, refund, amount));
      assert.equal(await refundedOf(paymentId), 400);
      assert.equal(await must(move(clerk, refund, 400, small)), first);
      const key = newActKey();
      await isLed(move(clerk, refund, 1_000, key));
      await setProof('0 minutes');
      const movementId = await must(move(clerk, refund, 1_000, key));
      await setProof('11 minutes');
      const again = await must(move(clerk, refund, 1_000, key));
      assert.equal(again, movementId, 'a repeat shows the outcome and needs no proof');
      assert.equal(await refundedOf(paymentId), 1_400);
      await must(move(clerk, `${page(await guarded.client.createReserved(9_000))}/charge`, 9_000));
    });

    test('keeps a form through the proof with what was typed, and is done once', async () => {
      const { paymentId, chargeId } = await charged();
      const path = `/console/${guarded.merchant.id}/payments/${paymentId}/refund?charge=${chargeId}`;
      await setProof('11 minutes');
      const typed = { key: newActKey(), mode: 'amount', amount: '7', sure: '700' };
      const led = await fill(clerk, path, typed);
      const location = led.headers.get('location') ?? '';
      const [kept = ''] = led.headers.getSetCookie().map((cookie) => cookie.replace(/;.*/, ''));
      const more = { cookie: `${clerk.cookie}; ${kept}` };
      assert.equal((await clerk.ask(location, { more })).status, 200, 'asked who it is');
      await setProof('0 minutes');
      const page = await (await clerk.ask(location, { more })).text();
      assert.ok(page.includes(`action="${path}"`), page);
      assert.deepEqual(hiddenIn(page), typed);
      assert.equal(await refundedOf(paymentId), 0, 'opening it does nothing');
      for (let times = 0; times < 2; times += 1) assert.equal((await fill(clerk, path, hiddenIn(page))).status, 303);
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
